import { stripVTControlCharacters } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { textWidth } from '../../../src/terminal/text/text-width.ts';
import { runInProcess } from '../../support/in-process.ts';
import { InputPipe, OutputPipe } from '../../support/pipes.ts';
import { createSandbox, type Sandbox } from '../../support/sanbot.ts';

let world: Sandbox;
let session: string;

beforeAll(async () => {
  world = createSandbox({ SANBOT_PROVIDER: 'offline', SANBOT_LANGUAGE: 'zh' });
  await world.run(['-p', '我们决定用朱红色刷前门，因为从远处也看得清楚，而且油漆店里正好还有这种颜色']);
  await world.run(['memory', 'add', '我喜欢简短的提交说明，用中文写，并且每条都要说明为什么要做这个更改']);
  await world.run(['permissions', 'allow', 'run_command', 'npm test *']);
  session = world.names('sessions')[0] ?? '';
  await world.run(['compact', '--session', session]);
});

const screens = [
  'sessions',
  'history',
  'history --session SESSION',
  'memory',
  'models --all',
  'permissions',
  'metrics',
  'context --session SESSION',
];

/** A sentence is broken by the terminal itself; a table that it breaks cannot be read. */
const isTableRow = (row: string): boolean => /\S {2,}\S/.test(row);

test.each(screens.flatMap((line) => [80, 60].map((columns) => [line, columns] as const)))(
  'no table of sanbot %s in Chinese is wider than a terminal of %i columns',
  async (line, columns) => {
    const out = Object.assign(new OutputPipe(), { isTTY: true, columns, rows: 30 });
    const args = line.replace('SESSION', session).split(' ');
    const code = await runInProcess(args, { env: world.env, cwd: world.cwd, stdin: new InputPipe(''), stdout: out, stderr: out });
    expect(code).toBe(0);
    const rows = stripVTControlCharacters(out.text).split('\n');
    expect(rows.join('\n')).toMatch(/\p{Script=Han}/u);
    expect(rows.filter((row) => textWidth(row) > columns && isTableRow(row))).toEqual([]);
  },
);
