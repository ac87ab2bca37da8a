import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox } from '../../support/sanbot.ts';
import { root } from '../../support/source.ts';

const shared = process.env.SANBOT_TEST_TRANSCRIPTS ?? join(root, '..', 'shared', 'transcripts');
const transcripts = existsSync(shared)
  ? readdirSync(shared, { recursive: true, encoding: 'utf8' }).filter((name) => /\.(?:jsonl?|traj|md)$/.test(name) && !/readme/i.test(name))
  : [];

test.skipIf(transcripts.length === 0)(
  'every published session that is at hand imports, and the home passes doctor (skipped where ../shared is not there)',
  async () => {
    const sandbox = createSandbox({ SANBOT_PROVIDER: 'offline' });
    for (const name of transcripts) {
      const ran = await sandbox.run(['import', join(shared, name)]);
      expect({ name, code: ran.code }).toEqual({ name, code: 0 });
      expect(ran.out).toMatch(/^Imported session /);
    }
    expect((await sandbox.run(['doctor'])).code).toBe(0);
  },
);
