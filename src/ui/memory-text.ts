import type { Remembered } from '../domain/memory.ts';
import type { MemoryLine } from '../domain/memory-line.ts';
import { safeLine } from './safe-text.ts';

/** One entry in one line: id, day, words. */
export const memoryRow = ({ id, day, text }: MemoryLine): string => `${safeLine(id)}  ${day ?? '          '}  ${safeLine(text)}`;

export function rememberedText(answer: Remembered | { readonly outcome: 'refused'; readonly why: string }): string {
  switch (answer.outcome) {
    case 'refused':
      return `Not remembered: ${safeLine(answer.why)}.`;
    case 'known':
      return `That is remembered already: ${answer.id}, in ${answer.kind}.`;
    case 'added': {
      const old = answer.superseded.length === 0 ? '' : ` It takes the place of ${answer.superseded.join(', ')}.`;
      return `Remembered in ${answer.kind}: ${answer.id}.${old} To take it back: sanbot memory forget ${answer.id}`;
    }
  }
}
