import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { placeHome } from '../../support/home-fixture.ts';
import { createSandbox, type Sandbox } from '../../support/sanbot.ts';
import { root } from '../../support/source.ts';
import { unsealed } from '../../support/unsealed.ts';

const fixture = join(root, 'test', 'fixtures', 'home-2026-11');
const [id = ''] = readdirSync(join(fixture, 'home', 'sessions'));

/** With its folder at another place, as the records name it. */
function placed(): Sandbox {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  placeHome(fixture, world);
  for (const name of ['log.jsonl', 'changes/log.jsonl']) {
    const path = join(world.home, 'sessions', id, name);
    writeFileSync(path, unsealed(readFileSync(path, 'utf8')).replaceAll('/tmp/sanbot-fixture/project', world.cwd), { mode: 0o600 });
  }
  return world;
}

test('a home with changes, trust, rules and servers is read whole, goes back, restores, and is sound afterwards', async () => {
  const world = placed();
  const json = async (...args: readonly string[]) => {
    const ran = await world.run([...args, '--json']);
    expect([args.join(' '), ran.code, ran.err]).toEqual([args.join(' '), 0, '']);
    return JSON.parse(ran.out);
  };
  expect(await json('doctor', '--no-endpoint')).toMatchObject({ findings: [] });
  expect(await json('sessions')).toMatchObject([{ title: 'Tide tables, 潮汐表' }]);
  expect(await json('sessions', 'show', id)).toMatchObject({ title: 'Tide tables, 潮汐表' });
  const history: readonly { readonly id: string }[] = await json('history', '--session', id);
  const snapshots = world.names('memory/session-summaries').filter((name) => name.endsWith('.meta.json'));
  expect(history.map((item) => item.id)).toEqual(expect.arrayContaining(snapshots.map((name) => name.replace('.meta.json', ''))));
  expect((await world.run(['memory', '--json'])).out).toContain('The office of the harbour is in Basel');
  expect((await world.run(['search', 'high water', '--json'])).out).toContain('berth');
  expect(await json('trust', 'list')).toMatchObject([{ folder: '/tmp/sanbot-fixture/project' }]);
  expect((await json('permissions')).rules).toHaveLength(1);
  expect(await json('mcp')).toMatchObject([{ name: 'desk', tools: 1 }]);
  expect((await world.run(['events'])).code).toBe(0);

  const [, number = ''] = /^ *(\d+) .*made\.txt/m.exec((await world.run(['changes', '--session', id])).out) ?? [];
  expect(await world.run(['changes', '--session', id, '--restore', number, '--yes'])).toEqual({
    code: 0,
    signal: null,
    out: expect.stringContaining('tides.txt'),
    err: '',
  });
  expect([existsSync(join(world.cwd, 'made.txt')), existsSync(join(world.cwd, 'tides.txt'))]).toEqual([false, true]);

  expect(await world.run(['export', '--session', id, '-o', 'again.jsonl'])).toMatchObject({ code: 0 });
  expect(await world.run(['import', join(fixture, 'exports', 'session.jsonl')])).toMatchObject({ code: 0 });
  expect(await world.run(['rollback', '--snapshot', snapshots.at(-1)?.replace('.meta.json', '') ?? '', '--yes'])).toMatchObject({
    code: 0,
    err: '',
  });
  expect(await world.run(['--resume', id, '-p', 'status'])).toMatchObject({ code: 0 });
  expect(await json('doctor', '--no-endpoint')).toMatchObject({ findings: [] });
});
