import { expect, test } from 'vitest';
import { mineIdentifiers, mineSentences, statesConstraint, statesDecision } from '../../../../src/context/fidelity/mine.ts';
import { type Label, labelled, named } from '../../../support/labelled-sentences.ts';

type Score = { readonly found: number; readonly right: number; readonly there: number };

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)} %`;
const told = (kind: string, { found, right, there }: Score): string =>
  `${kind}: precision ${right}/${found} = ${percent(right, found)}, found ${right}/${there} = ${percent(right, there)}`;

const scoreOf = (label: Label, states: (sentence: string) => boolean): Score => {
  const found = labelled.filter(([, text]) => mineSentences(text).some(states));
  const right = found.filter(([is]) => is === label).length;
  return { found: found.length, right, there: labelled.filter(([is]) => is === label).length };
};

test('what the miner takes for constraints, decisions and names is mostly what a person marked, and it says how often', () => {
  const constraints = scoreOf('constraint', statesConstraint);
  const decisions = scoreOf('decision', statesDecision);
  const pairs = named.map(([line, names]) => ({ names, mined: mineIdentifiers(line) }));
  const names: Score = {
    found: pairs.reduce((sum, { mined }) => sum + mined.length, 0),
    right: pairs.reduce((sum, { mined, names: marked }) => sum + mined.filter((name) => marked.includes(name)).length, 0),
    there: pairs.reduce((sum, { names: marked }) => sum + marked.length, 0),
  };
  console.log(
    ['The miner on sentences labelled by hand:', told('constraint', constraints), told('decision', decisions), told('name', names)].join(
      '\n  ',
    ),
  );
  for (const { found, right, there } of [constraints, decisions, names]) {
    expect(right / found).toBeGreaterThanOrEqual(0.85);
    expect(right / there).toBeGreaterThanOrEqual(0.8);
  }
});
