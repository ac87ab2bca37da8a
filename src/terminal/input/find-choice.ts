import { AbortedError } from '../../domain/errors.ts';
import { applyKey, applyText } from '../editor/apply-key.ts';
import { emptyEditor, insert } from '../editor/editor.ts';
import { safeLine } from '../text/safe-text.ts';
import { keyName, keyText } from './key-name.ts';
import type { Keyboard } from './keyboard.ts';
import { splitKeys } from './keys.ts';
import type { Choice } from './prompts.ts';
import type { OpenQuestion } from './question-lines.ts';

const TIP = 'type to narrow the list; arrow keys and Enter to choose; Esc to cancel';

type FindIo = { readonly show: (question: OpenQuestion | undefined) => void; readonly read: Keyboard['read'] };

/**
 * A list that what is typed narrows to the names that have all of its words. Undefined when it was left with Esc or Ctrl-C; rejects with
 * AbortedError when the signal aborts.
 */
export function findChoiceAt<T>(
  message: string,
  all: readonly Choice<T>[],
  { signal, show, read }: FindIo & { readonly signal: AbortSignal },
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new AbortedError('Interrupted'));
    let editor = emptyEditor;
    let selected = 0;
    const found = (): readonly Choice<T>[] => matching(all, editor.text);
    const draw = (): void => {
      const choices = found().map(({ name }) => ({ name, key: undefined }));
      show({ message, choices, selected, tip: TIP, ...(editor.text === '' ? {} : { line: safeLine(editor.text) }) });
    };
    const end = (): void => {
      release();
      signal.removeEventListener('abort', abort);
      show(undefined);
    };
    const abort = (): void => {
      end();
      reject(new AbortedError('Interrupted'));
    };
    const answer = (value: T | undefined): void => {
      end();
      resolve(value);
    };
    const press = (key: string): void => {
      const name = keyName(key);
      const typed = name === undefined ? (key.startsWith('\u001b') ? '' : key) : (keyText(name) ?? '');
      editor = (name === undefined ? undefined : applyKey(editor, name)) ?? (typed === '' ? editor : applyText(editor, typed));
      selected = 0;
    };
    const release = read((event) => {
      if (event.type === 'paste') {
        editor = insert(editor, event.text.replace(/\n+/g, ' '));
        selected = 0;
      } else
        for (const key of splitKeys(event.text)) {
          const name = keyName(key);
          const choice = found()[selected];
          if (name === 'escape' || name === 'ctrl+c') return answer(undefined);
          if (name === 'up') selected = Math.max(0, selected - 1);
          else if (name === 'down') selected = Math.max(0, Math.min(found().length - 1, selected + 1));
          else if (name !== 'enter' && name !== 'ctrl+j') press(key);
          else if (choice !== undefined) return answer(choice.value);
        }
      draw();
    });
    signal.addEventListener('abort', abort);
    draw();
  });
}

function matching<T>(choices: readonly Choice<T>[], typed: string): readonly Choice<T>[] {
  const words = typed.toLowerCase().split(/\s+/);
  return choices.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
}
