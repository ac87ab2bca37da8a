import { expect, test } from 'vitest';
import { binary, createSandbox } from '../../support/sanbot.ts';
import { root } from '../../support/source.ts';
import { spawnInTerminal } from '../../support/terminal.ts';

/** Requests in this very project, whose node_modules is far larger than the window. */
const requests = Array.from({ length: 8 }, (_, round) => [
  `read node_modules/zod/package.json lines ${1 + round * 20}-${60 + round * 20}`,
  `search ${['export', 'function', 'return', 'const', 'class', 'import', 'throw', 'async'][round]} in node_modules/commander/lib`,
  `run ls -la node_modules node_modules/.bin`,
  [
    '我决定使用 SQLite 保存索引',
    'I prefer tabs over spaces',
    'we must never edit vendor files',
    'list node_modules/chalk',
    '必须保留 Node 20 的支持',
    'list node_modules/ora',
    'The port is 8123',
    'read package.json',
  ][round] ?? '',
  `read node_modules/typescript/LICENSE.txt`,
]).flat();

type Item = {
  readonly id: string;
  readonly kind: string;
  readonly messages: number;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
};

const idsOf = (messages: readonly string[]): readonly string[] => messages.map((message) => JSON.parse(message).id);

test('forty requests in one session: no overflow, results offloaded, compacted again and again, and every snapshot restores its messages to the byte', async () => {
  const world = createSandbox({ SANBOT_CONTEXT_WINDOW: '16000', SANBOT_PROVIDER: 'offline' });
  const terminal = spawnInTerminal(process.execPath, [binary, '--permission-mode', 'bypass'], {
    cwd: root,
    env: world.env,
    columns: 120,
  });
  await terminal.waitFor('> ');
  for (const request of requests) {
    terminal.send(`${request}\r`);
    // The row that ends a turn, and the prompt.
    await terminal.waitFor(/\d steps?\b[^\n]*\n[\s\S]*\n> $/);
  }
  terminal.send('/quit\r');
  expect((await terminal.exit).exitCode).toBe(0);

  const [sessionId = ''] = world.names('sessions');
  const events = world.records('context/events.jsonl');
  const of = (type: string) => events.filter((event) => event.type === type);
  expect(of('overflow')).toEqual([]);
  expect(of('compaction_failed')).toEqual([]);
  expect(of('turn_ended').map((event) => event.stopReason)).toEqual(requests.map(() => 'end_turn'));
  expect(of('offloaded').length).toBeGreaterThan(5);
  expect(of('compacted').length).toBeGreaterThanOrEqual(2);
  expect(of('snapshot_written').length).toBe(of('compacted').length);
  expect(world.names('memory/extracted').filter((name) => name.endsWith('.md'))).toEqual([
    'decisions.md',
    'facts.md',
    'preferences.md',
    'runtime.md',
  ]);
  expect(world.read('memory/extracted/decisions.md')).toContain('SQLite');
  expect(world.read('memory/extracted/preferences.md')).toContain('I prefer tabs over spaces');
  for (const request of of('request')) expect(Number(request.tokens)).toBeLessThanOrEqual(16_000);

  const history = async (): Promise<readonly Item[]> => JSON.parse((await world.run(['history', '--session', sessionId, '--json'])).out);
  const snapshots = (await history()).filter((item) => item.kind === 'snapshot');
  expect(snapshots.length).toBeGreaterThanOrEqual(2);
  const messagesNow = () => {
    const log = world.records(`sessions/${sessionId}/log.jsonl`);
    const newest = log.findLastIndex((record) => record.type === 'checkpoint');
    const kept = (log[newest]?.context as { messages?: readonly unknown[] } | undefined)?.messages ?? [];
    return [...kept, ...log.slice(newest + 1).flatMap((record) => (record.type === 'message' ? [record.message] : []))].map((message) =>
      JSON.stringify(message),
    );
  };
  const messagesOf = (id: string) =>
    world
      .records(`memory/session-summaries/${id}.jsonl`)
      .flatMap((record) => (record.type === 'message' ? [JSON.stringify(record.message)] : []));

  const before = messagesNow();
  const [first] = snapshots;
  const rolled = await world.run(['rollback', '--snapshot', first?.id ?? '', '--yes', '--json'], { cwd: root });
  expect(JSON.parse(rolled.out)).toMatchObject({ restored: first?.id, messages: first?.messages });
  expect(messagesNow()).toEqual(messagesOf(first?.id ?? ''));

  const { undo } = JSON.parse(rolled.out);
  const undone = await world.run(['rollback', '--snapshot', undo, '--yes', '--json'], { cwd: root });
  expect(undone.code).toBe(0);
  expect(idsOf(messagesNow())).toEqual(idsOf(before));
  expect(messagesNow()).toEqual(messagesOf(undo));

  await world.run(['rollback', '--snapshot', first?.id ?? '', '--yes'], { cwd: root });
  const next = await world.run(['-p', 'status', '--continue'], { cwd: root });
  expect(next.out).toContain('In the context:');
  expect(next.code).toBe(0);
  expect((await history()).filter((item) => item.kind === 'rollback').length).toBe(3);
});
