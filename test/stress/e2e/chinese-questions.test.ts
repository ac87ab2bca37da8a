import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { textWidth } from '../../../src/terminal/text/text-width.ts';
import { afterThisTest } from '../../support/clean-up.ts';
import { madeOnce } from '../../support/copied-world.ts';
import { englishProse } from '../../support/english-prose.ts';
import { startFakeApi } from '../../support/fake-api.ts';
import { chatWire } from '../../support/fake-chat.ts';
import { createSandbox, type Sandbox } from '../../support/sanbot.ts';
import { replies } from '../../support/scenario.ts';
import type { Terminal } from '../../support/terminal.ts';

const DOWN = '\u001b[B';
const CTRL_C = '\u0003';
const chinese = { SANBOT_LANGUAGE: 'zh' };

/** A home that remembers, with a session to roll back, to delete and to purge. */
const used = madeOnce(async () => {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  for (const text of ['记住：门是朱红色的', '我们决定用朱红色刷门', '端口是 8080'])
    await world.run(['-p', text, ...(world.names('sessions').length === 0 ? [] : ['--continue'])]);
  await world.run(['-p', '另一个会话']);
  const [first = ''] = world.names('sessions');
  return { world, first };
});

/** The program in Chinese; its terminal goes with the test. */
const start = (world: Sandbox, args: readonly string[], columns: number, env: Readonly<Record<string, string>> = {}) =>
  world.runAtTerminal(args, { columns, rows: 40, env: { ...chinese, ...env } });

/** All that stands on the screen now is Chinese, and each question on it stands there once. */
function expectChinese(terminal: Terminal, columns: number, question: string): void {
  const rows = terminal.rows();
  expect(englishProse(rows.join('\n')).join('\n')).toBe('');
  expect(rows.join('\n')).not.toMatch(/\(y\/N\)|\(Y\/n\)|navigate|select\b|\bYes\b|\bNo\b/);
  expect(rows.filter((row) => textWidth(row) > columns)).toEqual([]);
  expect(rows.join('').split(question)).toHaveLength(2);
}

/** The end of a row may stand in for a blank of it. */
const hasTip = (rows: readonly string[]): boolean => rows.join('').replaceAll(' ', '').includes('[y是/N否]');

const asks = (terminal: Terminal, question: string) => terminal.waitForScreen((rows) => rows.join('').includes(question) && hasTip(rows));

describe.each([40, 80, 120])('at %i columns', (columns) => {
  test('a folder is trusted by a 是, and what is neither yes nor no is asked again', async () => {
    const world = createSandbox();
    writeFileSync(join(world.cwd, '.sanbot.json'), '{"agent":{"maxSteps":7}}');
    const terminal = await start(world, ['trust', 'add'], columns);
    await asks(terminal, '信任此文件夹？');
    terminal.send('也许\r');
    await terminal.waitForScreen('请输入 y（是）或 n（否）。');
    expectChinese(terminal, columns, '信任此文件夹？');
    terminal.send('\u007f\u007f是\r');
    expect((await terminal.exit).exitCode).toBe(0);
    await terminal.waitForScreen(/信任此文件夹？ 是/);
    expectChinese(terminal, columns, '信任此文件夹？');
    expect((await world.run(['trust', 'list'])).out).toContain(world.cwd);
  });

  test.each([
    ['purge', ['purge', '--match', '用朱红色刷门'], '确认清除？'],
    ['deletion', ['sessions', 'delete', 'ID'], '确认删除？'],
    ['rewind', ['rollback', '--session', 'ID', '--to-message', '1'], '确认回滚？'],
  ])('Enter alone is a no to a %s', async (_, args, question) => {
    const { world, first } = await used();
    const terminal = await start(
      world,
      args.map((word) => (word === 'ID' ? first : word)),
      columns,
    );
    await terminal.waitForScreen((rows) => hasTip(rows));
    expect(terminal.rows().join('')).toContain(question);
    terminal.send('\r');
    await terminal.exit;
    await terminal.waitForScreen((rows) => /[？。] 否/.test(rows.join('')));
    expect(englishProse(ours(terminal.rows())).join('\n')).toBe('');
    expect(world.names('sessions')).toContain(first);
  });

  test('memories are reviewed one by one', async () => {
    const { world } = await used();
    const terminal = await start(world, ['memory', 'review'], columns);
    await terminal.waitForScreen('方向键和 Enter 选择');
    terminal.send(DOWN);
    await terminal.waitForScreen(/❯ 3 遗忘/);
    expectChinese(terminal, columns, '保留');
    terminal.send(`${DOWN}\r`);
    expect((await terminal.exit).exitCode).toBe(0);
    await terminal.waitForScreen('已遗忘 0 条记忆。');
  });

  test('a session is picked from a list that what is typed narrows', async () => {
    const { world } = await used();
    const terminal = await start(world, ['--resume'], columns);
    await terminal.waitForScreen((rows) => rows.join('').includes('输入文字缩小列表'));
    terminal.send('没有这样的');
    await terminal.waitForScreen('没有匹配。');
    expectChinese(terminal, columns, '输入文字缩小列表');
    terminal.send('\u007f'.repeat(5));
    terminal.send('另一个');
    await terminal.waitForScreen(/❯.*另一个会话/);
    terminal.send('\r');
    await terminal.waitForScreen((rows) => rows.join('').includes('列出命令'));
    terminal.send('/quit\r');
    expect((await terminal.exit).exitCode).toBe(0);
    expect(englishProse(terminal.text()).join('\n')).toBe('');
  });

  test('a model is set up: service, address, key, model and trial', async () => {
    const world = createSandbox();
    const models = Object.fromEntries(
      Array.from({ length: 12 }, (_, n) => [`model-${n}`, { max_input_tokens: 64_000, max_tokens: 4_000 }]),
    );
    const api = await startFakeApi(() => replies('ok'), { wire: chatWire(), key: 'typed-secret', models });
    afterThisTest(() => api.close());
    const terminal = await start(world, ['setup'], columns);
    await terminal.waitForScreen((rows) => /Ctrl-C ?保持原样/.test(rows.join('')));
    expectChinese(terminal, columns, '你想使用哪个模型？');
    terminal.send(DOWN.repeat(3));
    await terminal.waitForScreen(/❯ (?:\d\.\s+)?其他服务器/);
    terminal.send('\r');
    await terminal.waitForScreen((rows) => rows.join('').includes('多数服务器以 /v1 结尾'));
    terminal.send('没有地址\r');
    await terminal.waitForScreen((rows) => rows.join('').includes('这不是 http(s) 地址：没有地址'));
    await terminal.waitForScreen((rows) => rows.join('').split('多数服务器以').length === 3);
    terminal.send(`${api.url}/v1\r`);
    await terminal.waitForScreen('密钥（没有则按 Enter）：');
    terminal.send('typed-secret\r');
    await terminal.waitForScreen('哪个模型？');
    terminal.send('model-7');
    await terminal.waitForScreen(/❯ (?:\d+\.\s+)?model-7/);
    terminal.send('\r');
    await terminal.waitForScreen((rows) => rows.join('').includes('可以使用：local/model-7'));
    expect((await terminal.exit).exitCode).toBe(0);
    expect(englishProse(terminal.rows().join('\n')).join('\n')).toBe('');
    expect(terminal.text()).not.toContain('typed-secret');
  });

  test('Ctrl-C leaves a question with nothing changed', async () => {
    const world = createSandbox();
    mkdirSync(join(world.cwd, '.sanbot'));
    writeFileSync(join(world.cwd, '.sanbot.json'), '{"agent":{"maxSteps":7}}');
    for (const args of [['setup'], ['trust', 'add']]) {
      const terminal = await start(world, args, columns);
      await terminal.waitForScreen(/？/);
      terminal.send(CTRL_C);
      await terminal.exit;
      expect(englishProse(terminal.text()).join('\n')).toBe('');
    }
    expect(world.names('config.json')).toEqual([]);
  });
});

/** Without what is quoted from the conversation. */
const ours = (rows: readonly string[]): string => rows.filter((row) => !/^\s{2}/.test(row)).join('\n');
