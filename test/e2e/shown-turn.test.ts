import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type FakeApi, startFakeApi } from '../support/fake-api.ts';
import { binary, createSandbox } from '../support/sanbot.ts';
import { callsTool, replies, type Step } from '../support/scenario.ts';
import { type SpawnedTerminal, spawnInTerminal, type TerminalOptions } from '../support/terminal.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const SIZES = [
  { columns: 40, rows: 15 },
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
] as const;

type Chat = { readonly terminal: SpawnedTerminal; readonly api: FakeApi; readonly cwd: string };

/** The real binary at a terminal, and a model that follows the scenario. */
async function chat(scenario: readonly Step[], size: TerminalOptions, env: Readonly<Record<string, string>> = {}): Promise<Chat> {
  const world = createSandbox({ ANTHROPIC_API_KEY: 'key', ...env });
  const api = await startFakeApi(scenario, { home: world.home });
  const terminal = spawnInTerminal(process.execPath, [binary, '--permission-mode', 'bypass'], {
    ...size,
    cwd: world.cwd,
    env: { ...world.env, ANTHROPIC_BASE_URL: api.url },
  });
  closers.push(() => terminal.kill('SIGKILL'), api.close);
  await terminal.waitFor(/\n> $/);
  return { terminal, api, cwd: world.cwd };
}

describe.each(SIZES)('in a window of $columns by $rows', (size) => {
  const shown = (rows: readonly string[]): readonly string[] => rows.map((row) => row.trimEnd());

  test('a call is one row with its outcome, the end of what a command printed below it, and Ctrl-O shows all of it', async () => {
    const command = 'seq 1 60; echo why it failed >&2; exit 3';
    const { terminal } = await chat([callsTool('run_command', { command }), replies('It failed.')], size);
    terminal.send('run it\r');
    await terminal.waitFor(/It failed\.[\s\S]*\n> $/);
    const rows = shown(await terminal.waitForScreen(/It failed\.[\s\S]*^>/m));
    const at = rows.findIndex((row) => row.startsWith('✗ run_command'));
    expect(rows[at]).toMatch(/^✗ run_command .*\(exit 3, [\d.]+ m?s\)$/);
    expect(rows.slice(at + 1, at + 5)).toEqual(['  … 58 more', '  59', '  60', '  why it failed']);
    const before = terminal.rows().filter((row) => row.includes('why it failed')).length;
    terminal.send('\x0f');
    await terminal.waitForScreen(/^run_command seq .*· 1-\d+ of 62$[\s\S]*^exit 3\n1\n2\n/m);
    terminal.send('\x1b[F');
    await terminal.waitForScreen(/^59\n60\nwhy it failed\n.*Esc closes/m);
    terminal.send('\x0f');
    await terminal.waitForScreen((now) => now.some((row) => row.startsWith('>')) && !now.join('').includes('Esc closes'));
    expect(terminal.rows().filter((row) => row.includes('why it failed'))).toHaveLength(before);
  });

  test('the reason of a failure stands below its call, and a large result is shown from its file', async () => {
    const { terminal, cwd } = await chat(
      [callsTool('read_file', { path: 'none.txt' }), callsTool('read_file', { path: 'long.txt' }), replies('Read.')],
      size,
    );
    writeFileSync(join(cwd, 'long.txt'), Array.from({ length: 9_000 }, (_, i) => `line ${i + 1} of a long file\n`).join(''));
    terminal.send('read them\r');
    await terminal.waitFor(/Read\.[\s\S]*\n> $/);
    await terminal.waitForScreen(/Read\.[\s\S]*^>/m);
    const rows = shown(terminal.rows());
    expect(rows.join('\n')).toMatch(/^✗ read_file none\.txt \(failed, [\d.]+ m?s\)\n {2}none\.txt: no such file/m);
    expect(rows.filter((row) => row.startsWith('✓'))).toEqual([
      expect.stringMatching(/^✓ read_file long\.txt \(9000 lines, (?:\d+ KB, )?[\d.]+ m?s\)$/),
    ]);
    terminal.send('\x0f\x1b[6~');
    await terminal.waitForScreen(/^read_file long\.txt · \d+-\d+ of [\d,]+ · 2\/2$[\s\S]*line 10 of a long file/m);
    terminal.send('\x1b[D');
    await terminal.waitForScreen(/^read_file none\.txt · 1-1 of 1 · 1\/2$/m);
    terminal.send('\x1b');
    await terminal.waitForScreen((now) => !now.join('').includes('Esc closes'));
  });

  test('what was thought is one row, and Ctrl-O shows it', async () => {
    const thinking = `The user wants a greeting.\n${'I turn this over at length. '.repeat(12)}\nSo I greet.`;
    const { terminal } = await chat([replies('Hello there.', { thinking })], size);
    terminal.send('hi\r');
    await terminal.waitForScreen(/Hello there\.[\s\S]*^>/m);
    const rows = shown(terminal.rows());
    expect(rows.filter((row) => row.includes('Thought'))).toEqual([expect.stringMatching(/^Thought: The user wants a.*… \(Ctrl-O\)$/)]);
    expect(rows.join('\n')).not.toContain('So I greet.');
    terminal.send('\x0f\x1b[F');
    await terminal.waitForScreen(/^Thinking · [\s\S]*So I greet\./m);
  });
});
