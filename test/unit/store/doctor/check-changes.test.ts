import { appendFileSync, chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diagnose } from '../../../../src/store/doctor/doctor.ts';
import { run } from '../../../support/destructive.ts';
import { workFolder } from '../../../support/kept-changes.ts';
import { headerOf, modeOf, namesOf, newFolder, said, storeOf } from '../files/world.ts';

/** A session whose command deleted one file and changed another. */
async function recorded(prepare = 'true') {
  const made = storeOf({ now: () => new Date() });
  const { log } = made.store.sessions.create(headerOf('s1'));
  log.append(said('first'));
  log.close();
  const { root, open, act } = workFolder(newFolder());
  run(root, `echo one > gone; echo two > kept; ${prepare}`);
  const changes = await open(made.store, 's1');
  act(changes, 'rm gone; echo three > kept');
  changes.close();
  const folder = made.paths.changes('s1');
  const look = (repair = false) => {
    const { findings, repaired } = diagnose(made.world, { sessionId: undefined, repair });
    return { kinds: findings.map(({ kind }) => kind), repaired };
  };
  const held = async () => {
    const again = await open(made.store, 's1');
    const sets = again.sets();
    again.close();
    return sets.flatMap((set) => set.changes.map(({ path, before }) => [path.slice(root.length + 1), before?.holds?.slice(0, 6)])).sort();
  };
  /** A command of a later process. */
  const again = async (command: string) => {
    const later = await open(made.store, 's1');
    act(later, command);
    later.close();
  };
  return { ...made, root, folder, look, held, again, log: join(folder, 'log.jsonl'), pack: join(folder, 'contents-1') };
}

const WHOLE = [
  ['gone', 'sha256'],
  ['kept', 'sha256'],
];

test('a record of changes that is whole is well, and so are the objects of a repository, whose modes are its own', async () => {
  const { look, root, folder } = await recorded('git init -q; git add -A; git commit -qm one');
  const [object = ''] = run(root, 'find .git/objects -type f').stdout.split('\n');
  chmodSync(join(root, object), 0o644);
  expect(namesOf(folder)).toContain('git');
  expect(look(true)).toEqual({ kinds: [], repaired: [] });
  expect(modeOf(join(root, object))).toBe('644');
});

test.each([
  ['before', '["hologram",420,4]', 'null'],
  ['after', 'null', '["hologram",420,4]'],
])('of a file that a newer version knows more of, %s, nothing is undone, and a repair leaves it as it is', async (_, before, after) => {
  const { log, root, pack, look, held } = await recorded();
  const changed = `[${JSON.stringify(join(root, 'later'))},${before},${after}]`;
  const lines = readFileSync(log, 'utf8').replace('"changes":[', `"changes":[${changed},`);
  writeFileSync(log, lines);
  expect(lines).toContain(changed);
  expect(await held()).toEqual(WHOLE);
  writeFileSync(pack, '');
  expect(look().kinds).toEqual(['changes_missing']);
  look(true);
  expect(readFileSync(log, 'utf8')).toContain(changed);
});

test('what a command wrote and a person changed before the next one is nothing that anybody needs, so nothing is missing', async () => {
  const { look, root, again } = await recorded();
  run(root, 'echo by hand > kept');
  await again('echo four > kept');
  expect(look()).toEqual({ kinds: [], repaired: [] });
});

test('a line that was cut off, and one that is damaged, are set aside, and the rest stays', async () => {
  const { look, held, log, folder } = await recorded();
  const [first = '', ...lines] = readFileSync(log, 'utf8').split('\n');
  writeFileSync(log, [first, '{"n":1,"changes":[[', ...lines].join('\n'));
  appendFileSync(log, '{"n":2,"at":');
  expect(look().kinds).toEqual(['changes_lines', 'changes_tail']);
  expect(look(true).kinds).toEqual([]);
  expect(await held()).toEqual(WHOLE);
  expect(namesOf(folder).filter((name) => /damaged|torn/.test(name))).toHaveLength(2);
});

test('a content that is not what its hash says is dropped, and what named it says that it is lost', async () => {
  const { look, held, pack, log } = await recorded();
  writeFileSync(pack, readFileSync(pack, 'latin1').replace('one\n', 'xxx\n'), 'latin1');
  expect(look().kinds).toEqual(['changes_contents']);
  expect(look(true).kinds).toEqual([]);
  expect(await held()).toEqual([
    ['gone', 'lost'],
    ['kept', 'sha256'],
  ]);
  expect(readFileSync(log, 'utf8')).toContain('"lost"');
  expect(statSync(pack).size).toBeGreaterThan(0);
});

test('contents that are not there are found, and noted as lost', async () => {
  const { look, held, pack } = await recorded();
  writeFileSync(pack, '');
  expect(look().kinds).toEqual(['changes_missing']);
  expect(look(true).kinds).toEqual([]);
  expect(await held()).toEqual([
    ['gone', 'lost'],
    ['kept', 'lost'],
  ]);
});

test('a state of a folder that cannot be read is set aside, and the next command looks anew', async () => {
  const { look, held, folder } = await recorded();
  const [base = ''] = namesOf(folder).filter((name) => name.startsWith('base-'));
  writeFileSync(join(folder, base), 'not JSON\n');
  expect(look().kinds).toEqual(['changes_base']);
  expect(look(true).kinds).toEqual([]);
  expect(namesOf(folder)).not.toContain(base);
  expect(await held()).toEqual(WHOLE);
});
