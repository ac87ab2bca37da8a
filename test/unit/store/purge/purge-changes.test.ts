import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diagnose } from '../../../../src/store/doctor/doctor.ts';
import { planPurge, purge } from '../../../../src/store/purge/purge.ts';
import { run } from '../../../support/destructive.ts';
import { treeOf } from '../../../support/folder-facts.ts';
import { workFolder } from '../../../support/kept-changes.ts';
import { headerOf, newFolder, said, storeOf } from '../files/world.ts';

const SECRET = 'sk-live-密-0123456789abcdef';

/** A session whose commands deleted what holds the secret, in a repository that has it too. */
async function leaked(commands: readonly string[], { agoMs = 0 } = {}) {
  const made = storeOf({ now: () => new Date(Date.now() + agoMs) });
  const { log } = made.store.sessions.create(headerOf('s1'));
  log.append(said('first'));
  log.close();
  const folder = workFolder(newFolder());
  run(folder.root, `printf '%s' 'key=${SECRET}' > .env; echo plain > other; ln -s '${SECRET}' link; echo x > 'name ${SECRET}'`);
  const changes = await folder.open(made.store, 's1');
  for (const command of commands) folder.act(changes, command);
  changes.close();
  const filesOf = (path: string): readonly string[] =>
    readdirSync(path, { withFileTypes: true }).flatMap((each) =>
      each.isDirectory() ? filesOf(join(path, each.name)) : [join(path, each.name)],
    );
  const holding = () => filesOf(made.paths.home).filter((path) => readFileSync(path).includes(SECRET));
  return { ...made, ...folder, holding };
}

test('takes a secret out of what is kept of commands: contents, titles, paths and links; the rest can still be brought back', async () => {
  const { store, disk, paths, root, open, world, holding } = await leaked([`rm -f .env other link 'name ${SECRET}'; : ${SECRET}`]);
  expect(holding().length).toBeGreaterThan(0);
  expect(planPurge(paths, SECRET).findings.map(({ name }) => name.replace(/base-.*/, 'base'))).toEqual([
    'sessions/s1/changes/base',
    'sessions/s1/changes/contents-1',
    'sessions/s1/changes/log.jsonl',
  ]);
  purge(disk, paths, SECRET);
  expect([holding(), planPurge(paths, SECRET).findings]).toEqual([[], []]);
  const changes = await open(store, 's1');
  const [set] = changes.sets();
  const told = set?.changes.map(({ path, before }) => [path.slice(root.length + 1), before?.holds?.replace(/:.*/, '')]);
  expect(told?.toSorted()).toEqual([
    ['.env', 'purged'],
    ['link', 'purged'],
    ['other', 'sha256'],
  ]);
  expect(set?.by?.title).toContain('[purged]');
  const other = set?.changes.find(({ path }) => path.endsWith('/other'))?.before ?? null;
  expect(changes.read([other])[0]?.toString()).toBe('plain\n');
  const link = set?.changes.find(({ path }) => path.endsWith('/link'))?.before ?? null;
  const back = await changes.restore([{ path: join(root, 'link'), to: link }], root, { id: 'back', title: 'restore', record: 9 });
  expect(back.map(({ why }) => why.en)).toEqual(['what it held then was not kept']);
  changes.close();
  expect(diagnose(world, { sessionId: undefined, repair: false }).findings).toEqual([]);
});

test.each([0, 1_000])('goes on recording afterwards, with the states that are left, written %i ms before', async (agoMs) => {
  const { store, disk, paths, root, open, act } = await leaked(['echo y > other'], { agoMs });
  purge(disk, paths, SECRET);
  const changes = await open(store, 's1');
  const before = treeOf(root);
  const { set } = act(changes, 'rm -f .env other link');
  const all = set?.changes.map(({ path, before: to }) => ({ path, to })) ?? [];
  const by = { id: 'back', title: 'restore', record: 9 };
  expect(await changes.restore(all, root, by)).toEqual([]);
  expect(treeOf(root)).toEqual(before);
  changes.close();
});

test.each(['changes', 'seen'])('leaves what only a newer version understands of %s as it is', async (field) => {
  const { disk, paths, root, holding } = await leaked(['echo y > other']);
  const log = join(paths.changes('s1'), 'log.jsonl');
  const newer = `[${JSON.stringify(join(root, 'later'))},["hologram",420,4],null]`;
  const line = `{"n":9,"at":"2026-01-01","root":${JSON.stringify(root)},"${field}":[${newer},["/${SECRET}",null,null]],"by":"${SECRET}"}`;
  appendFileSync(log, `${line}\n`);
  purge(disk, paths, SECRET);
  expect(holding()).toEqual([]);
  expect(readFileSync(log, 'utf8')).toContain(`"${field}":[${newer}]`);
});

test('drops the second names of git objects that hold it, leaves the repository as it is, and tells of packs', async () => {
  const { disk, paths, root } = await leaked(['git init -q && git add -A && git commit -qm one', 'echo z > other']);
  const repository = treeOf(join(root, '.git'));
  const plan = planPurge(paths, SECRET);
  expect(plan.findings.map(({ name }) => name).filter((name) => name.includes('/objects/')).length).toBeGreaterThan(0);
  expect(plan.packs).toEqual([]);
  purge(disk, paths, SECRET);
  expect([planPurge(paths, SECRET).findings, treeOf(join(root, '.git'))]).toEqual([[], repository]);
  expect(run(root, 'git fsck --full').status).toBe(0);
});

test('tells of the repositories whose packs it cannot search', async () => {
  const { paths, root } = await leaked(['git init -q && git add -A && git commit -qm one && git gc -q', 'echo z > other']);
  expect(planPurge(paths, SECRET).packs).toEqual([join(root, '.git/objects')]);
});
