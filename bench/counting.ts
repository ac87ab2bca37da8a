/**
 * How far our token estimate is from another tokenizer's count, and how fast it is, by kind of text and over recorded sessions. Both as
 * ratios of one run: the other count is of an older Claude, so what tells is how little the ratio changes from kind to kind (one number
 * corrects all of them), and speed is told against JSON.stringify of the same text on the same machine.
 * Once: npm run bench:install. Node 22.18 and later run it as it is: node bench/counting.ts [FOLDER OF SESSIONS]
 * Node 20: npx tsc -p bench && node .bench/bench/counting.js [FOLDER OF SESSIONS]
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SEED_RATIO } from '../src/context/measure/measure.ts';
import { loadTokenCounter } from '../src/runtime/token-counter.ts';
import { benchPackage } from '../test/support/bench-package.ts';
import { type Random, randomFrom } from './seeded-random.ts';

const tokenizer = benchPackage('@anthropic-ai/tokenizer');
if (tokenizer === undefined) throw new Error('Install what benches need first: npm run bench:install');
const { countTokens: countOther }: { countTokens: (text: string) => number } = await import(tokenizer);
const countTokens = loadTokenCounter({ packageRoot: process.cwd() });

/** The other tokenizer takes quadratic time in unbroken runs, so it is only given pieces. */
const PIECE_CHARS = 2_000;
const TEXT_CHARS = 30_000;
const FILE_CHARS = 40_000;
const SPEED_CHARS = 1_000_000;

const WORDS =
  'the request waits until a reply comes and then writes what it has read to disk because nothing that was acknowledged may be lost when power fails in between so order of writes decides which state is found again'.split(
    ' ',
  );
const HAN = '我们决定使用关系数据库保存会话消息在压缩之前写入快照失败时历史不变用户可以回滚到任何时刻并且每个请求都经过检查以免超出窗口';
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const EMOJI = ['😀', '🚀', '✅', '👩‍💻', '🇨🇳', '❤️'];

const pick = (from: readonly string[] | string, random: Random): string => from[Math.floor(random() * from.length)] ?? '';
const words = (n: number, random: Random): string => Array.from({ length: n }, () => pick(WORDS, random)).join(' ');
const name = (random: Random): string => `${pick(WORDS, random)}${pick(WORDS, random).replace(/^./, (c) => c.toUpperCase())}`;

const kinds: Readonly<Record<string, (random: Random) => string>> = {
  prose: (random) => `${words(14, random)}. `,
  code: (random) =>
    `  const ${name(random)} = await ${name(random)}(${name(random)}, { ${pick(WORDS, random)}: ${Math.floor(random() * 99)} });\n`,
  json: (random) => `{"id":${Math.floor(random() * 1e6)},"${pick(WORDS, random)}":"${words(3, random)}","ok":${random() < 0.5}},`,
  log: (random) =>
    `2026-11-${10 + Math.floor(random() * 20)}T0${Math.floor(random() * 9)}:12:33.${Math.floor(random() * 900 + 100)}Z ERROR /srv/app/${pick(WORDS, random)}.ts:${Math.floor(random() * 300)} ${words(5, random)}\n`,
  chinese: (random) => `${Array.from({ length: 22 }, () => pick(HAN, random)).join('')}，`,
  mixed: (random) => `${Array.from({ length: 8 }, () => pick(HAN, random)).join('')} ${name(random)}() ${words(3, random)}。`,
  base64: (random) => Array.from({ length: 76 }, () => pick(BASE64, random)).join(''),
  hex: (random) => `${Array.from({ length: 40 }, () => pick('0123456789abcdef', random)).join('')} `,
  emoji: (random) => `${pick(EMOJI, random)} ${words(2, random)} `,
};

function textOf(kind: (random: Random) => string, chars: number): string {
  const random = randomFrom(7);
  const pieces: string[] = [];
  for (let length = 0; length < chars; ) {
    const piece = kind(random);
    pieces.push(piece);
    length += piece.length;
  }
  return pieces.join('');
}

const inPieces = (text: string, count: (piece: string) => number): number => {
  let tokens = 0;
  for (let at = 0; at < text.length; at += PIECE_CHARS) tokens += count(text.slice(at, at + PIECE_CHARS).toWellFormed());
  return tokens;
};

/** The median of several runs, in milliseconds. */
function timeOf(run: () => unknown): number {
  const times = Array.from({ length: 3 }, () => {
    const start = performance.now();
    run();
    return performance.now() - start;
  });
  return times.sort((a, b) => a - b)[1] ?? 0;
}

const rows: { readonly kind: string; readonly ratio: number }[] = [];
console.log('kind        chars/token  other/ours   MB/s  x JSON.stringify');
for (const [kind, make] of Object.entries(kinds)) {
  const text = textOf(make, TEXT_CHARS);
  const ours = inPieces(text, countTokens);
  const ratio = inPieces(text, countOther) / ours;
  rows.push({ kind, ratio });
  const large = textOf(make, SPEED_CHARS);
  const exact = large.slice(0, 100_000);
  const ms = timeOf(() => countTokens(exact));
  const rate = Buffer.byteLength(exact) / 1_000 / ms;
  const against = ms / timeOf(() => JSON.stringify(exact));
  console.log(
    `${kind.padEnd(12)}${(text.length / ours).toFixed(2).padStart(10)}${ratio.toFixed(2).padStart(12)}${rate.toFixed(1).padStart(8)}${against.toFixed(0).padStart(8)}`,
  );
}
tellErrors('over these kinds', rows);

const folder = process.argv[2];
if (folder !== undefined) tellErrors(`over the files below ${folder}`, filesBelow(folder).map(measured));

const anything = textOf((random) => String.fromCharCode(Math.floor(random() * 65_536)), SPEED_CHARS);
const prose = textOf(kinds.prose ?? (() => ''), SPEED_CHARS);
const unit = timeOf(() => countTokens(prose));
for (const [what, text] of Object.entries({
  'any UTF-16': anything,
  '64,000 equal characters': '中'.repeat(64_000),
  'a megabyte of a': 'a'.repeat(SPEED_CHARS),
}))
  console.log(`${what}: ${(timeOf(() => countTokens(text)) / unit).toFixed(2)} times a megabyte of prose (${unit.toFixed(0)} ms here)`);

/** How far single kinds are from the ratio that fits them all, which is what calibration leaves; and what the seed would give. */
function tellErrors(what: string, found: readonly { readonly kind: string; readonly ratio: number }[]): void {
  if (found.length === 0) return;
  const mean = found.reduce((sum, { ratio }) => sum + ratio, 0) / found.length;
  const errors = found.map(({ kind, ratio }) => ({ kind, error: mean / ratio - 1 })).sort((a, b) => a.error - b.error);
  const percent = (value: number): string => `${value > 0 ? '+' : ''}${(value * 100).toFixed(0)} %`;
  const [least, most] = [errors[0], errors.at(-1)];
  const size = errors.reduce((sum, { error }) => sum + Math.abs(error), 0) / errors.length;
  console.log(
    `${what}: one ratio (${mean.toFixed(2)}) is off by ${percent(size).replace('+', '')} on average, from ${percent(least?.error ?? 0)} (${least?.kind}) to ${percent(most?.error ?? 0)} (${most?.kind}); the seed of ${SEED_RATIO} stands for newer models and would be ${percent(SEED_RATIO / mean - 1)} above this one`,
  );
}

function filesBelow(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .sort()
    .flatMap((entry) => filesBelow(join(path, entry)));
}

function measured(path: string): { readonly kind: string; readonly ratio: number } {
  const whole = readFileSync(path, 'utf8');
  const pieces = FILE_CHARS / PIECE_CHARS;
  const step = Math.max(PIECE_CHARS, Math.floor(whole.length / pieces));
  const text = Array.from({ length: pieces }, (_, at) => whole.slice(at * step, at * step + PIECE_CHARS)).join('');
  const ratio = inPieces(text, countOther) / inPieces(text, countTokens);
  return { kind: path.split('/').slice(-2).join('/'), ratio };
}
