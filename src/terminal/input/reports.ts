import type { KeyEvent } from './keys.ts';

const ASK_POSITION = '\u001b[6n';
/** A terminal that answers does so at once; over a slow line it is not waited for. */
const POSITION_MS = 200;

/**
 * What a terminal tells of itself, which comes among the keys. Word of the window's focus comes unasked. Where the cursor is comes as a key of function does: it is taken for an answer only when it was
 * asked for.
 */
export function createReports(write: (text: string) => void) {
  let isFocused = true;
  let tell: ((column: number | undefined) => void) | undefined;
  const takeFocus = (text: string): string =>
    withControlBytes(text).replace(/\u001b\[([IO])/g, (_, change) => {
      isFocused = change === 'I';
      return '';
    });
  const takePosition = (text: string): string =>
    text.replace(/\u001b\[\d+;(\d+)R/, (_, column) => {
      tell?.(Number(column));
      return '';
    });
  return {
    /** The keys without what was told. */
    takeFrom: (event: KeyEvent): readonly KeyEvent[] => {
      if (event.type === 'paste') return [event];
      const keys = takeFocus(event.text);
      const text = tell === undefined ? keys : takePosition(keys);
      return text === '' ? [] : [{ type: 'keys', text }];
    },
    /** False when the terminal has told that its window is not the one that a person looks at. */
    hasFocus: (): boolean => isFocused,
    /** In which column the terminal says that the cursor is, counted from 1; undefined when it does not say. */
    cursorColumn: (): Promise<number | undefined> =>
      new Promise((resolve) => {
        const answer = (column: number | undefined): void => {
          clearTimeout(timer);
          if (tell === answer) tell = undefined;
          resolve(column);
        };
        const timer = setTimeout(() => answer(undefined), POSITION_MS);
        tell?.(undefined);
        tell = answer;
        write(ASK_POSITION);
      }),
  };
}

/** Ctrl with a letter as the byte that it is on older terminals, so that Ctrl-C is one thing everywhere. */
const withControlBytes = (text: string): string =>
  text.replace(/\u001b\[(\d+)(?::\d*)*;5u/g, (sequence, code) => {
    const letter = Number(code);
    return letter >= 97 && letter <= 122 ? String.fromCharCode(letter - 96) : sequence;
  });
