import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hasOddBytes, nameOfBytes, onDisk } from '../../../../src/store/files/byte-path.ts';
import { newFolder } from './world.ts';

test('each name of a system has one text, and that text names it again', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 12 }), (bytes) => {
      const name = nameOfBytes(Buffer.from(bytes));
      expect(Buffer.from(onDisk(name))).toEqual(Buffer.from(bytes));
      expect(hasOddBytes(name)).toBe(!Buffer.from(Buffer.from(bytes).toString()).equals(Buffer.from(bytes)));
    }),
  );
  expect(nameOfBytes(Buffer.from('名 \ufffd.txt'))).toBe('名 \ufffd.txt');
});

test.skipIf(process.platform !== 'linux')('a folder and a file of such names are found on the disk', () => {
  const folder = join(newFolder(), 'a\udcff');
  mkdirSync(onDisk(folder));
  writeFileSync(onDisk(join(folder, '\udc80.envrc')), 'x');
  expect(readdirSync(onDisk(folder), 'buffer').map(nameOfBytes)).toEqual(['\udc80.envrc']);
});
