import type { Ledger } from '../domain/ledger.ts';
import { constraintStrength } from './cues.ts';
import { type FitLine, type FitSection, fitSections } from './fit-sections.ts';
import type { CountTokens } from './measure.ts';

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
  const plain = fitDown(sectionsOf({ ...ledger, identifiers: [] }, beside), room);
  const folded = ledger.filesModified.some((path) => !plain.includes(path));
  const facts = folded ? { ...ledger, filesModified: foldOlder(ledger.filesModified, tokens * FULL_PATHS_SHARE, count) } : ledger;
  const others = folded ? fitDown(sectionsOf({ ...facts, identifiers: [] }, beside), room) : plain;
  const said = `${others}\n${beside}`;
  const identifiers = ledger.identifiers.filter((name) => !said.includes(name));
  const text = identifiers.length === 0 ? others : fitDown(sectionsOf({ ...facts, identifiers }, beside), room);
  return text === '' ? '' : `${TITLE}${text}`;
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

/**
 * In the order in which they are shown. Shares are of the whole; worths of different sections are apart from each other, so what
 * a section does not need goes to the others in the order of their worth.
 */
function sectionsOf(ledger: Ledger, beside: string): readonly FitSection[] {
  const plain = (items: readonly string[], worth: number) => ranked(items, worth, beside);
  const failures = ledger.failedCommands.map(({ command, error }) => ({ text: `- \`${command}\`: ${error}`, key: error }));
  return [
    { heading: '### Files modified', share: 0.26, lines: ranked(ledger.filesModified, 70, ''), cut },
    { heading: '### Files read', share: 0.01, lines: plain(ledger.filesRead, 20), cut },
    { heading: '### Failed commands', share: 0.1, lines: rankedBy(failures, 60, beside), cut },
    { heading: '### Standing constraints', share: 0.31, lines: constraintLines(ledger.constraints, beside), cut },
    { heading: '### Decisions', share: 0.1, lines: plain(ledger.decisions, 80), cut },
    { heading: '### Exact identifiers', share: 0.14, lines: identifierLines(ledger.identifiers), between: ', ', cut: cutAfterNames },
    { heading: '### Done', share: 0.03, lines: plain(ledger.done, 40), cut },
    { heading: '### Open', share: 0.03, lines: plain(ledger.open, 50), cut },
    {
      heading: '### Where to look things up',
      share: 0.02,
      lines: rankedBy(
        ledger.bodies.map(({ path, what }) => ({ text: `- ${path}: ${what}`, key: path })),
        10,
        beside,
      ),
      cut,
    },
  ];
}

const cut = (lines: number): string => `- (${lines} more, left out for room)`;
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
