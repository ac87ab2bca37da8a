import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { differences, factsOf } from '../../support/folder-facts.ts';
import { undoWorld } from '../../support/undoing.ts';

test.each([
  ['gone', undefined],
  ['another program that answers something', '#!/bin/sh\necho hello; echo 1\n'],
  ['one that fails after it repeated the question', '#!/bin/sh\ncat\nexit 3\n'],
])(
  'a restore for which git is %s leaves those files with the reason, and one with git brings all back',
  async (_, program) => {
    const { world, root, all, asks, restore } = undoWorld('a repository of many files with an ignored database', 'binary');
    const before = factsOf(all);
    await asks('rm -rf lib data; sed -i s/crlf/x/ docs/a.md');
    const bin = join(dirname(world.home), 'bin');
    mkdirSync(bin);
    if (program !== undefined) {
      writeFileSync(join(bin, 'git'), program);
      chmodSync(join(bin, 'git'), 0o755);
    }
    const PATH = program === undefined ? bin : [bin, process.env.PATH].join(delimiter);
    const lame = await world.runBinary(restore(), { cwd: root, env: { PATH } });
    expect(lame.out).toMatch(/^left +lib\/0\/m0\.txt$/m);
    expect(lame.out.match(/these \d+: git did not give what it held then: is it installed, and does it run\?$/gm)).toHaveLength(1);
    expect([lame.code, lame.err]).toEqual([7, expect.stringMatching(/\d+ files could not be brought back/)]);
    expect(lame.out).toMatch(/^restored +data\/app\.db$/m);
    expect(factsOf(all).tree['w/data/app.db']).toBe(before.tree['w/data/app.db']);
    const [session = ''] = world.names('sessions');
    const whole = await world.runBinary(['changes', '--session', session, '--restore', '1', '--yes'], { cwd: root });
    expect(whole).toMatchObject({ code: 0 });
    expect(differences(before, factsOf(all))).toEqual([]);
  },
  300_000,
);
