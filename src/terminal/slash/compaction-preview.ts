import type { SummaryMethod } from '../../domain/event.ts';
import { usageTotal } from '../../domain/session/message.ts';
import type { CompactionPreview, Edited, ShownCompaction } from '../repl/chat-port.ts';
import { count, counted, dollars } from '../text/figures.ts';
import { safeLine, safeText } from '../text/safe-text.ts';
import { differenceLines } from '../views/rollback-text.ts';

const madeBy: Readonly<Record<SummaryMethod, string>> = {
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
    `Summary, ${madeBy[method]}:`,
    ...safeText(text.trim())
      .split('\n')
      .map((line) => (line === '' ? '' : `  | ${line}`)),
    `Leaving the context: ${counted(leaving.length, 'message')} of ${count(messagesNow)}`,
    ...differenceLines('-', leaving, columns),
    `  messages  ${count(messagesNow)} -> ${count(messagesAfter)} (${count(preview.messagesKept)} kept as they are)`,
    `  tokens    ${count(tokensNow)} -> ${count(tokensAfter)} (${count(tokensNow - tokensAfter)} freed)`,
    ...carriedLine(preview.ledger),
    `  cost      ${costOf(preview)}`,
  ];
  return `${lines.join('\n')}\n`;
}

function carriedLine(ledger: CompactionPreview['ledger']): readonly string[] {
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
  open: ['open question', 'open questions'],
  bodies: ['place to look things up', 'places to look things up'],
};

/** What is carried word for word, whatever the summary says: "3 files modified, 1 failed command". */
export const factsText = (ledger: CompactionPreview['ledger']): string =>
  Object.entries(ledger)
    .map(([kind, n]) => counted(n, ...(factNames[kind] ?? [safeLine(kind), safeLine(kind)])))
    .join(', ');

/** What the summary's requests took, whether it is committed or not. */
export function costOf({ usage, costUsd }: Pick<CompactionPreview, 'usage' | 'costUsd'>): string {
  const tokens = usageTotal(usage);
  if (tokens === 0) return 'nothing';
  return `${counted(tokens, 'token')}, ${costUsd === undefined ? 'price unknown' : dollars(costUsd)}`;
}

export type ReviewAnswer = 'discard' | 'commit' | 'edit';

/** The first is chosen at the start: to change something takes a step and Enter, never Enter alone. */
export const reviewChoices: readonly { readonly name: string; readonly value: ReviewAnswer }[] = [
  { name: 'Discard it: the context stays as it is', value: 'discard' },
  { name: 'Commit it', value: 'commit' },
  { name: 'Edit the summary first', value: 'edit' },
];

export type Review = {
  /** Text that is safe and ends with a newline. */
  readonly show: (text: string) => void;
  readonly columns: () => number;
  readonly ask: (question: string) => Promise<ReviewAnswer>;
  readonly edit: (text: string) => Promise<Edited>;
};

/** Shows it and does what the person wants, after as many rounds in the editor as it takes. True when it was committed. */
export async function reviewCompaction(shown: ShownCompaction, { show, columns, ask, edit }: Review): Promise<boolean> {
  show(compactionPreviewText(shown.view(), columns()));
  for (;;) {
    const answer = await ask('Compact like this?');
    if (answer === 'commit') {
      await shown.commit();
      return true;
    }
    if (answer === 'discard') {
      shown.discard();
      return false;
    }
    const edited = await edit(shown.view().text);
    show(afterEdit(shown, edited, columns()));
  }
}

function afterEdit(shown: ShownCompaction, edited: Edited, columns: number): string {
  if (edited.kind === 'failed') return `${safeLine(edited.why)} The summary is as it was.\n`;
  const revised = shown.revise(edited.text);
  if (revised.kind === 'refused')
    return `That cannot be the summary: ${revised.problems.map(safeLine).join(' ')} It is as it was before.\n`;
  const warnings = revised.warnings.map((warning) => `Warning: ${safeLine(warning)}\n`).join('');
  return `${compactionPreviewText(shown.view(), columns)}${warnings}`;
}
