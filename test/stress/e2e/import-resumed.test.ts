import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isObject } from '../../../src/domain/value/json.ts';
import { startFakeApi } from '../../support/fake-api.ts';
import { firstOf } from '../../support/runs.ts';
import { createSandbox } from '../../support/sanbot.ts';
import { replies } from '../../support/scenario.ts';
import { fileWriters } from '../../world/agent-files.ts';
import { lineWriters } from '../../world/agent-lines.ts';
import { fileOf, histories, mishaps, write } from '../../world/agent-logs.ts';

const samples = fc.sample(fc.tuple(histories, mishaps), { numRuns: 3, seed: 33 });

const textsIn = (records: readonly Record<string, unknown>[]): readonly unknown[] =>
  records.flatMap(({ type, message }) => (type === 'message' && isObject(message) && message.origin !== 'notice' ? [message.content] : []));

/** Two programs' worth of commands for each: the binary imports and resumes, against a server that refuses what a real one would. */
test.each([
  ...Object.entries(lineWriters).map(([name, writer]) => [name, (n: number) => lineFile(n, writer)] as const),
  ...Object.entries(fileWriters).map(
    ([name, writer]) => [name, (n: number) => writer.file(write(writer, samples[n]?.[0] ?? []).lines)] as const,
  ),
])(
  'a session of %s is imported, resumed and exported by the binary, and its export is imported with the same messages',
  async (_, fileAt) => {
    for (const n of firstOf([0, 1, 2])) {
      const world = createSandbox();
      const api = await startFakeApi(() => replies('Understood.'), { home: world.home, key: 'test-key' });
      const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key', SANBOT_MODEL: 'claude-sonnet-5-5' };
      const run = (...args: readonly string[]) => world.runBinary(args, { env });
      writeFileSync(join(world.cwd, 'log'), fileAt(n));
      expect(await run('import', 'log')).toMatchObject({ code: 0, out: expect.stringContaining('Imported session') });
      const [id = ''] = world.names('sessions');
      const imported = textsIn(world.records(`sessions/${id}/log.jsonl`));
      expect(imported.length).toBeGreaterThan(1);
      expect(await run('--resume', id, '-p', 'Go on.')).toMatchObject({ code: 0, out: expect.stringContaining('Understood.') });
      api.done();
      expect(await run('export', '--session', id, '-o', 'session.jsonl')).toMatchObject({ code: 0 });
      expect(await run('import', 'session.jsonl')).toMatchObject({ code: 0 });
      const [again = ''] = world.names('sessions').filter((name) => name !== id);
      expect(textsIn(world.records(`sessions/${again}/log.jsonl`)).slice(0, imported.length)).toEqual(imported);
      expect(await run('--resume', again, '-p', 'And on.')).toMatchObject({ code: 0, out: expect.stringContaining('Understood.') });
      api.done();
      await api.close();
    }
  },
);

function lineFile(n: number, writer: (typeof lineWriters)[string]): string {
  const [history, mishap] = samples[n] ?? [];
  return history === undefined || mishap === undefined ? '' : fileOf(write(writer, history).lines, mishap).text;
}
