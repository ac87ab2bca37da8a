import type { Fields } from '../../domain/value/json.ts';
import { fieldsOf, indexIn, isName } from '../http/answer-fields.ts';

/** As many chunks wait at most: nobody sends more choices unasked. */
const MOST_WAITING = 8;

/**
 * Of other choices nothing is read. But some servers count the chunks of the one reply with its index (TGI 1.4, Foundry Local 0.7). So where
 * an index counts on, the chunks wait for one to say which of both it is, or for the end.
 */
export function firstChoice() {
  let first: number | undefined;
  let last = 0;
  let waiting: readonly { readonly index: number; readonly choice: Fields }[] = [];
  let isCounted: boolean | undefined;
  const hasEnd = (): boolean => waiting.some(({ choice }) => isName(choice.finish_reason));
  const settle = (counts: boolean): readonly Fields[] => {
    const ready = waiting.filter(({ index }) => counts || index === first);
    [isCounted, waiting] = [counts, []];
    return ready.map(({ choice }) => choice);
  };
  return {
    take: (choice: Fields, isOnly: boolean): readonly Fields[] => {
      const index = indexIn(choice.index) ?? first ?? 0;
      const [isNext, isBegin] = [index === last + 1, first === undefined];
      const isAgain = index === last;
      [first, last] = [Math.min(first ?? index, index), index];
      if (isCounted !== undefined) return index === first || (isCounted && (isNext || isAgain)) ? [choice] : [];
      if (isBegin && index === 0 && isOnly) return [choice];
      const [others, ended] = [waiting.length, hasEnd()];
      waiting = [...waiting, { index, choice }];
      // One that counts may give its end the index of its beginning.
      const isEnd = others > 0 && index === first && isName(choice.finish_reason) && !saysMore(choice);
      if (isOnly && !ended && (isEnd || isNext || isBegin)) return waiting.length < MOST_WAITING ? [] : settle(true);
      return settle(false);
    },
    /** What still waits at the end of the reply. */
    rest: (): readonly Fields[] => settle(isCounted ?? (waiting.length > 1 || hasEnd())),
  };
}

const saysMore = ({ delta, message }: Fields): boolean =>
  [delta, message].some((said) =>
    Object.entries(fieldsOf(said)).some(([name, value]) => name !== 'role' && value !== null && value !== ''),
  );
