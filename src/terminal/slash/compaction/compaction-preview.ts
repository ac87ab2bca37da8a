import type { SummaryMethod } from '../../../domain/event.ts';
import { usageTotal } from '../../../domain/session/message.ts';
import type { CompactionPreview, PendingCompaction } from '../../chat/compaction-port.ts';
import { formatCount, formatDollars, pluralize } from '../../text/format.ts';
import { safeLine, safeText } from '../../text/safe-text.ts';
import { differenceLines } from '../../views/rollback-text.ts';
import type { EditResult } from '../command.ts';

const methodNames: Readonly<Record<SummaryMethod, string>> = {
  model: 'by the model',
  edited: 'edited by you',
  rules: 'by rule',
  hook: 'by a hook',
  server: 'by the API',
  rules_degraded: 'by rule, degraded: no model gave a usable one',
};

/** What a compaction would put in the place of what: the summary whole, what leaves, what it frees and what it cost. Ends with a newline. */
export function compactionPreviewText(preview: CompactionPreview, columns: number): string {
  const { text, method, leaving, messagesNow, messagesAfter, tokensNow, tokensAfter } = preview;
  const lines = [
    `Summary, ${methodNames[method]}:`,
    ...safeText(text.trim())
      .split('\n')
      .map((line) => (line === '' ? '' : `  | ${line}`)),
    `Leaving the context: ${pluralize(leaving.length, 'message')} of ${formatCount(messagesNow)}`,
    ...differenceLines('-', leaving, columns),
    `  messages  ${formatCount(messagesNow)} -> ${formatCount(messagesAfter)} (${formatCount(preview.messagesKept)} kept as they are)`,
    `  tokens    ${formatCount(tokensNow)} -> ${formatCount(tokensAfter)} (${formatCount(tokensNow - tokensAfter)} freed)`,
    ...ledgerLine(preview.ledger),
    `  cost      ${compactionCostText(preview)}`,
  ];
  return `${lines.join('\n')}\n`;
}

function ledgerLine(ledger: CompactionPreview['ledger']): readonly string[] {
  const text = factsText(ledger);
  return text === '' ? [] : [`  by rule   ${text}`];
}

const factNames: Readonly<Record<string, readonly [one: string, many: string]>> = {
  filesRead: ['file read', 'files read'],
  filesModified: ['file modified', 'files modified'],
  failedCommands: ['failed command', 'failed commands'],
  constraints: ['constraint', 'constraints'],
  decisions: ['decision', 'decisions'],
  identifiers: ['identifier', 'identifiers'],
  done: ['thing done', 'things done'],
  open: ['open point', 'open points'],
  asked: ['wish', 'wishes'],
  bodies: ['place to look things up', 'places to look things up'],
};

/** What is carried word for word, whatever the summary says: "3 files modified, 1 failed command". */
export const factsText = (ledger: CompactionPreview['ledger']): string =>
  Object.entries(ledger)
    .map(([kind, n]) => pluralize(n, ...(factNames[kind] ?? [safeLine(kind), safeLine(kind)])))
    .join(', ');

/** What the summary's requests took, whether it is committed or not. */
export function compactionCostText({ usage, costUsd }: Pick<CompactionPreview, 'usage' | 'costUsd'>): string {
  const tokens = usageTotal(usage);
  if (tokens === 0) return 'nothing';
  return `${pluralize(tokens, 'token')}, ${costUsd === undefined ? 'price unknown' : formatDollars(costUsd)}`;
}

export type ReviewDecision = 'discard' | 'commit' | 'edit';

/** The first is chosen at the start: to change something takes a step and Enter, never Enter alone. */
export const reviewChoices: readonly { readonly name: string; readonly value: ReviewDecision }[] = [
  { name: 'Discard it: the context stays as it is', value: 'discard' },
  { name: 'Commit it', value: 'commit' },
  { name: 'Edit the summary first', value: 'edit' },
];

export type ReviewDialog = {
  /** Text that is safe and ends with a newline. */
  readonly show: (text: string) => void;
  readonly columns: () => number;
  readonly ask: (question: string) => Promise<ReviewDecision>;
  readonly edit: (text: string) => Promise<EditResult>;
};

/** Shows it and does what the person wants, after as many rounds in the editor as it takes. True when it was committed. */
export async function reviewCompaction(pending: PendingCompaction, { show, columns, ask, edit }: ReviewDialog): Promise<boolean> {
  show(compactionPreviewText(pending.view(), columns()));
  for (;;) {
    const answer = await ask('Compact like this?');
    if (answer === 'commit') {
      await pending.commit();
      return true;
    }
    if (answer === 'discard') {
      pending.discard();
      return false;
    }
    const result = await edit(pending.view().text);
    show(applyEdit(pending, result, columns()));
  }
}

function applyEdit(pending: PendingCompaction, result: EditResult, columns: number): string {
  if (result.kind === 'failed') return `${safeLine(result.why)} The summary is unchanged.\n`;
  const revision = pending.revise(result.text);
  if (revision.kind === 'refused')
    return `This text cannot be the summary: ${revision.problems.map(safeLine).join(' ')} The summary is unchanged.\n`;
  const warnings = revision.warnings.map((warning) => `Warning: ${safeLine(warning)}\n`).join('');
  return `${compactionPreviewText(pending.view(), columns)}${warnings}`;
}
