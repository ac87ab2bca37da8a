import { expect, test } from 'vitest';
import { countTokens } from '../../../support/count-tokens.ts';

/**
 * What o200k_base makes of small texts of each kind, in one piece: taken from gpt-tokenizer 4.0.0. They hold the tokenizer itself still: another vocabulary, or a fault in slicing, moves them.
 */
const known: readonly (readonly [kind: string, text: string, tokens: number])[] = [
  ['prose', 'The ladder is climbed one rung at a time, and each rung makes the context smaller or is skipped.', 21],
  ['code', 'export const atMost = (wanted: number, most: number): number => Math.min(wanted, Math.floor(most));\n', 26],
  ['JSON', '{"id":12345,"name":"read_file","input":{"path":"src/app.ts","offset":1},"ok":true}', 27],
  ['a log', '2026-11-21T20:15:30.123Z ERROR /srv/app/index.ts:120 connection refused (ECONNREFUSED 127.0.0.1:5432)\n', 43],
  ['Chinese', '我们决定在压缩之前保存快照，失败时历史不变。', 16],
  ['Chinese and code', '请在 src/context/limits.ts 里把 keepTokens 改成 room / 4。', 20],
  ['Japanese', '圧縮の前にスナップショットを保存します。', 15],
  ['Korean', '압축하기 전에 스냅샷을 저장합니다.', 13],
  ['German', 'Übergabeprotokollführung und Wahlverfahren', 10],
  ['base64', 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 53],
  ['hex', 'd2a84f4b8b650937ec8f73cd8be2c74add5a911ba64df27458ed8229da804a26', 37],
  ['emoji', '😀🚀✅ 👩‍💻 🇨🇳 ❤️', 14],
  ['special tokens', '<|endoftext|><|im_start|>system', 13],
  ['blanks', '\n\n\n        \t\t  \n', 3],
];

test.each(known)('of %s is counted as the tokenizer counts it [O25, C43, C45]', (_, text, tokens) => {
  expect(countTokens(text)).toBe(tokens);
});
