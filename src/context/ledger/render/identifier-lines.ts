import type { Ledger } from '../../../domain/session/ledger.ts';
import { isOneOf } from '../../../domain/value/word-list.ts';
import type { FitLine } from '../../summary/fit-sections.ts';

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
