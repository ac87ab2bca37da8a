import { existsSync } from 'node:fs';
import {
  type ContentBlock,
  isText,
  isThinking,
  isToolResult,
  isToolUse,
  resultText,
  type WireMessage,
} from '../../src/domain/session/message.ts';
import { createThinkingChecker } from './bound-thinking.ts';
import { canonical, jsonWithoutMedia } from './sent-json.ts';

/** A request in the API's own terms; `system` and `tools` in whatever form they are sent. */
export type SentRequest = {
  readonly system: unknown;
  readonly tools: unknown;
  readonly messages: readonly WireMessage[];
  readonly maxTokens: number;
  /** The compaction field and the beta header, where there is a wire. */
  readonly compaction?: unknown;
  readonly betas?: readonly string[] | undefined;
  /** The model, and what besides the content decides whether its cache is read: thinking and tool choice. */
  readonly model?: unknown;
  readonly settings?: unknown;
};

export type CheckOptions = {
  /** Summaries that the API gave and signed before, which it takes back. */
  readonly signed?: readonly ContentBlock[];
  /** The window that `countTokens` of the request may not exceed; unchecked when left out. */
  readonly windowTokens?: number;
  readonly countTokens?: (text: string) => number;
  /** SanBot's home: a stub that names a file in it must name one that exists. */
  readonly home?: string;
};

export type RequestChecker = {
  /** Everything the API would refuse, and all else that must never be sent; empty when the request is good. */
  readonly check: (request: SentRequest) => readonly string[];
  /** Remembers which past the thinking blocks of an answer are bound to. */
  readonly answered: (request: SentRequest, content: readonly ContentBlock[]) => void;
};

/** Checks every request as the strictest model does. */
export function createRequestChecker(options: CheckOptions = {}): RequestChecker {
  const thinking = createThinkingChecker();
  const compacted = new Map((options.signed ?? []).map((block) => [String(block.signature), canonical(block)]));
  return {
    check: (request) => [
      ...checkRoles(request),
      ...checkCompaction(request, compacted),
      ...request.messages.flatMap((message, i) => checkBlocks(message, i)),
      ...checkPairs(request.messages),
      ...checkTools(request.tools),
      ...checkBreakpoints(request),
      ...checkText(request),
      ...checkWindow(request, options),
      ...checkStubs(request.messages, options.home),
      ...thinking.check(request),
    ],
    answered: (request, content) => {
      for (const block of content.filter(isCompactionBlock)) compacted.set(String(block.signature), canonical(block));
      thinking.answered(request, content);
    },
  };
}

const isCompactionBlock = (block: ContentBlock): boolean => block.type === 'compaction';

const COMPACTION_BETA = 'compact-2026-09-04';
const MOST_INSTRUCTION_CHARS = 16_384;

/** One block at most, the first message's only one, as it was given; none of it without the header. `compacted`: blocks by signature. */
const checkCompaction = ({ messages, compaction, betas }: SentRequest, compacted: ReadonlyMap<string, string>): readonly string[] => {
  const problems: string[] = [];
  const blocks = messages.flatMap(({ content }) => content.filter(isCompactionBlock));
  const [first] = messages;
  if (blocks.length > 1) problems.push('compaction_block_ambiguous: there are several compaction blocks');
  if (blocks.length > 0 && !(first?.role === 'assistant' && first.content.length === 1 && first.content.every(isCompactionBlock)))
    problems.push('compaction_block_misplaced: the compaction block is not first and alone');
  for (const block of blocks) {
    const given = compacted.get(String(block.signature));
    if (given === undefined) problems.push('compaction_signature_invalid: nobody signed this compaction block');
    else if (given !== canonical(block)) problems.push('compaction_content_mismatch: the compaction block was changed');
  }
  const asked = compaction !== undefined;
  if (betas !== undefined && (asked || blocks.length > 0) !== betas.includes(COMPACTION_BETA))
    problems.push(`the beta header is ${betas.includes(COMPACTION_BETA) ? 'there without need' : 'missing'}`);
  if (!asked) return problems;
  const { type, instructions, ...more } = isObject(compaction) ? compaction : {};
  if (type !== 'summarize' || Object.keys(more).length > 0) problems.push('compaction is not of the known form');
  if (typeof instructions === 'string' && instructions.length > MOST_INSTRUCTION_CHARS) problems.push('the instructions are too long');
  if (messages.length <= blocks.length) problems.push('compaction_nothing_to_summarize');
  return problems;
};

const checkRoles = ({ messages, compaction }: SentRequest): readonly string[] => {
  const problems: string[] = [];
  if (messages.length === 0) problems.push('there are no messages');
  if (messages[0]?.role === 'assistant' && !messages[0].content.some(isCompactionBlock))
    problems.push('the first message is the assistant’s');
  if (messages.at(-1)?.role === 'assistant' && compaction === undefined) problems.push('the last message is the assistant’s');
  messages.forEach(({ role }, i) => {
    if (role !== 'user' && role !== 'assistant') problems.push(`message ${i} has the role ${String(role)}`);
    if (role === 'assistant' && messages[i - 1]?.role === 'assistant') problems.push(`messages ${i - 1} and ${i} are both the assistant’s`);
  });
  return problems;
};

const checkBlocks = ({ role, content }: WireMessage, i: number): readonly string[] => {
  const problems: string[] = content.length === 0 ? [`message ${i} is empty`] : [];
  content.forEach((block, j) => {
    const at = `block ${j} of message ${i}`;
    if (isText(block) && block.text.trim() === '') problems.push(`${at} is a text without text`);
    if (role === 'user' && (isToolUse(block) || isThinking(block))) problems.push(`${at} is a ${block.type} of the user`);
    if (role === 'assistant' && isToolResult(block)) problems.push(`${at} is a tool_result of the assistant`);
    if (isToolResult(block) && Array.isArray(block.content) && block.content.some((inner) => isText(inner) && inner.text === '')) {
      problems.push(`${at} holds a text without text`);
    }
    if (isToolUse(block) && !isObject(block.input)) problems.push(`${at} has arguments that are no object`);
    if (isToolUse(block) && !/^[a-zA-Z0-9_-]+$/.test(block.id)) problems.push(`${at} has the id ${JSON.stringify(block.id)}`);
    if (isToolResult(block) && content.slice(0, j).some((earlier) => !isToolResult(earlier)))
      problems.push(`${at} is a result behind other blocks`);
  });
  return problems;
};

/** Every call is answered in the very next message, once; every result answers a call of the message before. */
const checkPairs = (messages: readonly WireMessage[]): readonly string[] => {
  const problems: string[] = [];
  const seen = new Set<string>();
  messages.forEach(({ content }, i) => {
    const calls = content.filter(isToolUse).map(({ id }) => id);
    for (const id of calls) {
      if (seen.has(id)) problems.push(`the call id ${id} is used twice`);
      seen.add(id);
    }
    const results = (messages[i + 1]?.content ?? []).filter(isToolResult).map((result) => result.tool_use_id);
    const missing = calls.filter((id) => !results.includes(id));
    if (missing.length > 0) problems.push(`message ${i} has calls without results: ${missing.join(', ')}`);
    const orphans = results.filter((id) => !calls.includes(id));
    if (orphans.length > 0) problems.push(`message ${i + 1} has results without calls: ${orphans.join(', ')}`);
    if (new Set(results).size !== results.length) problems.push(`message ${i + 1} answers a call twice`);
  });
  if ((messages[0]?.content ?? []).some(isToolResult)) problems.push('message 0 has results without calls');
  return problems;
};

const checkTools = (tools: unknown): readonly string[] => {
  const names = list(tools).map((tool) => (isObject(tool) ? tool.name : undefined));
  return new Set(names).size === names.length ? [] : [`tool names are not unique: ${names.join(', ')}`];
};

const MOST_BREAKPOINTS = 4;

const checkBreakpoints = ({ system, tools, messages }: SentRequest): readonly string[] => {
  const marked = [...list(system), ...list(tools), ...messages.flatMap(({ content }) => content)].filter(
    (block): block is ContentBlock => isObject(block) && 'cache_control' in block,
  );
  const ttls = [...list(tools), ...list(system), ...messages.flatMap(({ content }) => content)].flatMap((block) =>
    isObject(block) && isObject(block.cache_control) ? [block.cache_control.ttl ?? '5m'] : [],
  );
  const wrong = marked.filter((block) => isThinking(block) || (isText(block) && block.text.trim() === ''));
  return [
    ...(ttls.every((ttl) => ttl === '5m' || ttl === '1h') ? [] : ['a cache breakpoint has a ttl that there is not']),
    ...(ttls.lastIndexOf('1h') > ttls.indexOf('5m') && ttls.includes('5m') ? ['a cache breakpoint for 1h comes after one for 5m'] : []),
    ...(marked.length > MOST_BREAKPOINTS ? [`there are ${marked.length} cache breakpoints`] : []),
    ...wrong.map((block) => `a cache breakpoint is on a ${block.type} block that may not have one`),
  ];
};

const checkText = ({ system, messages, maxTokens }: SentRequest): readonly string[] => [
  ...(wellFormed([system, messages]) ? [] : ['a text holds half a character']),
  ...(list(system).some((block) => textIn(block).trim() === '') ? ['a system block is empty'] : []),
  ...(maxTokens > 1 ? [] : [`max_tokens is ${maxTokens}`]),
];

const checkWindow = (
  { system, tools, messages }: SentRequest,
  { windowTokens, countTokens = roughly }: CheckOptions,
): readonly string[] => {
  if (windowTokens === undefined) return [];
  const tokens = countTokens(jsonWithoutMedia([system, tools, messages]));
  return tokens <= windowTokens ? [] : [`the request has about ${tokens} tokens, the window ${windowTokens}`];
};

/** Fewer tokens than any tokenizer finds, so that what is refused is surely too large. */
const roughly = (text: string): number => Math.ceil(text.length / 4);

export const STUB_START = 'Tool result is at: ';

const checkStubs = (messages: readonly WireMessage[], home: string | undefined): readonly string[] => {
  if (home === undefined) return [];
  const paths = messages.flatMap(({ content }) => content.filter(isToolResult).flatMap((result) => stubPath(resultText(result))));
  return paths.filter((path) => path.startsWith(home) && !existsSync(path)).map((path) => `a stub names ${path}, which is not there`);
};

const stubPath = (text: string): readonly string[] =>
  text.startsWith(STUB_START) ? [(text.slice(STUB_START.length).split('\n', 1)[0] ?? '').trim()] : [];

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);
const textIn = (block: unknown): string =>
  typeof block === 'string' ? block : isObject(block) && typeof block.text === 'string' ? block.text : ' ';
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const wellFormed = (value: unknown): boolean => {
  if (typeof value === 'string') return value.isWellFormed();
  if (Array.isArray(value)) return value.every(wellFormed);
  return isObject(value) ? Object.values(value).every(wellFormed) : true;
};
