import { localize } from '../../domain/language.ts';
import { pluralize } from '../text/format.ts';
import { textWidth } from '../text/text-width.ts';
import type { Choice } from './prompts.ts';
import { type Decision, NO, type Questions, type TypableChoice } from './questions.ts';
import { areNumbered } from './typed-line.ts';

type LineIo = {
  /** Undefined at the end of the input. */
  readonly askLine: (question: string, signal: AbortSignal) => Promise<string | undefined>;
  readonly show: (text: string) => void;
  readonly columns: () => number;
};

const MAX_SHOWN = 20;

/** Questions where no key is read alone: the choices in rows, and the next line is the answer. Nothing typed is a no. */
export function createLineQuestions({ askLine, show, columns }: LineIo): Questions {
  const ask = async (message: string, names: readonly string[], signal = new AbortController().signal): Promise<string> => {
    show(`${message}\n${names.map((name) => `  ${name}\n`).join('')}`);
    return ((await askLine(answerLine(), signal)) ?? '').trim();
  };
  const inRows = (choices: readonly Choice<unknown>[], isRow = false): readonly string[] => {
    const names = choices.map(withKey).toSorted(byNumber);
    const row = names.join('   ');
    return isRow && textWidth(row) + 2 <= columns() ? [row] : names;
  };
  return {
    decide: async <T>(message: string, choices: readonly TypableChoice<T>[], signal: AbortSignal | undefined, how: Decision<T> = {}) => {
      const no = choices.find(({ words = [] }) => words.some((word) => NO.includes(word))) ?? choices[0];
      if (no === undefined) throw new Error('A question needs an answer to choose');
      for (let open = choices; ; ) {
        const line = await ask(message, inRows(open, how.isRow), signal);
        const chosen = open.find(({ words = [] }) => words.includes(line.toLowerCase()));
        if (chosen === undefined) return line === '' || how.typed === undefined ? no.value : how.typed(line);
        if (chosen.opens === undefined) return chosen.value;
        open = chosen.opens;
      }
    },
    find: async (message, choices) => {
      const isNumbered = areNumbered(choices);
      const all = choices.map(({ name, value }, at) => ({ name, value, row: isNumbered ? name : `${at + 1}  ${name}` }));
      for (let left = all; ; ) {
        const rows = left.slice(0, MAX_SHOWN).map(({ row }) => row);
        const more = left.length - rows.length;
        const line = (await ask(message, more === 0 ? rows : [...rows, moreText(more)])).toLowerCase();
        if (line === '') return undefined;
        const isNumber = /^\d+$/.test(line);
        const whole = left.filter(({ name }) => name.toLowerCase() === line);
        const meant = left.filter(({ name, row }) => (isNumber ? row.startsWith(`${line} `) : name.toLowerCase().includes(line)));
        left = whole.length === 0 ? meant : whole;
        if (left.length <= 1) return left[0]?.value;
      }
    },
    type: (message, signal) => askLine(message, signal),
  };
}

/** A choice that does not begin with what answers it does so here: no list is drawn to choose from. */
const withKey = ({ name, words = [] }: Choice<unknown>): string => {
  const key = words.find((word) => /^\d+$/.test(word)) ?? words[0];
  return key === undefined || /^\d+[ .]/.test(name) ? name : `${key} ${name}`;
};

const byNumber = (a: string, b: string): number => (Number.parseInt(a, 10) || 0) - (Number.parseInt(b, 10) || 0);

export const answerLine = (): string => localize({ en: 'Number, letter or words:', zh: '编号、字母或文字：' });
const moreText = (count: number): string =>
  localize({ en: `… ${pluralize(count, 'other')}; type words to narrow the list`, zh: `… 另有 ${count} 项，输入文字缩小范围` });
