import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { textOf } from '../../../src/domain/session/message.ts';
import type { FakeApi } from '../../support/fake-api.ts';
import { pdf, png } from '../../support/pictures.ts';
import { createSandbox } from '../../support/sanbot.ts';
import { SIZES, talkToBinary } from '../../support/talk.ts';
import { ASKED } from '../../support/terminal.ts';

const sentText = (fake: FakeApi, n: number): string =>
  (fake.requests[n]?.request.messages ?? []).map(({ content }) => textOf(content)).join('\n');

function project() {
  const world = createSandbox();
  mkdirSync(join(world.cwd, 'src', 'terminal'), { recursive: true });
  mkdirSync(join(world.cwd, 'node_modules'));
  writeFileSync(join(world.cwd, '.gitignore'), 'node_modules\n');
  writeFileSync(join(world.cwd, 'node_modules', 'prompt-keys.js'), 'x');
  writeFileSync(join(world.cwd, 'src', 'terminal', 'prompt-keys.ts'), 'export const PRESSED = 1;\n');
  writeFileSync(join(world.cwd, '.env'), 'SECRET_NAME=abc\n');
  return world;
}

describe.each(SIZES)('@ in a window of $columns by $rows', (size) => {
  test('finds a file by letters of its path, and its text goes with the message', async () => {
    const { terminal, fake } = await talkToBinary({ world: project(), size });
    terminal.send('what is in @prkey');
    const rows = await terminal.waitForScreen('prompt-keys.ts');
    expect(rows.join('\n')).not.toContain('node_modules');
    terminal.send('\t');
    await terminal.waitForScreen(/@src\/terminal\/prompt-keys\.ts/);
    terminal.send('?\r');
    await terminal.waitFor('reply 0');
    expect(terminal.text()).toMatch(/Attached\s+src\/terminal\/prompt-keys\.ts\s+\(1\s+line/);
    expect(sentText(fake, 0)).toMatch(
      /The user sends "src\/terminal\/prompt-keys\.ts" along[\s\S]*> export const PRESSED = 1;[\s\S]*what is in @src/,
    );
  });
});

describe('a file that is named with @', () => {
  test('and holds secrets is asked for, and not sent after a no', async () => {
    const { terminal, fake } = await talkToBinary({ world: project() });
    terminal.send('look at @.env please\r');
    await terminal.waitFor('Allow it?');
    terminal.send('n');
    await terminal.waitFor('.env is not sent along: denied.');
    await terminal.waitFor('reply 0');
    expect(sentText(fake, 0)).not.toContain('SECRET_NAME');
  });

  test('is not sent without a yes where nobody can be asked, and a word is a word', async () => {
    const world = project();
    const ran = await world.run(['-p', 'look at @/etc/hostname and @Component, me@src'], { env: { SANBOT_PROVIDER: 'offline' } });
    expect([ran.code, ran.err]).toEqual([0, expect.stringContaining('/etc/hostname is not sent along: denied.')]);
    expect(ran.err).not.toContain('Component');
  });

  test('and is an image or a PDF outside of the working folder is asked for as any file is', async () => {
    const world = project();
    const names = ['shot.png', 'paper.pdf'].map((name) => join(world.cwd, '..', name));
    for (const [at, bytes] of [png(60, 40), pdf(1)].entries()) writeFileSync(names[at] ?? '', bytes);
    const { terminal, fake } = await talkToBinary({ world });
    const env = { ANTHROPIC_BASE_URL: fake.url, ANTHROPIC_API_KEY: 'test-key', SANBOT_MODEL: 'claude-sonnet-5-5' };
    const ran = await world.run(['-p', 'what do you say?'], { env, stdin: `A page says: see @${names[0]} and @../paper.pdf` });
    for (const name of [names[0], '../paper.pdf']) expect(ran.err).toContain(`${name} is not sent along: denied.`);
    expect(fake.requests[0]?.request.messages.flatMap(({ content }) => content.map(({ type }) => type))).toEqual(['text']);
    terminal.send('see @../shot.png\r');
    await terminal.waitFor('Allow it?');
    await terminal.waitFor(ASKED);
    terminal.send('y');
    await terminal.waitFor('reply 1');
    expect(fake.requests[1]?.request.messages.flatMap(({ content }) => content.map(({ type }) => type))).toContain('image');
  });

  test('and is large is a file of the session that the model can read on in', async () => {
    const world = project();
    const lines = Array.from({ length: 9_000 }, (_, n) => `line ${n} of it`).join('\n');
    writeFileSync(join(world.cwd, 'large.txt'), lines);
    const { terminal, fake } = await talkToBinary({ world });
    terminal.send('sum up @large.txt\r');
    await terminal.waitFor('the model reads the rest in a file');
    await terminal.waitFor('reply 0');
    const path = /Tool result is at: (\S+)/.exec(sentText(fake, 0))?.[1] ?? '';
    expect(readFileSync(path, 'utf8')).toContain('line 5000 of it');
    expect(sentText(fake, 0)).not.toContain('line 5000 of it');
  });
});

describe('a message above a tenth of the window', () => {
  const pasted = Array.from({ length: 20_000 }, (_, n) => `row ${n} of the log`).join('\n');

  test.each(SIZES)(
    'is a file of the session, which is told at once, and its beginning and end go to the model ($columns by $rows)',
    async (size) => {
      const world = createSandbox();
      const { terminal, fake } = await talkToBinary({ world, size });
      terminal.send('why does this fail? ');
      terminal.paste(pasted);
      await terminal.waitFor(/longer\s+than\s+a\s+tenth\s+of\s+the\s+window/);
      terminal.send(' It is the last run.\r');
      await terminal.waitFor(/Your message is long/);
      await terminal.waitFor('reply 0');
      const sent = sentText(fake, 0);
      const path = /All of it is at: (\S+)/.exec(sent)?.[1] ?? '';
      expect(sent).toMatch(/why does this fail\? row 0 of the log\n[\s\S]*row 19999 of the log It is the last run\./);
      expect(sent).not.toContain('row 10000 of');
      expect(readFileSync(path, 'utf8')).toBe(`why does this fail? ${pasted} It is the last run.`);
      await terminal.waitFor(/> $/);
      terminal.send('\x1b\x1b');
      await terminal.waitForScreen('Rewind to just before which message?');
      terminal.send('\r');
      await terminal.waitFor('Go back?');
      await terminal.waitFor('kept for later');
      terminal.send('1');
      await terminal.waitForScreen('text 2: 20,000 lines');
      terminal.send('\r');
      await terminal.waitFor('reply 1');
      expect(fake.requests[1]?.request.messages).toEqual(fake.requests[0]?.request.messages);
    },
  );

  test('keeps its file for another process, and is found in the middle of it', async () => {
    const world = createSandbox();
    const { terminal } = await talkToBinary({ world });
    terminal.paste(pasted);
    terminal.send('\r');
    await terminal.waitFor('reply 0');
    await terminal.waitFor(/> $/);
    terminal.send('/quit\r');
    await terminal.exit;
    expect((await world.run(['doctor'])).out).not.toContain('nothing in the context refers to it');
    expect((await world.run(['search', 'row 12345 of the log'])).out).toContain('12345');
  });
});
