/** The page of L2, memory/summary/master.md: items of a consolidation with the ids of their sources, and a person's lines. */
export type MasterItem = {
  readonly text: string;
  /** Ids of the entries of L1 that it is made from. */
  readonly ids: readonly string[];
  readonly line: string;
};

export type MasterPage = {
  readonly items: readonly MasterItem[];
  /** Lines that a person wrote: neither our items, nor our headings, nor our note at the end. */
  readonly byHand: readonly string[];
  /** When the consolidation that wrote this page ran; undefined when none did. */
  readonly consolidatedAt: string | undefined;
  /** Ids listed in the consolidation's note. Those without an item on the page any more were deleted by a person. */
  readonly listedIds: readonly string[];
};

export const masterTitle = '# Master memory';
/** `about`: by rule, who the user is and what the work is for, before all else. */
export const masterSections = {
  about: '## The user and the work',
  preferences: '## Preferences',
  decisions: '## Decisions',
  facts: '## Facts',
} as const;
const OWN_HEADINGS: ReadonlySet<string> = new Set([masterTitle, ...Object.values(masterSections)]);

const PLACE = /^### In .* <!-- place -->\s*$/;
export const masterPlace = (folder: string): string => `### In ${folder.replace(/[\s\p{Cc}]+/gu, ' ')} <!-- place -->`;

export const isPlace = (line: string): boolean => PLACE.test(line);

/** The line of an item as a page without days has it. */
export const withoutDay = (line: string): string => line.replace(/^- \[\d{4}-\d\d-\d\d\] (?=.*<!-- from )/, '- ');

const ITEM_START = /^- (?:\[\d{4}-\d\d-\d\d\] )?/;
const SOURCES = /^<!-- from ((?:[mp][0-9a-f]{8})(?:,[mp][0-9a-f]{8})*) -->$/;
const NOTE = /^<!-- consolidated (\S+)(?: from ([mp0-9a-f,]*))? -->\s*$/;

export function parseMasterPage(text: string): MasterPage {
  const items: MasterItem[] = [];
  const byHand: string[] = [];
  let note: RegExpExecArray | null = null;
  for (const line of text.split(/\r?\n/)) {
    const item = itemIn(line);
    const noteMatch = NOTE.exec(line);
    if (item !== undefined) items.push(item);
    else if (noteMatch !== null) note = noteMatch;
    else if (line.trim() !== '' && !OWN_HEADINGS.has(line.trim()) && !isPlace(line)) byHand.push(line);
  }
  return { items, byHand, consolidatedAt: note?.[1], listedIds: (note?.[2] ?? '').split(',').filter((id) => id !== '') };
}

/** Taken apart from both ends, so that a long line of blanks is not read again from each. */
function itemIn(line: string): MasterItem | undefined {
  const whole = line.trimEnd();
  const start = ITEM_START.exec(whole)?.[0].length;
  const at = whole.endsWith(' -->') ? whole.lastIndexOf('<!-- from ') : -1;
  const ids = start === undefined || at < start ? undefined : SOURCES.exec(whole.slice(at))?.[1];
  return ids === undefined ? undefined : { text: whole.slice(start, at).trimEnd(), ids: ids.split(','), line };
}

export const masterItem = (text: string, ids: readonly string[], day?: string): string =>
  `- ${day === undefined ? '' : `[${day}] `}${text} <!-- from ${ids.join(',')} -->`;
export const masterNote = (at: string, listedIds: readonly string[]): string =>
  `<!-- consolidated ${at}${listedIds.length === 0 ? '' : ` from ${listedIds.join(',')}`} -->`;

/** Returns the page without the lines made from these entries. These entries do not come back; others that shared such a line may. */
export function removeEntries(text: string, ids: readonly string[]): string {
  const { items, listedIds, consolidatedAt } = parseMasterPage(text);
  const removedItems = items.filter((item) => item.ids.some((id) => ids.includes(id)));
  if (removedItems.length === 0) return text;
  const releasedIds = new Set(removedItems.flatMap((item) => item.ids).filter((id) => !ids.includes(id)));
  const lines = new Set(removedItems.map(({ line }) => line));
  const note =
    consolidatedAt === undefined
      ? undefined
      : masterNote(
          consolidatedAt,
          listedIds.filter((id) => !releasedIds.has(id)),
        );
  return text
    .split('\n')
    .filter((line) => !lines.has(line.replace(/\r$/, '')))
    .map((line) => (note !== undefined && NOTE.test(line) ? note : line))
    .join('\n');
}
