import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Random, randomFrom } from './seeded-random.ts';

/** One call of the model. */
export type Call = { readonly name: string; readonly input: Readonly<Record<string, string>> };

/** A piece of work: so many outputs of so many bytes, which the model asks for one after the other. */
export type Shape = {
  readonly name: string;
  readonly steps: number;
  /** Small outputs are more frequent than large ones: their sizes are even on a logarithmic scale. */
  readonly minBytes: number;
  readonly maxBytes: number;
  /** The share of outputs after which a command with one line of output follows. */
  readonly shortCalls: number;
  readonly text: 'code' | 'log' | 'chinese';
  /** Bytes of a request, as UTF-8, that the model counts as one token. */
  readonly bytesPerToken: number;
  readonly tool: 'read_file' | 'run_command';
  /** Dollars that version 0.1.0 costs here with its bound of 200 steps lifted. */
  readonly knownUsd: number;
};

export const shapes: readonly Shape[] = [
  {
    name: 'long haul',
    steps: 400,
    minBytes: 1_000,
    maxBytes: 30_000,
    shortCalls: 0,
    text: 'code',
    bytesPerToken: 3.4,
    tool: 'read_file',
    knownUsd: 18.3,
  },
  {
    name: 'big outputs',
    steps: 60,
    minBytes: 20_000,
    maxBytes: 400_000,
    shortCalls: 0,
    text: 'log',
    bytesPerToken: 2.5,
    tool: 'run_command',
    knownUsd: 3,
  },
  {
    name: 'Chinese',
    steps: 40,
    minBytes: 20_000,
    maxBytes: 60_000,
    shortCalls: 0.5,
    text: 'chinese',
    bytesPerToken: 3.8,
    tool: 'read_file',
    knownUsd: 2.2,
  },
];

const SEED = 11;

/** Writes what the outputs are made of into a folder, the same each time, and returns the calls in their order. */
export function writeShape({ steps, minBytes, maxBytes, text, tool, shortCalls }: Shape, cwd: string): readonly Call[] {
  const random = randomFrom(SEED);
  mkdirSync(join(cwd, 'src'), { recursive: true });
  return Array.from({ length: steps }, (_, step) => step).flatMap((step): readonly Call[] => {
    const path = `src/${pick(words, random)}-${step}.${text === 'chinese' ? 'md' : text === 'log' ? 'log' : 'ts'}`;
    writeFileSync(join(cwd, path), textOf(lines[text], minBytes * (maxBytes / minBytes) ** random(), random));
    const call = tool === 'read_file' ? { name: tool, input: { path } } : { name: tool, input: { command: `cat ${path}` } };
    return random() < shortCalls ? [call, { name: 'run_command', input: { command: `wc ${path}` } }] : [call];
  });
}

function textOf(line: (random: Random) => string, bytes: number, random: Random): string {
  const parts: string[] = [];
  for (let size = 0; size < bytes; ) {
    const part = line(random);
    parts.push(part);
    size += Buffer.byteLength(part);
  }
  return parts.join('');
}

const words =
  'session record window ledger stub offload reply result cache prefix summary request budget limit token engine writer reader index query group memory anchor buffer stream parser socket handle folder update'.split(
    ' ',
  );
const han = '我们决定使用关系数据库保存会话消息在压缩之前写入快照失败时历史不变用户可以回滚到任何时刻并且每个请求都经过检查以免超出窗口';

const pick = (from: readonly string[] | string, random: Random): string => from[Math.floor(random() * from.length)] ?? '';
const number = (below: number, random: Random): number => Math.floor(random() * below);
const named = (random: Random): string => `${pick(words, random)}${pick(words, random).replace(/^./, (c) => c.toUpperCase())}`;

const lines: Readonly<Record<Shape['text'], (random: Random) => string>> = {
  code: (random) =>
    `  const ${named(random)} = await ${named(random)}(${named(random)}, { ${pick(words, random)}: ${number(99, random)} });\n`,
  log: (random) =>
    `2026-11-${10 + number(19, random)}T0${number(9, random)}:12:33.${100 + number(900, random)}Z INFO /srv/app/${pick(words, random)}.ts:${number(300, random)} ${pick(words, random)} ${pick(words, random)} ${pick(words, random)}\n`,
  chinese: (random) => `${Array.from({ length: 30 }, () => pick(han, random)).join('')}，${pick(words, random)}_${number(999, random)}。\n`,
};
