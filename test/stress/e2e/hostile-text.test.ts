import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { afterThisTest } from '../../support/clean-up.ts';
import { playedScript } from '../../support/mcp.ts';
import { binary, createSandbox } from '../../support/sanbot.ts';
import { callsTool, replies } from '../../support/scenario.ts';
import { SIZES, talkToBinary } from '../../support/talk.ts';
import { spawnInTerminal } from '../../support/terminal.ts';

/** Colours and weights, cursor left and up, wiping, frames, and the modes of the keyboard: all that the program itself sends. */
const OURS = /\u001b\[(?:[\d;]*m|\d*[A-GJK]|\?(?:2026|2004|1004|25)[hl]|>1u|<u)/g;
/** What a terminal obeys, and what hides or turns the text beside it. */
const OBEYED = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/;

const HOSTILE = [
  '\u001b]52;c;aGVsbG8=\u0007',
  '\u001b]0;title\u0007',
  '\u001b]8;;http://127.0.0.1/\u001b\\link\u001b]8;;\u001b\\',
  '\u001b[2J\u001b[H\u001b[1A\u001b[6n\u001bc\u001bP+q\u001b\\',
  '\u009b2J\u009d0;title\u009c',
  '\u202etxt.exe\u202c \u200bhidden\ufeff \b\b\b \u000e',
].join(' ');

const TITLE = `${HOSTILE}\nsecond ${'very long '.repeat(1_000)}`;

/** What was printed, what the program itself sends left out. */
const obeyedIn = (raw: string): string | undefined => {
  const [shown, found] = [raw.replace(OURS, ''), OBEYED.exec(raw.replace(OURS, ''))];
  return found === null ? undefined : JSON.stringify(shown.slice(Math.max(0, found.index - 40), found.index + 40));
};

test.each(SIZES)('no title of a session is obeyed or breaks a list, $columns by $rows', async (size) => {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  // As another program or an import may have left it: what is renamed here has a bounded title of one line.
  for (const text of [TITLE, `again ${TITLE}`]) await world.run([], { stdin: text });
  const [id = ''] = world.names('sessions');
  for (const args of [['sessions'], ['history'], ['history', '--session', id], ['sessions', 'show', id], ['context'], ['report']]) {
    const ran = await world.run(args);
    expect([args, ran.code, obeyedIn(ran.out + ran.err)]).toEqual([args, 0, undefined]);
  }
  const picker = spawnInTerminal(process.execPath, [binary, '--resume'], { ...size, cwd: world.cwd, env: world.env });
  afterThisTest(() => picker.kill('SIGKILL'));
  await picker.waitForScreen(/Continue which session\?[\s\S]*Esc/);
  picker.send('again\r');
  await picker.waitFor(/continued with[\s\S]*\n> $/);
  for (const [keys, wanted, leave] of [
    ['/sessions\r', 'Continue one', ''],
    ['/history\r', 'No snapshots', ''],
    ['/context\r', 'worth', ''],
    ['/resume\r', /Esc\s+to\s+cancel/, '\x1b'],
    ['/rewind\r', /Esc\s+to\s+cancel/, '\x1b'],
    ['/pin ', /last\s+the newest/, '\x15'],
  ] as const) {
    picker.send(keys);
    await picker.waitFor(wanted);
    picker.send(leave);
    await picker.waitFor(/\n> $/);
  }
  picker.send('/quit\r');
  await picker.waitFor(/Resume this session:\s+sanbot --resume \S+/);
  await picker.exit;
  expect(obeyedIn(await picker.waitForRaw(() => true))).toBeUndefined();
});

test.each(SIZES)('no words of an MCP server are obeyed, $columns by $rows', async (size) => {
  const world = createSandbox();
  mkdirSync(world.home, { recursive: true });
  const script = join(world.cwd, 'server.mjs');
  const serve = (says: string) =>
    writeFileSync(
      script,
      readFileSync(playedScript, 'utf8').replace("'giant', description: 'Gives", `'giant', description: ${JSON.stringify(says)} + 'Gives`),
    );
  const server = { command: process.execPath, args: [script, HOSTILE], env: { WHAT: HOSTILE } };
  writeFileSync(join(world.home, 'config.json'), JSON.stringify({ mcpServers: { desk: server } }));
  serve('First ');
  await world.run(['mcp', 'test', 'desk']);
  await world.run(['mcp', 'approve', 'desk', '--yes']);
  serve(`${HOSTILE}\n${'without end '.repeat(1_000)}`);
  for (const args of [['mcp'], ['mcp', 'test', 'desk'], ['config', 'show']]) {
    const ran = await world.run(args);
    expect([args, ran.code, obeyedIn(ran.out + ran.err)]).toEqual([args, 0, undefined]);
  }
  const { terminal } = await talkToBinary({
    world,
    size,
    steps: [callsTool('call_tool', { name: 'mcp__desk__giant', arguments: { [HOSTILE]: HOSTILE } })],
  });
  terminal.send('go\r');
  // A server that is slow to connect is asked about by the words that were agreed to before.
  const screen = await terminal.waitFor(/> $|kept\s+for\s+later/);
  if (!/> $/.test(screen)) {
    terminal.send('n');
    await terminal.waitFor(/> $/);
  }
  for (const keys of ['/mcp\r', '/tools\r', `/mcp approve ${'desk'}\r`, 'n', '/mcp approve \x1b[200~\u001b[2Jx\x1b[201~\r']) {
    terminal.send(keys);
    await terminal.waitFor(keys.includes('approve desk') ? 'kept for later' : /\n> $/);
  }
  expect(obeyedIn(await terminal.waitForRaw(() => true))).toBeUndefined();
});

test.each(SIZES)('no text of a model, a command or a file name is obeyed, $columns by $rows', async ({ columns, rows }) => {
  const world = createSandbox();
  mkdirSync(join(world.cwd, 'names'));
  writeFileSync(join(world.cwd, 'names', 'a\u001b]0;t\u0007\u009b2J\u202eb'), '');
  writeFileSync(join(world.cwd, 'out.txt'), `${HOSTILE}\n`);
  const markdown = `${HOSTILE}\n\n# ${HOSTILE}\n\n| a | ${HOSTILE} |\n|---|---|\n| b | [x](http://127.0.0.1/${HOSTILE}) |\n\n\`\`\`js\nlet a = "${HOSTILE}";\n\`\`\`\n`;
  const { terminal } = await talkToBinary({
    world,
    size: { columns, rows },
    args: ['--permission-mode', 'bypass'],
    steps: [
      replies(markdown),
      callsTool('run_command', { command: `cat out.txt # ${HOSTILE}` }),
      callsTool('list_files', { path: 'names' }),
      callsTool(`no such ${HOSTILE}`, {}),
      replies('that is all'),
    ],
  });
  terminal.send('one\r');
  await terminal.waitFor('let a =');
  await terminal.waitFor(/> $/);
  terminal.send('!cat out.txt\r');
  await terminal.waitFor('exit 0');
  await terminal.waitFor(/> $/);
  terminal.send('two\r');
  await terminal.waitFor('that is all');
  await terminal.waitFor(/> $/);
  const raw = await terminal.waitForRaw((printed) => printed.includes('that is all'));
  expect(OBEYED.exec(raw.replace(OURS, ''))?.[0]).toBeUndefined();
});
