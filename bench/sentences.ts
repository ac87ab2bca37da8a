/**
 * How often the judge of sentences is right on all sentences that are labelled by hand: per set what it keeps and what it takes wrongly, beside
 * the best of the three judges that it replaced; then each form left out in turn, with what it alone is worth. Those that were held out are
 * told apart. Prints figures. npm run bench:sentences -- [--misses] [--worth]
 */

import { knownForms } from '../src/context/sentence/form.ts';
import { isBinding, isLeft, isOrder, isSettled, type Judgement, judge, statesChoice } from '../src/context/sentence/judge.ts';
import { labelled } from '../test/support/labelled-sentences.ts';
import { keptOf, readStatements } from '../test/support/labelled-statements.ts';
import { type LabelledSentence, labelledTruth } from '../test/support/labelled-truth.ts';
import { labelledVoices } from '../test/support/labelled-voices.ts';

/** One question about a set: which sentences are to be taken, and which are. */
type Question = {
  readonly set: string;
  /** What the best of the three judges before took rightly and wrongly. */
  readonly before: readonly [kept: number, wrongly: number];
  readonly items: readonly { readonly text: string; readonly wanted: boolean; readonly isTaken: () => boolean }[];
};

const truth: readonly LabelledSentence[] = [...labelledTruth, ...labelledVoices];
const statements = readStatements();

const ofTruth = (label: LabelledSentence['label'], heldOut: boolean, takes: (judged: Judgement) => boolean): Question['items'] =>
  truth
    .filter((sentence) => sentence.heldOut === heldOut && (label !== 'constraint' || sentence.by === 'user'))
    .map(({ text, by, label: is }) => ({ text, wanted: is === label, isTaken: () => takes(judge(text, by)) }));

const ofStatements = (part: 'tuned' | 'held out'): Question['items'] =>
  statements
    .filter((statement) => statement.part === part)
    .map((statement) => ({ text: statement.text, wanted: statement.keep, isTaken: () => keptOf(statement).length > 0 }));

const ofLabelled = (label: string, takes: (text: string) => boolean): Question['items'] =>
  labelled.map(([is, text]) => ({ text, wanted: is === label, isTaken: () => takes(text) }));

const questions: readonly Question[] = [
  { set: 'orders, tuned', before: [74, 0], items: ofTruth('constraint', false, isOrder) },
  { set: 'orders, held out', before: [73, 0], items: ofTruth('constraint', true, isOrder) },
  { set: 'decisions, tuned', before: [40, 0], items: ofTruth('decision', false, isSettled) },
  { set: 'decisions, held out', before: [39, 0], items: ofTruth('decision', true, isSettled) },
  { set: 'open work, tuned', before: [17, 0], items: ofTruth('pending', false, isLeft) },
  { set: 'open work, held out', before: [17, 0], items: ofTruth('pending', true, isLeft) },
  { set: 'memories, tuned', before: [677, 0], items: ofStatements('tuned') },
  { set: 'memories, held out', before: [179, 4], items: ofStatements('held out') },
  { set: 'what binds a task', before: [19, 3], items: ofLabelled('constraint', (text) => isBinding(judge(text)) && !statesChoice(text)) },
  { set: 'choices', before: [13, 0], items: ofLabelled('decision', statesChoice) },
];

type Figures = { readonly kept: number; readonly toKeep: number; readonly wrongly: number; readonly others: number };

function figuresOf({ items }: Question): Figures {
  const taken = items.map(({ isTaken }) => isTaken());
  const count = (isCounted: (wanted: boolean, isTaken: boolean) => boolean): number =>
    items.filter(({ wanted }, at) => isCounted(wanted, taken[at] === true)).length;
  return {
    kept: count((wanted, isTaken) => wanted && isTaken),
    toKeep: count((wanted) => wanted),
    wrongly: count((wanted, isTaken) => !wanted && isTaken),
    others: count((wanted) => !wanted),
  };
}

for (const question of questions) {
  const { kept, toKeep, wrongly, others } = figuresOf(question);
  console.log(`${question.set}: kept ${kept} of ${toKeep}, wrongly ${wrongly} of ${others} (before: ${question.before.join(', ')})`);
  if (!process.argv.includes('--misses')) continue;
  for (const { text, wanted, isTaken } of question.items)
    if (isTaken() !== wanted) console.log(`  ${wanted ? 'missed' : 'wrongly'}: ${text}`);
}

/** Of all labels together, how many sentences go right. */
const right = (): number => {
  // What was judged with other forms is forgotten for these.
  for (let at = 0; at < 1_000; at++) for (const by of ['user', 'model'] as const) judge(`${at}`.padEnd(500, 'x'), by);
  return questions.reduce((sum, { items }) => sum + items.filter(({ wanted, isTaken }) => isTaken() === wanted).length, 0);
};

if (process.argv.includes('--worth')) {
  const all = right();
  const worth = knownForms().map((form) => {
    const { fits } = form;
    Object.assign(form, { fits: () => false });
    const left = right();
    Object.assign(form, { fits });
    return { name: `${form.language} ${form.name}`, worth: all - left };
  });
  for (const each of worth.toSorted((a, b) => b.worth - a.worth)) console.log(`${String(each.worth).padStart(4)}  ${each.name}`);
}
