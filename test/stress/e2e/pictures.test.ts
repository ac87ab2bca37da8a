import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { chromiumPath, shownPage } from '../../support/browser.ts';
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
let calls = 0;
const call = (name: string, input: unknown) => ({ type: 'tool_use', id: `call_${++calls}`, name, input });
/** Together they fill the context to some three fifths. */
const shopFiles = Array.from({ length: 27 }, (_, i) => `part${i}`);
const shopFile = (name: string): string =>
  Array.from(
    { length: 190 },
    (_, i) => `export const ${name}${i} = (items) => items.reduce((sum, item) => sum + item.price * ${i}, 0);\n`,
  ).join('');
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
  answersWith(
    shopFiles.map((name) => call('read_file', { path: `src/${name}.js` })),
    'tool_use',
  ),
  replies('`orders.js` and `stock.js` reduce without a start value, too.'),
];

/** The program at a terminal, with a clock that goes on when it is told to, and ids that are counted. */
async function startProgram() {
  const { NO_COLOR: _, ...env } = createSandbox().env;
  const world = createSandbox();
  for (const name of ['src', 'test']) mkdirSync(join(world.cwd, name));
  writeFileSync(join(world.cwd, 'src/cart.js'), broken);
  for (const name of shopFiles) writeFileSync(join(world.cwd, `src/${name}.js`), shopFile(name));
  writeFileSync(join(world.cwd, 'test/cart.test.js'), "import { total } from '../src/cart.js';\n");
  const api = await startFakeApi(scenario, { home: world.home });
  afterThisTest(() => api.close());
  const { input, output, close, ...terminal } = await openTerminal(SIZE);
  afterThisTest(close);
  let ids = 0;
  let minutes = 30;
  void runInProcess([], {
    ...{ cwd: world.cwd, stdin: input, stdout: output, stderr: output },
    env: {
      ...env,
      HOME: world.env.HOME ?? '',
      ANTHROPIC_BASE_URL: api.url,
      ANTHROPIC_API_KEY: 'test-key',
      SANBOT_MODEL: 'claude-sonnet-5-5',
    },
    now: () => new Date(Date.UTC(2026, 2, 4, 9, minutes)),
    newId: () => (++ids).toString(16).padStart(16, '0'),
  });
  await terminal.waitFor(/> $/);
  const started = (await terminal.waitForRaw(() => true)).indexOf('\u001b[?2004h');
  // The folder is another one in each run.
  const raw = async () => (await terminal.waitForRaw(() => true)).slice(Math.max(0, started)).replaceAll(dirname(world.cwd), '~');
  const say = (message: string): void => {
    minutes += 4;
    terminal.send(`${message}\r`);
  };
  return { terminal, raw, say };
}

/**
 * The name of the temporary folder takes a token or two more or less, which moves several figures a little: each that is near the pictured one
 * is set to it.
 */
const FIGURES: Readonly<Record<string, number>> = {
  'system prompt': 461,
  project: 49,
  tools: 2786,
  'your messages': 50,
  replies: 864,
  'tool results': 43316,
  'tool results to files: about': 39914,
  '/compact: about': 41599,
};
const steady = (screen: string): string =>
  Object.entries(FIGURES).reduce(
    (text, [label, expected]) =>
      text.replace(new RegExp(`(${label})( +)([\\d,]+)\\b`), (row, name, gap, figure) => {
        const near = Math.abs(Number(figure.replaceAll(',', '')) - expected) <= Math.max(4, expected / 50);
        return near ? `${name}${gap}${expected.toLocaleString('en')}` : row;
      }),
    screen,
  );

/** Each ASCII text of the picture whose width in the browser is not that of its characters, as of blanks that were drawn as one. */
const collapsedTexts = `
  const width = (text) => text.getComputedTextLength();
  const probe = document.querySelector('text').cloneNode();
  probe.textContent = 'MMMMMMMMMM';
  document.querySelector('svg g').append(probe);
  const cell = width(probe) / 10;
  const wrong = [...document.querySelectorAll('tspan')].filter((text) => /^[ -~]+$/.test(text.textContent) && Math.abs(width(text) - cell * text.textContent.length) > cell / 2);
  document.title = JSON.stringify(wrong.map((text) => text.textContent));`;

describe('the pictures in the documents', () => {
  test('are what the program shows; renew them with --update', async () => {
    const { terminal, raw, say } = await startProgram();
    say('total([]) throws. Fix it.');
    await terminal.waitFor(ASKED);
    await expect(await pictureOf(await raw(), 'A turn that asks before it changes a file', SIZE)).toMatchFileSnapshot(
      join(folder, 'turn.svg'),
    );
    terminal.send('y');
    await terminal.waitFor(/totals 0\.[\s\S]*> $/);
    say('is it used elsewhere?');
    await terminal.waitFor(/only\.[\s\S]*> $/);
    say('does anything else throw on an empty list?');
    await terminal.waitFor(/value, too\.[\s\S]*> $/);
    terminal.send('\f/context\r');
    await terminal.waitFor(/(?:freed by|worth freeing)[\s\S]*> $/);
    const afterClear = async (): Promise<string> => {
      const all = await raw();
      return all.slice(all.lastIndexOf('\u001b[2J'));
    };
    await expect(await pictureOf(steady(await afterClear()), 'What fills the window', SIZE)).toMatchFileSnapshot(
      join(folder, 'context.svg'),
    );
    say('\f/rewind');
    await terminal.waitFor('Rewind to just before which message?');
    await terminal.waitFor(/Fix it\.\s+\+1 -1/);
    await expect(await pictureOf(await afterClear(), 'Going back to an earlier message', SIZE)).toMatchFileSnapshot(
      join(folder, 'rewind.svg'),
    );
  });

  const chromium = chromiumPath();
  test.skipIf(chromium === undefined)('have their columns in Chromium', () => {
    const { home } = createSandbox();
    mkdirSync(home);
    for (const name of readdirSync(folder)) {
      const page = join(home, `${name}.html`);
      writeFileSync(page, `<body>${readFileSync(join(folder, name), 'utf8')}<script>${collapsedTexts}</script>`);
      expect([name, /<title>(.*?)<\/title>/.exec(shownPage(chromium ?? '', page, home))?.[1]]).toEqual([name, '[]']);
    }
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
