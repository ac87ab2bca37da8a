import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { world } from '../support/left-out-turn.ts';

import { visibleFolder } from '../support/visible-folder.ts';

const works = spawnSync('bwrap', ['--ro-bind', '/', '/', '--unshare-all', '--proc', '/proc', '--dev', '/dev', 'true']).status === 0;

describe.skipIf(!works || visibleFolder === undefined)('what a command in the sandbox leaves that runs later', () => {
  test('is not there when it has ended, which the model and the person are told, and comes back when they say so', async () => {
    const { say, told, get, runBinary, cwd, env } = await world([
      'mkdir -p sub/.devcontainer; echo x > sub/.devcontainer/post.sh; echo evil > sub/.envrc; echo 1 > a.txt',
    ]);
    const { code, err } = await say();
    expect(code, err).toBe(0);
    expect([get('a.txt'), get('sub/.envrc'), existsSync(join(cwd, 'sub'))]).toEqual(['1\n', undefined, false]);
    expect(told()).toContain('[new: a.txt]');
    expect(told()).toContain('not there any more, since it runs by itself later: sub/.devcontainer/post.sh');
    const [, line = ''] = /To have it: sanbot (.*)/.exec(err) ?? [];
    expect(line).toMatch(/^changes --session \S+ --restore \d+$/);
    const back = await runBinary([...line.split(' '), '--yes'], { cwd, env });
    expect(back.code, back.err).toBe(0);
    expect(get('sub/.envrc')).toBe('evil\n');
  });
});
