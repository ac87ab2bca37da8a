import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { type FakeApi, type FakeApiOptions, startFakeApi } from '../../support/fake-api.ts';
import { binary, createSandbox } from '../../support/sanbot.ts';
import { callsTool, replies, type Step } from '../../support/scenario.ts';
import { spawnInTerminal, type Terminal, type TerminalOptions } from '../../support/terminal.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const SIZES = [
  { columns: 40, rows: 15 },
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
] as const;

type Chat = { readonly terminal: Terminal; readonly api: FakeApi; readonly cwd: string };

/** The program at a terminal, and a model that follows the scenario. */
async function chat(
  scenario: readonly Step[],
  size: TerminalOptions,
  env: Readonly<Record<string, string>> = {},
  options: FakeApiOptions = {},
): Promise<Chat> {
  const { MODE: mode = 'bypass', ...more } = env;
  const world = createSandbox({ ANTHROPIC_API_KEY: 'key', ...more });
  const api = await startFakeApi(scenario, { home: world.home, ...options });
  const terminal = await world.runAtTerminal(['--permission-mode', mode], { ...size, env: { ANTHROPIC_BASE_URL: api.url } });
  closers.push(api.close);
  await terminal.waitFor(/\n> $/);
  return { terminal, api, cwd: world.cwd };
}

describe.each(SIZES)('in a window of $columns by $rows', (size) => {
  const shown = (rows: readonly string[]): readonly string[] => rows.map((row) => row.trimEnd());

  test('a call is one row with its outcome, both ends of what a command printed below it, and Ctrl-O shows all of it', async () => {
    const command = 'seq 1 60; echo why it failed >&2; exit 3';
    const { terminal } = await chat([callsTool('run_command', { command }), replies('It failed.')], size);
    terminal.send('run it\r');
    await terminal.waitFor(/It failed\.[\s\S]*\n> $/);
    const rows = shown(await terminal.waitForScreen(/It failed\.[\s\S]*^>/m));
    const at = rows.findIndex((row) => row.startsWith('✗ $ seq'));
    expect(rows[at]).toMatch(/^✗ \$ seq .* {2}exit 3(?: +[\d.]+ s)?$/);
    expect(rows.slice(at + 1, at + 5)).toEqual(['    1', '    2', '    … 57 more', '    60']);
    const before = terminal.rows().filter((row) => row.includes('why it failed')).length;
    terminal.send('\x0f');
    await terminal.waitForScreen(/^\$ seq .*· 1-\d+ of 62$[\s\S]*^exit 3\n1\n2\n/m);
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
    expect(rows.join('\n')).toMatch(/^✗ Read none\.txt {2}failed(?: +[\d.]+ s)?\n {4}none\.txt: no such file/m);
    expect(rows.filter((row) => row.startsWith('✓'))).toEqual([expect.stringMatching(/^✓ Read long\S+ {2}9000 lines(?: +[\d.]+ s)?$/)]);
    terminal.send('\x0f\x1b[6~');
    await terminal.waitForScreen(/^Read long\S* · \d+-\d+ of [\d,]+ · 2\/2$[\s\S]*line 10 of a long file/m);
    terminal.send('\x1b[D');
    await terminal.waitForScreen(/^Read none\.txt · 1-1 of 1 · 1\/2$/m);
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

  test.each([
    ['in colours', { NO_COLOR: '', FORCE_COLOR: '1' }],
    ['without colours', { NO_COLOR: '1' }],
  ])('Markdown is drawn %s while it streams, and stands whole in the scroll-back', async (how, env) => {
    const { terminal } = await chat([replies(answer)], size, env, { chunkBytes: 37 });
    terminal.send('explain\r');
    await terminal.waitFor(/the end\.[\s\S]*\n> $/);
    await terminal.waitForScreen(/the end\.[\s\S]*^>/m);
    const rows = shown(terminal.rows());
    const from = rows.indexOf('How it works');
    expect(rows.slice(from, from + 3)).toEqual(['How it works', '', expect.stringMatching(/^It reads every file once/)]);
    expect(rows.filter((row) => row.includes('const total'))).toEqual(['const total = 1;']);
    expect(rows.filter((row) => row.includes('**') || row.startsWith('#'))).toEqual([]);
    // What an item says further stands below its text, and no word is cut in two.
    const text = rows.slice(from).join('\n');
    expect(text).toMatch(/^1\. First it looks at what there is,?$|^1\. First it looks at what there is, and/m);
    expect(text.replace(/\s+/g, ' ')).toContain(
      '1. First it looks at what there is, and then it thinks about all of it for a while 2. Then it writes',
    );
    expect(text).toMatch(/^Name +Size\n─+ +─+\nalpha +1\nbeta +22$/m);
    expect(text).toMatch(/the page\s\(https:\/\/example\.org\/page\)/);
    const raw = await terminal.waitForRaw(() => true);
    expect(raw).toContain('\x1b[1mevery\x1b[22m');
    expect(/\x1b\[(?:3[0-7]|9[0-7])m/.test(raw)).toBe(how === 'in colours');
  });

  test('while a turn runs, the last line says how full the context is and what it costs, in one row', async () => {
    const { terminal } = await chat([callsTool('run_command', { command: 'sleep 20' }), replies('Done.')], size);
    terminal.send('wait\r');
    const rows = shown(await terminal.waitForScreen(/· Esc stops.*\n.*\d %.*\$/));
    const at = rows.findIndex((row) => row.includes('· Esc stops'));
    expect(rows[at + 1]).toMatch(
      size.columns === 40 ? /^(?:\S+ · )?\d % .*· \$0\.0\d+ · bypass$/ : /^\S+ · .*\d % of \d+k · \$0\.0\d+ · bypass$/,
    );
    expect(rows.slice(at + 2).filter((row) => row !== '')).toEqual([]);
    terminal.send('\x1b');
    await terminal.waitFor('interrupted');
  });
});

test.each([
  ['an answer', [replies('Done.')], 'bypass'],
  ['a question', [callsTool('run_command', { command: 'echo hi' }), replies('Done.')], 'ask'],
])('the bell rings for %s only where the window has no focus', async (_, scenario, mode) => {
  const size = { columns: 80, rows: 24 };
  const rung = (raw: string): number => raw.split('\x07').length - 1;
  const { terminal } = await chat([replies('First.'), ...scenario], size, { MODE: mode });
  terminal.send('one\r');
  await terminal.waitFor(/First\.[\s\S]*\n> $/);
  expect(await terminal.waitForRaw(() => true).then(rung)).toBe(0);
  terminal.send('\x1b[Otwo\r');
  await terminal.waitForRaw((raw) => rung(raw) === 1);
  terminal.send('\x1b[Iy');
  await terminal.waitFor(/Done\./);
});

const answer = [
  '# How it works',
  '',
  'It reads **every** file *once*, see [the page](https://example.org/page).',
  '',
  '1. First it looks at what there is, and then it thinks about all of it for a while',
  '2. Then it writes',
  '',
  '| Name | Size |',
  '|---|--:|',
  '| alpha | 1 |',
  '| beta | 22 |',
  '',
  '```js',
  'const total = 1;',
  '```',
  'This is the end.',
].join('\n');

test.each([
  ['a dumb terminal', { TERM: 'dumb' }, []],
  ['--plain', {}, ['--plain']],
  ['-p at a terminal', {}, ['-p', 'explain']],
])('%s of 20 columns breaks rows between words, what is said and what is told', async (_, env, args) => {
  const world = createSandbox({ ANTHROPIC_API_KEY: 'key', ...env });
  const said = `It reads every file once: ${'the quick brown fox jumps over the lazy dog '.repeat(4)}\n\n\`\`\`sh\nnpm run build -- --all-of-it\n\`\`\`\nThe end.`;
  const api = await startFakeApi([replies(said)], { home: world.home, chunkBytes: 31 });
  closers.push(api.close);
  const terminal = spawnInTerminal(process.execPath, [binary, ...args], {
    ...{ columns: 20, rows: 10, cwd: world.cwd },
    env: { ...world.env, ANTHROPIC_BASE_URL: api.url },
  });
  closers.push(() => terminal.kill('SIGKILL'));
  if (args[0] !== '-p') {
    await terminal.waitFor(/> $/);
    terminal.send('explain\r');
  }
  await terminal.waitFor(/The end\.\s+.*step/);
  const shown = terminal.text().replaceAll('\r', '');
  const answered = shown.slice(shown.indexOf('It reads'));
  expect(answered.replaceAll(/\s+/g, ' ')).toContain(said.replaceAll(/\s+/g, ' '));
  expect(answered).toContain('\nnpm run build -- --all-of-it\n');
  const rows = answered.split('\n').filter((row) => !row.startsWith('npm run'));
  expect(rows.filter((row) => row.length >= 20)).toEqual([]);
});

test('where the answer goes to a program it is what the model wrote', async () => {
  const world = createSandbox({ ANTHROPIC_API_KEY: 'key' });
  const api = await startFakeApi([replies(answer)], { home: world.home });
  closers.push(api.close);
  const ran = await world.runBinary(['-p', 'explain'], { env: { ANTHROPIC_BASE_URL: api.url } });
  expect(ran.out).toBe(`${answer}\n`);
});
