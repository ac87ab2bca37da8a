import { mkdirSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { hashBytes } from '../../../../src/sync/segment.ts';
import { carryAll, filesBelow, syncedHome } from '../../../support/synced-homes.ts';

const MIB = 1024 * 1024;

/** A small file that unpacks to more than any of ours. */
const bomb = (): Buffer => Buffer.concat(Array.from({ length: 17 }, () => gzipSync(Buffer.alloc(16 * MIB))));

test('a file that unpacks to more than any of ours, and one that is larger, is told of by its path, left alone and waited for', async () => {
  const [a, b] = [syncedHome('laptop'), syncedHome('desktop')];
  a.write('s1', 'hello');
  await a.exchange();
  carryAll(a, b);
  const [segment = ''] = filesBelow(b.folder).filter((name) => name.startsWith('chains/s1/'));
  for (const spoil of [(path: string) => writeFileSync(path, bomb()), (path: string) => truncateSync(path, 257 * MIB)]) {
    b.warnings.length = 0;
    spoil(join(b.folder, segment));
    expect(await b.exchange()).toMatchObject({ received: 0, waiting: new Set(['s1']) });
    expect([...new Set(b.warnings)]).toEqual([expect.stringContaining(`${join(b.folder, segment)} holds more than 256 MiB`)]);
  }
  const sha256 = hashBytes(Buffer.from('an object'));
  const path = join(b.folder, 'objects', sha256.slice(0, 2), `${sha256}.gz`);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bomb());
  b.warnings.length = 0;
  expect(await b.target().get(sha256)).toBeUndefined();
  expect(b.warnings).toEqual([expect.stringContaining(`${path} holds more than 256 MiB`)]);
});
