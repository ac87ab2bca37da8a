import { expect, test } from 'vitest';
import { wrongWhenKilled } from '../../../support/killed-restore.ts';

/** More of them: test/stress/unit/killed-restore.test.ts. */
test.each([
  // A repository goes and does not come again with its objects; it comes with all of them, or is still missing.
  ['mkdir in; cd in; git init -q --template=; echo a > a; git hash-object -w a', 'rm -rf in/.git/objects'],
  // No folder has other rights than it had or is to have.
  ['mkdir docs docs/a; mkdir -m 500 b; touch b/c', 'chmod 500 docs; rm -r docs/a b'],
])('after %s, the restore of %s that is killed at any of its effects is finished by another', async (made, command) => {
  expect(await wrongWhenKilled(made, command)).toEqual([]);
});
