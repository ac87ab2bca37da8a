import { safeLine } from '../text/safe-text.ts';
import { tips } from './input-text.ts';
import type { Choice } from './prompts.ts';
import { askByTyping, type LineIo } from './typed-line.ts';

/**
 * A list that what is typed narrows to the names that have all of its words. Undefined when it was left with Esc or Ctrl-C; rejects with
 * AbortedError when the signal aborts.
 */
export function findChoiceAt<T>(
  message: string,
  all: readonly Choice<T>[],
  { signal, ...io }: LineIo & { readonly signal: AbortSignal },
): Promise<T | undefined> {
  let selected = 0;
  return askByTyping(signal, io, {
    draw: (text) => {
      const choices = matching(all, text).map(({ name }) => ({ name, key: undefined }));
      return { message, choices, selected, tip: tips.find(), ...(text === '' ? {} : { line: safeLine(text) }) };
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

function matching<T>(choices: readonly Choice<T>[], typed: string): readonly Choice<T>[] {
  const words = typed.toLowerCase().split(/\s+/);
  return choices.filter(({ name }) => words.every((word) => name.toLowerCase().includes(word)));
}
