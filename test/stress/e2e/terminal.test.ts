import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { binary, createSandbox, type Sandbox } from '../../support/sanbot.ts';
import { root } from '../../support/source.ts';
import { type SpawnedTerminal, spawnInTerminal, type TerminalOptions } from '../../support/terminal.ts';

const running: SpawnedTerminal[] = [];
afterEach(() => {
  for (const terminal of running.splice(0)) terminal.kill('SIGKILL');
});

const SIZES = [
  { columns: 40, rows: 15 },
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
] as const;

function open(world: Sandbox, file: string, args: readonly string[], size: TerminalOptions): SpawnedTerminal {
  const terminal = spawnInTerminal(file, args, { ...size, cwd: world.cwd, env: { ...world.env, SANBOT_PROVIDER: 'offline' } });
  running.push(terminal);
  return terminal;
}

/** The real binary, its prompt ready. */
async function talk(size: TerminalOptions, ...args: readonly string[]): Promise<SpawnedTerminal> {
  const terminal = open(createSandbox(), process.execPath, [binary, ...args], size);
  await terminal.waitFor(/> $/);
  return terminal;
}

test('a paste of 5 MB is one unit too, and goes again with one Backspace', async () => {
  const terminal = await talk({ columns: 80, rows: 24 });
  terminal.paste('a line of it\n'.repeat(400_000));
  await terminal.waitForScreen('[text 1: 400,000 lines, 5,200,000 characters');
  terminal.send('\x7fstatus');
  await terminal.waitForScreen(/^> status$/m);
});

describe.each(SIZES)('in a window of $columns by $rows', (size) => {
  test('keys of one read go where the cursor is, rows above are edited, and a paste is one unit', async () => {
    const terminal = await talk(size);
    terminal.send('read the file please\x1bb\x1bb你好世界');
    await terminal.waitForScreen(/^> read the 你好世界file please$/m);
    terminal.send('\x05\x15one\x1b\rtwo\x1b[A!');
    await terminal.waitForScreen(/^> one!\n {2}two$/m);
    terminal.send(`\x1b[B\x1b[200~${'a line\n'.repeat(40)}\x1b[201~`);
    await terminal.waitForScreen('[text 1: 40 lines');
    terminal.send('\x7f');
    await terminal.waitForScreen((rows) => !rows.join('').includes('[text') && rows.includes('  two'));
  });

  test('no row fills the window, and no word is broken at its margin', async () => {
    const terminal = await talk(size);
    for (const [command, end] of [
      ['status', 'window has'],
      ['/context', 'worth freeing.'],
      ['/memory', 'remembered yet.'],
      ['/cost', 'in all.'],
    ] as const) {
      terminal.send(`${command}\r`);
      await terminal.waitFor(end);
      await terminal.waitFor(/\n> $/);
    }
    await terminal.waitForScreen('in all.');
    const text = terminal.rows().join('\n');
    expect(text).toMatch(/At\s+the\s+hard\s+limit\s+old\s+tool\s+results\s+go\s+to\s+files,\s+then\s+the\s+rest\s+is\s+compacted\./);
    expect(text).toMatch(/It\s+understands:\s+read,\s+list,\s+search,\s+run,\s+write,\s+edit,\s+remember,\s+recall,\s+status\./);
  });

  test('the rows of /context add up to its first line, which tells the share of the limit that counts', async () => {
    const terminal = await talk(size, '--context-window', '1000000');
    terminal.send('status\r');
    await terminal.waitFor('The window has ');
    await terminal.waitFor(/> $/);
    terminal.send('/context\r');
    await terminal.waitForScreen('worth freeing.');
    const text = terminal
      .rows()
      .join('\n')
      .replaceAll(/(\d),(?=\d{3})/g, '$1');
    const [, total, limit, share] = /Context: (\d+) of (\d+)\s+tokens\s+\(([\d.]+)\s+%\)/.exec(text) ?? [];
    const parts = [...text.matchAll(/^ ?(?!free|Context)[a-z][a-z -]+ {2,}(\d+) +(?:< )?[\d.]+ %$/gm)].map(([, tokens]) => Number(tokens));
    expect(parts.reduce((sum, tokens) => sum + tokens, 0)).toBe(Number(total));
    expect(Number(share)).toBeCloseTo((Number(total) / Number(limit)) * 100, 0);
  });

  test('what is typed while a turn runs is seen, waits, and Esc with another key in one read stops the turn', async () => {
    const terminal = await talk(size, '--permission-mode', 'bypass');
    terminal.send('run sleep 30\r');
    await terminal.waitForScreen('Esc stops');
    terminal.send('next one\rand mo');
    await terminal.waitForScreen(/^\(queued\) next one$[\s\S]*^> and mo$/m);
    terminal.send('\x1br');
    await terminal.waitFor('interrupted');
    await terminal.waitFor('> next one');
    await terminal.waitForScreen(/^> and mor$/m);
  });
});

describe('Ctrl-Z', () => {
  /** A shell with jobs, as at a person's terminal. */
  async function shell(command: string, cwd?: string): Promise<SpawnedTerminal> {
    const world = createSandbox({ PS1: 'shell: ' });
    const terminal = open(world, 'bash', ['--norc', '--noprofile', '-i'], { columns: 80, rows: 24 });
    await terminal.waitFor('shell: ');
    if (cwd !== undefined) terminal.send(`cd ${cwd}\r`);
    terminal.send(`${command}\r`);
    await terminal.waitFor(/\n> $/);
    return terminal;
  }

  async function suspendAndResume(terminal: SpawnedTerminal): Promise<void> {
    terminal.send('\x1a');
    await terminal.waitFor(/Stopped[\s\S]*shell: /);
    terminal.send('echo in the $((1+1))nd program\r');
    await terminal.waitFor('in the 2nd program');
    terminal.send('fg\r');
  }

  test('suspends and fg brings the message back', async () => {
    const terminal = await shell(`${process.execPath} ${binary}`);
    terminal.send('half a thought');
    await terminal.waitFor('half a thought');
    await suspendAndResume(terminal);
    await terminal.waitFor('> half a thought');
    terminal.send('!');
    await terminal.waitForScreen('> half a thought!');
  });

  test('suspends what npm has started, with npm', async () => {
    const terminal = await shell('npm start --silent', root);
    await suspendAndResume(terminal);
    await terminal.waitFor(/> $/);
    terminal.send('/quit\r');
    await terminal.waitFor('shell: ');
  });

  test('suspends during a turn too, which goes on afterwards', async () => {
    const terminal = await shell(`${process.execPath} ${binary} --permission-mode bypass`);
    terminal.send('run sleep 30\r');
    await terminal.waitForScreen('Esc stops');
    await suspendAndResume(terminal);
    await terminal.waitForScreen('Esc stops');
    terminal.send('\x1b');
    await terminal.waitFor('interrupted');
  });
});

test('the editor of the person has the terminal to itself and gives the message back', async () => {
  const world = createSandbox();
  const editor = join(world.cwd, 'editor.sh');
  writeFileSync(editor, 'echo "IN THE EDITOR"; echo " and more" >> "$1"\n', { mode: 0o755 });
  const terminal = spawnInTerminal(process.execPath, [binary], {
    cwd: world.cwd,
    env: { ...world.env, SANBOT_PROVIDER: 'offline', EDITOR: `sh ${editor}` },
  });
  running.push(terminal);
  await terminal.waitFor(/> $/);
  terminal.send('one\x07');
  await terminal.waitFor('IN THE EDITOR');
  await terminal.waitForScreen(/^> one\n {2} and more$/m);
  expect(existsSync(editor)).toBe(true);
});

test('-p at a terminal shows the answer as it comes, and what the turn took after it', async () => {
  const world = createSandbox();
  const terminal = open(world, process.execPath, [binary, '-p', 'status'], { columns: 80, rows: 24 });
  const shown = await terminal.waitFor(/[\d.]+ m?s · \d steps?/);
  expect(shown).toContain('The window has ');
  expect((await terminal.exit).exitCode).toBe(0);
});
