import { expect, test } from 'vitest';
import { coversRest, isKind, type OptionLine, readOptionTables } from '../../../../../src/context/permission/prefix/covers.ts';
import { optionTables } from '../../../../../src/context/permission/prefix/tables/tables.ts';

const table = readOptionTables([
  `
@common: -q --quiet
prog: -v -n= --name= --color[=] --as=a|b --text=* -# !-f !--force files
prog sub: @common
  --more names files
prog sub below, prog other: none
prog sub --: -x words`,
  `
one: -long -I= -o= -W* files`,
]);

const covers = (line: string, from = 0): boolean => {
  const [program = '', ...words] = line.split(' ');
  const start = table.get(program);
  return start !== undefined && coversRest(start, { words, from });
};

test.each([
  ['prog a -v b/c', true],
  ['prog -vn 3 a', true],
  ['prog -vn3 a', true],
  ['prog --name x --name=y', true],
  ['prog --color --color=never a', true],
  ['prog --as a --as=b', true],
  ['prog --text=/etc', true],
  ['prog -12', true],
  ['prog sub -q x a.txt', true],
  ['prog sub -v x', true],
  ['prog sub x -- -x word', true],
  ['prog sub below', true],
  ['one -long -Isrc -o a -Wall', true],
  ['prog -x', false],
  ['prog -vx', false],
  ['prog --nam=x', false],
  ['prog --quiet', false],
  ['prog -f', false],
  ['prog -vf', false],
  ['prog --force', false],
  ['prog --name', false],
  ['prog --name -v', false],
  ['prog --name=/x', false],
  ['prog -n../x', false],
  ['prog --color=/x', false],
  ['prog --as=c', false],
  ['prog -v=1', false],
  ['prog other x', false],
  ['prog sub -- --more', false],
  ['prog sub below x', false],
  ['one -Lsrc', false],
  ['one -overlay', false],
  ['one -long=x', false],
  ['one -I/x', false],
  ['one -Wl,x', false],
])('%s is covered: %s', (line, isCovered) => {
  expect(covers(line)).toBe(isCovered);
});

test('what is allowed word for word only says how to read the rest', () => {
  expect(covers('prog -f a', 1)).toBe(true);
  expect(covers('prog --unknown a', 2)).toBe(true);
  // It may be the value of what nobody knows.
  expect(covers('prog --unknown a', 1)).toBe(false);
  expect(covers('prog --name /x', 1)).toBe(false);
  expect(covers('prog sub /x y', 2)).toBe(true);
  expect(covers('prog sub /x /y', 2)).toBe(false);
});

test('in all tables, what words may be is a kind that there is', () => {
  const kindsIn = ({ kinds, below }: OptionLine): readonly string[] => [...kinds, ...[...below.values()].flatMap(kindsIn)];
  const kinds = [...optionTables().values()].flatMap(kindsIn);
  expect(kinds.length).toBeGreaterThan(300);
  expect(kinds.filter((kind) => !isKind(kind))).toEqual([]);
});
