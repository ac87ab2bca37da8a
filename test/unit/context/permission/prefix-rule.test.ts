import { expect, test } from 'vitest';
import { rulesAllow } from '../../../../src/context/permission/rules.ts';
import { parseShell } from '../../../../src/tools/command/parse-command.ts';
import { HARMFUL_ENDINGS } from '../../../support/harmful-endings.ts';
import { HARMLESS_ENDINGS } from '../../../support/harmless-endings.ts';

type Ending = { readonly prefix: string; readonly command: string };

/** Each ending behind its beginning, and of an option with a value after an equals sign also the form with a blank. */
const endingsIn = (text: string): readonly Ending[] =>
  text
    .trim()
    .replace(/\n\s+/g, ' ')
    .split('\n')
    .flatMap((line) => {
      const at = line.indexOf(': ');
      const prefix = line.slice(0, at);
      const endings = line.slice(at + 2).split(/ \| /);
      const forms = endings.flatMap((ending) => [ending, ending.replace(/(?<=(?:^| )--?[A-Za-z][\w-]+)(?<!--rebase|--sort)=(?=\S)/, ' ')]);
      return [...new Set(forms)].map((ending) => ({ prefix, command: `${prefix} ${ending}` }));
    });

async function isCovered({ prefix, command }: Ending): Promise<boolean> {
  const allow = [{ tool: 'run_command', prefix }];
  const parsed = await parseShell(command);
  return rulesAllow(
    { allow, readOnlyCommands: 'ask' },
    { tool: 'run_command', cwd: '/project', paths: [], command: { text: command, parsed } },
  );
}

async function coveredOf(endings: readonly Ending[]): Promise<readonly string[]> {
  const covered: string[] = [];
  for (const ending of endings) if (await isCovered(ending)) covered.push(ending.command);
  return covered;
}

test('no ending that does harm is covered by what it begins with [S-11]', async () => {
  const endings = endingsIn(HARMFUL_ENDINGS);
  expect(endings.length).toBeGreaterThan(2_000);
  expect(await coveredOf(endings)).toEqual([]);
});

test('what people give programs day by day is covered', async () => {
  const endings = endingsIn(HARMLESS_ENDINGS);
  expect(endings.length).toBeGreaterThan(400);
  const covered = new Set(await coveredOf(endings));
  expect(endings.map(({ command }) => command).filter((command) => !covered.has(command))).toEqual([]);
});

test('a path to what is in the folder is covered however it is written', async () => {
  const covered = ['git add /project/a.ts', 'cat /project/src/a.ts', 'go build -o bin/x /project/cmd/x'];
  const asks = ['git add /project/../etc/x', 'git add /projects/x', 'git add /project/.git/config', 'cat /project/../x'];
  const endings = [...covered, ...asks].map((command) => ({
    prefix: command
      .split(' ')
      .slice(0, command.startsWith('cat') ? 1 : 2)
      .join(' '),
    command,
  }));
  expect(await coveredOf(endings)).toEqual(covered);
});
