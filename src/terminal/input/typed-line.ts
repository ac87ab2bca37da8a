import { AbortedError } from '../../domain/errors.ts';
import { applyKey } from '../editor/apply-key.ts';
import { emptyEditor, insert, type } from '../editor/editor.ts';
import { safeLine } from '../text/safe-text.ts';
import { noMatchText, tips } from './input-text.ts';
import { keyName, typedText } from './key-name.ts';
import type { Keyboard } from './keyboard.ts';
import { splitKeys } from './keys.ts';
import type { Choice } from './prompts.ts';
import type { OpenQuestion } from './question-lines.ts';

export type LineIo = { readonly show: (question: OpenQuestion | undefined) => void; readonly read: Keyboard['read'] };

type TypedQuestion<T> = {
  readonly draw: (text: string) => OpenQuestion;
  /** A key that means more than an edit: `answer` ends the question, `handled` leaves the text as it is. Undefined for any other. */
  readonly press: (key: string, text: string) => { readonly answer: T } | 'handled' | undefined;
  readonly onEdit?: () => void;
};

/** One line of words at a question. Undefined when it was left with Esc or Ctrl-C; rejects with AbortedError when the signal aborts. */
export const typeLineAt = (message: string, signal: AbortSignal, io: LineIo): Promise<string | undefined> =>
  askByTyping(signal, io, {
    draw: (text) => ({ message, choices: [], selected: 0, tip: tips.line(), line: safeLine(text) }),
    press: (key, text) => (key === 'enter' || key === 'ctrl+j' ? { answer: text } : undefined),
  });

/** Undefined when it was left with Esc or Ctrl-C. */
export function findChoiceAt<T>(message: string, all: readonly Choice<T>[], io: LineIo): Promise<T | undefined> {
  let selected = 0;
  return askByTyping(new AbortController().signal, io, {
    draw: (text) => {
      const choices = matching(all, text).map(({ name }) => ({ name, key: undefined }));
      const none = choices.length === 0 && { none: noMatchText() };
      return { message, choices, selected, tip: tips.find(), ...none, ...(text === '' ? {} : { line: safeLine(text) }) };
    },
    press: (key, text) => {
      const found = matching(all, text);
      const choice = found[selected];
      if (key === 'up') selected = Math.max(0, selected - 1);
      else if (key === 'down') selected = Math.max(0, Math.min(found.length - 1, selected + 1));
      else if (key !== 'enter' && key !== 'ctrl+j') return undefined;
      else if (choice !== undefined) return { answer: choice.value };
      return 'handled';
    },
    onEdit: () => {
      selected = 0;
    },
  });
}

export const areNumbered = (choices: readonly Choice<unknown>[]): boolean => choices.every(({ name }) => /^\d+ /.test(name));

/** A number means the row that begins with it, where rows have numbers. */
function matching<T>(choices: readonly Choice<T>[], typed: string): readonly Choice<T>[] {
  const meant = areNumbered(choices) ? choices.filter(({ name }) => name.startsWith(`${typed.trim()} `)) : [];
  if (meant.length > 0) return meant;
  const words = typed.toLowerCase().split(/\s+/);
  return choices.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
}

const askByTyping = <T>(
  signal: AbortSignal,
  { show, read }: LineIo,
  { draw, press, onEdit = () => undefined }: TypedQuestion<T>,
): Promise<T | undefined> =>
  untilAnswered<T | undefined>(signal, show, (answer, showOpen) => {
    let editor = emptyEditor;
    const edit = (key: string, name: string | undefined): void => {
      const typed = typedText(name, key);
      editor = (name === undefined ? undefined : applyKey(editor, name)) ?? (typed === '' ? editor : type(editor, typed));
      onEdit();
    };
    showOpen(draw(editor.text));
    return read((event) => {
      if (event.type === 'paste') {
        editor = insert(editor, event.text.replace(/\n+/g, ' '));
        onEdit();
      } else
        for (const key of splitKeys(event.text)) {
          const name = keyName(key);
          if (name === 'escape' || name === 'ctrl+c') return answer(undefined);
          const pressed = name === undefined ? undefined : press(name, editor.text);
          if (pressed === undefined) edit(key, name);
          else if (pressed !== 'handled') return answer(pressed.answer);
        }
      showOpen(draw(editor.text));
    });
  });

type OpenQuestionWith<T> = (answer: (value: T) => void, show: (question: OpenQuestion) => void) => () => void;

/** Rejects with AbortedError when the signal aborts. Nothing is shown of a question that is over. */
export function untilAnswered<T>(signal: AbortSignal, show: LineIo['show'], open: OpenQuestionWith<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new AbortedError('Interrupted'));
    let isOpen = true;
    const end = (): void => {
      isOpen = false;
      release();
      signal.removeEventListener('abort', abort);
      show(undefined);
    };
    const abort = (): void => {
      end();
      reject(new AbortedError('Interrupted'));
    };
    const answer = (value: T): void => {
      end();
      resolve(value);
    };
    const release = open(answer, (question) => {
      if (isOpen) show(question);
    });
    signal.addEventListener('abort', abort);
  });
}
