/**
 * The page of L2, memory/summary/master.md: list items that a consolidation wrote, each with the ids of the entries it came from in a
 * comment, and whatever a person wrote between them.
 */
export type MasterItem = {
  readonly text: string;
  /** Of the entries of L1 that it says. */
  readonly ids: readonly string[];
  readonly line: string;
};

export type MasterPage = {
  readonly items: readonly MasterItem[];
  /** Lines with words of a person: neither items of ours nor our headings nor our note at the end. */
  readonly byHand: readonly string[];
  /** When the consolidation ran that wrote this page; undefined when none did. */
  readonly consolidatedAt: string | undefined;
  /** Ids that a consolidation wrote or left out: what of them no longer stands here was deleted by a person. */
  readonly listed: readonly string[];
};

export const masterTitle = '# Master memory';
export const masterSections = { preferences: '## Preferences', decisions: '## Decisions', facts: '## Facts' } as const;
const OWN_HEADINGS: ReadonlySet<string> = new Set([masterTitle, ...Object.values(masterSections)]);

const ITEM = /^- (.*?)\s*<!-- from ((?:[mp][0-9a-f]{8})(?:,[mp][0-9a-f]{8})*) -->\s*$/;
const NOTE = /^<!-- consolidated (\S+)(?: from ([mp0-9a-f,]*))? -->\s*$/;

export function parseMaster(text: string): MasterPage {
  const items: MasterItem[] = [];
  const byHand: string[] = [];
  let note: RegExpExecArray | null = null;
  for (const line of text.split(/\r?\n/)) {
    const [, said, ids] = ITEM.exec(line) ?? [];
    const found = NOTE.exec(line);
    if (said !== undefined && ids !== undefined) items.push({ text: said, ids: ids.split(','), line });
    else if (found !== null) note = found;
    else if (line.trim() !== '' && !OWN_HEADINGS.has(line.trim())) byHand.push(line);
  }
  return { items, byHand, consolidatedAt: note?.[1], listed: (note?.[2] ?? '').split(',').filter((id) => id !== '') };
}

export const masterItem = (text: string, ids: readonly string[]): string => `- ${text} <!-- from ${ids.join(',')} -->`;
export const masterNote = (at: string, listed: readonly string[]): string =>
  `<!-- consolidated ${at}${listed.length === 0 ? '' : ` from ${listed.join(',')}`} -->`;

/** The page without the lines made of these entries, which do not come back; others that stood in such a line may. */
export function withoutEntries(text: string, ids: readonly string[]): string {
  const { items, listed, consolidatedAt } = parseMaster(text);
  const going = items.filter((item) => item.ids.some((id) => ids.includes(id)));
  if (going.length === 0) return text;
  const free = new Set(going.flatMap((item) => item.ids).filter((id) => !ids.includes(id)));
  const lines = new Set(going.map(({ line }) => line));
  const note =
    consolidatedAt === undefined
      ? undefined
      : masterNote(
          consolidatedAt,
          listed.filter((id) => !free.has(id)),
        );
  return text
    .split('\n')
    .filter((line) => !lines.has(line.replace(/\r$/, '')))
    .map((line) => (note !== undefined && NOTE.test(line) ? note : line))
    .join('\n');
}
