import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { textOf } from '../../src/domain/session/message.ts';
import type { FakeApi } from '../support/fake-api.ts';
import { createSandbox } from '../support/sanbot.ts';
import { SIZES, talk } from '../support/talk.ts';
import { until } from '../support/until.ts';

const sentText = (fake: FakeApi, n: number): string =>
  (fake.requests[n]?.request.messages ?? []).map(({ content }) => textOf(content)).join('\n');

describe.each(SIZES)('!command in a window of $columns by $rows', (size) => {
  test('runs at once, shows what it printed, and the model sees it with the next message', async () => {
    const { terminal, fake } = await talk({ size, args: ['--permission-mode', 'read-only'] });
    terminal.send('!echo one; echo two >&2; touch made\r');
    await terminal.waitFor(/one\r?\ntwo\r?\n✓ exit 0/);
    await terminal.waitFor(/> $/);
    terminal.send('what was it?\r');
    await terminal.waitFor('reply 0');
    expect(fake.requests).toHaveLength(1);
    expect(sentText(fake, 0)).toMatch(/The user ran this command themselves[\s\S]*> \$ echo one[\s\S]*> one\n> two[\s\S]*what was it\?/);
  });
});

describe('!command', () => {
  test('tells a failure, masks keys, and goes on without a message to the model', async () => {
    const world = createSandbox();
    const { terminal, fake } = await talk({ world });
    const key = `sk-ant-api03-${'a1B2c3D4'.repeat(6)}`;
    writeFileSync(join(world.cwd, 'key.txt'), `${key}\n`);
    terminal.send('!cat key.txt; exit 3\r');
    await terminal.waitFor('✗ exit 3');
    await terminal.waitFor(/> $/);
    terminal.send('go\r');
    await terminal.waitFor('reply 0');
    expect(terminal.text()).not.toContain(key);
    expect(sentText(fake, 0)).not.toContain(key);
    expect(sentText(fake, 0)).toContain('> exit 3');
  });

  test('puts a large output into a file, which outlives a compaction and another process', async () => {
    const world = createSandbox();
    const { terminal, fake } = await talk({ world });
    terminal.send('!seq 1 40000\r');
    await terminal.waitFor('lines not shown');
    await terminal.waitFor('✓ exit 0');
    await terminal.waitFor(/> $/);
    terminal.send('go\r');
    await terminal.waitFor('reply 0');
    await terminal.waitFor(/> $/);
    const path = /Tool result is at: (\S+)/.exec(sentText(fake, 0))?.[1] ?? '';
    expect(readFileSync(path, 'utf8')).toContain('\n39999\n');
    terminal.send('/quit\r');
    await terminal.exit;
    expect((await world.run(['doctor'])).out).not.toContain('nothing in the context refers to it');
    expect(existsSync(path)).toBe(true);
  });

  test('is stopped by Esc, and then the model is told nothing', async () => {
    const { terminal, fake } = await talk();
    terminal.send('!sleep 30\r');
    await terminal.waitForScreen('Esc stops');
    terminal.send('\x1b');
    await terminal.waitFor('Stopped. The model is not told.');
    terminal.send('go\r');
    await terminal.waitFor('reply 0');
    expect(sentText(fake, 0)).not.toContain('sleep 30');
  });
});

describe('what is no message', () => {
  test('is not sent', async () => {
    const { terminal, fake } = await talk();
    for (const [line, shown] of [
      ['/', 'what one command does'],
      ['!', 'Add a command'],
      ['# the port is 8080', 'Remembered'],
      ['/compact --help', 'summarise older messages now'],
    ] as const) {
      const before = terminal.text().length;
      terminal.send(`${line}\r`);
      await until(() => terminal.text().slice(before).includes(shown) && /> $/.test(terminal.text()));
    }
    terminal.send('quit\r');
    expect((await terminal.exit).exitCode).toBe(0);
    expect(fake.requests).toEqual([]);
  });

  test('a path, a number and a word of another meaning are messages', async () => {
    const { terminal, fake } = await talk();
    for (const [n, line] of ['/etc/hosts is odd', '/src/app.ts', '#1 is the issue', 'quit the loop early'].entries()) {
      terminal.send(`${line}\r`);
      await terminal.waitFor(new RegExp(`reply ${n}[\\s\\S]*> $`));
      expect(sentText(fake, n)).toContain(line);
    }
  });
});
