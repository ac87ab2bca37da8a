import type { Bilingual } from '../../domain/language.ts';

/** The headings of every summary: fixed, in English. Each is written once, by whoever writes the summary or by the ledger. */
export const sectionNames = [
  'Technical Context',
  'Project Overview',
  'Code Changes',
  'Debugging & Issues',
  'Current Status',
  'Pending Tasks',
  'User Preferences',
  'Key Decisions',
] as const;
export type SectionName = (typeof sectionNames)[number];

/** The sections that the ledger writes where the summary has not written them: they are gathered by rule, word for word. */
const ledgerSections: readonly SectionName[] = ['Pending Tasks', 'User Preferences', 'Key Decisions'];

/** The sections that a model is asked for: what the user demanded is never left to it. */
export const narrativeSections: readonly SectionName[] = sectionNames.filter((name) => name !== 'User Preferences');

export const requiredSections: readonly SectionName[] = sectionNames.filter((name) => !ledgerSections.includes(name));

const HEADING = /^\s{0,3}#{1,6}\s+(?:\*\*)?(?:\d{1,2}[.)]\s*)?([^\n]{1,80}?)\s*$/;

/** The text under each heading, in any order, at any level, however capitalised or numbered. Fenced code has no headings. */
export function sectionsIn(summary: string): Readonly<Partial<Record<SectionName, string>>> {
  const sections: Partial<Record<SectionName, string>> = {};
  let current: SectionName | undefined;
  let inFence = false;
  for (const line of summary.split('\n')) {
    if (line.trimStart().startsWith('```')) inFence = !inFence;
    const name = inFence ? undefined : nameOf(line);
    if (name !== undefined) {
      current = name;
      sections[name] ??= '';
    } else if (current !== undefined) {
      sections[current] = `${sections[current]}${line}\n`;
    }
  }
  return Object.fromEntries(Object.entries(sections).map(([name, text]) => [name, text.trim()]));
}

const lackedBy = (summary: string, names: readonly SectionName[]): readonly SectionName[] => {
  const sections = sectionsIn(summary);
  return names.filter((name) => sections[name] === undefined);
};

export const missingSections = (summary: string): readonly SectionName[] => lackedBy(summary, requiredSections);

/** Returns the headings that the ledger has to write, since the summary did not. */
export const sectionsForLedger = (summary: string): readonly SectionName[] => lackedBy(summary, ledgerSections);

const headingKey = (text: string): string => text.toLowerCase().replace(/\band\b|[^a-z]/g, '');
const nameByKey = new Map(sectionNames.map((name) => [headingKey(name), name]));

const nameOf = (line: string): SectionName | undefined => nameByKey.get(headingKey((line.length <= 120 && HEADING.exec(line)?.[1]) || ''));

type SummaryVerdict = { readonly kind: 'good' } | { readonly kind: 'bad'; readonly problems: readonly Bilingual[] };

export type SummaryCheckInput = {
  readonly stopReason: string;
  readonly hasToolCall: boolean;
  readonly sourceTokens: number;
  readonly tokens: number;
};

/** Decides whether a model's reply may replace what it summarises; if not, lists all that is wrong with it, one sentence per problem. */
export function checkSummary(text: string, { stopReason, hasToolCall, sourceTokens, tokens }: SummaryCheckInput): SummaryVerdict {
  const problems: Bilingual[] = [];
  const missing = missingSections(text);
  const hasNoHeadings = missing.length === requiredSections.length;
  if (text.trim() === '') problems.push({ en: 'It was empty.', zh: '摘要为空。' });
  else if (stopReason === 'refusal' || (hasNoHeadings && REFUSAL.some((pattern) => pattern.test(opening(text)))))
    problems.push({ en: 'It refused instead of summarising.', zh: '模型拒绝生成摘要。' });
  else if (hasNoHeadings && ERROR_TEXT.test(opening(text))) problems.push({ en: 'It was an error message.', zh: '得到的是一条错误信息。' });
  if (hasToolCall || stopReason === 'tool_use' || callsTool(text)) problems.push({ en: 'It called a tool.', zh: '模型调用了工具。' });
  // With what it has; its caller completes it.
  const isCutByRoom = ROOM_USED.has(stopReason) && !hasNoHeadings;
  if (CUT_OFF.has(stopReason) && !isCutByRoom) problems.push({ en: 'It was cut off before its end.', zh: '摘要没有写完就被截断。' });
  if (text.trim() !== '' && tokens >= sourceTokens) problems.push(notShorter('was', { tokens, sourceTokens }));
  if (text.trim() !== '' && missing.length > 0 && !isCutByRoom) problems.push(withoutHeadings('lacked', missing));
  return problems.length === 0 ? { kind: 'good' } : { kind: 'bad', problems };
}

export function correctionNote(problems: readonly Bilingual[]): string {
  const wanted = narrativeSections.map((name) => `## ${name}`).join(', ');
  return [
    'Your last answer to this could not be used:',
    ...problems.map(({ en }) => `- ${en}`),
    `Write the summary again: text only, no tool calls, no answer to anything in the material, complete, shorter than the material, with all ${narrativeSections.length} headings in this order: ${wanted}.`,
  ].join('\n');
}

const notShorter = (is: 'was' | 'is', { tokens, sourceTokens }: Pick<SummaryCheckInput, 'sourceTokens' | 'tokens'>): Bilingual => ({
  en: `It ${is} not shorter than what it summarises (${tokens} of ${sourceTokens} tokens).`,
  zh: `摘要不比原文短（${tokens}/${sourceTokens} token）。`,
});

function withoutHeadings(lacks: 'lacked' | 'lacks', missing: readonly string[]): Bilingual {
  const headings = missing.map((name) => `"## ${name}"`);
  return { en: `It ${lacks} the headings ${headings.join(', ')}.`, zh: `缺少标题 ${headings.join('、')}。` };
}

const ROOM_USED = new Set(['max_tokens', 'length']);
const CUT_OFF = new Set(['max_tokens', 'length', 'model_context_window_exceeded', 'pause_turn', 'interrupted']);

const opening = (text: string): string => text.trim().slice(0, 400);

const REFUSAL = [
  /^(?:i(?:'m| am) (?:sorry|unable|not able|afraid)|sorry\b|as an ai\b|unfortunately,? i)/i,
  /^i (?:apologi[sz]e|can(?:no|')t|cannot|won't|will not|must decline)/i,
  /\bi (?:can(?:no|')t|cannot|am (?:not able|unable) to|won't) (?:help|assist|provide|summari[sz]e)/i,
  /\bi (?:can(?:no|')t|cannot|am (?:not able|unable) to|won't) (?:comply|do that|continue|fulfil)/i,
  /^(?:很?抱歉|对不起|不好意思|我(?:无法|不能|没法|不可以))|作为(?:一个)?(?:AI|人工智能)|我(?:无法|不能)(?:提供|总结|协助|帮助|完成|满足)/i,
];
const ERROR_HEADS = `exception\\b,traceback \\(,request failed,failed to ,rate limit,too many requests,overloaded,connection error,connection refused,
connection reset,timed out,time out,timeout,错误,请求失败,服务器`;
const ERROR_TEXT = new RegExp(
  [
    '^(?:\\[?(?:api |fatal |internal |server |http )?error\\b|\\{\\s{0,9}"(?:type|error)"',
    ERROR_HEADS.split(/,\s?/).join('|'),
    '(?:4|5)\\d\\d \\w)',
  ].join('|'),
  'i',
);

/** True when the text contains a written-out tool call. A call mentioned inside a line or in fenced code does not count. */
function callsTool(text: string): boolean {
  let inFence = false;
  for (const line of text.split('\n')) {
    if (line.trimStart().startsWith('```')) inFence = !inFence;
    else if (!inFence && CALL_LINE.test(line.slice(0, 200))) return true;
  }
  return /^\s{0,9}\{\s{0,9}"(?:name|tool|type|tool_name|function)"\s{0,9}:/.test(text) && missingSections(text).length > 0;
}

const CALL_LINE = /^\s{0,9}<\/?(?:[a-z]{2,8}:)?(?:function_calls?|invoke|tool_calls?|tool_use|tool_code|parameter)\b/i;

/** Does the same for a text that a person wrote: a missing heading is only a warning. */
export function checkEditedSummary(
  text: string,
  size: Pick<SummaryCheckInput, 'sourceTokens' | 'tokens'>,
): Readonly<Record<'problems' | 'warnings', readonly Bilingual[]>> {
  if (text.trim() === '') return { problems: [{ en: 'It is empty.', zh: '摘要为空。' }], warnings: [] };
  const missing = missingSections(text);
  return {
    problems: size.tokens >= size.sourceTokens ? [notShorter('is', size)] : [],
    warnings: missing.length === 0 ? [] : [withoutHeadings('lacks', missing)],
  };
}
