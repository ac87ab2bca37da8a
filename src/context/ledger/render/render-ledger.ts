/**
 * The ledger as Markdown, as the model reads it in place of the messages that left.
 *
 * A ledger, the text beside it and a number of tokens come in; sections come out that fit: what was ordered, decided and changed outlasts
 * what was only read or named. Each section says how much of it is missing, and nothing that stands beside it is said again.
 *
 * It chooses and words lines, and learns nothing: what is a fact is decided where the ledger is gathered. The same ledger and the same
 * room give the same text.
 */

import type { Ledger } from '../../../domain/session/ledger.ts';
import { isOneOf } from '../../../domain/value/word-list.ts';
import { isGeneral, judge } from '../../sentence/judge.ts';
import { chinese, english, type FitLine, type FitSection, fitSections, type TokenBudget } from '../../summary/fit-sections.ts';
import { type SectionName, sectionNames } from '../../summary/summary-check.ts';
import { isChinese } from '../../text/sentences.ts';
import {
  bodyItem,
  byFolder,
  foldOlderPaths,
  lookUpHeading,
  outcomeItems,
  pathsHeading,
  pendingTasks,
  plainItem,
  type RankItem,
  seenFrom,
  sharedFolder,
} from './outcome-items.ts';

type LedgerBudget = TokenBudget & {
  /** Text beside the ledger in the same message, which need not be repeated. */
  readonly adjacentText?: string;
  /** The sections of the summary that the ledger has to write itself. */
  readonly headings?: readonly SectionName[];
  readonly cwd?: string | undefined;
};

const TITLE = '## Ledger\n\n';

/** As Markdown of at most `tokens`: the least valuable lines go first. Empty when there is nothing to say or no room for a heading. */
export function renderLedger(whole: Ledger, budget: LedgerBudget): string {
  const { tokens, count, adjacentText = '', cwd } = budget;
  const ledger = seenFrom(cwd, whole);
  const filesHeading = pathsHeading('### Files modified', cwd, [...whole.filesModified, ...(whole.filesDeleted ?? [])]);
  const sectionsOf = (facts: Ledger): readonly FitSection[] => sectionsWithin(facts, budget, filesHeading);
  const plain = fitByDropping(sectionsOf({ ...ledger, identifiers: [] }), budget);
  const needsFolding = ledger.filesModified.some((path) => !plain.includes(path));
  const facts = needsFolding
    ? { ...ledger, filesModified: foldOlderPaths(ledger.filesModified, tokens * FULL_PATHS_SHARE, count) }
    : ledger;
  const otherText = needsFolding ? fitByDropping(sectionsOf({ ...facts, identifiers: [] }), budget) : plain;
  const visibleText = `${otherText}\n${adjacentText}`;
  const identifiers = namesToTell(ledger.identifiers, visibleText);
  return identifiers.length === 0 ? otherText : fitByDropping(sectionsOf({ ...facts, identifiers }), budget);
}

/** When the paths of modified files do not all fit, the newest stay whole up to this share of the budget. */
const FULL_PATHS_SHARE = 0.15;

function fitByDropping(sections: readonly FitSection[], budget: TokenBudget): string {
  const byWorth = sections.filter(isShown).sort((a, b) => worthOf(a) - worthOf(b));
  for (let dropped = 0; dropped < byWorth.length; dropped++) {
    const droppedSections = new Set(byWorth.slice(0, dropped));
    const text = fitSections(withTitle(sections.filter((section) => isShown(section) && !droppedSections.has(section))), budget);
    if (text !== '') return text;
  }
  return '';
}

const isShown = ({ lines, none }: FitSection): boolean => lines.length > 0 || none !== undefined;

function withTitle(sections: readonly FitSection[]): readonly FitSection[] {
  const first = sections.find(({ heading }) => heading.startsWith('### '));
  return sections.map((section) => (section === first ? { ...section, heading: `${TITLE}${section.heading}` } : section));
}

const worthOf = ({ lines }: FitSection): number => lines.reduce((max, { worth }) => Math.max(max, worth), 0);

/** Tokens reserved for these sections before any other: about five paths, three bodies. */
const FLOOR_TOKENS = { filesRead: 60, bodies: 150 };
/** The largest share of a small budget that a floor may take. */
const MAX_FLOOR_SHARES = { filesRead: 0.06, bodies: 0.14 };

/** In display order. Worths of different sections do not overlap: what one does not need goes to the others by their worth. */
function sectionsWithin(
  ledger: Ledger,
  { tokens, adjacentText = '', headings = [] }: LedgerBudget,
  filesHeading: string,
): readonly FitSection[] {
  const ranked = (items: readonly RankItem[], worth: number) => rankLines(items, worth, adjacentText);
  const { bodies } = ledger;
  const floor = (section: keyof typeof FLOOR_TOKENS): number =>
    ledger[section].length === 0 ? 0 : Math.min(MAX_FLOOR_SHARES[section], FLOOR_TOKENS[section] / Math.max(1, tokens));
  const [readShare, bodiesShare] = [floor('filesRead'), floor('bodies')];
  const rest = 1 - readShare - bodiesShare;
  const words = isChinese(adjacentText) ? chinese : english;
  const own = (name: SectionName, heading: string): Pick<FitSection, 'heading' | 'none'> =>
    headings.includes(name) ? { heading: `## ${name}`, none: words.none } : { heading };
  const pending = pendingTasks(own('Pending Tasks', '### Open'), ledger, { words, adjacentText });
  const folder = sharedFolder(bodies.map(({ path }) => path));
  const { failures, done } = outcomeItems(ledger, words);
  const decisions = rankLines(decisionItems(ledger, adjacentText), 80, headings.includes('Key Decisions') ? '' : adjacentText);
  const open = rankLines(ledger.open.map(plainItem), 78, headings.includes('Pending Tasks') ? '' : adjacentText);
  const sections: readonly FitSection[] = [
    { heading: '### What the newest request answers', share: 0.15 * rest, lines: proposalLines(ledger) },
    { heading: filesHeading, share: 0.24 * rest, lines: fileLines(ledger), cut: cutNote },
    { heading: '### Files read', share: readShare, lines: byFolder(ranked(ledger.filesRead.map(plainItem), 20)), cut: recallNote },
    { heading: '### Failed commands', share: 0.14 * rest, lines: ranked(failures, 60), cut: cutNote },
    {
      ...own('User Preferences', '### Standing constraints'),
      share: 0.3 * rest,
      lines: orderLines(ledger, words.askedToKeep),
      cut: cutNote,
    },
    { ...own('Key Decisions', '### Decisions'), share: 0.16 * rest, lines: decisions, cut: cutNote },
    { heading: '### Exact identifiers', share: 0.1 * rest, lines: identifierLines(ledger), separator: ' ', cut: namesCutNote },
    {
      heading: '### Skills that were read: read again with the tool skill what the work still needs',
      share: 0.01 * rest,
      lines: (ledger.skills ?? []).map((name) => ({ text: name, worth: 77 })),
      separator: ', ',
      cut: namesCutNote,
    },
    { heading: '### Done', share: 0.02 * rest, lines: ranked(done, 30), cut: cutNote },
    { ...pending.heading, share: 0.03 * rest, lines: [...pending.lines, ...open], cut: cutNote },
    { heading: lookUpHeading(folder), share: bodiesShare, lines: ranked(bodies.map(bodyItem(folder)), 10), cut: recallNote },
  ];
  return [...sections].sort((a, b) => place(a) - place(b));
}

function place({ heading }: FitSection): number {
  const at = sectionNames.findIndex((name) => heading === `## ${name}`);
  return at === -1 ? sectionNames.length : at;
}

/** A request that is quoted whole beside the ledger, with what came of it, tells what it decides better than its words alone. */
const decisionItems = ({ decisions }: Ledger, adjacentText: string): readonly RankItem[] =>
  decisions.filter((decision) => !adjacentText.includes(`: "${decision}"\n  `)).map(plainItem);

const proposalLines = ({ proposal }: Ledger): readonly FitLine[] => (proposal === undefined ? [] : [{ text: proposal, worth: 99 }]);

const fileLines = ({ filesModified, filesDeleted = [] }: Ledger): readonly FitLine[] => [
  ...rankLines(filesDeleted.map(deletedItem), 69, ''),
  ...byFolder(rankLines(filesModified.map(plainItem), 70, '')),
];

const deletedItem = (path: string): RankItem => ({ text: `- ${path} (deleted)`, key: path });

const cutNote = (lines: number): string => `- (${lines} more, left out for room)`;

const recallNote = (lines: number): string => `- (${lines} more; recall finds them)`;

const namesCutNote = (names: number): string => `(${names} more, left out for room)`;

/** The newest item is worth most; items that `adjacentText` already contains are left out. */
const rankLines = (items: readonly RankItem[], worth: number, adjacentText: string): readonly FitLine[] =>
  items
    .filter(({ key }) => adjacentText === '' || !adjacentText.includes(key))
    .map(({ text }, at, all) => ({ text, worth: worth + at / (all.length + 1) }));

/** What the user asked to keep comes first, then what is said to hold for good, then other orders, the newest first. */
function orderLines({ constraints, asked = [] }: Ledger, label: string): readonly FitLine[] {
  const wishes = asked.map((text, at) => ({ text: `- ${label}: "${text}"`, worth: 100 + at }));
  const orders = constraints.map((text, at) => ({
    text: `- ${text}`,
    worth: (isGeneral(judge(text)) ? 94 : 92) + at / (constraints.length + 1),
  }));
  return [...wishes, ...orders];
}

/** Names by where they belong: edited files, paths, figures, others. Blanks part them, which costs a quarter less than commas. */
export function identifierLines({ identifiers: names, symbols = [] }: Ledger): readonly FitLine[] {
  if (names.length < MIN_GROUPED) return names.map((name, at) => nameLine(name, at, names.length));
  const fileOf = new Map(symbols.flatMap(({ file, names: inFile }) => inFile.map((name) => [name, file] as const)));
  const groups = new Map<string, FitLine[]>();
  for (const [at, name] of names.entries()) {
    const group = fileOf.get(name) ?? kindOf(name);
    groups.set(group, [...(groups.get(group) ?? []), nameLine(name, at, names.length)]);
  }
  const others = groups.get(OTHERS) ?? [];
  const byFile = [...groups].filter(([group]) => !LABELS.includes(group));
  // A label for a single name would say more of the file than of the name.
  const [alone, together] = [byFile.filter(([, lines]) => lines.length === 1), byFile.filter(([, lines]) => lines.length > 1)];
  const rest = [...others, ...alone.flatMap(([, lines]) => lines)].sort((a, b) => b.worth - a.worth);
  const kinds = [PATHS, FIGURES].flatMap((label) => (groups.get(label) ?? []).map((line) => ({ ...line, group: label })));
  const labelled = [
    ...together.flatMap(([file, lines]) => lines.map((line) => ({ ...line, group: file.slice(file.lastIndexOf('/') + 1) }))),
    ...kinds,
  ];
  return labelled.length === 0 ? rest : [...labelled, ...rest.map((line) => ({ ...line, group: OTHERS }))];
}

const MIN_GROUPED = 8;

const nameLine = (name: string, at: number, of: number): FitLine => ({
  text: /\s/.test(name) ? `\`${name}\`` : name,
  worth: 31 - at / (of + 1),
});

const [PATHS, FIGURES, OTHERS] = ['Paths', 'Figures', 'Others'];
const LABELS: readonly string[] = [PATHS, FIGURES, OTHERS];

const kindOf = (name: string): string =>
  isFigure(name) ? FIGURES : /^\S*\/\S*\/\S*$|^\S+\/\S+\.\w{1,6}$|^[~.]?\/\S+$/.test(name) ? PATHS : OTHERS;

const isFigure = isOneOf(
  /^[#v]?[\d.,:_+-]+[a-zA-Z%]{0,5}$|^\d{4}-\d\d-\d\d\S*$/,
  /^(?=\S*\d)#?[0-9a-f]{3,64}$|^[0-9a-f]{8}-[0-9a-f-]{20,}$/,
);

/** Without those that stand in the text beside them or in one ranked above. A bound would keep fewer that are used again. */
export function namesToTell(ranked: readonly string[], visibleText: string): string[] {
  let seenText = visibleText;
  return ranked.filter((name) => {
    if (seenText.includes(name)) return false;
    seenText += `\n${name}`;
    return true;
  });
}
