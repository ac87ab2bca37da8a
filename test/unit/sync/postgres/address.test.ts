import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAddress, shownAddress } from '../../../../src/sync/postgres/address.ts';
import { newFolder } from '../../store/files/world.ts';

test.each([
  ['postgres://alice:hidden@h:5433/db?sslmode=disable', 'postgres://alice@h:5433/db?sslmode=disable'],
  ['postgresql://alice:hidden@h/db?password=hidden&sslmode=no-verify#hidden', 'postgresql://alice@h/db?sslmode=no-verify'],
  // Marks of an address in a password that was not escaped.
  ['postgres://alice:12#hidden@h/db', 'postgres://…'],
  ['postgres://alice:12?hidden@h/db', 'postgres://…'],
  ['postgres://alice:12/hidden@h/db', 'postgres://…'],
  ['alice:hidden@h/db', 'postgres://…'],
  ['https://alice:hidden@h/db', 'postgres://…'],
])('%s is shown without what is secret', (address, shown) => {
  expect(shownAddress(address)).toBe(shown);
});

test('a server is verified unless the address says otherwise, and the environment decides the password alone', () => {
  const env = { PGHOST: 'elsewhere', PGUSER: 'mallory', PGSSLMODE: 'disable' };
  expect(parseAddress('postgres://alice@h/db', env)).toMatchObject({
    ...{ host: 'h', port: 5432, user: 'alice', database: 'db', password: undefined },
    ssl: { rejectUnauthorized: true },
  });
  expect(parseAddress('postgres://alice@h/db?sslmode=no-verify', env).ssl).toEqual({ rejectUnauthorized: false });
  expect(parseAddress('postgres://alice@h/db?sslmode=disable', env).ssl).toBe(false);
  expect(parseAddress('postgres://a%40b:s%2Fx@[::1]:1/d', env)).toMatchObject({ host: '::1', user: 'a@b', password: 's/x', port: 1 });
  expect(parseAddress('postgres://alice:old@h/db', { PGPASSWORD: 'new' }).password).toBe('new');
});

test.each([
  'postgres://h/db',
  'postgres://alice@h',
  'postgres://alice@/db',
  'postgres://alice@h/db?sslmode=require',
  'postgres://alice@h/db?host=/tmp',
  'mysql://alice@h/db',
])('%s is refused', (address) => {
  expect(() => parseAddress(address, {})).toThrow('this is no address of a hub');
});

test('the password file is read as the programs of PostgreSQL read it, unless others may read it too', () => {
  const [home, address] = [newFolder(), 'postgres://alice@h/db'];
  const path = join(home, '.pgpass');
  writeFileSync(path, '# h:*:*:alice:comment\nother:*:*:alice:no\nh:5432:*:alice:a\\:b\\\\c\nh:*:*:*:later\n', { mode: 0o600 });
  expect(parseAddress(address, { HOME: home }).password).toBe('a:b\\c');
  expect(parseAddress('postgres://bob@h:1/db', { PGPASSFILE: path }).password).toBe('later');
  expect(parseAddress('postgres://bob@x/db', { HOME: home }).password).toBeUndefined();
  expect(parseAddress(address, { HOME: home, PGPASSWORD: 'first' }).password).toBe('first');
  expect(parseAddress(address, { HOME: newFolder() }).password).toBeUndefined();
  chmodSync(path, 0o644);
  expect(parseAddress(address, { HOME: home }).password).toBeUndefined();
});
