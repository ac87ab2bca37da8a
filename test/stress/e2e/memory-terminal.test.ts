import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { outputJsonSync } from 'fs-extra/esm';
import { afterEach, describe, expect, test } from 'vitest';
import { madeOnce } from '../../support/copied-world.ts';
import { binary, createSandbox, type Sandbox } from '../../support/sanbot.ts';
import { type SpawnedTerminal, spawnInTerminal } from '../../support/terminal.ts';

let terminal: SpawnedTerminal | undefined;
afterEach(() => {
  terminal?.kill('SIGKILL');
  terminal = undefined;
});

const offline = { SANBOT_PROVIDER: 'offline' };

/** A home that remembers something in English and in Chinese. */
const remembered = madeOnce(async () => {
  const world = createSandbox(offline);
  for (const text of ['I prefer tabs for indentation', '我们决定使用关系数据库', '数据库端口是 5433'])
    await world.run(['memory', 'add', text]);
  return { world };
});
const remembering = async (): Promise<Sandbox> => (await remembered()).world;

/** The real binary, since the editor has the terminal that the program itself was started at. */
function editing(world: Sandbox, args: readonly string[], env: Readonly<Record<string, string>>): SpawnedTerminal {
  terminal = spawnInTerminal(process.execPath, [binary, ...args], { cwd: world.cwd, env: { ...world.env, ...env } });
  return terminal;
}

function editor(world: Sandbox, script: string): { readonly EDITOR: string } {
  const path = join(world.cwd, 'editor');
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o700);
  return { EDITOR: path };
}

const texts = async (world: Sandbox): Promise<readonly string[]> =>
  JSON.parse((await world.run(['memory', '--json'])).out).map(({ text }: { text: string }) => text);

describe('at a terminal', () => {
  test('a page that is pasted behind /remember is refused with the bound, and Up brings it back', async () => {
    const world = await remembering();
    const before = await texts(world);
    const chat = await world.runAtTerminal([]);
    await chat.waitFor('> ');
    chat.send('/remember ');
    chat.paste(Array.from({ length: 400 }, (_, n) => `line ${n} of the page`).join('\n'));
    chat.send('\r');
    await chat.waitFor(/at most\s+500\s+characters, and this has 8,\d{3}/);
    chat.send('\x1b[A');
    await chat.waitForScreen(/> \[text 2: 400 lines, .*\/remember line 0/);
    chat.send('\x15/quit\r');
    await chat.exit;
    expect(await texts(world)).toEqual(before);
  });

  test('/context shows what memories cost, and nothing of them where none is sent', async () => {
    const world = await remembering();
    const tokensOf = async () => {
      const chat = await world.runAtTerminal([]);
      await chat.waitFor('> ');
      chat.send('/context\r');
      await chat.waitFor('Soft limit');
      chat.send('/quit\r');
      await chat.exit;
      return /\nmemory +(\d+) /.exec(chat.text())?.[1];
    };
    expect(Number(await tokensOf())).toBeGreaterThan(30);
    writeFileSync(join(world.home, 'config.json'), JSON.stringify({ memory: { maxTokens: 0 } }));
    expect(await tokensOf()).toBeUndefined();
  });

  test('a review shows each new entry, in Chinese too, and keeps or forgets it; what was answered is not asked again', async () => {
    const world = await remembering();
    const before = await texts(world);
    expect(before).toHaveLength(3);
    const review = await world.runAtTerminal(['memory', 'review']);
    await review.waitFor('我们决定使用关系数据库');
    review.send('\r');
    await review.waitFor('数据库端口是 5433');
    review.send('\x1b[B\r');
    await review.waitFor('I prefer tabs for indentation');
    review.send('\x1b[B\x1b[B\r');
    await review.waitFor('1 memory forgotten.');
    expect((await review.exit).exitCode).toBe(0);
    expect(await texts(world)).toEqual(before.filter((text) => !text.includes('5433')));

    const again = await world.runAtTerminal(['memory', 'review']);
    await again.waitFor('I prefer tabs for indentation');
    again.send('\x03');
    await again.waitFor('1 memory is left to review');
    expect(again.text()).not.toMatch(/关系数据库|forgotten/);
    expect((await again.exit).exitCode).toBe(130);
  });

  test('a page is edited in the editor, which has the terminal to itself, in Chinese too', async () => {
    const world = await remembering();
    const edit = editing(
      world,
      ['memory', 'edit', 'decisions'],
      editor(world, 'printf "EDITOR READY "; read line; printf -- "- %s\\n" "$line" >> "$1"'),
    );
    await edit.waitFor('EDITOR READY ');
    edit.send('我们决定用 pnpm 构建。\r');
    expect((await edit.exit).exitCode).toBe(0);
    const listed = JSON.parse((await world.run(['memory', '--kind', 'decisions', '--json'])).out);
    expect(listed).toMatchObject([{ byHand: false }, { text: '我们决定用 pnpm 构建。', byHand: true }]);
  });

  test('an editor that fails or is not there is told, and the page stays as it left it', async () => {
    const world = await remembering();
    const before = await texts(world);
    const failing = editing(world, ['memory', 'edit', 'facts'], editor(world, 'exit 3'));
    await failing.waitFor('exited with 3');
    expect((await failing.exit).exitCode).not.toBe(0);
    const missing = editing(world, ['memory', 'edit', 'facts'], { EDITOR: join(world.cwd, 'none') });
    await missing.waitFor('could not be started');
    expect((await missing.exit).exitCode).not.toBe(0);
    expect(await texts(world)).toEqual(before);
  });

  test.each([
    ['and ends well', ': > "$1"', 0],
    ['and fails', ': > "$1"; exit 1', 1],
  ])('a page that the editor leaves empty %s is put back, and that is told', async (_, script, status) => {
    const world = await remembering();
    const page = join(world.home, 'memory', 'extracted', 'facts.md');
    const before = readFileSync(page, 'utf8');
    const edit = editing(world, ['memory', 'edit', 'facts'], editor(world, script));
    await edit.waitFor('was left empty');
    expect((await edit.exit).exitCode === 0).toBe(status === 0);
    expect(readFileSync(page, 'utf8')).toBe(before);
  });

  test('a consolidation with nothing to do says so and asks nothing, and needs no terminal', async () => {
    const world = await remembering();
    expect(await world.run(['consolidate'])).toMatchObject({ out: '', err: expect.stringContaining('needs confirmation') });
    const first = await world.runAtTerminal(['consolidate']);
    await first.waitFor('Consolidate?');
    first.send('y\r');
    await first.waitFor('Consolidated.');
    await first.exit;
    const second = await world.runAtTerminal(['consolidate']);
    await second.waitFor('Nothing to consolidate');
    expect((await second.exit).exitCode).toBe(0);
    expect(second.text()).not.toContain('Consolidate?');
    expect(await world.run(['consolidate'])).toMatchObject({ code: 0, err: '', out: expect.stringContaining('Nothing to consolidate') });
  });

  test('the first /recall of a new home warns of nothing', async () => {
    const world = createSandbox(offline);
    const chat = await world.runAtTerminal([]);
    await chat.waitFor('> ');
    chat.send('remember The staging port is 4711\r');
    await chat.waitFor('Remembered');
    chat.send('/recall staging port\r');
    await chat.waitFor('memory:main:');
    chat.send('/quit\r');
    expect((await chat.exit).exitCode).toBe(0);
    expect(chat.text()).not.toMatch(/Warning|search index/);
  });

  test('where memory is switched off, /memory and the list say so', async () => {
    const world = await remembering();
    outputJsonSync(join(world.home, 'config.json'), { memory: { enabled: false } });
    const listed = await world.run(['memory', 'list']);
    expect([listed.out, listed.err]).toEqual([expect.stringContaining('5433'), expect.stringContaining('Memory is switched off')]);
    const chat = await world.runAtTerminal([]);
    await chat.waitFor('> ');
    chat.send('/memory\r');
    await chat.waitFor('Memory is switched off (memory.enabled is false)');
    chat.send('/quit\r');
    expect((await chat.exit).exitCode).toBe(0);
  });
});
