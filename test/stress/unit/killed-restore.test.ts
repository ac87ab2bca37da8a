import { expect, test } from 'vitest';
import { wrongWhenKilled } from '../../support/killed-restore.ts';

const INIT =
  'git init -q --template=; git config user.name A; git config user.email a@example.com; echo a > a; git add a; git commit -qm a';
const NESTED = `mkdir in; cd in; ${INIT}`;

/** What stands in the folder, and the command whose restore is killed. */
const cases: readonly (readonly [made: string, command: string])[] = [
  // Repositories that the command made, the last ones of a folder that was there.
  ['true', NESTED],
  ['mkdir in; cd in; git init -q --template=; echo a > a; git hash-object -w a', 'cp -a in saved'],
  [`mkdir -p from/modules; cd from/modules; ${INIT}; mv .git sub; touch ../HEAD; mkdir ../objects`, 'cp -a from saved; rm -rf saved/refs'],
  ['mkdir in; echo x > in/HEAD; echo a > in/b', 'git init -q --template= --bare in; cd in; git hash-object -w b'],
  ['mkdir in; echo x > in/objects; echo a > in/b', 'cd in; rm objects; git init -q --template= --bare; git hash-object -w b'],
  // Repositories that the command removed, or put something else in the place of.
  [NESTED, 'rm -rf in'],
  [NESTED, 'rm -rf in/.git; echo x > in/.git'],
  [NESTED, 'rm -rf in/.git/objects; echo x > in/.git/objects'],
  [NESTED, 'rm -rf in; ln -s elsewhere in'],
  [NESTED, 'mv in out; echo b > out/a'],
  [`${INIT}; git worktree add -q tree`, 'rm -rf tree; git worktree prune; git branch -qD tree'],
  // Files and folders.
  ['mkdir -p a/b/c d; echo x > a/b/x; echo y > y', 'rm -r a y; echo x > a; mkdir y; echo z > y/z'],
  ['mkdir a d; echo x > a/x; ln a/x d/x; ln a/x e', 'rm a/x; echo y > d/x; chmod 600 e'],
  ['mkdir a; echo x > a/x; echo y > y; ln -s a link', 'ln -f a/x y; rm link; mkdir -p link/deep; chmod 500 link/deep'],
  ['mkdir -p a/b d e/f; echo x > a/x; echo y > a/b/y; chmod 500 e', 'chmod -R a-w a; chmod 500 d; chmod 700 e; rm -r e/f; chmod 500 e'],
  ['mkdir -m 700 p; mkdir -m 777 q; mkdir -m 500 r; touch p/k q/k r/k', 'rm -r p q r'],
  ['mkdir a; echo x > a/x; chmod 444 a/x; chmod 555 a', 'chmod 700 a; rm a/x; mkdir a/x; chmod 000 a'],
];

test.each(cases)('after %s, the restore of %s that is killed at any of its effects is finished by another', async (made, command) => {
  expect(await wrongWhenKilled(made, command)).toEqual([]);
});
