import type { BodyRef, TextBlock } from '../../domain/session/message.ts';
import { failureLines } from '../ledger/error-line.ts';
import { frequentNames } from '../ledger/identifiers.ts';
import type { Limits } from '../measure/limits.ts';

export type Stub = {
  readonly path: string;
  readonly tool: string;
  readonly ok: boolean;
  readonly ref: BodyRef;
  readonly source?: string;
  readonly body: string;
};

/** What replaces a body in the context; undefined when it would not be smaller. Same input, same bytes; never half a character. */
export function stubText({ path, tool, ok, ref, source, body }: Stub, limits: Limits): string | undefined {
  const header = headerOf({ path, tool, ok, ref, source }, [`sha256 ${ref.sha256.slice(0, 16)}`]);
  const budget = stubBudget(limits, unitsOf(header));
  const nameUnits = Math.min(NAME_TOKENS, limits.stubTokens * MAX_NAME_SHARE) * UNITS_PER_TOKEN;
  const ends = excerptOf(body, budget);
  const errors = !ok || isCommandTool(tool) ? errorLines(body, ends, Math.floor(budget.units * MAX_ERROR_SHARE)) : '';
  const names = `${errors}${namesLine(body, ends, { units: nameUnits - unitsOf(errors) / 2 }).text}`;
  const { head, tail, cutChars } = excerptOf(body, { ...budget, units: Math.max(0, budget.units - unitsOf(names)) });
  const excerpt =
    cutChars === body.length ? '' : `${excerptPart('head', head)}--- ${cutChars} characters left out\n${names}${excerptPart('tail', tail)}`;
  const text = `${header}${howToRead(body, head, tail)}\n${excerpt}`;
  return text.length < body.length && unitsOf(text) < unitsOf(body) ? text.toWellFormed() : undefined;
}

export const isCommandTool = (tool: string): boolean => /bash|shell|command|terminal|exec|run|output|process/i.test(tool);
function headerOf(
  { path, tool, ok, ref, source }: Omit<Stub, 'body' | 'source'> & { source?: string | undefined },
  more: string[] = [],
): string {
  const facts = [tool, ok ? 'ok' : 'failed', `${ref.bytes} bytes`, `${ref.lines} lines`, ...more];
  return `Tool result is at: ${path}\n${[...facts, ...(source === undefined ? [] : [`source ${onOneLine(source)}`])].join(', ')}\n`;
}

/** Of what the stub may show: more would leave nothing of the end. */
const MAX_ERROR_SHARE = 1 / 3;
const ERRORS_INTRO = 'Errors in it:\n';

type Shown = { readonly head: string; readonly tail: string };

/** The lines of the part left out that state an error, as they stand there; empty where there is none or no room. */
export function errorLines(body: string, { head, tail }: Shown, units: number): string {
  const lines = failureLines(body.slice(head.length, body.length - tail.length), MAX_ERROR_LINES);
  let text = '';
  for (const line of lines) {
    const longer = `${text}${line}\n`;
    if (unitsOf(`${ERRORS_INTRO}${longer}`) > units) break;
    text = longer;
  }
  return text === '' ? '' : `${ERRORS_INTRO}${text}`;
}

const MAX_ERROR_LINES = 6;

/** What the names of the part left out may take: so much, and no more than this share of the stub. */
const NAME_TOKENS = 200;
const MAX_NAME_SHARE = 1 / 4;
const NAMES_INTRO = 'Names in it: ';

type NameRoom = { readonly units: number; readonly shownNames?: ReadonlySet<string> };

/** The names that the model may need again, so that it knows without a look-up that they are there; empty where there is none or no room. */
export function namesLine(body: string, { head, tail }: Shown, { units, shownNames }: NameRoom) {
  let remainingUnits = units - unitsOf(`${NAMES_INTRO}\n`);
  let seenText = `${head}\n${tail}`;
  const names: string[] = [];
  for (const name of frequentNames(body.slice(head.length, body.length - tail.length))) {
    if (remainingUnits < MIN_NAME_UNITS) break;
    const cost = unitsOf(`${name}, `);
    // Of numbers, most count lines, bytes or time.
    if (cost > remainingUnits || !/[\p{L}]/u.test(name) || seenText.includes(name) || shownNames?.has(name) === true) continue;
    remainingUnits -= cost;
    seenText += `\n${name}`;
    names.push(name);
  }
  return { names, text: names.length === 0 ? '' : `${NAMES_INTRO}${onOneLine(names.join(', '))}\n` };
}

const MIN_NAME_UNITS = 6;

const excerptPart = (name: string, text: string): string => (text === '' ? '' : `--- ${name}\n${text}${text.endsWith('\n') ? '' : '\n'}`);

/** Head and tail get their ratios of `resultChars`, of what `stubTokens` leaves beside the lines above them. */
const stubBudget = ({ stubTokens, resultChars, headRatio, tailRatio }: Limits, usedUnits: number): ExcerptBudget => ({
  headChars: resultChars * headRatio,
  tailChars: resultChars * tailRatio,
  units: Math.max(0, stubTokens * UNITS_PER_TOKEN - usedUnits - HOW_TO_READ_UNITS),
});

const HOW_TO_READ_UNITS = 160;

/** [C54] By lines, or by characters when the head ends inside a line; from the start when nothing is shown. */
function howToRead(body: string, head: string, tail: string): string {
  if (head === '' && tail === '') return 'Nothing of it is shown here. Read it with read_file (this path, offset: 1), or search in it.';
  const next = head === '' || head.endsWith('\n') ? `offset: ${countNewlines(head) + 1}` : `char_offset: ${head.length}`;
  return `Only ${describeExcerpt(head.length, tail.length)} of ${body.length} characters are below. Read on with read_file (this path, ${next}), or search in it.`;
}

export function countNewlines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}

export const onOneLine = (text: string): string => text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ');

/** A message of the user's above this share of the window is mostly something that was pasted. */
const MAX_MESSAGE_SHARE = 1 / 10;

export const isTooLongToSay = (tokens: number, { windowTokens }: Limits): boolean => tokens > windowTokens * MAX_MESSAGE_SHARE;

/** Most people write above or below what they paste. */
const HEAD_SHARE = 0.6;

/** What stands for a long message: its beginning and end, where the user's own words are, and its path. Same input, same bytes. */
export function messageStub(
  text: string,
  { path, ref }: { readonly path: string; readonly ref: BodyRef },
  limits: Limits,
): readonly TextBlock[] {
  const units = limits.stubTokens * UNITS_PER_TOKEN;
  const { head, tail, cutChars } = excerptOf(text, { headChars: units * HEAD_SHARE, tailChars: units * (1 - HEAD_SHARE), units });
  const facts = `${ref.bytes} bytes, ${ref.lines} lines, sha256 ${ref.sha256.slice(0, 16)}`;
  const next = `offset: ${countNewlines(head) + 1}`;
  const middle = `[${cutChars} characters of this message are not shown here. All of it is at: ${path}\n${facts}\nRead on with read_file (this path, ${next}), or search in it.]`;
  return [head.trimEnd(), middle, tail.trimStart()]
    .filter((part) => part !== '')
    .map((part) => ({ type: 'text', text: part.toWellFormed() }));
}

/** `tokens`: what it may show below its first two lines, which it always has. `shownNames`: what other stubs of the batch show; added to. */
export type SmallStubRoom = { readonly tokens: number; readonly shownNames?: Set<string> };

/** Of the room, for the first line of the body and for what it says of errors; names get what is left. */
const FIRST_LINE_SHARE = 1 / 8;
const ERROR_SHARE = 1 / 4;
const FIRST_LINE_CHARS = 160;

/**
 * What stands for a result once the context is nearly full: its body's path, its first line, its errors, and names that nothing else in the
 * batch shows. Undefined when that is not smaller than `current`. Same input, same bytes.
 */
export function smallStubText(stub: Stub, current: string, { tokens, shownNames = new Set() }: SmallStubRoom): string | undefined {
  const { tool, ok, body } = stub;
  const units = tokens * UNITS_PER_TOKEN;
  const line = firstLine(body, Math.floor(units * FIRST_LINE_SHARE));
  const shown = { head: line, tail: '' };
  const errors = !ok || isCommandTool(tool) ? errorLines(body, shown, Math.floor(units * ERROR_SHARE)) : '';
  const begins = line === '' ? '' : `${BEGINS}${line}\n`;
  const { names, text: named } = namesLine(body, shown, { units: units - unitsOf(begins) - unitsOf(errors), shownNames });
  const text = `${headerOf(stub)}${begins}${errors}${named}`.toWellFormed();
  if (text.length >= current.length || unitsOf(text) >= unitsOf(current)) return undefined;
  for (const name of names) shownNames.add(name);
  return text;
}

const BEGINS = 'It begins: ';

function firstLine(body: string, units: number): string {
  const first = onOneLine(/\S.*/.exec(body)?.[0] ?? '');
  return excerptOf(first, { headChars: FIRST_LINE_CHARS, tailChars: 0, units: Math.max(0, units - unitsOf(BEGINS)) }).head;
}

/** How much of a text may be shown: the characters of head and tail, and their total weight in `units` of half a token. */
export type ExcerptBudget = { readonly headChars: number; readonly tailChars: number; readonly units: number };

/** The first and last characters that fit, cut at a line end where one is near. Head, `cutChars` characters and tail are the whole text. */
export function excerptOf(text: string, { headChars, tailChars, units }: ExcerptBudget) {
  const headShare = headChars + tailChars > 0 ? headChars / (headChars + tailChars) : 0;
  const headEnd = headLength(text, { chars: headChars, units: units * headShare });
  const tailStart = Math.max(headEnd, text.length - tailLength(text, { chars: tailChars, units: units * (1 - headShare) }));
  return { head: text.slice(0, headEnd), tail: text.slice(tailStart), cutChars: tailStart - headEnd };
}

export function describeExcerpt(headChars: number, tailChars: number): string {
  const parts = [...(headChars > 0 ? [`the first ${headChars}`] : []), ...(tailChars > 0 ? [`the last ${tailChars}`] : [])];
  return parts.length === 0 ? 'none' : parts.join(' and ');
}

/** For code, JSON, prose and Chinese a little above what current Claude models count; base64 takes up to 1.6 times as much. */
export const UNITS_PER_TOKEN = 2;

function unitsAt(text: string, index: number): number {
  const code = text.charCodeAt(index);
  if (code >= 0x80) return 3;
  const letter = (code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a;
  return letter || code <= 0x20 ? 1 : 2;
}

export function unitsOf(text: string): number {
  let units = 0;
  for (let i = 0; i < text.length; i++) units += unitsAt(text, i);
  return units;
}

type SideBudget = { readonly chars: number; readonly units: number };

function headLength(text: string, { chars, units }: SideBudget): number {
  const maxEnd = Math.min(text.length, Math.floor(chars));
  let remainingUnits = units;
  let end = 0;
  while (end < maxEnd && remainingUnits >= unitsAt(text, end)) remainingUnits -= unitsAt(text, end++);
  if (end === text.length) return end;
  const line = end === 0 ? 0 : text.lastIndexOf('\n', end - 1) + 1;
  if (line > end / 2) return line;
  return splitsPair(text, end) ? end - 1 : end;
}

function tailLength(text: string, { chars, units }: SideBudget): number {
  const minStart = Math.max(0, text.length - Math.floor(chars));
  let remainingUnits = units;
  let start = text.length;
  while (start > minStart && remainingUnits >= unitsAt(text, start - 1)) remainingUnits -= unitsAt(text, --start);
  if (start === 0 || text[start - 1] === '\n') return text.length - start;
  const line = text.indexOf('\n', start) + 1;
  if (line > 0 && line < (start + text.length) / 2) return text.length - line;
  return text.length - (splitsPair(text, start) ? start + 1 : start);
}

const splitsPair = (text: string, index: number): boolean =>
  index > 0 && (text.charCodeAt(index - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(index) & 0xfc00) === 0xdc00;
