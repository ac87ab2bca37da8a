import { SanbotError } from '../../../domain/errors.ts';
import type { SummaryMethod } from '../../../domain/event.ts';
import { type Bilingual, localize } from '../../../domain/language.ts';
import { type CompactionWish, MIN_TARGET_TOKENS } from '../../../domain/session/context.ts';
import type { Ledger } from '../../../domain/session/ledger.ts';
import { usageTotal } from '../../../domain/session/message.ts';
import type { CompactionPreview, PendingCompaction } from '../../chat/context-port.ts';
import { NO, type TypableChoice, YES } from '../../input/questions.ts';
import { formatCount, formatDollars, pluralize } from '../../text/format.ts';
import { safeLine, safeText } from '../../text/safe-text.ts';
import { differenceLines } from '../../views/rollback-text.ts';
import type { EditResult, SlashCommand, SlashContext } from '../command.ts';

const methodNames: Readonly<Record<SummaryMethod, Bilingual>> = {
  model: { en: 'by the model', zh: '由模型生成' },
  edited: { en: 'edited by you', zh: '由你修改' },
  rules: { en: 'by rule', zh: '由规则生成' },
  hook: { en: 'by a hook', zh: '由钩子生成' },
  server: { en: 'by the API', zh: '由 API 生成' },
  rules_degraded: { en: 'by rule, degraded: no model gave a usable one', zh: '由规则生成，降级：没有模型给出可用的摘要' },
};

export function compactionPreviewText(preview: CompactionPreview, columns: number): string {
  const { text, byRule, method, leaving, messagesNow, messagesAfter, tokensNow, tokensAfter } = preview;
  const facts = factsText(preview.ledger);
  const lines = [
    localize({ en: `Summary, ${methodNames[method].en}:`, zh: `摘要，${methodNames[method].zh}：` }),
    ...quoted(text),
    ...(byRule === '' ? [] : [localize({ en: 'Below it, gathered by rule:', zh: '其下，按规则收集：' }), ...quoted(byRule)]),
    localize({
      en: `Leaving the context: ${pluralize(leaving.length, 'message')} of ${formatCount(messagesNow)}`,
      zh: `离开上下文：${formatCount(messagesNow)} 条消息中的 ${formatCount(leaving.length)} 条`,
    }),
    ...differenceLines('-', leaving, columns),
    localize({
      en: `  messages  ${formatCount(messagesNow)} -> ${formatCount(messagesAfter)} (${formatCount(preview.messagesKept)} kept as they are)`,
      zh: `  消息   ${formatCount(messagesNow)} -> ${formatCount(messagesAfter)}（${formatCount(preview.messagesKept)} 条原样保留）`,
    }),
    localize({
      en: `  tokens    ${formatCount(tokensNow)} -> ${formatCount(tokensAfter)} (${formatCount(tokensNow - tokensAfter)} freed)`,
      zh: `  token  ${formatCount(tokensNow)} -> ${formatCount(tokensAfter)}（释放 ${formatCount(tokensNow - tokensAfter)}）`,
    }),
    ...(facts === '' ? [] : [localize({ en: `  by rule   ${facts}`, zh: `  按规则 ${facts}` })]),
    localize({ en: '  cost      ', zh: '  费用   ' }) + compactionCostText(preview),
  ];
  return `${lines.join('\n')}\n`;
}

const quoted = (text: string): readonly string[] =>
  safeText(text.trim())
    .split('\n')
    .map((line) => (line === '' ? '' : `  | ${line}`));

type FactName = { readonly en: readonly [one: string, many: string]; readonly zh: string };

const factNames: Readonly<Record<keyof Ledger, FactName>> = {
  filesRead: { en: ['file read', 'files read'], zh: '个已读文件' },
  filesModified: { en: ['changed file', 'changed files'], zh: '个已改文件' },
  filesDeleted: { en: ['deleted file', 'deleted files'], zh: '个已删文件' },
  failedCommands: { en: ['failed command', 'failed commands'], zh: '条失败的命令' },
  constraints: { en: ['constraint', 'constraints'], zh: '条约束' },
  decisions: { en: ['decision', 'decisions'], zh: '个决定' },
  overruled: { en: ['decision that no longer holds', 'decisions that no longer hold'], zh: '个已推翻的决定' },
  identifiers: { en: ['exact name', 'exact names'], zh: '个原样保留的名称' },
  symbols: { en: ['changed file whose names are kept', 'changed files whose names are kept'], zh: '个记下其中名称的已改文件' },
  done: { en: ['thing done', 'things done'], zh: '件已完成' },
  open: { en: ['open point', 'open points'], zh: '件未完成' },
  progress: { en: ['half-done request', 'half-done requests'], zh: '个做到一半的要求' },
  proposal: { en: ['proposal that you answered', 'proposals that you answered'], zh: '个你已答复的提议' },
  todo: { en: ['todo item', 'todo items'], zh: '项待办' },
  skills: { en: ['skill', 'skills'], zh: '个技能' },
  purpose: { en: ['sentence on what the work is for', 'sentences on what the work is for'], zh: '句工作目的' },
  chosen: { en: ['choice of the model', 'choices of the model'], zh: '个模型自己的选择' },
  asked: { en: ['request of yours', 'requests of yours'], zh: '个要求' },
  bodies: { en: ['place to look things up', 'places to look things up'], zh: '处可查的原文' },
};

export const factsText = (ledger: CompactionPreview['ledger']): string =>
  Object.entries(ledger)
    .map(([kind, n]) => {
      const other: FactName = { en: [safeLine(kind), safeLine(kind)], zh: safeLine(kind) };
      const { en, zh } = Object.hasOwn(factNames, kind) ? factNames[kind as keyof Ledger] : other;
      return localize({ en: pluralize(n, ...en), zh: `${formatCount(n)} ${zh}` });
    })
    .join(localize({ en: ', ', zh: '，' }));

export function compactionCostText({ usage, costUsd }: Pick<CompactionPreview, 'usage' | 'costUsd'>): string {
  const tokens = usageTotal(usage);
  if (tokens === 0) return localize({ en: 'nothing', zh: '无' });
  const price = costUsd === undefined ? localize({ en: 'price unknown', zh: '价格未知' }) : formatDollars(costUsd);
  return localize({ en: `${pluralize(tokens, 'token')}, ${price}`, zh: `${formatCount(tokens)} token，${price}` });
}

export type ReviewDecision = 'discard' | 'commit' | 'edit';

/** The first is chosen at the start: to change something takes a step and Enter, never Enter alone. */
export const reviewChoices = (): readonly TypableChoice<ReviewDecision>[] => [
  { name: localize({ en: 'Discard it: the context stays as it is', zh: '丢弃：上下文保持原样' }), value: 'discard', words: [...NO, '3'] },
  { name: localize({ en: 'Commit it', zh: '提交' }), value: 'commit', words: [...YES, '1'] },
  { name: localize({ en: 'Edit the summary first', zh: '先修改摘要' }), value: 'edit', words: ['e', '5'] },
];

export type ReviewDialog = {
  readonly show: (text: string) => void;
  readonly columns: () => number;
  readonly ask: (question: string) => Promise<ReviewDecision>;
  readonly edit: (text: string) => Promise<EditResult>;
};

/** Shows it and does what the person wants, after as many rounds in the editor as it takes. True when it was committed. */
export async function reviewCompaction(pending: PendingCompaction, { show, columns, ask, edit }: ReviewDialog): Promise<boolean> {
  show(compactionPreviewText(pending.view(), columns()));
  for (;;) {
    const answer = await ask(localize({ en: 'Compact like this?', zh: '这样压缩吗？' }));
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
  const unchanged = localize({ en: ' The summary is unchanged.', zh: '摘要未改变。' });
  if (result.kind === 'failed') return `${safeLine(result.why)}${unchanged}\n`;
  const revision = pending.revise(result.text);
  if (revision.kind === 'refused') {
    const problems = revision.problems.map((problem) => safeLine(localize(problem))).join(localize({ en: ' ', zh: '' }));
    return `${localize({ en: 'This text cannot be the summary: ', zh: '这段文字不能作为摘要：' })}${problems}${unchanged}\n`;
  }
  const warningMark = localize({ en: 'Warning: ', zh: '警告：' });
  const warnings = revision.warnings.map((warning) => `${warningMark}${safeLine(localize(warning))}\n`).join('');
  return `${compactionPreviewText(pending.view(), columns)}${warnings}`;
}

/** After a look. Without a terminal to decide at, the preview is shown and discarded. */
async function previewCompaction(wish: CompactionWish, { chat, ui, loop }: SlashContext): Promise<void> {
  const { screen, questions, columns } = ui;
  const pending = await loop.stoppable((signal) => chat.compaction.preview(wish, signal));
  screen.settle();
  const ask = async (question: string): Promise<ReviewDecision> =>
    questions === undefined ? 'discard' : questions.decide(question, reviewChoices(), undefined);
  if (pending !== undefined) await reviewCompaction(pending, { show: screen.block, columns, ask, edit: loop.edit });
}

export const slashCompact: SlashCommand = {
  name: 'compact',
  argumentHint: { en: '[--preview] [what to keep]', zh: '[--preview] [要保留的内容]' },
  example: { en: '/compact keep the names of the endpoints', zh: '/compact 保留端点的名称' },
  description: {
    en: 'summarise older messages now; with --preview, look at it first',
    zh: '立即为较早的消息生成摘要；加 --preview 可先查看',
  },
  choices: () => [
    { text: '--preview', detail: localize({ en: 'look at it first', zh: '先预览' }) },
    { text: '--target', detail: localize({ en: 'tokens of the summary, this once', zh: '本次摘要的 token 数' }) },
    { text: '--keep', detail: localize({ en: 'newest messages that may stay, this once', zh: '本次最多保留的最新消息数' }) },
    { text: '--model', detail: localize({ en: 'who summarises, this once', zh: '本次生成摘要的模型' }) },
  ],
  run: (argument, context) => {
    const { preview, ...wish } = wishIn(argument);
    if (preview) return previewCompaction(wish, context);
    return context.loop.stoppable((signal) => context.chat.compaction.compact(wish, signal));
  },
};

const OPTION = /^--(preview|target|keep|model)(?!\S)\s*/;

/** Options come before the words that say what to keep. Throws usage for a number that is none. */
function wishIn(argument: string): CompactionWish & { readonly preview: boolean } {
  const [start, name] = OPTION.exec(argument) ?? [];
  if (start === undefined) return { preview: false, instructions: argument.trim() === '' ? undefined : argument.trim() };
  const rest = argument.slice(start.length);
  if (name === 'preview') return { ...wishIn(rest), preview: true };
  const [value = ''] = /^\S+/.exec(rest) ?? [];
  const others = wishIn(rest.slice(value.length).trimStart());
  if (name === 'model' && value !== '') return { ...others, model: value };
  const min = name === 'target' ? MIN_TARGET_TOKENS : 1;
  if (name === 'model' || !/^\d{1,9}$/.test(value) || Number(value) < min)
    throw new SanbotError('usage', {
      en: `--${name} needs ${name === 'model' ? 'a name' : `a whole number of at least ${min}`}`,
      zh: `--${name} 需要${name === 'model' ? '名称' : `不小于 ${min} 的整数`}`,
    });
  return { ...others, [name === 'target' ? 'targetTokens' : 'keepMessages']: Number(value) };
}

export const slashClear: SlashCommand = {
  name: 'clear',
  description: { en: 'empty the context (a snapshot is taken first)', zh: '清空上下文（会先保存快照）' },
  run: (_, { chat }) => chat.compaction.clear(),
};
