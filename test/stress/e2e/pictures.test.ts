import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { afterThisTest } from '../../support/clean-up.ts';
import { startFakeApi } from '../../support/fake-api.ts';
import { runInProcess } from '../../support/in-process.ts';
import { pictureOf } from '../../support/picture.ts';
import { createSandbox } from '../../support/sanbot.ts';
import { answersWith, replies } from '../../support/scenario.ts';
import { root } from '../../support/source.ts';
import { ASKED, openTerminal } from '../../support/terminal.ts';

// Where its rows break depends on how long the path of the folder is that the program makes.
beforeEach(() => void vi.stubEnv('TMPDIR', '/tmp'));
afterEach(() => void vi.unstubAllEnvs());

const SIZE = { columns: 88, rows: 40 };
const folder = join(root, 'docs', 'pictures');

const broken = 'export const total = (items) =>\n  items.reduce((sum, item) => sum + item.price);\n';
const text = (words: string) => ({ type: 'text', text: words });
const call = (name: string, input: unknown) => ({ type: 'tool_use', id: `call_${name}`, name, input });
const scenario = [
  answersWith([text("I'll look at how `total` adds up."), call('search', { pattern: 'total' })], 'tool_use'),
  answersWith([call('read_file', { path: 'src/cart.js' })], 'tool_use'),
  answersWith(
    [
      text('`reduce` has no start value, so an empty cart throws.'),
      call('edit_file', { path: 'src/cart.js', old_string: 'item.price)', new_string: 'item.price, 0)' }),
    ],
    'tool_use',
  ),
  replies('Fixed: an empty cart now totals **0**.'),
  replies('Yes: `total` is used in `test/cart.test.js` only.'),
];

/** The program at a terminal, with a clock that stands still and ids that are counted. */
async function startProgram() {
  const { NO_COLOR: _, ...env } = createSandbox().env;
  const world = createSandbox();
  for (const name of ['src', 'test']) mkdirSync(join(world.cwd, name));
  writeFileSync(join(world.cwd, 'src/cart.js'), broken);
  writeFileSync(join(world.cwd, 'test/cart.test.js'), "import { total } from '../src/cart.js';\n");
  const api = await startFakeApi(scenario, { home: world.home });
  afterThisTest(() => api.close());
  const { input, output, close, ...terminal } = await openTerminal(SIZE);
  afterThisTest(close);
  let ids = 0;
  void runInProcess([], {
    ...{ cwd: world.cwd, stdin: input, stdout: output, stderr: output },
    env: {
      ...env,
      HOME: world.env.HOME ?? '',
      ANTHROPIC_BASE_URL: api.url,
      ANTHROPIC_API_KEY: 'test-key',
      SANBOT_MODEL: 'claude-sonnet-5-5',
    },
    now: () => new Date('2026-03-04T09:30:00Z'),
    newId: () => (++ids).toString(16).padStart(16, '0'),
  });
  await terminal.waitFor(/> $/);
  const started = (await terminal.waitForRaw(() => true)).indexOf('\u001b[?2004h');
  // The folder is another one in each run.
  const raw = async () => (await terminal.waitForRaw(() => true)).slice(Math.max(0, started)).replaceAll(dirname(world.cwd), '~');
  return { terminal, raw };
}

/**
 * The name of the temporary folder takes a token or two more or less. The reported total is shared out among the
 * parts, so that this moves any of them by a few tokens: each figure that is near the pictured one is set to it.
 */
const PARTS: Readonly<Record<string, number>> = {
  'system prompt': 475,
  project: 49,
  tools: 2873,
  'your messages': 37,
  replies: 204,
  'tool results': 166,
};
const steady = (screen: string): string =>
  screen.replace(/(system prompt|project|tools|your messages|replies|tool results)( +)([\d,]+)\b/g, (row, label, gap, figure) => {
    const expected = PARTS[label] ?? 0;
    const near = Math.abs(Number(figure.replaceAll(',', '')) - expected) <= Math.max(4, expected / 50);
    return near ? `${label}${gap}${expected.toLocaleString('en')}` : row;
  });

describe('the pictures in the documents', () => {
  test('are what the program shows; renew them with --update', async () => {
    const { terminal, raw } = await startProgram();
    terminal.send('total([]) throws. Fix it.\r');
    await terminal.waitFor(ASKED);
    await expect(await pictureOf(await raw(), 'A turn that asks before it changes a file', SIZE)).toMatchFileSnapshot(
      join(folder, 'turn.svg'),
    );
    terminal.send('y');
    await terminal.waitFor(/totals 0\.[\s\S]*> $/);
    terminal.send('is it used elsewhere?\r');
    await terminal.waitFor(/only\.[\s\S]*> $/);
    terminal.send('\f/context\r');
    await terminal.waitFor(/(?:freed by|worth freeing)[\s\S]*> $/);
    const afterClear = async (): Promise<string> => {
      const all = await raw();
      return all.slice(all.lastIndexOf('\u001b[2J'));
    };
    await expect(await pictureOf(steady(await afterClear()), 'What fills the window', SIZE)).toMatchFileSnapshot(
      join(folder, 'context.svg'),
    );
    terminal.send('\f/rewind\r');
    await terminal.waitFor('Rewind to just before which message?');
    terminal.send('\r');
    await terminal.waitFor('Go back?');
    await terminal.waitFor('kept for later');
    await expect(await pictureOf(await afterClear(), 'Going back to an earlier message', SIZE)).toMatchFileSnapshot(
      join(folder, 'rewind.svg'),
    );
  });

  test('stand in the README', () => {
    const readme = readFileSync(join(root, 'README.md'), 'utf8');
    for (const name of readdirSync(folder)) expect(readme).toContain(`(docs/pictures/${name})`);
  });
});

test('no document, picture or file of the package names a folder of a machine', () => {
  const packed: unknown = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  );
  const files = JSON.stringify(packed).match(/(?<="path":")[^"]+/g) ?? [];
  const documents = files.filter((file) => /\.(?:md|svg|json|jsonc|1|txt)$/.test(file) || file.startsWith('bin/'));
  expect(documents.length).toBeGreaterThan(20);
  const wrong = files.filter((file) => {
    const content = readFileSync(join(root, file), 'latin1');
    return content.includes(root) || (documents.includes(file) && /\/(?:root|work)\/|\/home\/(?!you\b)|\/Users\/(?!you\b)/.test(content));
  });
  expect(wrong).toEqual([]);
});
