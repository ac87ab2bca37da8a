import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../../src/commands/program.ts';
import { processEnvironment } from '../../src/runtime/environment.ts';
import { commandsListed } from '../support/help-rows.ts';
import { sampleOf } from '../support/runs.ts';
import { createSandbox } from '../support/sanbot.ts';
import { root } from '../support/source.ts';

const bundle = join(root, 'dist', 'bundle');
const wordsOf = (command: string): readonly string[] => command.split(' ').filter((word) => word !== '');

/** What the library prints, from the grammar. */
async function printed(words: readonly string[], { language, columns }: { readonly language: string; readonly columns: number }) {
  let out = '';
  const io = {
    out: (text: string) => {
      out += text;
    },
    err: () => undefined,
    warn: () => undefined,
    columns,
    colour: false,
  };
  await runCli(words, { environment: { ...processEnvironment(), env: { SANBOT_LANGUAGE: language } }, io });
  return out;
}

/** The names below "Commands:", each with its command before it; `help` itself apart. */
async function commandsBelow(command: string): Promise<readonly string[]> {
  const help = await printed([...wordsOf(command), '--help'], { language: 'en', columns: 200 });
  const below = await Promise.all(
    commandsListed(help)
      .filter((name) => name !== 'help')
      .map((name) => commandsBelow(`${command} ${name}`.trim())),
  );
  return [command, ...below.flat()];
}

const files = readdirSync(bundle).filter((name) => name.startsWith('help-'));

test('there are pages in both languages, for 80 columns and for what is no terminal', () => {
  expect(files.toSorted()).toEqual(['help-en-120.json', 'help-en-80.json', 'help-zh-120.json', 'help-zh-80.json']);
});

test.each(files)('%s has what the program prints, for every command', async (name) => {
  const [, language = '', columns = ''] = /^help-(\w+)-(\d+)\.json$/.exec(name) ?? [];
  const pages: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(bundle, name), 'utf8'));
  expect(Object.keys(pages).toSorted()).toEqual((await commandsBelow('')).toSorted());
  for (const [command, page] of Object.entries(pages))
    expect(page).toBe(await printed([...wordsOf(command), '--help'], { language, columns: Number(columns) }));
});

type Asked = { readonly args: readonly string[]; readonly env?: Record<string, string>; readonly config?: object };
const asked: readonly Asked[] = [
  { args: ['--help'] },
  { args: ['-h'], env: { SANBOT_LANGUAGE: 'zh' } },
  { args: ['help', 'history'], config: { ui: { language: 'zh' } } },
  { args: ['memory', 'add', '--help'], env: { SANBOT_LANGUAGE: 'auto', LANG: 'zh_CN.UTF-8' } },
  { args: ['memory', '-h'], env: { SANBOT_LANGUAGE: '' }, config: { ui: { language: 'zh' } } },
  { args: ['--help'], env: { SANBOT_HOME: 'not absolute' } },
  { args: ['histroy', '--help'] },
  { args: ['help', 'memory', 'add'] },
  { args: ['--help', '--json'] },
  { args: ['__proto__', '--help'] },
];

test.each(sampleOf(asked))('the binary answers $args as the program does', async ({ args, env = {}, config }) => {
  const world = createSandbox(env);
  mkdirSync(world.home, { recursive: true, mode: 0o700 });
  if (config !== undefined) writeFileSync(join(world.home, 'config.json'), JSON.stringify(config), { mode: 0o600 });
  expect(await world.runBinary(args)).toEqual(await world.run(args));
});
