import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rememberSession } from '../../../../src/agent/memory/remember.ts';
import type { Session } from '../../../../src/agent/session/session.ts';
import { allMessages } from '../../../../src/context/history/past.ts';
import { noCalls, sessionRuntime, tallyCalls } from '../../../../src/context/memory/runtime-entries.ts';
import { type AgentWorld, createAgentWorld } from '../../../support/agent-world.ts';
import { answers, calls, user } from '../../../support/build.ts';

const options = { sessionId: 's1', cwd: '/home/dev' };
const wholeLog = ({ store }: AgentWorld) => sessionRuntime(tallyCalls(noCalls, [], allMessages(store.records)), options);
const asKept = (session: Session) => {
  const neverRead = () => {
    throw new Error('the log is read from its beginning');
  };
  return sessionRuntime(session.calls.tally(neverRead), options);
};

const commands = ['npm test', 'npm run test', 'npm install x', 'python a.py', 'python3 a.py', 'ls', 'make', 'git status'];
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ command: fc.constantFrom(...commands), fails: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ path: fc.constantFrom('a.ts', 'b.ts'), fails: fc.boolean() }) },
  { weight: 2, arbitrary: fc.constantFrom('compact' as const, 'reopen' as const, 'repeat' as const) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

let serial = 0;
function take(world: AgentWorld, session: Session, next: Step, isBetween: boolean): Session {
  if (next === 'reopen') return world.reopened();
  if (next === 'compact' || next === 'repeat') {
    const { context } = session;
    const messages = next === 'compact' ? context.messages.slice(-1).filter(({ origin }) => origin === 'user') : context.messages;
    session.append({ type: 'checkpoint', reason: next === 'compact' ? 'compaction' : 'repeat', context: { ...context, messages } });
    return session;
  }
  const id = `c${++serial}`;
  const [name, input] = 'path' in next ? ['write_file', { path: next.path }] : ['run_command', { command: next.command }];
  session.append({ type: 'message', message: { ...calls({ id, name, input }), id: `m${id}` } });
  if (isBetween) session.append({ type: 'checkpoint', reason: 'repeat', context: session.context });
  const current = isBetween ? world.reopened() : session;
  current.append({
    type: 'message',
    message: { ...answers({ id, content: next.fails ? 'Error: no such thing' : 'ok', isError: next.fails }), id: `r${id}` },
  });
  return current;
}

describe('what the calls of a session came to', () => {
  test('is known without reading the log again, and the same as from the whole of it, over checkpoints and processes', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(step, fc.boolean()), { maxLength: 60 }), (steps) => {
        const world = createAgentWorld({ messages: [user('go')] });
        let { session } = world;
        for (const [next, isBetween] of steps) session = take(world, session, next, isBetween);
        expect(asKept(session)).toEqual(wholeLog(world));
        expect(asKept(world.reopened())).toEqual(wholeLog(world));
      }),
    );
  });

  test('is read from the whole log once where an older checkpoint does not say it', () => {
    const world = createAgentWorld({ messages: [user('go')] });
    take(world, world.session, { command: 'make', fails: true }, false);
    const { context } = world.session;
    world.store.records.push({ type: 'checkpoint', n: 3, at: '2026-01-02T03:04:05.000Z', reason: 'repeat', context });
    const session = take(world, world.reopened(), { command: 'make', fails: false }, false);
    expect(session.calls.known()).toBe(undefined);
    let reads = 0;
    const past = () => {
      reads += 1;
      return world.store.records;
    };
    expect(sessionRuntime(session.calls.tally(past), options)).toEqual(wholeLog(world));
    expect(wholeLog(world)[0]?.text).toContain('worked when run again');
    session.calls.tally(past);
    expect(reads).toBe(1);
    take(world, session, 'repeat', false);
    expect(asKept(world.reopened())).toEqual(wholeLog(world));
  });

  test('is bounded, however many different commands were run', () => {
    const world = createAgentWorld({ messages: [user('go')] });
    for (let n = 0; n < 1_500; n++) take(world, world.session, { command: `deploy host-${n}`, fails: n % 3 === 0 }, false);
    for (let n = 0; n < 5; n++) take(world, world.session, { command: 'make all', fails: false }, false);
    expect(JSON.stringify(world.session.calls.known()).length).toBeLessThan(60_000);
    expect(asKept(world.session).at(-1)?.text).toContain('worked: make all (5 times)');
  });

  test('is what the end of a session remembers, without reading the log from its beginning', () => {
    let reads = 0;
    const world = createAgentWorld({
      messages: [user('go')],
      deps: {
        disk: {
          past: () => {
            reads += 1;
            return [];
          },
        },
      },
    });
    take(world, world.session, { command: 'make', fails: false }, false);
    take(world, world.session, 'compact', false);
    const session = take(world, world.reopened(), { command: 'make', fails: false }, false);
    expect(rememberSession(session, world.deps).runtime).toBe(1);
    expect(reads).toBe(0);
  });
});
