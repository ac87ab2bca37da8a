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
