import { AbortedError } from '../../domain/errors.ts';
import { applyKey, applyText } from '../editor/apply-key.ts';
import { emptyEditor, insert } from '../editor/editor.ts';
import { safeLine } from '../text/safe-text.ts';
import { keyName, keyText } from './key-name.ts';
import type { Keyboard } from './keyboard.ts';
import { splitKeys } from './keys.ts';
import type { OpenQuestion } from './question-lines.ts';

const TIP = 'Enter answers; Esc leaves it unanswered';

type LineIo = { readonly show: (question: OpenQuestion | undefined) => void; readonly read: Keyboard['read'] };

/** One line of words at a question. Undefined when it was left with Esc or Ctrl-C; rejects with AbortedError when the signal aborts. */
export function typeLineAt(message: string, signal: AbortSignal, { show, read }: LineIo): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(new AbortedError('Interrupted'));
    let editor = emptyEditor;
    const draw = (): void => show({ message, choices: [], selected: 0, tip: TIP, line: safeLine(editor.text) });
    const end = (): void => {
      release();
      signal.removeEventListener('abort', abort);
      show(undefined);
    };
    const abort = (): void => {
      end();
      reject(new AbortedError('Interrupted'));
    };
    const answer = (text: string | undefined): void => {
      end();
      resolve(text);
    };
    const press = (key: string): void => {
      const name = keyName(key);
      const typed = name === undefined ? (key.startsWith('\u001b') ? '' : key) : (keyText(name) ?? '');
      editor = (name === undefined ? undefined : applyKey(editor, name)) ?? (typed === '' ? editor : applyText(editor, typed));
    };
    const release = read((event) => {
      if (event.type === 'paste') editor = insert(editor, event.text.replace(/\n+/g, ' '));
      else
        for (const key of splitKeys(event.text)) {
          const name = keyName(key);
          if (name === 'enter' || name === 'ctrl+j') return answer(editor.text);
          if (name === 'escape' || name === 'ctrl+c') return answer(undefined);
          press(key);
        }
      draw();
    });
    signal.addEventListener('abort', abort);
    draw();
  });
}
