import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createParser, type ParserContext } from '../../../../src/tools/parse/parser.ts';
import { afterThisTest } from '../../../support/clean-up.ts';
import { endlessPage } from '../../../support/hostile.ts';
import { parserProgram } from '../../../support/parser-program.ts';
import { until } from '../../../support/until.ts';

const never = new AbortController().signal;
const page = '<html><head><title>Harbours</title></head><body><p>Where ships lie.</p></body></html>';
const parsed = { kind: 'parsed', output: { title: 'Harbours', text: expect.stringContaining('Where ships lie.') } };

/** The real one, with a count of the processes that it starts. */
function start(wish: Partial<ParserContext> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'sanbot-parser-'));
  afterThisTest(() => rmSync(folder, { recursive: true, force: true }));
  const [node, starts] = [join(folder, 'node'), join(folder, 'starts')];
  writeFileSync(starts, '');
  writeFileSync(node, `#!/bin/sh\necho x >> '${starts}'\nexec '${process.execPath}' "$@"\n`);
  chmodSync(node, 0o755);
  const end = new AbortController();
  afterThisTest(() => end.abort());
  // The long one is that after which a process with nothing to do is ended.
  const deadline = (ms: number): AbortSignal => (ms > 40_000 ? end.signal : AbortSignal.timeout(ms));
  const parser = createParser({ program: { ...parserProgram, node }, deadline, ...wish });
  return { ...parser, starts: () => readFileSync(starts, 'utf8').length / 2 };
}

const limits = (ms: number, memoryMb: number) => ({ page: { ms, memoryMb }, pdf: { ms, memoryMb } });

test('one process parses text after text, as long as it is sound', async () => {
  const { parse, starts } = start();
  expect(await Promise.all([parse('page', page, never), parse('page', page, never)])).toEqual([parsed, parsed]);
  expect(await parse('page', page, never)).toEqual(parsed);
  expect(starts()).toBe(1);
});

test('a text whose parser never ends is ended at its limit, and the next text has a process of its own', async () => {
  const late = new AbortController();
  const { parse, starts } = start({ deadline: (ms) => (ms === 10_000 ? late.signal : never) });
  const endless = parse('page', endlessPage(), never);
  await until(() => starts() === 1);
  late.abort();
  expect(await endless).toEqual({ kind: 'failed', why: { en: 'it took longer than 10 s to parse', zh: '解析用时超过 10 秒' } });
  const other = start({ limits: limits(1, 512) });
  expect(await other.parse('page', endlessPage(), never)).toMatchObject({ why: { en: 'it took longer than 0.001 s to parse' } });
  expect(await start().parse('page', page, never)).toEqual(parsed);
});

test('a text for which there is too little memory is ended, and says so', async () => {
  const { parse } = start({ limits: limits(10_000, 20) });
  expect(await parse('page', page, never)).toEqual({
    kind: 'failed',
    why: { en: 'it takes more than 20 MB of memory to parse', zh: '解析需要超过 20 MB 内存' },
  });
});

test('whoever stops waits no longer, behind another text too, and the next text is parsed', async () => {
  const { parse } = start();
  const [first, second] = [new AbortController(), new AbortController()];
  const endless = parse('page', endlessPage(), first.signal);
  const behind = parse('page', page, second.signal);
  const last = parse('page', page, never);
  second.abort();
  await expect(behind).rejects.toThrow('stopped');
  first.abort();
  await expect(endless).rejects.toThrow('stopped');
  expect(await last).toEqual(parsed);
  await expect(parse('page', page, AbortSignal.abort())).rejects.toThrow('stopped');
});

test('a process that has had nothing to do for long ends, and not while it parses', async () => {
  let idle = new AbortController();
  const { parse, prepare, starts } = start({
    deadline: (ms) => {
      if (ms < 40_000) return never;
      idle = new AbortController();
      return idle.signal;
    },
  });
  prepare('page');
  await until(() => starts() === 1);
  const prepared = idle;
  expect(await parse('page', page, never)).toEqual(parsed);
  prepared.abort();
  expect(await parse('page', page, never)).toEqual(parsed);
  expect(starts()).toBe(1);
  idle.abort();
  expect(await parse('page', page, never)).toEqual(parsed);
  expect(starts()).toBe(2);
  idle.abort();
});

test('where no process can be started, each text says so', async () => {
  const { parse } = start({ program: { ...parserProgram, node: '/nowhere/node' } });
  for (const text of [page, page])
    expect(await parse('page', text, never)).toMatchObject({ kind: 'failed', why: { en: expect.stringContaining('ENOENT') } });
});
