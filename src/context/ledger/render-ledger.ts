import type { Ledger } from '../../domain/session/ledger.ts';
import type { CountTokens } from '../measure/count.ts';
import { type FitLine, type FitSection, fitSections } from '../summary/fit-sections.ts';
import { constraintStrength } from '../text/cues.ts';
import { cutAt } from '../text/sentences.ts';

export type LedgerRoom = {
  readonly tokens: number;
  readonly count: CountTokens;
  /** What stands beside it in the same message and need not be said twice. */
  readonly beside?: string;
};

const TITLE = '## Ledger\n\n';

/**
 * The ledger as Markdown of at most `tokens`. Where not all fits, the least valuable goes first and each section says how much is
 * missing; constraints and modified files go last. Empty when there is nothing to say or no room for a heading.
 */
export function renderLedger(ledger: Ledger, { tokens, count, beside = '' }: LedgerRoom): string {
  const room = { tokens: tokens - count(TITLE), count };
  const sectionsOf = (facts: Ledger): readonly FitSection[] => sectionsWithin(facts, { tokens, beside });
  const plain = fitDown(sectionsOf({ ...ledger, identifiers: [] }), room);
  const folded = ledger.filesModified.some((path) => !plain.includes(path));
  const facts = folded ? { ...ledger, filesModified: foldOlder(ledger.filesModified, tokens * FULL_PATHS_SHARE, count) } : ledger;
  const others = folded ? fitDown(sectionsOf({ ...facts, identifiers: [] }), room) : plain;
  const said = `${others}\n${beside}`;
  const identifiers = withoutParts(ledger.identifiers.filter((name) => !said.includes(name)));
  const text = identifiers.length === 0 ? others : fitDown(sectionsOf({ ...facts, identifiers }), room);
  return text === '' ? '' : `${TITLE}${text}`;
}

/** A name that is part of a weightier one can be read there. */
function withoutParts(names: readonly string[]): string[] {
  let said = '';
  return names.filter((name) => {
    if (said.includes(name)) return false;
    said += `${name}\n`;
    return true;
  });
}

/** Where the paths of modified files do not all fit, the newest stay whole as far as this part of the room goes. */
const FULL_PATHS_SHARE = 0.15;

/** The older paths as one line for each folder: none is lost, and what they share is said once. */
function foldOlder(paths: readonly string[], tokens: number, count: CountTokens): string[] {
  let left = tokens;
  const firstWhole = paths.findLastIndex((path) => {
    left -= count(`- ${path}\n`);
    return left < 0;
  });
  const folders = new Map<string, string[]>();
  for (const path of paths.slice(0, firstWhole + 1)) {
    const own = folders.get(folderOf(path)) ?? [];
    own.push(path);
    folders.set(folderOf(path), own);
  }
  const lines = [...folders].flatMap(([folder, own]) => {
    const names = own.map((path) => path.slice(folder.length));
    const rows = Array.from({ length: Math.ceil(names.length / NAMES_A_LINE) }, (_, row) =>
      names.slice(row * NAMES_A_LINE, (row + 1) * NAMES_A_LINE),
    );
    return rows.map((row) => `${folder === '' ? '' : `${folder}: `}${row.join(', ')}`);
  });
  return [...lines, ...paths.slice(firstWhole + 1)];
}

const NAMES_A_LINE = 12;
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

/** With fewer and fewer sections, the least worthy left out first, until what is left fits. */
function fitDown(sections: readonly FitSection[], room: { readonly tokens: number; readonly count: CountTokens }): string {
  const byWorth = sections.filter(({ lines }) => lines.length > 0).sort((a, b) => worthOf(a) - worthOf(b));
  for (let dropped = 0; dropped < byWorth.length; dropped++) {
    const gone = new Set(byWorth.slice(0, dropped));
    const text = fitSections(
      sections.filter((section) => !gone.has(section)),
      room,
    );
    if (text !== '') return text;
  }
  return '';
}

const worthOf = ({ lines }: FitSection): number => lines.reduce((most, { worth }) => Math.max(most, worth), 0);

/** What these sections have before any other, in tokens, so that in a small room too they show something: about five paths, three bodies. */
const FLOORS = { filesRead: 60, bodies: 150 };

/** Of a small room, a floor is at most this part. */
const MOST_FLOORS = { filesRead: 0.06, bodies: 0.14 };

/**
 * In the order in which they are shown. Shares are of the whole; worths of different sections are apart from each other, so what
 * a section does not need goes to the others in the order of their worth.
 */
function sectionsWithin(ledger: Ledger, { tokens, beside }: { readonly tokens: number; readonly beside: string }): readonly FitSection[] {
  const plain = (items: readonly string[], worth: number) => ranked(items, worth, beside);
  const failures = ledger.failedCommands.map(({ command, error }) => ({
    text: `- \`${shortened(command, COMMAND_CHARS)}\`: ${error}`,
    key: error,
  }));
  const floor = (of: keyof typeof FLOORS): number =>
    ledger[of].length === 0 ? 0 : Math.min(MOST_FLOORS[of], FLOORS[of] / Math.max(1, tokens));
  const [read, bodies] = [floor('filesRead'), floor('bodies')];
  const rest = 1 - read - bodies;
  return [
    { heading: '### Files modified', share: 0.27 * rest, lines: ranked(ledger.filesModified, 70, ''), cut },
    { heading: '### Files read', share: read, lines: plain(ledger.filesRead, 20), cut: cutToRecall },
    { heading: '### Failed commands', share: 0.1 * rest, lines: rankedBy(failures, 60, beside), cut },
    { heading: '### Standing constraints', share: 0.32 * rest, lines: constraintLines(ledger.constraints, beside), cut },
    { heading: '### Decisions', share: 0.1 * rest, lines: plain(ledger.decisions, 80), cut },
    { heading: '### Exact identifiers', share: 0.14 * rest, lines: identifierLines(ledger.identifiers), between: ', ', cut: cutAfterNames },
    { heading: '### Done', share: 0.03 * rest, lines: doneLines(ledger.done, beside), cut },
    { heading: '### Open', share: 0.03 * rest, lines: plain(ledger.open, 50), cut },
    { heading: '### Where to look things up', share: bodies, lines: bodyLines(ledger.bodies, beside), cut: cutToRecall },
  ];
}

const bodyLines = (bodies: Ledger['bodies'], beside: string): readonly FitLine[] =>
  rankedBy(
    bodies.map(({ path, what }) => ({ text: `- ${path}: ${withoutMiddle(what)}`, key: path })),
    10,
    beside,
  );

/** The whole of a command is found by recall; what it lets stand here are other facts. */
const COMMAND_CHARS = 100;

/** A long command is told by its beginning; the words of its success stand after it. */
const doneLines = (done: readonly string[], beside: string): readonly FitLine[] =>
  rankedBy(
    done.map((text) => {
      const end = text.startsWith('`') ? text.lastIndexOf('` succeeded') : -1;
      return { text: end < 0 ? `- ${text}` : `- \`${shortened(text.slice(1, end), COMMAND_CHARS)}${text.slice(end)}`, key: text };
    }),
    30,
    beside,
  );

const shortened = (text: string, chars: number): string => (text.length <= chars ? text : `${cutAt(text, chars - 1).trimEnd()}…`);

const WHAT_CHARS = 64;
/** The end tells the file's name and how many lines there are. */
const withoutMiddle = (what: string): string =>
  what.length <= WHAT_CHARS ? what : `${cutAt(what, 16).trimEnd()}…${what.slice(-(WHAT_CHARS - 17)).toWellFormed()}`;

const cut = (lines: number): string => `- (${lines} more, left out for room)`;

const cutToRecall = (lines: number): string => `- (${lines} more; recall finds them)`;

const cutAfterNames = (names: number): string => `(${names} more, left out for room)`;

const ranked = (items: readonly string[], worth: number, beside: string): readonly FitLine[] =>
  rankedBy(
    items.map((item) => ({ text: `- ${item}`, key: item })),
    worth,
    beside,
  );

/** The newest is worth most; what stands beside already is left out. */
const rankedBy = (items: readonly { readonly text: string; readonly key: string }[], worth: number, beside: string): readonly FitLine[] =>
  items
    .filter(({ key }) => beside === '' || !beside.includes(key))
    .map(({ text }, at, all) => ({ text, worth: worth + at / (all.length + 1) }));

/** Orders and bans first, then rules and wishes; words of a rule in a question only where there is room to spare. */
function constraintLines(constraints: readonly string[], beside: string): readonly FitLine[] {
  return constraints.map((text, at) => {
    const strength = constraintStrength(text) || 2;
    const worth = strength === 1 ? 55 : 88 + strength * 2 - (beside.includes(text) ? 1 : 0);
    return { text: `- ${text}`, worth: worth + at / (constraints.length + 1) };
  });
}

/** They come ranked. A name with blanks or commas in it is set off, the rest needs no marks. */
const identifierLines = (names: readonly string[]): readonly FitLine[] =>
  names.map((name, at) => ({ text: /[\s,]/.test(name) ? `\`${name}\`` : name, worth: 31 - at / (names.length + 1) }));
