import { stripVTControlCharacters } from 'node:util';
import type { Bilingual } from '../../../domain/language.ts';
import { quantity } from '../../tool.ts';

/**
 * An output as a terminal would show it in the end: of a line that a program wrote over and over with carriage returns, such as progress,
 * what stands there at last. A carriage return before a newline is the end of a line and stays. `states`: how many of lines were overwritten.
 */
export function withoutOverwritten(text: string): { readonly text: string; readonly states: number } {
  if (!/\r[^\r\n]/.test(text)) return { text, states: 0 };
  let states = 0;
  const lines = text.split('\n').map((line) => {
    const written = line.replace(/\r+$/, '').split('\r');
    if (written.length === 1) return line;
    states += written.filter((state) => state !== '').length - 1;
    return lastState(written);
  });
  return { text: lines.join('\n'), states };
}

/** What is told of it; undefined where nothing was overwritten. */
export const overwrittenFact = (states: number): Bilingual | undefined =>
  states === 0
    ? undefined
    : {
        en: `of lines that it wrote over (\\r) the last state is below; ${quantity(states, 'earlier one')} left out`,
        zh: `被反复改写（\\r）的行只留最后的样子；略去之前的 ${states} 次`,
      };

/** What a state does not reach over, or wipe, stays behind it from those before. */
function lastState(written: readonly string[]): string {
  let shown = '';
  let width = 0;
  for (const state of written.toReversed()) {
    if (state.length > width) {
      const cells = [...stripVTControlCharacters(state)];
      shown += width === 0 ? state : cells.slice(width).join('');
      width = Math.max(width, cells.length);
    }
    if (WIPES.test(state)) break;
  }
  return shown.replace(ANY_WIPE, '');
}

/** The rest of the line, or all of it. */
const WIPES = /\u001b\[[02]?K/;
const ANY_WIPE = new RegExp(WIPES, 'g');
