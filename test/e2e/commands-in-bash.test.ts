import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { findShell, shellLanguage } from '../../src/tools/command/find-shell.ts';
import { denies, outputOf } from '../support/commands-in-bash.ts';
import type { FakeApi } from '../support/fake-api.ts';
import { sampleOf } from '../support/runs.ts';
import { createSandbox } from '../support/sanbot.ts';

const hasBash = shellLanguage(findShell({ cwd: '/nowhere', path: process.env.PATH })) === 'bash';

let api: FakeApi | undefined;
afterEach(() => api?.close());

describe.runIf(hasBash)('a command of the model [S-09, S-12]', () => {
  test('is run by bash, in which models write', async () => {
    const world = createSandbox();
    const out = await outputOf(
      world,
      'mkdir -p src/{a,b}; [[ 1 -lt 2 ]] && echo less || echo more; sh -c "exit 7" &> log && echo BUILD-OK',
    );
    expect(out).toContain('exit 7\nless\n');
    expect(['a', 'b', '{a,b}'].map((name) => existsSync(join(world.cwd, 'src', name)))).toEqual([true, true, false]);
  });

  const forbidden = [
    "echo hi $'\\'; touch pwned #'",
    '((touch pwned))',
    '((touch pwned);(true))',
    "sh -ce 'touch pwned'",
    "bash -c -e 'touch pwned'",
  ].flatMap((command) => ['ask', 'accept-edits', 'bypass'].map((mode) => [command, mode] as const));

  test.each(sampleOf(forbidden))('%j does not do what a deny rule forbids, in mode %s', async (command, mode) => {
    const world = createSandbox();
    denies(world, 'touch');
    await outputOf(world, command, '--permission-mode', mode);
    expect(existsSync(join(world.cwd, 'pwned'))).toBe(false);
  });
});
