import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { afterThisTest } from '../support/clean-up.ts';
import { root } from '../support/source.ts';

const script = readFileSync(join(root, 'action.yml'), 'utf8').split('      run: |\n')[1]?.replace(/^ {8}/gm, '');

test('the action runs its inputs as words, takes no program from the repository, and its answer is no command to the workflow', () => {
  const base = mkdtempSync(join(tmpdir(), 'action-'));
  afterThisTest(() => rmSync(base, { recursive: true, force: true }));
  for (const name of ['bin', 'temp', 'repository/node_modules/.bin']) mkdirSync(join(base, name), { recursive: true });
  const program = '#!/bin/sh\nprintf "[%s]" "$@"; echo; echo "::add-mask::x"';
  const npm = `pwd >"${base}/installed-in"; bin="$RUNNER_TEMP/sanbot-program/node_modules/.bin"; mkdir -p "$bin"; cp "${base}/sanbot" "$bin"`;
  writeFileSync(join(base, 'sanbot'), program, { mode: 0o755 });
  writeFileSync(join(base, 'bin', 'npm'), `#!/bin/sh\n${npm}\n`, { mode: 0o755 });
  writeFileSync(join(base, 'repository', 'node_modules', '.bin', 'sanbot'), '#!/bin/sh\necho another\n', { mode: 0o755 });
  const ran = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script ?? 'exit 9'], {
    cwd: join(base, 'repository'),
    encoding: 'utf8',
    env: {
      ...{ PATH: `${join(base, 'bin')}:${process.env.PATH}`, RUNNER_TEMP: join(base, 'temp'), GITHUB_OUTPUT: join(base, 'output') },
      ...{ SANBOT_HOME: join(base, 'home'), PROMPT: '--allow=$(touch x)"', MODE: 'ask', VERSION: 'latest', MAX_COST: '' },
      ALLOW: 'run_command(ls *)\n',
    },
  });
  expect(ran.status).toBe(0);
  const answer = '[--print=--allow=$(touch x)"][--permission-mode][ask][--allow][run_command(ls *)]\n::add-mask::x\n';
  expect(ran.stdout).toMatch(/^::stop-commands::(answer-[0-9a-f]{32})\n[\s\S]*\n::\1::\n$/);
  expect(ran.stdout).toContain(answer);
  expect(readFileSync(join(base, 'output'), 'utf8')).toContain(answer);
  expect(readFileSync(join(base, 'installed-in'), 'utf8')).toBe(`${join(base, 'temp')}\n`);
});
