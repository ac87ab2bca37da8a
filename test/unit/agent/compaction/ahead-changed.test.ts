import { expect, test } from 'vitest';
import { compact } from '../../../../src/agent/compaction/compact.ts';
import { limitsOf } from '../../../../src/agent/deps.ts';
import { pinMessage, unpinMessage } from '../../../../src/agent/memory/pins.ts';
import { findMessage, lastChange, rewind } from '../../../../src/agent/rollback/rewind.ts';
import { clearContext, findSnapshot, rollBack } from '../../../../src/agent/rollback/rollback.ts';
import { runTurn } from '../../../../src/agent/turn/turn.ts';
import { pastMessages } from '../../../../src/context/history/past.ts';
import { PINS_NOTICE } from '../../../../src/context/history/pins.ts';
import { type Message, textOf } from '../../../../src/domain/session/message.ts';
import { type AgentWorld, createAgentWorld, tool } from '../../../support/agent-world.ts';
import { callsTool, fakeModel, replies, type Script } from '../../../support/fake-model.ts';
import { words } from '../../../support/long-session.ts';
import { sampleOf } from '../../../support/runs.ts';
import { goodSummary } from '../../../support/summary.ts';

const summaryOf = (what: string): string => goodSummary.replace('key decisions', what);
const [FIRST, AHEAD, LATER] = ['what came first', 'what was prepared ahead', 'what came later'] as const;

type At = AgentWorld & { readonly say: (text: string) => Promise<void>; readonly sent: () => string };

/** A conversation after one compaction, with a summary of all but its tail prepared beside a turn, and none of it used yet. */
async function prepared(): Promise<At> {
  const made = [FIRST, AHEAD];
  const script: Script = ({ purpose, messages }, n) => {
    if (purpose === 'summary') return replies(summaryOf(made.shift() ?? LATER));
    const asked = textOf(messages.at(-1)?.content ?? []);
    return asked.startsWith('Plan ')
      ? callsTool('todo', { items: [{ text: asked, status: 'pending' }] })
      : replies(words(30, `answer ${n}`));
  };
  const model = fakeModel(script, { facts: { windowTokens: 32_000 } });
  const world = createAgentWorld({
    canSummarise: true,
    tools: [tool('todo', () => 'noted')],
    config: {
      compaction: { background: true, keepRecentMessages: 6, keepRecentTokens: 4_000, targetTokens: 1_000, maxMessages: 1_000 },
      offload: { enabled: false },
    },
    deps: { model },
  });
  const { session, deps, tools } = world;
  const signal = new AbortController().signal;
  const say = async (text: string): Promise<void> => void (await runTurn(text, session, deps, { maxSteps: 5, signal, tools }));
  const at: At = { ...world, say, sent: () => JSON.stringify(model.requests) };
  for (let i = 0; i < 8; i++) await say(`Request ${i}. ${words(30, `matter ${i}`)}`);
  await compactNow(at);
  for (let i = 8; session.summariser.prepared === undefined && i < 40; i++) await say(`Request ${i}. ${words(30, `matter ${i}`)}`);
  expect((await session.summariser.prepared?.result)?.text).toContain(AHEAD);
  expect(firstText(at)).toContain(FIRST);
  return at;
}

const compactNow = async ({ session, deps }: AgentWorld, instructions?: string) =>
  compact(
    { trigger: 'manual', reasons: [], instructions, limits: limitsOf(session, deps), signal: new AbortController().signal },
    session,
    deps,
  );

/** Talks on until the hard limit has made a compaction of its own. */
async function untilCompacted(at: At): Promise<void> {
  const before = compactions(at);
  for (let i = 50; compactions(at) === before && i < 90; i++) await at.say(`Request ${i}. ${words(30, `matter ${i}`)}`);
  expect(compactions(at)).toBe(before + 1);
}

const compactions = ({ events }: AgentWorld): number => events.filter(({ type }) => type === 'compacted').length;

const dropped = ({ events }: AgentWorld): number => events.filter(({ type }) => type === 'summary_dropped').length;

const firstText = ({ session }: AgentWorld): string => textOf(session.context.messages[0]?.content ?? []);

const pinsText = ({ session }: AgentWorld): string =>
  session.context.messages
    .filter(({ notice }) => notice === PINS_NOTICE)
    .map(({ content }) => textOf(content))
    .join();
/** A message that the prepared summary stands for. */
const leaving = ({ session }: AgentWorld, nth = 0): { readonly index: number; readonly message: Message } => {
  const message = session.summariser.prepared?.plan.toSummarise.filter(({ origin }) => origin === 'user')[nth];
  if (message === undefined) throw new Error('nothing leaves');
  return { index: session.context.messages.indexOf(message), message };
};

test('a summary prepared before messages were pinned is used, and the pins stand behind it word for word', async () => {
  const at = await prepared();
  const pinned = [leaving(at, 0), leaving(at, 1)];
  for (const { index } of pinned) pinMessage(index, at.session, at.deps);
  await untilCompacted(at);
  expect(firstText(at)).toContain(AHEAD);
  expect(dropped(at)).toBe(0);
  for (const { message } of pinned) expect(pinsText(at)).toContain(textOf(message.content));
  expect(at.reopened().context).toEqual(at.session.context);
});

test('one prepared before a pin was taken off is used, and only what is still pinned stands', async () => {
  const at = await prepared();
  const [kept, freed] = [leaving(at, 0), leaving(at, 1)];
  for (const { index } of [kept, freed]) pinMessage(index, at.session, at.deps);
  unpinMessage(freed.message.id, at.session);
  await untilCompacted(at);
  expect(firstText(at)).toContain(AHEAD);
  expect(pinsText(at)).toContain(textOf(kept.message.content));
  expect(JSON.stringify(at.session.context)).not.toContain(textOf(freed.message.content));
});

test('one prepared before the task list changed is used, and the newest list is the one that stands', async () => {
  const at = await prepared();
  await at.say('Plan A');
  await at.say('Plan B');
  await untilCompacted(at);
  expect(firstText(at)).toContain(AHEAD);
  const lists = JSON.stringify(at.session.context.messages).match(/Plan [AB]/g) ?? [];
  expect(lists.at(-1)).toBe('Plan B');
});

const toSnapshot = ({ session, deps }: AgentWorld, id: string | undefined): void =>
  void rollBack(findSnapshot(id ?? '', deps.disk.snapshots), session, deps);

const changes: readonly [string, (at: At) => unknown][] = [
  [
    '/undo',
    (at) =>
      toSnapshot(
        at,
        lastChange(
          [...at.store.snapshots.all.values()].map(({ meta }) => meta),
          at.session,
        )?.id,
      ),
  ],
  ['a rollback', (at) => toSnapshot(at, [...at.store.snapshots.all.keys()][0])],
  [
    'a rollback and its undo, which leave the very context that it was made for',
    (at) => {
      toSnapshot(at, [...at.store.snapshots.all.keys()][0]);
      toSnapshot(at, [...at.store.snapshots.all.keys()].at(-1));
    },
  ],
  [
    '/rewind',
    ({ session, deps }) =>
      void rewind(findMessage(String(pastMessages(deps.disk.past(session.id)).length - 1), session, deps), session, deps),
  ],
  ['/clear', ({ session, deps }) => void clearContext(session, deps)],
  ['another compaction', (at) => compactNow(at, 'keep the ports')],
];

test.each(sampleOf(changes))('%s gives up a summary prepared before, tells it, and nothing of it is ever sent', async (_, act) => {
  const at = await prepared();
  await act(at);
  expect(at.session.summariser.prepared).toBeUndefined();
  expect(dropped(at)).toBe(1);
  const settled = JSON.stringify(at.session.context);
  expect(settled).not.toContain(AHEAD);
  await untilCompacted(at);
  expect(firstText(at)).toContain(LATER);
  expect(at.sent()).not.toContain(AHEAD);
  expect(at.reopened().context).toEqual(at.session.context);
});

test('one whose beginning the window has lost since is given up as well', async () => {
  const at = await prepared();
  const { session } = at;
  const { context } = session;
  // As the last rung leaves it: the oldest exchanges are gone.
  const messages = [...context.messages.slice(0, 1), ...context.messages.slice(5)];
  session.append({ type: 'checkpoint', reason: 'window', context: { ...context, messages, anchorFloor: messages.length } });
  await untilCompacted(at);
  expect(dropped(at)).toBe(1);
  expect(firstText(at)).toContain(LATER);
  expect(at.sent()).not.toContain(AHEAD);
});
