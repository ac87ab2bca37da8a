import type { PersonAnswer, PersonQuestion } from '../../agent/ports/tools.ts';
import { localize } from '../../domain/language.ts';
import { safeLine } from '../text/safe-text.ts';
import type { TypableChoice } from './questions.ts';

/** The choices of a question, by number, letter or word, and a way to say something else. */
export const personChoices = ({ choices }: PersonQuestion): readonly TypableChoice<PersonAnswer>[] => [
  ...choices.map((text, at) => ({
    name: `${at + 1}. ${safeLine(text)}`,
    value: { kind: 'chosen', text } as const,
    words: [String(at + 1), String.fromCharCode(CODE_OF_A + at)],
  })),
  { name: otherText(), value: { kind: 'typed', text: '' }, words: [String(choices.length + 1)] },
];

const CODE_OF_A = 97;

export const otherText = (): string => localize({ en: 'Something else: type it', zh: '其他：自己输入' });
export const NO_ANSWER: PersonAnswer = { kind: 'dismissed' };

/** What a typed line answers: a choice by its number or letter, or its own words. */
export function lineAnswer(line: string, question: PersonQuestion): PersonAnswer {
  const text = line.trim();
  if (text === '') return NO_ANSWER;
  const choice = personChoices(question).find(({ words = [] }) => words.includes(text.toLowerCase()))?.value;
  return choice?.kind === 'chosen' ? choice : { kind: 'typed', text };
}

/** For a terminal that shows no list to choose from. */
export const questionText = (question: PersonQuestion): string =>
  `${safeLine(question.question)}\n${personChoices(question)
    .slice(0, -1)
    .map(({ name }) => `  ${name}\n`)
    .join('')}`;
