import { existsSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findShell } from '../../src/tools/command/find-shell.ts';
import { fewRuns } from '../support/runs.ts';
import { createWorld } from '../unit/tools/world.ts';

const NOISE =
  'touch "$PWD.ran"; echo noise; set -eu -f -o noclobber 2>/dev/null; alias echo="echo other"; ls() { echo other; }; cd / ; exit 7\n';

/** What people, distributions and projects leave in the environment of a shell; `rc` is a file of noise that a shell would read. */
const settings: Readonly<Record<string, (rc: string) => Readonly<Record<string, string>>>> = {
  'a file for every bash': (rc) => ({ BASH_ENV: rc }),
  'a file for every sh': (rc) => ({ ENV: rc }),
  'functions of bash': () => ({ 'BASH_FUNC_echo%%': '() { builtin echo other; }', 'BASH_FUNC_cd%%': '() { builtin echo other; }' }),
  'options of bash': () => ({ SHELLOPTS: 'braceexpand:errexit:noglob:nounset:xtrace', BASHOPTS: 'extglob:failglob:nullglob' }),
  'a prompt that runs': (rc) => ({ PROMPT_COMMAND: `. ${rc}`, PS4: '$(touch "$PWD.ran")' }),
  'a path for cd': () => ({ CDPATH: '/usr:/tmp' }),
  'patterns that are passed over': () => ({ GLOBIGNORE: '*', EXECIGNORE: '*' }),
  'other separators': () => ({ IFS: 'e/', OPTIND: '7' }),
  'a locale that is not there': () => ({ LC_ALL: 'xx_YY.UTF-9', LANG: 'none' }),
  'other shells': () => ({ SHELL: '/usr/bin/fish', ZDOTDIR: '/nowhere', FISH_VERSION: '4' }),
  'no home': () => ({ HOME: '' }),
  'posix mode': () => ({ POSIXLY_CORRECT: '1' }),
  'a path with empty entries': () => ({ PATH: `::${process.env.PATH}:.:` }),
  'a terminal of another kind': () => ({ TERM: 'xterm-kitty', COLUMNS: '7', LINES: '1', PAGER: 'false' }),
};

/** Each with what it prints in any shell. */
const commands: readonly (readonly [command: string, printed: string, exit?: number])[] = [
  ['echo "a  b"', 'a  b\n'],
  ['cd src && echo here && cat one.txt', 'here\n1\n'],
  ['for f in *.txt; do echo "$f"; done', '读 a.txt\nb.txt\n'],
  ['echo $((1+2)) | cat; echo over > new; echo again > new; cat new', '3\nagain\n'],
  ['cat <<E\nx $((2*2))\nE', 'x 4\n'],
  ['false; echo "$?"; exit 3', '1\n', 3],
  ['x="a:b c"; set -- $x; echo $#', '2\n'],
  ['printf "%s\\n" 读文件 | wc -l | tr -d " "', '1\n'],
  ['unset none; echo "$none."; echo end', '.\nend\n'],
];

const shells = [findShell({ cwd: '/nonexistent', path: process.env.PATH }), '/bin/sh'];

test('a command means the same in each shell, whatever its environment holds, and what that names does not run [B-51]', async () => {
  const cases = fc.record({
    names: fc.uniqueArray(fc.constantFrom(...Object.keys(settings)), { maxLength: 5 }),
    shell: fc.constantFrom(...shells),
    command: fc.constantFrom(...commands),
  });
  await fc.assert(
    fc.asyncProperty(cases, async ({ names, shell, command: [command, printed, exit = 0] }) => {
      const files = createWorld();
      const rc = files.put('rc.sh', NOISE);
      const env = Object.assign({ PATH: process.env.PATH, HOME: files.root }, ...names.map((name) => settings[name]?.(rc)));
      for (const name of ['.bashrc', '.profile', '.bash_profile', '.bash_login', '.env']) files.put(`../../${name}`, NOISE);
      const world = createWorld({ cwd: files.cwd, env, shell });
      files.put('src/one.txt', '1\n');
      files.put('读 a.txt', '');
      files.put('b.txt', '');
      for (const project of ['bash', 'sh']) files.put(project, '#!/bin/sh\necho other\n', 0o755);
      const { content } = await world.call('run_command', { command });
      // Of a locale that is not there bash warns, and does what it is told.
      const lines = (text: string) =>
        text
          .split('\n')
          .filter((line) => !line.includes('setlocale'))
          .toSorted();
      expect(lines(content), `${shell} with ${names.join(', ')}`).toEqual(lines(`exit ${exit}\n${printed}`));
      expect([`${files.cwd}.ran`, join(files.cwd, 'src.ran')].filter(existsSync)).toEqual([]);
    }),
    { numRuns: fewRuns(300) },
  );
});
