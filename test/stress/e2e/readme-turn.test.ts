import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startFakeApi } from '../../support/fake-api.ts';
import { binary, createSandbox } from '../../support/sanbot.ts';
import { answersWith, replies } from '../../support/scenario.ts';
import { root } from '../../support/source.ts';
import { spawnInTerminal } from '../../support/terminal.ts';

const readme = readFileSync(join(root, 'README.md'), 'utf8');
/** The lines of the README's picture of a turn. */
const picture = (readme.split('```text\n')[1]?.split('\n```')[0] ?? '').split('\n');

const broken = 'export const total = (items) =>\n  items.reduce((sum, item) => sum + item.price);\n';
const fixed = broken.replace('item.price)', 'item.price, 0)');

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
  replies('Fixed: an empty cart now totals 0.'),
];

/** Times, sizes and prices differ from run to run, and so does the session's id. */
function pattern(line: string): RegExp {
  const escaped = line.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/^session .*/, 'session [\\w-]+');
  const isMeasured = /\d steps? ·/.test(line);
  return new RegExp(isMeasured ? escaped.replace(/\d[\d,]*(?:\\\.\d+)?/g, '[\\d.,]+').replace(/ m?s\b/g, ' m?s') : escaped);
}

test('the turn that the README shows is what a person sees at a terminal', async () => {
  const world = createSandbox();
  for (const folder of ['src', 'test']) mkdirSync(join(world.cwd, folder));
  writeFileSync(join(world.cwd, 'src/cart.js'), broken);
  writeFileSync(join(world.cwd, 'test/cart.test.js'), "import { total } from '../../src/cart.js';\n");
  const api = await startFakeApi(scenario, { home: world.home });
  const terminal = spawnInTerminal(process.execPath, [binary], {
    cwd: world.cwd,
    env: { ...world.env, ANTHROPIC_BASE_URL: api.url },
    columns: 92,
  });
  try {
    expect(picture.length).toBeGreaterThan(12);
    for (const line of picture) {
      if (line.startsWith('> ')) terminal.send(`${line.slice(2)}\r`);
      await terminal.waitFor(pattern(line));
      if (line.startsWith('❯ 1 Yes')) terminal.send('y');
    }
    expect(readFileSync(join(world.cwd, 'src/cart.js'), 'utf8')).toBe(fixed);
    api.done();
  } finally {
    terminal.kill('SIGKILL');
    await api.close();
  }
});
