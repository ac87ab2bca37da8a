import { applyRecords } from '../../../context/history/apply-record.ts';
import { newestRequest } from '../../../context/history/cut.ts';
import { messageText } from '../../../context/ledger/exchange/exchanges.ts';
import { continueLedger } from '../../../context/ledger/ledger.ts';
import { compressedHistory, summaryOf } from '../../../context/summary/compressed-history.ts';
import { quoteLine, quoteText } from '../../../context/text/sentences.ts';
import { SanbotError } from '../../../domain/errors.ts';
import type { MemoryKind } from '../../../domain/memory/memory.ts';
import type { MemoryLine } from '../../../domain/memory/memory-line.ts';
import { emptyLedger } from '../../../domain/session/ledger.ts';
import { type Message, textOf } from '../../../domain/session/message.ts';
import type { SessionListEntry } from '../../../domain/session/session-list-entry.ts';
import { isWithin } from '../../../domain/value/is-within.ts';
import { redact } from '../../../domain/value/redact.ts';
import { openRef, search } from '../../../runtime/conversation/recall/recall.ts';
import { type GroupOptions, groupOf, type HomeOptions } from '../../../runtime/home.ts';
import { projectRootOf } from '../../../runtime/trust/repository.ts';
import { noSuchSession } from '../../../store/files/paths.ts';
import { peekSession } from '../../../store/session/peek-session.ts';
import { visibleLine } from '../../../tools/place/visible.ts';
import type { Records } from '../../../tools/session/look-back.ts';
import type { RecallToolContext } from '../../../tools/session/recall.ts';
import type { CommandContext } from '../../command.ts';
import { openHome } from '../../open-home.ts';
import { embeddingsFor } from '../../search/search.ts';

export type ServeOptions = HomeOptions & GroupOptions & { readonly all?: boolean | undefined; readonly write?: boolean | undefined };

export type OpenRecords = ReturnType<typeof openRecords>;

/** About a fifth of what the agents that ask take of one result. */
const PAGE_CHARS = 16_000;
const LEDGER_TOKENS = 3_000;
const CHARS_PER_TOKEN = 3;
const MAX_SAID_CHARS = 3_000;
const MAX_MEMORY_CHARS = 500;

/** What a client may see of a home: of one group and, unless it is for all, of the project of the working folder. */
export function openRecords(options: ServeOptions, { environment, io }: CommandContext) {
  const { home, paths, store } = openHome(options, { environment, io });
  const group = groupOf(environment, options);
  const project = options.all === true ? undefined : projectRootOf(environment);
  const isOwn = (folder: string): boolean => project === undefined || isWithin(folder, project);
  const list = (): readonly SessionListEntry[] =>
    store.sessions.list().filter((entry) => entry.problem === undefined && entry.group === group && isOwn(entry.cwd));
  const embeddings = embeddingsFor(options, { environment, io });
  const context = { environment, home, store, group, embeddings, warn: io.warn };
  const recall: RecallToolContext = {
    ...{ pageChars: PAGE_CHARS, now: environment.now, nothing: 'Nothing was found.' },
    recall: {
      search: (request, signal) =>
        search(context, { ...request, all: project === undefined, project, only: project !== undefined }, signal),
      // Before it is cut into pages, so that none has half a secret.
      open: async (ref, signal) => {
        const found = await openRef(context, ref, signal, project);
        return found && { ...found, text: redact(found.text) };
      },
    },
  };
  const contextOf = (session: string | undefined): string => {
    const entry = chooseSession(list(), session);
    const { header, records } = peekSession(paths, entry.sessionId);
    const { messages } = applyRecords(header.context, records);
    const bodies = store.bodies(entry.sessionId);
    return contextText(entry, messages, { bodyOf: bodies.read, bodyPath: bodies.path });
  };
  const memories = (kind: MemoryKind | undefined): string => {
    const entries = store.memories(group).list();
    // What a person wrote into a page is of no project.
    const shown = entries.filter((entry) => (kind === undefined || entry.kind === kind) && (entry.cwd === undefined || isOwn(entry.cwd)));
    return shown.length === 0 ? 'Nothing is remembered.' : shown.map(memoryRow).join('\n');
  };
  const sessions = (): string => list().map(sessionRow).join('\n') || NO_SESSION.en;
  const records: Records = { pageChars: PAGE_CHARS, sessions, memories, contextOf };
  return { list, recall, records };
}

const NO_SESSION = { en: 'There is no session of this project yet', zh: '此项目还没有会话' };

function chooseSession(sessions: readonly SessionListEntry[], id: string | undefined): SessionListEntry {
  const matches = id === undefined ? sessions.slice(0, 1) : sessions.filter(({ sessionId }) => sessionId.includes(id));
  const [match] = matches.filter(({ sessionId }) => sessionId === id || matches.length === 1);
  if (match !== undefined) return match;
  if (id === undefined) throw new SanbotError('not_found', NO_SESSION);
  throw noSuchSession(
    id,
    sessions.map(({ sessionId }) => sessionId),
  );
}

const sessionRow = ({ sessionId, updatedAt, open, cwd, title, imported }: SessionListEntry): string =>
  [
    ...[sessionId, `${updatedAt.slice(0, 16).replace('T', ' ')}${open ? ' (open now)' : ''}`, visibleLine(cwd, 200)],
    ...(imported === undefined ? [] : ['imported from a file, so perhaps a stranger']),
    visibleLine(redact(title), 200),
  ].join('  ');

const memoryRow = ({ id, kind, day = '', cwd, text }: MemoryLine): string =>
  [id, kind, day, ...(cwd === undefined ? [] : [`in ${visibleLine(cwd, 200)}`]), quoteLine(text, MAX_MEMORY_CHARS)].join('  ');

type Sources = Parameters<typeof continueLedger>[2];

/** What has left the context and what stands in it, as a compaction would tell it now; then the newest request and its answer. */
function contextText(entry: SessionListEntry, messages: readonly Message[], sources: Sources): string {
  const earlier = summaryOf(messages);
  const later = messages.filter(({ origin }) => origin !== 'summary');
  const ledger = continueLedger(earlier?.ledger ?? emptyLedger, later, sources);
  const told = compressedHistory({
    ...{ id: '', at: '', text: earlier?.text ?? '', messages: (earlier?.messages ?? 0) + later.length },
    // Its bodies are files of the home, which only SanBot opens.
    ledger: { ...ledger, bodies: [] },
    ...{ ledgerTokens: LEDGER_TOKENS, count: ({ length }) => length / CHARS_PER_TOKEN, cwd: entry.cwd },
  });
  const at = newestRequest(later);
  const request = later[at];
  const reply = later.slice(at + 1).findLast((message) => message.origin === 'model' && messageText(message).trim() !== '');
  return [
    `Session ${sessionRow(entry)}`,
    textOf(told.content),
    ...(request === undefined ? [] : [`## The newest request\n\n${saidIn(request)}`]),
    ...(reply === undefined ? [] : [`## The newest answer\n\n${saidIn(reply)}`]),
  ].join('\n\n');
}

function saidIn(message: Message): string {
  const text = quoteText(messageText(message));
  return text.length > MAX_SAID_CHARS ? `${text.slice(0, MAX_SAID_CHARS)}…` : text;
}
