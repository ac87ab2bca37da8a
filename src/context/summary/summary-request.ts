/**
 * The summary that takes the place of older messages: how a model is asked for it, how its answer is checked, and how the message is
 * built that carries it.
 *
 * Messages come in as a readable transcript in which nothing can pass for an instruction; requests come out, as many as the window of the
 * model that summarises needs, each continuing the one before. Nothing is dropped in silence.
 *
 * An answer is used only when it passes the check; one retry says what was wrong. The summary is framed as a record and not as orders,
 * and is recognised by its field. Whether and when to compact is decided elsewhere.
 */

import { SanbotError } from '../../domain/errors.ts';
import { isText, isToolResult, type Message, type ReadBody, resultText, type Summary } from '../../domain/session/message.ts';
import { MAX_MESSAGE_CHARS, renderTranscript } from '../history/transcript.ts';
import type { CountTokens } from '../measure/count.ts';
import { thinkingRoom, WINDOW_MARGIN } from '../measure/limits.ts';
import { cutAt, quoteText } from '../text/sentences.ts';

/** The texts of compact-summary.md, compact-update.md, compact-merge.md, compact-prefix.md, and of compact-memories.md where memories are kept. */
export type SummaryPrompts = Readonly<Record<'first' | 'update' | 'merge' | 'prefix' | 'memories', string>>;

export type SummaryRequestOptions = {
  readonly earlier: Summary | undefined;
  readonly instructions: string | undefined;
  readonly windowTokens: number;
  /** Of the context that is replaced: no more than that is sent, whatever is in files. */
  readonly contextTokens: number;
  readonly targetTokens: number;
  readonly roomTokens: number;
  /** Raw count, without the ratio. */
  readonly count: CountTokens;
  readonly ratio: number;
  readonly bodyOf: ReadBody;
  readonly prompts: SummaryPrompts;
};

export type SummaryRequest = { readonly system: string; readonly user: string };

/**
 * More parts are not worth their time: beyond that, long results are cut to head and tail, and at last what is in files is shown as it stands
 * in the context. What was said is kept up to MAX_MESSAGE_CHARS.
 */
const MAX_PARTS = 4;
const RESULT_CHARS = [undefined, 100_000, 30_000, 10_000, 4_000, 2_000, 'as they stand'] as const;
const SHORTEST_CHARS = 2_000;
const THINKING_TOKENS = 8_000;

/** In as many parts as the window needs, each continuing the summary of the one before. Nothing is dropped silently. */
export function planSummary(messages: readonly Message[], options: SummaryRequestOptions) {
  const target = Math.max(1, Math.min(options.targetTokens, Math.floor(options.windowTokens / 4)));
  const earlierTokens = options.count(options.earlier?.text ?? '') * options.ratio;
  const earlierFits = earlierTokens <= options.windowTokens / 3;
  const earlierSummary = earlierFits ? options.earlier?.text : undefined;
  const partBudget = partTokens(options, earlierFits ? earlierTokens : 0);
  const preamble =
    earlierFits || options.earlier === undefined ? [] : [`=== summary of what came before ===\n${quoteText(options.earlier.text)}`];
  const toSummarize = messages.filter((message) => options.earlier === undefined || message.summary === undefined);
  const parts = packMessages(toSummarize, { ...options, preamble, partBudget });
  const { memories } = options.prompts;
  const values = { targetTokens: String(target), instructions: instructionsValue(options.instructions), memories: memories.trim() };
  return {
    /** The text to summarise, in reading order; each part fits the window beside a summary of what came before. */
    parts,
    /** `earlierText` is the summary so far: that of the previous part or, for the first part, that of the last compaction. */
    request: (part: number, earlierText: string | undefined): SummaryRequest => {
      const earlier = part === 0 && !earlierFits ? undefined : (earlierText ?? (part === 0 ? earlierSummary : ''));
      const template = part > 0 ? options.prompts.merge : earlier === undefined ? options.prompts.first : options.prompts.update;
      const partValues = { scope: scopeOf(part, parts.length), material: parts[part] ?? '' };
      return fillRequest(template, { ...values, ...partValues, ...(earlier === undefined ? {} : { earlier: quoteText(earlier) }) });
    },
  };
}

export const instructionsValue = (instructions: string | undefined): string =>
  instructions?.trim()
    ? `What the user wants kept in particular, which goes before the rules above:\n${quoteText(instructions.trim())}`
    : '';

/** What of a prompt stands before its user message, and that message. Throws `internal` where a line is missing. */
export function partsOfPrompt(template: string, start = ''): readonly [system: string, user: string] {
  const [from, boundary] = [template.indexOf(start), template.indexOf(USER_MARKER)];
  if (from === -1 || boundary < from) {
    const line = boundary === -1 ? USER_MARKER : start;
    throw new SanbotError('internal', { en: `A prompt lacks the line ${line}`, zh: `提示词缺少 ${line} 这一行` });
  }
  return [template.slice(from, boundary), template.slice(boundary + USER_MARKER.length)];
}

const USER_MARKER = '<!-- The user message starts here. -->';

/** Splits the template before filling it, so that nothing in the values can move the boundary. */
export function fillRequest(template: string, values: PromptValues): SummaryRequest {
  const [system = '', user = ''] = fillParts(partsOfPrompt(template), values);
  return { system: system.trim(), user: user.trim() };
}

const scopeOf = (part: number, parts: number): string =>
  parts === 1
    ? 'This is all of the material.'
    : `This is part ${part + 1} of ${parts} of the material${part + 1 < parts ? '; more follows, so how things stand at its end is not how they stand now' : ', the last one'}.`;

function partTokens(options: SummaryRequestOptions, earlierTokens: number): number {
  const { windowTokens, count, ratio, prompts, instructions } = options;
  const prompt =
    Math.max(...[prompts.first, prompts.update, prompts.merge].map((text) => count(text + prompts.memories))) +
    count(instructions ?? '') +
    100;
  const thinking = thinkingRoom(THINKING_TOKENS, windowTokens);
  const previousTokens = Math.max(earlierTokens, options.roomTokens);
  return Math.max(200, Math.floor(((windowTokens - options.roomTokens - thinking - previousTokens) * WINDOW_MARGIN) / ratio - prompt));
}

type PackOptions = SummaryRequestOptions & { readonly preamble: readonly string[]; readonly partBudget: number };

function packMessages(messages: readonly Message[], options: PackOptions): readonly string[] {
  const { preamble, partBudget, count, bodyOf } = options;
  const maxTokens = Math.min(partBudget * MAX_PARTS, options.contextTokens / options.ratio);
  let parts: readonly string[] = [];
  for (const chars of RESULT_CHARS) {
    const asTheyStand = chars === 'as they stand';
    if (!asTheyStand && minTokens(messages, chars) > maxTokens) continue;
    const cut = asTheyStand ? { resultChars: SHORTEST_CHARS } : { bodyOf, ...(chars === undefined ? {} : { resultChars: chars }) };
    const packed = packTexts([...preamble, ...renderTranscript(messages, cut)], partBudget, count);
    parts = packed.parts;
    if (parts.length <= MAX_PARTS && packed.tokens <= maxTokens) break;
  }
  return parts;
}

/** More characters per token than any kind of text has on average. */
const MAX_CHARS_PER_TOKEN = 8;

/** A lower bound for the tokens of results and texts; saves rendering megabytes that cannot fit. */
function minTokens(messages: readonly Message[], resultChars: number | undefined): number {
  const maxChars = resultChars ?? Number.POSITIVE_INFINITY;
  const chars = messages.flatMap((message) => {
    const bodyLengths = (message.stubs ?? []).filter(({ media }) => media === undefined).map(({ body }) => body.bytes / 4);
    const resultLengths = message.content.filter(isToolResult).map((block) => resultText(block).length);
    const textLengths = message.content.filter(isText).map(({ text }) => text.length);
    const maxTextChars = resultChars === undefined ? Number.POSITIVE_INFINITY : MAX_MESSAGE_CHARS;
    return [
      ...[...bodyLengths, ...resultLengths].map((length) => Math.min(length, maxChars)),
      ...textLengths.map((length) => Math.min(length, maxTextChars)),
    ];
  });
  return chars.reduce((sum, length) => sum + length, 0) / MAX_CHARS_PER_TOKEN;
}

/** Packs whole messages into parts while they fit. Splits a message that never would; its further pieces say what they continue. */
function packTexts(texts: readonly string[], partBudget: number, count: CountTokens) {
  const parts: string[] = [];
  let part: string[] = [];
  let [size, total] = [0, 0];
  for (const { chunk, tokens } of texts.flatMap((text) => splitIntoChunks(text, partBudget, count))) {
    if (part.length > 0 && size + tokens > partBudget) {
      parts.push(part.join('\n\n'));
      part = [];
      size = 0;
    }
    part.push(chunk);
    size += tokens;
    total += tokens;
  }
  return { parts: part.length === 0 ? parts : [...parts, part.join('\n\n')], tokens: total };
}

type Chunk = { readonly chunk: string /** With the empty line that follows it. */; readonly tokens: number };

function splitIntoChunks(text: string, partBudget: number, count: CountTokens): readonly Chunk[] {
  const tokens = count(`${text}\n\n`);
  if (tokens <= partBudget) return [{ chunk: text, tokens }];
  const heading = text.slice(0, Math.max(0, text.indexOf('\n')));
  const chars = Math.max(200, Math.floor((text.length * partBudget * 0.8) / tokens) - heading.length - 20);
  const chunks: string[] = [];
  for (let at = 0; at < text.length; ) {
    const slice = cutAt(text.slice(at), chars);
    const line = slice.lastIndexOf('\n');
    const end = at + slice.length < text.length && line > slice.length / 2 ? line + 1 : slice.length;
    const chunk = slice.slice(0, end).replace(/\n$/, '');
    chunks.push(at === 0 ? chunk : `${heading.replace(/ ===$/, ', continued ===')}\n ${chunk.replace(/^ /, '')}`);
    at += end;
  }
  return chunks.flatMap((chunk) =>
    chunk.length > 400 ? splitIntoChunks(chunk, partBudget, count) : [{ chunk, tokens: count(`${chunk}\n\n`) }],
  );
}

export type PromptValues = Readonly<Record<string, string>>;

/** Replaces each `{{name}}` by its value, verbatim. Throws `internal` for a value that is missing or that no part uses. */
export const fillPrompt = (template: string, values: PromptValues): string => fillParts([template], values).join('');

/** Does the same for a template in several parts: each value must be used by at least one of them. */
export function fillParts(parts: readonly string[], values: PromptValues): readonly string[] {
  const usedNames = new Set<string>();
  const results = parts.map((part) =>
    part.replace(/\{\{(\w{1,40})\}\}/g, (_, name: string) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined)
        throw new SanbotError('internal', {
          en: `A prompt asks for {{${name}}}, which is not given`,
          zh: `提示词要用 {{${name}}}，但没有提供`,
        });
      usedNames.add(name);
      return value;
    }),
  );
  const unused = Object.keys(values).filter((name) => !usedNames.has(name));
  if (unused.length > 0)
    throw new SanbotError('internal', {
      en: `A prompt does not use what is given: ${unused.join(', ')}`,
      zh: `提示词没有使用所提供的内容：${unused.join('、')}`,
    });
  return results;
}
