import { expect, test } from 'vitest';
import { isLeft, isOrder, isSettled, judge } from '../../../../src/context/sentence/judge.ts';
import { type LabelledSentence, labelledTruth } from '../../../support/labelled-truth.ts';
import { labelledVoices } from '../../../support/labelled-voices.ts';

const rules = {
  constraint: ({ by, text }: LabelledSentence) => by === 'user' && isOrder(judge(text)),
  decision: ({ by, text }: LabelledSentence) => isSettled(judge(text, by)),
  pending: ({ by, text }: LabelledSentence) => isLeft(judge(text, by)),
};
const all = [...labelledTruth, ...labelledVoices];

test.each(['constraint', 'decision', 'pending'] as const)(
  'what the rules take for a %s is nearly always one, and they miss few, also among sentences that were held out',
  (label) => {
    for (const heldOut of [false, true]) {
      const sentences = all.filter((sentence) => sentence.heldOut === heldOut);
      const found = sentences.filter(rules[label]);
      const right = found.filter((sentence) => sentence.label === label).length;
      expect(right / found.length).toBeGreaterThanOrEqual(0.95);
      expect(right / sentences.filter((sentence) => sentence.label === label).length).toBeGreaterThanOrEqual(0.9);
    }
  },
);
