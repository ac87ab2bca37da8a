/** What the edits of each file changed, as their own texts tell: the names they define or stand in, or the first line that is new. */

import { firstOf, unique } from '../../domain/lists.ts';
import { anyOf } from '../../domain/value/word-list.ts';
import { isSamePath, removalOf } from '../ledger/files/undone.ts';
import { wasRun } from '../ledger/outcomes.ts';
import type { ToolCall } from '../ledger/types.ts';
import { isImport, quoteLine } from '../text/sentences.ts';
import type { FitLine } from './fit-sections.ts';
import { type SummaryWords, summaryLanguages } from './fit-sections.ts';

const MAX_PARTS = 200;
const MAX_NAMES = 10;
const MAX_QUOTES = 2;
const QUOTE_CHARS = 90;
const DETAIL_CHARS = 360;
const TEXT_CHARS = 20_000;

type Edit = { readonly before: string | undefined; readonly after: string };

const KINDS = ['added', 'inside', 'removed'] as const;
type Kind = (typeof KINDS)[number];

/** `quotes` are lines that are new and, marked as in a diff, lines that are gone. */
type Change = Readonly<Record<Kind | 'quotes', Set<string>>> & { times: number; whole: number | undefined };

/** Returns one line per changed file that was not deleted since. Where the calls do not tell what changed, how often it did. */
export function changeLines(calls: readonly ToolCall[], words: SummaryWords): readonly FitLine[] {
  const changes = new Map<string, Change>();
  for (const call of calls.filter(wasRun)) {
    const { kind, paths, failed, input } = call;
    if (failed) continue;
    const removal = removalOf(call);
    if (removal?.kind === 'files' && removal.isDeleted)
      for (const path of changes.keys()) if (removal.paths.some((gone) => isSamePath(path, gone))) changes.delete(path);
    if (kind !== 'write' || removal !== undefined) continue;
    for (const path of paths) {
      const change = changes.get(path) ?? emptyChange();
      changes.set(path, change);
      change.times += 1;
      for (const edit of editsOf(input, path)) noteEdit(change, edit, path);
    }
  }
  return [...changes].map(([path, change]) => ({
    text: `- ${shortPath(path)}: ${quoteLine(describe(change, words), DETAIL_CHARS)}`,
    worth: 4 + Math.min(1, change.times / 10),
  }));
}

const emptyChange = (): Change => ({
  times: 0,
  whole: undefined,
  added: new Set(),
  inside: new Set(),
  removed: new Set(),
  quotes: new Set(),
});

const shortPath = (path: string): string => quoteLine(path.split('/').slice(-2).join('/'), 120);

function noteEdit(change: Change, { before, after }: Edit, path: string): void {
  const [old, now] = [namesDefined(before ?? '', path), namesDefined(after, path)];
  const [lines, linesNow] = [before, after].map((text) => text?.split('\n').length);
  if (before === undefined) change.whole = linesNow;
  else if (change.whole !== undefined) change.whole += (linesNow ?? 0) - (lines ?? 0);
  forgetReplaced(change.quotes, { before, after });
  const added = now.filter((name) => !old.includes(name));
  const removed = old.filter((name) => !now.includes(name));
  const inside = old.filter((name) => now.includes(name));
  for (const name of added) if (!change.removed.delete(name)) change.added.add(name);
  for (const name of removed) {
    change.inside.delete(name);
    if (!change.added.delete(name)) change.removed.add(name);
  }
  if (added.length + removed.length === 0) for (const name of inside) if (!change.added.has(name)) change.inside.add(name);
  if (added.length + removed.length + inside.length > 0 || before === undefined) return;
  const line = firstNewLine(before, after);
  if (line !== undefined) change.quotes.add(line);
}

/** A line that a later edit took out again is in the file no more. */
function forgetReplaced(quotes: Set<string>, { before, after }: Edit): void {
  if (quotes.size === 0) return;
  const [old, now] = [before === undefined ? undefined : new Set(linesOf(before)), new Set(linesOf(after))];
  for (const line of quotes) if ((old === undefined || old.has(line)) && !now.has(line) && !line.startsWith('-')) quotes.delete(line);
}

function describe(change: Change, { edits, times: often }: SummaryWords): string {
  const parts = [
    ...(change.whole === undefined ? [] : [edits.written(change.whole)]),
    ...KINDS.flatMap((kind) => (change[kind].size === 0 ? [] : [`${edits[kind]} ${firstOf([...change[kind]], MAX_NAMES)}`])),
    ...[...change.quotes].slice(-MAX_QUOTES).map((line) => `\`${quoteLine(line, QUOTE_CHARS)}\``),
  ];
  return parts.length === 0 ? often(change.times) : parts.join('; ');
}

/** The first line that is new, code rather than a remark; of an edit that only takes away, the first that is gone, marked as in a diff. */
function firstNewLine(before: string, after: string): string | undefined {
  const [old, now] = [linesOf(before), linesOf(after)];
  const added = linesBeside(now, old);
  const lines = added.length > 0 ? added : linesBeside(old, now);
  const line = lines.find((each) => !isRemark(each)) ?? lines[0];
  return line === undefined || added.length > 0 ? line : `-${line}`;
}

function linesOf(text: string): readonly string[] {
  const lines = text.slice(0, TEXT_CHARS).split('\n');
  return lines.map((line) => line.trim()).filter((line) => !saysNothing(line));
}

function linesBeside(lines: readonly string[], others: readonly string[]): readonly string[] {
  const known = new Set(others);
  return lines.filter((line) => !known.has(line));
}

const isRemark = (line: string): boolean => /^(?:\/\/|\/\*|\*|#(?![\w-])|"""|--)/.test(line);

/** Without words, or an import: what it brings in shows where it is used. */
const saysNothing = (line: string): boolean => !/[\p{L}\d]{3}/u.test(line) || line.startsWith('```') || isImport(line);

const OLD_TEXT = ['old_string', 'old_str', 'oldText', 'old', 'search'];
const NEW_TEXT = ['new_string', 'new_str', 'newText', 'new', 'replacement', 'replace', 'insert_text', 'content', 'file_text', 'new_source'];
/** These hold a file's whole text, so that there is nothing to compare it with. */
const WHOLE_TEXT = new Set(['content', 'file_text']);

function editsOf(input: unknown, path: string): readonly Edit[] {
  if (typeof input !== 'object' || input === null) return [];
  const patch = ['patch', 'input', 'diff'].map((key) => textAt(input, [key])?.text).find((text) => text?.includes('*** ') === true);
  if (patch !== undefined) return [editInPatch(patch, path)];
  const parts = 'edits' in input && Array.isArray(input.edits) ? [input, ...input.edits.slice(0, MAX_PARTS)] : [input];
  return parts.flatMap((part: unknown) => {
    const after = textAt(part, NEW_TEXT);
    return after === undefined
      ? []
      : [{ before: WHOLE_TEXT.has(after.key) ? undefined : (textAt(part, OLD_TEXT)?.text ?? ''), after: after.text }];
  });
}

function textAt(part: unknown, keys: readonly string[]): { readonly key: string; readonly text: string } | undefined {
  const fields = new Map<string, unknown>(Object.entries(Object(part)));
  const key = keys.find((each) => typeof fields.get(each) === 'string');
  return key === undefined ? undefined : { key, text: String(fields.get(key)) };
}

/** The part of a patch that is about this file; what stays is in both texts. */
function editInPatch(patch: string, path: string): Edit {
  const [before, after]: [string[], string[]] = [[], []];
  let isThis = false;
  for (const line of patch.slice(0, MAX_PARTS * 1_000).split('\n')) {
    const file = /^\*\*\* (?:Update|Add|Delete) File: (.+)$/.exec(line)?.[1];
    if (file !== undefined) isThis = file.trim() === path;
    else if (isThis && !line.startsWith('*** ') && !line.startsWith('@@')) {
      if (!line.startsWith('+')) before.push(line.slice(1));
      if (!line.startsWith('-')) after.push(line.slice(1));
    }
  }
  return { before: before.join('\n'), after: after.join('\n') };
}

/** At the start of a line, so that no remark defines anything; a constant only where it is not inside something else. */
const BEFORE_DEFINITION = anyOf('export, default, declare, pub, public, private, protected, internal, static, async, abstract, final');
const DEFINITION = new RegExp(
  [
    `^[ \\t]{0,40}(?:${BEFORE_DEFINITION}[ \\t]{1,2}){0,5}${anyOf('func, function, class, def, interface, struct, enum, trait, fn, type')}\\*?`,
    '[ \\t]{1,4}(?:\\([^()\\n]{0,60}\\)[ \\t]{0,2})?([A-Za-z_]\\w{2,60})',
    `|^(?:export[ \\t]{1,2})?${anyOf('const, let, var, val')}[ \\t]{1,2}([A-Za-z_]\\w{2,60})`,
  ].join(''),
  'gm',
);
const TITLE = /^#{1,4} (\S[^\n]{1,80})$/gm;

function namesDefined(text: string, path: string): readonly string[] {
  const source = text.slice(0, TEXT_CHARS);
  if (/\.(?:md|mdx|markdown)$/i.test(path))
    return unique([...source.matchAll(TITLE)].map(([, title = '']) => `"${title.trim().replaceAll('"', "'")}"`));
  return unique([...source.matchAll(DEFINITION)].map(([, name = '', top = '']) => name || top));
}

/** One thing that a line tells: of a name what became of it, or a text as it stands. */
type Fact = { readonly kind: Kind | 'whole' | 'times' | 'quote'; readonly text: string };

/** Puts what an earlier summary told of a file in the line that tells of it now, so that each file has one. */
export function mergeChanges(carried: readonly FitLine[], own: readonly FitLine[], words: SummaryWords): readonly FitLine[] {
  const lines = new Map<string, FitLine>();
  for (const line of [...carried, ...own]) {
    const end = line.text.indexOf(': ');
    const key = end === -1 ? line.text : line.text.slice(0, end);
    const earlier = lines.get(key);
    lines.delete(key);
    lines.set(key, earlier === undefined || end === -1 ? line : mergeLine(earlier, line, { from: end + 2, words }));
  }
  return [...lines.values()];
}

/** The newer details come last; where there are too many, the older ones go. */
function mergeLine(earlier: FitLine, later: FitLine, { from, words }: { readonly from: number; readonly words: SummaryWords }): FitLine {
  const facts = [...mergeFacts(factsIn(earlier.text.slice(from)), factsIn(later.text.slice(from)), words)];
  while (facts.length > 1 && tell(facts, words).length > DETAIL_CHARS) facts.shift();
  return { text: `${later.text.slice(0, from)}${tell(facts, words)}`, worth: Math.max(earlier.worth, later.worth) };
}

/** The later word of a name stands, but a new name that was worked in is still new; one that was made and removed was never there. */
function mergeFacts(earlier: readonly Fact[], later: readonly Fact[], words: SummaryWords): readonly Fact[] {
  const facts = new Map<string, Fact>();
  for (const fact of [...earlier, ...later]) {
    const key = isName(fact) || fact.kind === 'quote' ? fact.text : fact.kind;
    const before = facts.get(key);
    facts.delete(key);
    if (before?.kind === 'added' && fact.kind === 'removed') continue;
    facts.set(key, before?.kind === 'added' && fact.kind === 'inside' ? before : fact);
  }
  const [timesBefore, timesSince] = [timesIn(earlier), timesIn(later)];
  facts.delete('times');
  return facts.size === 0 ? [{ kind: 'times', text: words.times(timesBefore + timesSince) }] : [...facts.values()];
}

const isName = ({ kind }: Fact): boolean => KINDS.some((each) => each === kind);

const timesIn = (facts: readonly Fact[]): number =>
  Number(/^\d{1,6}/.exec(facts.find(({ kind }) => kind === 'times')?.text ?? '')?.[0] ?? 1);

function tell(facts: readonly Fact[], { edits }: SummaryWords): string {
  const names = KINDS.map((kind) => facts.filter((fact) => fact.kind === kind).map(({ text }) => text));
  const lists = KINDS.flatMap((kind, at) => (names[at]?.length ? [`${edits[kind]} ${names[at].join(', ')}`] : []));
  return [...lists, ...facts.filter((fact) => !isName(fact)).map(({ text }) => text)].join('; ');
}

/** Semicolons and commas inside a quotation part nothing. */
const PARTS = /(?:`[^`]*`|"[^"]*"|[^;]|;(?! ))+/g;
const NAMES = /"[^"]*"|[^\s,][^,]*/g;

function factsIn(details: string): readonly Fact[] {
  return (details.match(PARTS) ?? []).flatMap((part): readonly Fact[] => {
    const text = part.trim();
    for (const { edits } of summaryLanguages)
      for (const kind of KINDS)
        if (text.startsWith(`${edits[kind]} `))
          return (text.slice(edits[kind].length).match(NAMES) ?? []).map((name) => ({ kind, text: name.trim() }));
    if (summaryLanguages.some(({ edits }) => text.startsWith(edits.written(0).split('0')[0] ?? ''))) return [{ kind: 'whole', text }];
    return [{ kind: /^(?:once|\d{1,6} times|\d{1,6} 次)$/.test(text) ? 'times' : 'quote', text }];
  });
}
