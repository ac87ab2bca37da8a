import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { unkeptIds } from '../../../../../src/store/changes/git/blobs.ts';
import { gitIn } from '../../../../support/repositories.ts';
import { newFolder } from '../../files/world.ts';

test('of many objects it is known which are kept, in a pack or by themselves', () => {
  const root = newFolder();
  const kept = join(newFolder(), 'git');
  const git = gitIn(root);
  git('init', '-q');
  const add = (text: string): string => {
    writeFileSync(join(root, 'file'), text);
    return git('hash-object', '-w', 'file').trim();
  };
  const packed = add('in a pack');
  git('add', 'file');
  git('commit', '-qm', 'one');
  git('repack', '-adq');
  const ids = [packed, add('by itself')];
  mkdirSync(join(kept, 'a'), { recursive: true });
  cpSync(join(root, '.git', 'objects'), join(kept, 'a', 'objects'), { recursive: true });
  const others = Array.from({ length: 1_000 }, (_, n) => createHash('sha1').update(`${n}`).digest('hex'));
  expect(unkeptIds(kept, [...ids, ...others])).toEqual(new Set(others));
  expect(unkeptIds(kept, ids)).toBeUndefined();
});
