import { describe, expect, test } from 'vitest';
import { findMessage, finishRollback, rewind } from '../../../../src/agent/rollback/rewind.ts';
import { clearContext, findSnapshot, type RollbackDeps, rollBack } from '../../../../src/agent/rollback/rollback.ts';
import { createMeasure } from '../../../../src/context/measure/measure.ts';
import type { Message, Usage } from '../../../../src/domain/session/message.ts';
import { type AgentWorld, createAgentWorld, roughCount } from '../../../support/agent-world.ts';
import { says, user } from '../../../support/build.ts';

const usage: Usage = { inputTokens: 7_000, cacheReadTokens: 0, cacheWriteTokens: 0, outputTokens: 100 };
const talk = (): readonly Message[] => [
  user('use pnpm'),
  { ...says('I shall.'), stopReason: 'end_turn', usage },
  user('and tabs'),
  says('Yes.'),
];

class Killed extends Error {}
/** The process ends at this step: nothing after it is ever done. */
const killedAt = (deps: RollbackDeps, step: 'memories' | 'outcome'): RollbackDeps => {
  const dies = (): never => {
    throw new Killed();
  };
  const disk = { ...deps.disk, snapshots: { ...deps.disk.snapshots, recordOutcome: dies } };
  return step === 'memories'
    ? { ...deps, disk: { ...disk, past: dies, memories: { ...disk.memories, rollBack: dies } } }
    : { ...deps, disk };
};

type Way = (world: AgentWorld, deps: RollbackDeps) => void;
const ways: readonly (readonly [string, Way, string])[] = [
  ['a snapshot', (world, deps) => rollBack(findSnapshot(firstSnapshot(world), deps.disk.snapshots), world.session, deps), 'rolled back to'],
  [
    'a message',
    (world, deps) => rewind(findMessage('2', world.session, world.deps), world.session, deps),
    'went back to before "and tabs"',
  ],
];
const firstSnapshot = ({ store }: AgentWorld): string => [...store.snapshots.all.keys()][0] ?? '';
const metas = ({ store }: AgentWorld) => [...store.snapshots.all.values()].map(({ meta }) => meta);
const open = (world: AgentWorld) => {
  const session = world.reopened();
  const records = world.store.records;
  finishRollback(records, () => metas(world), { session, deps: world.deps });
  return session;
};

describe('a way back whose process was killed behind the checkpoint', () => {
  for (const step of ['memories', 'outcome'] as const)
    test.each(ways)(
      `(before its ${step}) to %s: the next opening lets the memories follow and notes it, once [D-45, B10, C124]`,
      (_, go, line) => {
        const world = spoken();
        const whole = spoken();
        go(whole, whole.deps);
        expect(() => go(world, killedAt(world.deps, step))).toThrow(Killed);
        expect(metas(world).at(-1)?.outcome).toBeUndefined();
        const session = open(world);
        expect(session.context).toEqual(whole.reopened().context);
        const [done, meant] = [world.store.memories.returns.at(-1), whole.store.memories.returns.at(-1)];
        expect(done?.by).toBe(meant?.by);
        for (const { id } of world.store.records.flatMap((record) => (record.type === 'message' ? [record.message] : [])))
          expect(done?.isLater(id), id).toBe(meant?.isLater(id));
        for (const { id } of metas(world)) expect(done?.isUndone(id)).toBe(meant?.isUndone(id));
        expect(metas(world).at(-1)?.outcome).toMatchObject({
          line: expect.stringContaining(line),
          messages: session.context.messages.length,
        });
        const times = world.store.memories.returns.length;
        open(world);
        expect(world.store.memories.returns).toHaveLength(times);
      },
    );

  test('is left alone once something was said after it: what was learned from that stays', () => {
    const world = spoken();
    expect(() => rewind(findMessage('2', world.session, world.deps), world.session, killedAt(world.deps, 'memories'))).toThrow(Killed);
    world.reopened().append({ type: 'message', message: user('another way') });
    open(world);
    expect(world.store.memories.returns).toEqual([]);
  });
});

test('usage that another model reported measures nothing after a rollback to its time [C115, P5]', () => {
  for (const [, go] of ways) {
    const world = spoken();
    world.session.switchModel('other');
    go(world, world.deps);
    expect(world.session.estimate.count()).toMatchObject({ anchored: false });
    expect(world.session.estimate.count().tokens).toBeLessThan(7_000);
    const same = spoken();
    go(same, same.deps);
    expect(same.session.estimate.count()).toMatchObject({ anchored: true });
  }
});

/** Talked, with a snapshot of that, and talked on. */
function spoken(): AgentWorld {
  const world = createAgentWorld({ deps: { measure: createMeasure(roughCount) } });
  for (const message of fixed()) world.session.append({ type: 'message', message });
  const id = clearContext(world.session, world.deps);
  rollBack(findSnapshot(id, world.deps.disk.snapshots), world.session, world.deps);
  world.session.append({ type: 'message', message: { ...user('one more'), id: 'm-last' } });
  world.store.memories.returns.length = 0;
  return world;
}

/** The same ids in each world. */
const fixed = (): readonly Message[] => talk().map((message, at) => ({ ...message, id: `m${at}` }));
