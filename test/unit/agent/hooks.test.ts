import { describe, expect, test } from 'vitest';
import { compact } from '../../../src/agent/compaction/compact.ts';
import { limitsOf } from '../../../src/agent/deps.ts';
import { addStartContext } from '../../../src/agent/hooks/hooks.ts';
import type { RunHooks } from '../../../src/agent/ports/tools.ts';
import { runTurn } from '../../../src/agent/turn/turn.ts';
import type { CompactionTrigger } from '../../../src/domain/event.ts';
import type { HookEvent } from '../../../src/domain/hook/hook.ts';
import type { HookResult } from '../../../src/domain/hook/hook-answer.ts';
import { textOf } from '../../../src/domain/session/message.ts';
import { type AgentWish, callsTools, createAgentWorld, replies, tool } from '../../support/agent-world.ts';
import { says, user } from '../../support/build.ts';
import { goodSummary } from '../../support/summary.ts';

const long = Array.from({ length: 12 }, (_, i) => [
  user(`Ask ${i}: never touch lib${i}.ts`),
  says(`Answer ${i}. ${'word '.repeat(400)}`),
]).flat();

/** An agent whose hooks answer as given, and what they were told. */
function hooked(answers: Partial<Record<HookEvent, HookResult>>, wish: AgentWish = {}) {
  const told: { event: HookEvent; about: Readonly<Record<string, unknown>>; snapshots: number }[] = [];
  const runHooks: RunHooks = async (event, about) => {
    told.push({ event, about, snapshots: world.store.snapshots.all.size });
    return answers[event] ?? {};
  };
  const world = createAgentWorld({ messages: long, ...wish, deps: { ...wish.deps, person: { runHooks } } });
  const run = (trigger: CompactionTrigger = 'manual', instructions?: string) => {
    const { session, deps } = world;
    return compact(
      { trigger, reasons: [], instructions, limits: limitsOf(session, deps), signal: new AbortController().signal },
      session,
      deps,
    );
  };
  const warnings = () => world.events.flatMap((event) => (event.type === 'warning' ? [event.message.en] : []));
  return { ...world, told, run, warnings };
}

describe('the PreCompact hook', () => {
  test('is asked before the snapshot, with the trigger and the words of the user; the others are told afterwards', async () => {
    const { told, run, session } = hooked({});
    await run('manual', 'keep the names');
    expect(told.map(({ event, snapshots }) => [event, snapshots])).toEqual([
      ['PreCompact', 0],
      ['PostCompact', 1],
      ['SessionStart', 1],
    ]);
    expect(told[0]?.about).toEqual({ trigger: 'manual', custom_instructions: 'keep the names' });
    expect(told[1]?.about).toMatchObject({ trigger: 'manual', compact_summary: textOf(session.context.messages[0]?.content ?? []) });
    expect(told[2]?.about).toMatchObject({ source: 'compact' });
  });

  test('may stop a compaction that is only wanted: nothing is written, and it is told', async () => {
    const { run, session, store, events } = hooked({ PreCompact: { blocked: 'in a demo' } });
    const before = structuredClone(session.context);
    expect(await run()).toEqual({ kind: 'blocked', why: expect.objectContaining({ en: 'a PreCompact hook blocked it: in a demo' }) });
    expect(session.context).toEqual(before);
    expect(store.snapshots.all.size).toBe(0);
    expect(events.at(-1)).toMatchObject({
      type: 'compaction_failed',
      trigger: 'manual',
      why: expect.objectContaining({ en: 'a PreCompact hook blocked it: in a demo' }),
    });
  });

  test('cannot stop one after an overflow, nor one that the window needs; that is told', async () => {
    const overflow = hooked({ PreCompact: { blocked: 'no' } });
    expect(await overflow.run('overflow')).toMatchObject({ kind: 'compacted' });
    const full = hooked({ PreCompact: { blocked: 'no' } }, { window: 6_000 });
    expect(await full.run('auto')).toMatchObject({ kind: 'compacted' });
    for (const { warnings } of [overflow, full])
      expect(warnings()).toEqual([
        'A PreCompact hook asked not to compact (no), but the next request would not fit the window: compacting anyway.',
      ]);
  });

  test('is not asked again and again in one turn that it blocked', async () => {
    const world = hooked(
      { PreCompact: { blocked: 'no' } },
      {
        window: 32_000,
        config: { compaction: { maxMessages: 10 } },
        tools: [tool('look', () => 'seen')],
        ask: (_, n) => (n < 4 ? callsTools({ id: `c${n}`, name: 'look' }) : replies('done')),
      },
    );
    await runTurn('go on', world.session, world.deps, {
      maxSteps: 10,
      signal: new AbortController().signal,
      tools: world.tools,
    });
    expect(world.requests).toHaveLength(4);
    expect(world.told.filter(({ event }) => event === 'PreCompact')).toHaveLength(1);
  });

  test('adds instructions to those of the user', async () => {
    const { run, requests } = hooked({ PreCompact: { text: '保留颜色' } }, { canSummarise: true, ask: () => replies(goodSummary) });
    await run('manual', 'keep the names');
    const sent = JSON.stringify(requests[0]?.messages) + JSON.stringify(requests[0]?.system);
    expect(sent).toContain('keep the names');
    expect(sent).toContain('保留颜色');
  });

  test('may give the summary: no model is asked, and the ledger by rule stands beside it', async () => {
    const { run, requests, session, events } = hooked({ PreCompact: { summary: goodSummary } }, { canSummarise: true });
    await run();
    expect(requests).toEqual([]);
    const text = textOf(session.context.messages[0]?.content ?? []);
    expect(text).toContain('The model notes what matters about key decisions.');
    expect(text).toContain('never touch lib3.ts');
    expect(events.find((event) => event.type === 'compacted')).toMatchObject({ method: 'hook' });
  });

  test.each(['just a line', `I cannot help with that.`, `${goodSummary}\n${'much more '.repeat(20_000)}`])(
    'a summary that would be refused of a model is refused of a hook, and the compaction goes on',
    async (summary) => {
      const { run, warnings, events } = hooked({ PreCompact: { summary } });
      expect(await run()).toMatchObject({ kind: 'compacted' });
      expect(warnings()[0]).toMatch(/^The summary of a PreCompact hook is not used: /);
      expect(events.find((event) => event.type === 'compacted')).toMatchObject({ method: 'rules' });
    },
  );
});

describe('the SessionStart hook', () => {
  test('adds what it says as a flagged message in which no line can pass for one of ours', async () => {
    const { session, deps } = hooked({ SessionStart: { text: 'on branch main\nThe working folder is now /etc.' } }, { messages: [] });
    await addStartContext('startup', session, deps, new AbortController().signal);
    const [message] = session.context.messages;
    expect(message).toMatchObject({ role: 'user', origin: 'notice', notice: 'hook' });
    expect(textOf(message?.content ?? [])).toContain('\n> on branch main\n> The working folder is now /etc.');
  });

  test('says again after a compaction only what is not there any more', async () => {
    let text = 'on branch main';
    const { session, deps } = hooked({}, { messages: [] });
    const runHooks = async (event: HookEvent): Promise<HookResult> => (event === 'SessionStart' ? { text } : {});
    const asked = { person: { ...deps.person, runHooks } };
    for (const source of ['startup', 'compact', 'compact'] as const) {
      await addStartContext(source, session, asked, new AbortController().signal);
      expect(session.context.messages).toHaveLength(1);
    }
    text = 'on branch next';
    await addStartContext('compact', session, asked, new AbortController().signal);
    expect(session.context.messages.map(({ notice }) => notice)).toEqual(['hook', 'hook']);
  });

  test('that says nothing adds nothing', async () => {
    const { session, deps } = hooked({}, { messages: [] });
    await addStartContext('resume', session, deps, new AbortController().signal);
    expect(session.context.messages).toEqual([]);
  });
});
