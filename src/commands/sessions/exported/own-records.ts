import { createContextFold, relocateContext, relocateMessage, withoutThinking } from '../../../context/history/apply-record.ts';
import { withoutPinsNotice } from '../../../context/history/pins.ts';
import { continueLedger } from '../../../context/ledger/ledger.ts';
import { boundLedger } from '../../../context/ledger/merge-ledger.ts';
import type { CountTokens } from '../../../context/measure/count.ts';
import { compressedHistory, summaryOf } from '../../../context/summary/compressed-history.ts';
import { neutralize } from '../../../context/text/sentences.ts';
import type { SessionContext } from '../../../domain/session/context.ts';
import { emptyLedger } from '../../../domain/session/ledger.ts';
import { type BodyRef, type ContentBlock, isCompaction, type Message, textOf } from '../../../domain/session/message.ts';
import type { BranchEntry, BranchRecord, FileVersion, HeaderRecord, LogRecord, OffloadRecord } from '../../../domain/session/record.ts';
import { portable } from '../../../model/convert-history.ts';
import { importedTexts } from './imported-texts.ts';

export type OwnParts = Required<Pick<HeaderRecord, 'cwd' | 'model' | 'imported'>> &
  Pick<HeaderRecord, 'endpoint'> & {
    readonly base: Pick<SessionContext, 'system' | 'tools'>;
    readonly ledgerTokens: number;
    readonly count: CountTokens;
    readonly bodyPath: (ref: BodyRef) => string;
  };

export type OwnRecords = ReturnType<typeof createOwnRecords>;

/**
 * Makes the records of a stranger's session ours, one after the other and in their order: what was said stays, as something imported, and
 * what SanBot supplies is its own: the system prompt, the tools, the model and where it is asked, the working folder, and the ledgers, which are
 * gathered anew from what was said. Notices, which speak with SanBot's voice, are quoted. Thinking is signed for another system prompt and goes, and so
 * does what a server added to its replies.
 * The same goes for what its helpers said. A record of a kind that is not known here is left out.
 */
export function createOwnRecords(own: OwnParts) {
  const summaries = new Map<string, Message>();
  const fold = createContextFold({ ...own.base, shortTermSummary: '', messages: [], anchorFloor: 0 });
  const messageOf = (message: Message): readonly Message[] => {
    const known = message.origin === 'summary' ? summaries.get(message.id) : undefined;
    if (known !== undefined) return [known];
    const [kept] = withoutThinking([message]);
    const content = kept?.role === 'assistant' ? kept.content.flatMap(ownBlock) : kept?.content;
    return kept === undefined || content === undefined || content.length === 0 ? [] : [ownMessage({ ...kept, content }, own)];
  };
  const contextOf = (context: SessionContext): SessionContext => {
    const messages = context.messages.flatMap(messageOf);
    return { ...context, ...own.base, shortTermSummary: '', messages, anchorFloor: messages.length };
  };
  const learnSummary = ({ messages }: SessionContext): void => {
    const message = messages.find(({ origin, summary }) => origin === 'summary' && summary !== undefined);
    if (message === undefined || summaries.has(message.id)) return;
    const before = fold.context().messages;
    const kept = messages.filter((each) => each !== message).flatMap(messageOf);
    const keptIds = new Set(kept.map(({ id }) => id));
    const gone = withoutPinsNotice(before.filter(({ id, summary }) => summary === undefined && !keptIds.has(id)));
    const sources = { bodyOf: () => undefined, bodyPath: own.bodyPath, kept };
    summaries.set(
      message.id,
      ownSummary(message, own, boundLedger(continueLedger(summaryOf(before)?.ledger ?? emptyLedger, gone, sources))),
    );
  };
  const take = (record: LogRecord): LogRecord | undefined => {
    switch (record.type) {
      case 'header':
        return { ...ownHeader(record, own), context: contextOf(record.context) };
      case 'message': {
        const [message] = messageOf(record.message);
        return message === undefined ? undefined : { ...record, message };
      }
      case 'checkpoint': {
        const { model: _, endpoint: __, ratio: ___, helpers: ____, calls: _____, ...rest } = record;
        if (record.reason === 'compaction') learnSummary(record.context);
        return { ...rest, context: contextOf(record.context) };
      }
      case 'offload':
      case 'pins':
      case 'title':
      case 'file':
        return record;
      case 'branch':
        return ownBranch(record, own, { messageOf, contextOf });
      case 'model':
        return undefined;
    }
  };
  return {
    context: contextOf,
    record: (record: LogRecord): LogRecord | undefined => {
      const taken = take(record);
      if (taken !== undefined) fold.apply(taken);
      return taken;
    },
  };
}

type Makers = {
  readonly messageOf: (message: Message) => readonly Message[];
  readonly contextOf: (context: SessionContext) => SessionContext;
};

function ownBranch<Record extends BranchRecord>(record: Record, own: OwnParts, makers: Makers): Record | undefined {
  const entry = ownEntry(record.entry, own, makers);
  return entry === undefined ? undefined : { ...record, entry };
}

/** Of a helper. Its summaries have no ledger: what they were made of stands before them. */
function ownEntry(entry: BranchEntry, { model, endpoint }: OwnParts, { messageOf, contextOf }: Makers): BranchEntry | undefined {
  switch (entry.type) {
    case 'start': {
      const { endpoint: _, ...rest } = entry;
      return { ...rest, model, ...(endpoint === undefined ? {} : { endpoint }), context: contextOf(entry.context) };
    }
    case 'message': {
      const [message] = messageOf(entry.message);
      return message === undefined ? undefined : { ...entry, message };
    }
    case 'checkpoint': {
      const { model: _, endpoint: __, ratio: ___, calls: ____, ...rest } = entry;
      return { ...rest, context: contextOf(entry.context) };
    }
    case 'offload':
    case 'end':
      return entry;
    case 'model':
      return undefined;
  }
}

function ownHeader({ parent: _, endpoint: __, ...header }: LogRecord & HeaderRecord, own: OwnParts): LogRecord & HeaderRecord {
  const { cwd, model, endpoint, imported } = own;
  return { ...header, cwd, model, ...(endpoint === undefined ? {} : { endpoint }), imported };
}

function ownMessage(message: Message, own: OwnParts): Message {
  const { notice, folder: _, todo: __, pruned: ___, endpoint: ____, ...rest } = message;
  const imported = { ...rest, imported: true };
  if (message.origin === 'summary') return ownSummary(message, own, emptyLedger);
  if (message.origin !== 'notice') return imported;
  const text = notice !== undefined && OF_ANOTHER_HOME.has(notice) ? importedTexts.ofAnotherHome : textOf(message.content);
  return { ...imported, content: [{ type: 'text', text: importedTexts.notice(neutralize(text)) }] };
}

const OF_ANOTHER_HOME: ReadonlySet<string> = new Set(['instructions', 'folder_instructions', 'remembered', 'forgotten', 'skills', 'hook']);

/** What was said and called. What a server added beside it is for that server, and a file may name any as the one it came from. */
const ownBlock = (block: ContentBlock): readonly ContentBlock[] => (isCompaction(block) ? [block] : portable(block));

/** In our own frame, with a ledger of our own. Without the text that it was made of, all of it is quoted. */
const ownSummary = ({ id, at, summary, content }: Message, own: OwnParts, ledger: typeof emptyLedger): Message => ({
  ...compressedHistory({
    ...{ id, at, ledger, ledgerTokens: own.ledgerTokens, count: own.count, cwd: own.cwd },
    text: summary?.text ?? textOf(content),
    messages: summary?.messages ?? 0,
  }),
  imported: true,
});

export type Relocation = {
  readonly from: string;
  readonly to: string;
  readonly old: string;
  readonly sessionId: string;
  readonly group: string;
};

export const snapshotIdFor = (id: string, { old, sessionId }: Relocation): string =>
  id.startsWith(`${old}-`) ? `${sessionId}${id.slice(old.length)}` : id;

export function relocateRecord(record: LogRecord, relocation: Relocation): LogRecord {
  const { from, to } = relocation;
  switch (record.type) {
    case 'header':
      return { ...record, sessionId: relocation.sessionId, context: relocateContext(record.context, from, to) };
    case 'checkpoint': {
      const snapshot = record.snapshotId === undefined ? {} : { snapshotId: snapshotIdFor(record.snapshotId, relocation) };
      const restored = record.restored === undefined ? {} : { restored: snapshotIdFor(record.restored, relocation) };
      return { ...record, ...snapshot, ...restored, context: relocateContext(record.context, from, to) };
    }
    case 'message':
      return { ...record, message: relocatedMessage(record.message, from, to) };
    case 'offload':
      return { ...record, stubs: relocatedStubs(record.stubs, from, to) };
    case 'branch':
      return { ...record, ...relocateBranch(record, relocation) };
    case 'model':
    case 'pins':
    case 'title':
      return record;
    case 'file':
      // The contents stayed where the session was, and so did the files.
      return { ...record, before: withoutContent(record.before), after: withoutContent(record.after) };
  }
}

const withoutContent = (version: FileVersion | null): FileVersion | null => (version === null ? null : { ...version, kept: false });

function relocateBranch(record: BranchRecord, { from, to }: Relocation): BranchRecord {
  const { entry } = record;
  switch (entry.type) {
    case 'start':
    case 'checkpoint':
      return { ...record, entry: { ...entry, context: relocateContext(entry.context, from, to) } };
    case 'message':
      return { ...record, entry: { ...entry, message: relocatedMessage(entry.message, from, to) } };
    case 'offload':
      return { ...record, entry: { ...entry, stubs: relocatedStubs(entry.stubs, from, to) } };
    case 'model':
    case 'end':
      return record;
  }
}

/** Its thinking is bound to a past in which stubs may have changed. */
function relocatedMessage(message: Message, from: string, to: string): Message {
  if (from === to) return message;
  const relocated = relocateMessage(message, from, to);
  return withoutThinking([relocated])[0] ?? relocated;
}

const relocatedStubs = (stubs: OffloadRecord['stubs'], from: string, to: string): OffloadRecord['stubs'] =>
  stubs.map((stub) => ({ ...stub, text: stub.text.replaceAll(from, () => to) }));
