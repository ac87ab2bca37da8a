import type { Message } from '../../src/domain/session/message.ts';
import { answers, calls, says, user } from './build.ts';

export const words = (n: number, about: string): string =>
  Array.from({ length: n }, (_, i) => `${about} ${i} is told here in full.`).join(' ');

/** One exchange with a tool call, some 1,000 tokens by the agent world's count. */
export const exchange = (i: number): readonly Message[] => [
  user(`Request ${i}: you must never touch vendor/lib${i}.ts. ${words(20, `matter ${i}`)}`),
  calls({ id: `t${i}`, name: 'edit_file', input: { path: `src/part${i}.ts`, old_string: 'a', new_string: 'b' } }),
  answers({ id: `t${i}`, content: words(40, `result ${i}`) }),
  says(`Part ${i} is changed. ${words(20, `answer ${i}`)}`),
];

export const longSession = (exchanges = 12): readonly Message[] => Array.from({ length: exchanges }, (_, i) => exchange(i)).flat();
