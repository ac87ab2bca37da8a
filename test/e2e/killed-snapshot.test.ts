import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox } from '../support/sanbot.ts';

test('a snapshot whose process was killed before its meta file is sound for the doctor, and listed again at the next opening', async () => {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  await world.run(['-p', 'hello']);
  const [id = ''] = world.names('sessions');
  const say = (prompt: string) => world.run(['--resume', id, '-p', prompt]);
  await say('/clear');
  await world.run(['rollback', '--session', id, '--to-message', '1', '--yes']);
  const folder = 'memory/session-summaries';
  const metas = world.names(folder).filter((name) => name.endsWith('.meta.json'));
  expect(metas.length).toBeGreaterThan(0);
  for (const name of metas) rmSync(join(world.home, folder, name));
  const found = JSON.parse((await world.run(['doctor', '--json'])).out);
  expect(found.findings.map(({ kind }: { kind: string }) => kind)).toEqual(metas.map(() => 'snapshot_unlisted'));
  expect(await world.run(['doctor'])).toMatchObject({ code: 0 });
  expect(await say('status')).toMatchObject({ code: 0 });
  expect(world.names(folder).filter((name) => name.endsWith('.meta.json'))).toEqual(metas);
  expect(JSON.parse((await world.run(['doctor', '--json'])).out).findings).toEqual([]);
});
