/**
 * How often the rules that carry constraints, decisions and open work over a compaction are right, on sentences labelled by hand.
 * Prints precision and recall, on those that the rules were tuned on and on those that were held out: npm run bench:truth
 */

import { settlesSomething } from '../src/context/text/decided.ts';
import { defersWork, statesRemaining } from '../src/context/text/remaining.ts';
import { isStandingOrder } from '../src/context/text/standing.ts';
import { type LabelledSentence, labelledTruth, type TruthLabel } from '../test/support/labelled-truth.ts';
import { labelledVoices } from '../test/support/labelled-voices.ts';

const rules: Readonly<Record<Exclude<TruthLabel, 'none'>, (sentence: LabelledSentence) => boolean>> = {
  constraint: ({ by, text }) => by === 'user' && isStandingOrder(text),
  decision: ({ by, text }) => settlesSomething(text, by),
  pending: ({ by, text }) => (by === 'user' ? defersWork(text) : statesRemaining(text)),
};

const sets: readonly (readonly [name: string, sentences: readonly LabelledSentence[]])[] = [
  ['tuned on', [...labelledTruth, ...labelledVoices].filter(({ heldOut }) => !heldOut)],
  ['held out', [...labelledTruth, ...labelledVoices].filter(({ heldOut }) => heldOut)],
];
const percent = (part: number, whole: number): string => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);

for (const [name, sentences] of sets) {
  console.log(`${sentences.length} sentences, ${name}`);
  for (const label of ['constraint', 'decision', 'pending'] as const) {
    const found = sentences.filter(rules[label]);
    const right = found.filter((sentence) => sentence.label === label);
    const there = sentences.filter((sentence) => sentence.label === label);
    console.log(
      `  ${label}: precision ${right.length} of ${found.length} = ${percent(right.length, found.length)}, recall ${right.length} of ${there.length} = ${percent(right.length, there.length)}`,
    );
    if (!process.argv.includes('--misses')) continue;
    for (const { text } of there.filter((sentence) => !found.includes(sentence))) console.log(`    missed: ${text}`);
    for (const { text } of found.filter((sentence) => sentence.label !== label)) console.log(`    wrongly: ${text}`);
  }
}
