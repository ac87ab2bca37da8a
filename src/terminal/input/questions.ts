import type { PersonAnswer, PersonQuestion } from '../../agent/ports/tools.ts';
import { localize } from '../../domain/language.ts';
import { safeLine } from '../text/safe-text.ts';
import { backText, noText, tips, yesText } from './input-text.ts';
import { keyName } from './key-name.ts';
import { type Keyboard, type KeyReader, QUIET_MS } from './keyboard.ts';
import { CTRL_C, type KeyEvent, splitKeys } from './keys.ts';
import type { Choice } from './prompts.ts';
import type { OpenQuestion } from './question-lines.ts';
import { findChoiceAt, type LineIo, typeLineAt, untilAnswered } from './typed-line.ts';

type QuestionIo = {
  readonly keyboard: Keyboard;
  readonly keep: KeyReader;
  readonly isTyping: () => boolean;
  readonly update: () => void;
  readonly call: () => void;
};

export type Questions = {
  /** A list that typing narrows. Undefined when it was left with Esc or Ctrl-C. */
  readonly find: <T>(message: string, choices: readonly Choice<T>[]) => Promise<T | undefined>;
  /**
   * A choice that what was typed before cannot make, and a paste neither: only arrows and Enter count, and a choice's own key where no
   * message has been begun, and only after the keys have been quiet. Esc chooses the first, or `left` where that is given. A command that
   * asks has no signal: nothing runs that Ctrl-C could stop, and it does what Esc does.
   */
  readonly decide: <T>(
    message: string,
    choices: readonly TypableChoice<T>[],
    signal: AbortSignal | undefined,
    how?: Decision<T>,
  ) => Promise<T>;
  /** A line of words. Undefined when it was left with Esc or Ctrl-C. */
  readonly type: (message: string, signal: AbortSignal) => Promise<string | undefined>;
};

/** `left` is what Esc answers. The choice with the number `start`, from 0, is the one that Enter takes. */
export type Decision<T> = {
  readonly left?: T;
  readonly start?: number;
  /** They may stand side by side. */
  readonly isRow?: boolean;
  /** What words answer that are no choice, where whole lines are typed. */
  readonly typed?: (words: string) => T;
};

/**
 * One that `opens` other choices answers nothing; the last of those leads back, and letters of the first list go on to answer. Enter takes
 * the first of them where it takes the first choice of all, else the way back.
 */
export type TypableChoice<T> = Choice<T> & { readonly opens?: readonly TypableChoice<T>[] };

export const YES: readonly string[] = ['y', 'yes', '是'];
export const NO: readonly string[] = ['n', 'no', '否'];

/** The numbers of every question; Enter alone takes the no. */
export const decideYesNo = (
  { decide }: Pick<Questions, 'decide'>,
  message: string,
  { yes = yesText(), signal }: { readonly yes?: string; readonly signal?: AbortSignal } = {},
): Promise<boolean> =>
  decide(
    message,
    [
      { name: `1 ${yes}`, value: true, words: [...YES, '1'] },
      { name: `3 ${noText()}`, value: false, words: [...NO, '3'] },
    ],
    signal,
    { left: false, start: 1, isRow: true },
  );

export function createQuestions(io: QuestionIo): Questions & { readonly open: () => OpenQuestion | undefined } {
  let current: OpenQuestion | undefined;
  const show = (question: OpenQuestion | undefined): void => {
    current = question;
    io.update();
  };

  return {
    open: () => current,
    find: (message, choices) => findChoiceAt(message, choices, { show, read: io.keyboard.read }),
    type: (message, signal) => typeLineAt(message, signal, { show, read: io.keyboard.read }),
    decide: async <T>(message: string, choices: readonly TypableChoice<T>[], signal: AbortSignal | undefined, how: Decision<T> = {}) => {
      if (choices.length === 0) throw new Error('A question needs an answer to choose');
      await io.keyboard.untilIdle(QUIET_MS);
      if (signal?.aborted !== true) io.call();
      const question = { message, choices, isTyping: io.isTyping, ...how };
      const read = (dialog: Dialog<T>) => io.keyboard.read(decisionReader(dialog, io, { ...how, choices, leaves: signal === undefined }));
      return openDialog(question, signal ?? new AbortController().signal, { show, read });
    },
  };
}

type DialogIo<T> = { readonly show: LineIo['show']; readonly read: (dialog: Dialog<T>) => () => void };

/** A question with choices until it is answered. Rejects with AbortedError when the signal aborts. */
const openDialog = <T>(question: Asked<T>, signal: AbortSignal, { show, read }: DialogIo<T>): Promise<T> =>
  untilAnswered<T>(signal, show, (answer, showOpen) => {
    const { start = 0 } = question;
    let { choices } = question;
    let selected = start;
    const draw = (): void => showOpen(viewOf({ ...question, choices }, selected));
    const choose = (choice: TypableChoice<T> | undefined) => {
      if (choice === undefined) return;
      if (choice.opens === undefined) return answer(choice.value);
      const back = { name: backText(), value: choice.value, opens: question.choices };
      const isBack = choice.opens === question.choices;
      choices = isBack ? choice.opens : [...choice.opens, back];
      selected = isBack || start === 0 ? start : choices.length - 1;
      draw();
    };
    const move = (by: number): void => {
      selected = Math.min(choices.length - 1, Math.max(0, selected + by));
      draw();
    };
    draw();
    return read({ choices: () => choices, choose, answer, chooseSelected: () => choose(choices[selected]), move, draw });
  });

type Asked<T> = Pick<Decision<T>, 'start' | 'isRow'> & {
  readonly message: string;
  readonly choices: readonly TypableChoice<T>[];
  /** While a message is begun, keys go on with it and answer nothing. */
  readonly isTyping: () => boolean;
};

type Dialog<T> = {
  readonly choices: () => readonly TypableChoice<T>[];
  readonly choose: (choice: TypableChoice<T> | undefined) => void;
  readonly answer: (value: T) => void;
  readonly chooseSelected: () => void;
  readonly move: (by: number) => void;
  readonly draw: () => void;
};

const keyOf = ({ words = [] }: Choice<unknown>): string | undefined => words.find((word) => [...word].length === 1);

function viewOf({ message, choices, isTyping, isRow = false }: Asked<unknown>, selected: number): OpenQuestion {
  const keysAnswer = !isTyping();
  return {
    message,
    choices: choices.map((choice) => ({ name: choice.name, key: keysAnswer ? keyOf(choice) : undefined })),
    selected,
    tip: decideTip(choices, keysAnswer),
    ...(isRow && { isRow }),
  };
}

function decideTip(choices: readonly TypableChoice<unknown>[], keysAnswer: boolean): string {
  if (!keysAnswer) return tips.decideBesideText();
  return tips.decide(answerKeys(choices));
}

export function answerKeys(choices: readonly Choice<unknown>[]): string {
  const keys = choices.flatMap((choice) => keyOf(choice) ?? []);
  return ['y', 'n', ...keys].filter((key, at, all) => keys.includes(key) && all.indexOf(key) === at).join(' / ');
}

/** A list whose places are the keys, as far as there are digits. */
export const numbered = <T>(choices: readonly Choice<T>[]): readonly Choice<T>[] =>
  choices.map((choice, at) => (at > 8 ? choice : { ...choice, name: `${at + 1}. ${choice.name}`, words: [String(at + 1)] }));

/**
 * Lets arrows and Enter through to the question, and a key or word that answers it when it came alone; keeps the rest. An Enter that ends
 * what is being typed belongs to the typing; an arrow shows that the question has been seen. What a terminal sends in one piece with
 * other text is a text, not an answer.
 */
function decisionReader<T>(
  dialog: Dialog<T>,
  { keep, isTyping }: QuestionIo,
  { left, choices, leaves }: Decision<T> & { readonly choices: readonly TypableChoice<T>[]; readonly leaves: boolean },
): KeyReader {
  let typing = isTyping();
  const keepAll = (event: KeyEvent): void => {
    keep(event);
    typing = isTyping();
    dialog.draw();
  };
  const isNumbered = choices.some(({ words = [] }) => words.includes('1'));
  const answerTo = (text: string): TypableChoice<T> | undefined => {
    const typed = text.toLowerCase().replace(/[\r\n]+$/, '');
    const isKey = [...typed].length === 1;
    if (typing || isTyping() || (!isKey && typed === text.toLowerCase())) return undefined;
    const isFor = ({ words = [] }: TypableChoice<T>): boolean => words.includes(typed);
    return (
      dialog.choices().find(isFor) ??
      (/^\d$/.test(typed) ? undefined : choices.find((choice) => choice.opens === undefined && isFor(choice)))
    );
  };
  const leave = (): void => (left === undefined ? dialog.choose(dialog.choices()[0]) : dialog.answer(left));
  return (event: KeyEvent) => {
    if (leaves && event.type === 'keys' && event.text === CTRL_C) return leave();
    if (event.type === 'paste' || event.text.includes(CTRL_C)) return keepAll(event);
    const keys = splitKeys(event.text);
    const firstOther = keys.findIndex((key) => !isArrow(key));
    let isOver = false;
    for (const [at, key] of keys.entries()) {
      const isAlone = at === firstOther && at === keys.length - 1;
      const answer = at === firstOther ? answerTo(keys.slice(at).join('')) : undefined;
      if (isOver) keep({ type: 'keys', text: key });
      else if (isArrow(key)) {
        typing = false;
        dialog.move(['up', 'left'].includes(keyName(key) ?? '') ? -1 : 1);
      } else if (answer !== undefined) return dialog.choose(answer);
      else if (isAlone && keyName(key) === 'escape') return leave();
      else if (isAlone && isNumbered && !typing && !isTyping() && /^\d$/.test(key)) continue;
      else if (isEnterKey(key) && !typing) {
        isOver = true;
        dialog.chooseSelected();
      } else keepAll({ type: 'keys', text: key });
    }
  };
}

const isArrow = (key: string): boolean => ['up', 'down', 'left', 'right'].includes(keyName(key) ?? '');
const isEnterKey = (key: string): boolean => keyName(key) === 'enter' || keyName(key) === 'ctrl+j';

export const personChoices = ({ choices }: PersonQuestion): readonly TypableChoice<PersonAnswer>[] => [
  ...choices.map((text, at) => ({
    name: `${at + 1}. ${safeLine(text)}`,
    value: { kind: 'chosen', text } as const,
    words: [String(at + 1), String.fromCharCode(CODE_OF_A + at)],
  })),
  { name: `${choices.length + 1}. ${otherText()}`, value: { kind: 'typed', text: '' }, words: [String(choices.length + 1)] },
];

const CODE_OF_A = 97;

export const otherText = (): string => localize({ en: 'Something else: type it', zh: '其他：自己输入' });
export const NO_ANSWER: PersonAnswer = { kind: 'dismissed' };

export function lineAnswer(line: string, question: PersonQuestion): PersonAnswer {
  const text = line.trim();
  if (text === '') return NO_ANSWER;
  const choice = personChoices(question).find(({ words = [] }) => words.includes(text.toLowerCase()))?.value;
  return choice?.kind === 'chosen' ? choice : { kind: 'typed', text };
}

export const questionText = (question: PersonQuestion): string =>
  `${safeLine(question.question)}\n${personChoices(question)
    .slice(0, -1)
    .map(({ name }) => `  ${name}\n`)
    .join('')}`;
