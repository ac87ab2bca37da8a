import { describe, expect, test } from 'vitest';
import {
  checkContext,
  compactMessages,
  countTokens,
  createContext,
  cutMessages,
  gatherLedger,
  limitsOfWindow,
  offloadMessages,
  summariseByRule,
} from '../../../src/library/context.ts';
import type { Context, ContextSettings, ContextStore, InputMessage } from '../../../src/library/context-types.ts';
import { roughCount } from '../../support/agent-world.ts';
import { apiRefusals } from '../../support/pairing-oracle.ts';
import { goodSummary } from '../../support/summary.ts';

const settings: ContextSettings = { windowTokens: 16_000, system: 'You are a test.', countTokens: roughCount };

const log = (turn: number): string => Array.from({ length: 150 }, (_, line) => `${turn}:${line} all is well in module-${turn}`).join('\n');

/** A turn of somebody's own loop: a question, a call, its result and an answer. */
const exchange = (turn: number): readonly InputMessage[] => [
  { role: 'user', content: `Look into module-${turn}.ts. It must stay compatible with version ${turn}.` },
  { role: 'assistant', content: [{ type: 'tool_use', id: `call-${turn}`, name: 'run', input: { command: `check ${turn}` } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: `call-${turn}`, content: log(turn) }] },
  { role: 'assistant', content: `module-${turn}.ts is in order: ${'as it should be, '.repeat(60)}` },
];

const exchanges = (turns: number): readonly InputMessage[] => Array.from({ length: turns }, (_, turn) => exchange(turn)).flat();

async function contextOf(turns: number, more: Partial<ContextSettings> = {}): Promise<Context> {
  const context = await createContext({ ...settings, ...more });
  context.add(...exchanges(turns), { role: 'user', content: 'Go on.' });
  return context;
}

const messagesOf = async (context: Context) => (await context.request()).messages;

describe('a context', () => {
  test('fits its window however long the conversation is, with requests that the API takes', async () => {
    const events: string[] = [];
    const context = await createContext({ ...settings, windowTokens: 8_000, onEvent: ({ type }) => void events.push(type) });
    for (let turn = 0; turn < 14; turn++) {
      for (const message of exchange(turn)) {
        context.add(message);
        if (message.role === 'assistant') continue;
        const { messages, system, maxOutputTokens } = await context.request();
        expect(apiRefusals(messages)).toEqual([]);
        expect(system[0]).toBe('You are a test.');
        expect(context.check().currentTokens + maxOutputTokens).toBeLessThanOrEqual(8_000);
      }
    }
    expect(events).toEqual(expect.arrayContaining(['offloaded', 'compacted', 'snapshot_written']));
    context.add({ role: 'user', content: 'Go on.' });
    expect(JSON.stringify(await messagesOf(context))).toContain('must stay compatible with version 3');
  });

  test('has a request only where one can be sent', async () => {
    const context = await createContext(settings);
    await expect(context.request()).rejects.toMatchObject({ code: 'usage' });
    context.add(...exchange(0).slice(0, 2));
    await expect(context.request()).rejects.toMatchObject({ code: 'usage' });
    context.add(...exchange(0).slice(2, 3));
    expect(apiRefusals((await context.request()).messages)).toEqual([]);
  });

  test('keeps a large result outside, and returns all of it by the path that its stub names', async () => {
    const context = await contextOf(1);
    const [, path = ''] = /Tool result is at: (\S+?)\\n/.exec(JSON.stringify(await messagesOf(context))) ?? [];
    expect(context.read(path)).toBe(log(0));
    expect(context.read('offloaded/other')).toBeUndefined();
  });

  test('shows a compaction before it is made, makes it, and takes it back to the byte', async () => {
    const context = await contextOf(6);
    const before = JSON.stringify(await context.request());
    const preview = await context.compact({ preview: true, preserveCount: 2 });
    expect([preview.kind, JSON.stringify(await context.request()), context.snapshots()]).toEqual(['previewed', before, []]);
    const made = await context.compact({ preserveCount: 2, instructions: 'keep module-1.ts' });
    if (made.kind !== 'compacted') throw new Error(made.kind);
    const after = JSON.stringify(await context.request());
    expect(made.compactedMessages).toEqual((await context.request()).messages);
    expect(made.tokensAfterCompaction).toBeLessThan(made.tokensBeforeCompaction);
    expect(after).toContain('keep module-1.ts');
    expect(context.undo()?.restoredId).toBe(made.snapshotId);
    expect(JSON.stringify(await context.request())).toBe(before);
    context.undo();
    expect(JSON.stringify(await context.request())).toBe(after);
    context.rollBack(made.snapshotId);
    expect(JSON.stringify(await context.request())).toBe(before);
  });

  test('has a function write the summary, and makes it by rule where that fails', async () => {
    const asked: string[] = [];
    let isDown = false;
    const context = await contextOf(6, {
      windowTokens: 32_000,
      summarise: async ({ system, messages }) => {
        asked.push(JSON.stringify([system, messages]));
        if (isDown) throw new Error('no model today');
        return goodSummary;
      },
    });
    const made = await context.compact({ preserveCount: 2 });
    expect(made).toMatchObject({ kind: 'compacted', method: 'model', summary: goodSummary });
    expect(asked.join()).toContain('Look into module-1.ts');
    isDown = true;
    context.undo();
    expect(await context.compact({ preserveCount: 2 })).toMatchObject({ kind: 'compacted', method: 'rules_degraded' });
  });

  test('makes room after the model refused a request, and says when there is none', async () => {
    const context = await contextOf(4);
    const before = JSON.stringify(await context.request());
    await context.overflowed(8_000);
    expect(JSON.stringify(await context.request()).length).toBeLessThan(before.length);
    expect(context.check().currentTokens).toBeLessThanOrEqual(8_000);
    const tiny = await createContext({ ...settings, system: 'x'.repeat(80_000) });
    tiny.add({ role: 'user', content: 'hello' });
    await expect(tiny.request()).rejects.toMatchObject({ code: 'context_cannot_fit' });
  });

  test('counts by what the provider reported', async () => {
    const context = await createContext(settings);
    const usage = { inputTokens: 900, outputTokens: 100 };
    context.add({ role: 'user', content: 'hello' }, { role: 'assistant', content: 'hello', usage });
    expect(context.check().currentTokens).toBe(1_000);
  });

  test('goes on with what is in its store, and leaves everything as it was where the store fails', async () => {
    const store = new Map<string, string>();
    const context = await contextOf(5, { store });
    const { snapshotId } = { snapshotId: '', ...(await context.compact({ preserveCount: 2 })) };
    const before = await context.request();
    const reopened = await createContext({ ...settings, store: new Map(JSON.parse(JSON.stringify([...store]))) });
    expect(await reopened.request()).toEqual(before);
    expect(reopened.undo()?.restoredId).toBe(snapshotId);
    let isFull = false;
    const full: ContextStore = {
      get: (key) => store.get(key),
      set: (key, text) => {
        if (isFull) throw new Error('full');
        store.set(key, text);
      },
      delete: (key) => store.delete(key),
      keys: () => store.keys(),
    };
    const failing = await createContext({ ...settings, store: full });
    isFull = true;
    expect(() => failing.add({ role: 'user', content: 'more' })).toThrow(expect.objectContaining({ code: 'store_failed' }));
    expect(() => failing.undo()).toThrow(expect.objectContaining({ code: 'store_failed' }));
    isFull = false;
    expect(await failing.request()).toEqual(before);
  });

  test('keeps no more in its store than it needs', async () => {
    const store = new Map<string, string>();
    const context = await contextOf(5, { store });
    await context.compact({ preserveCount: 2 });
    for (let time = 0; time < 25; time++) expect(context.undo()).toBeDefined();
    expect([...store.keys()].filter((key) => key.startsWith('snapshots/'))).toHaveLength(40);
    expect([...store.keys()].filter((key) => key.startsWith('log/')).length).toBeLessThan(10);
  });

  test.each([
    ['not_found', (context: Context) => context.rollBack('context-000000007')],
    ['usage', (context: Context) => context.add({ role: 'user', content: [{ type: 'tool_result', tool_use_id: 'none', content: '' }] })],
  ])('throws %s', async (code, act) => {
    const context = await contextOf(1);
    expect(() => act(context)).toThrow(expect.objectContaining({ name: 'SanbotError', code }));
  });

  test.each([
    ['interrupted', async () => (await contextOf(6)).compact({ signal: AbortSignal.abort() })],
    ['config_invalid', () => createContext({ ...settings, settings: { compaction: { softTokenRatio: 'much' } } })],
    ['config_invalid', () => createContext({ ...settings, settings: { hooks: {} } })],
    ['store_damaged', () => createContext({ ...settings, store: new Map([['log/000000000', '{"type":"header"']]) })],
  ])('rejects with %s', async (code, act) => {
    await expect(act()).rejects.toMatchObject({ name: 'SanbotError', code });
  });

  test('says that a snapshot is not what was written', async () => {
    const store = new Map<string, string>();
    const context = await contextOf(6, { store });
    await context.compact({ preserveCount: 2 });
    const [id = ''] = context.snapshots().map((snapshot) => snapshot.id);
    store.set(`snapshots/${id}`, (store.get(`snapshots/${id}`) ?? '').replace('module-1', 'module-9'));
    expect(() => context.undo()).toThrow(expect.objectContaining({ code: 'store_damaged' }));
  });
});

describe('values in, values out', () => {
  const messages = exchanges(6);

  test('counting, limits and the check agree', async () => {
    expect(countTokens('hello world')).toBe(2);
    const limits = await limitsOfWindow(settings);
    const small = await checkContext(exchange(0), settings);
    const large = await checkContext(messages, settings);
    expect(small).toEqual({ shouldCompact: false, currentTokens: expect.any(Number), threshold: limits.softTokens, urgency: 'none' });
    expect(large).toMatchObject({ shouldCompact: true, threshold: limits.hardTokens, urgency: 'hard' });
    expect(large.currentTokens).toBeGreaterThan(limits.hardTokens);
  });

  test('a cut leaves calls with their results', async () => {
    const cut = await cutMessages(messages, settings);
    if (cut.kind === 'cannot') throw new Error(cut.why);
    expect(messages[cut.index]?.content).not.toContainEqual(expect.objectContaining({ type: 'tool_result' }));
    expect(await cutMessages(messages.slice(0, 1), settings)).toEqual({ kind: 'cannot', why: 'too_short' });
  });

  test('an offload loses nothing', async () => {
    const { messages: smaller, texts, tokensBefore, tokensAfter } = await offloadMessages(messages, settings);
    expect(tokensAfter).toBeLessThan(tokensBefore / 2);
    expect(texts.size).toBeGreaterThan(3);
    for (const [path, text] of texts) {
      expect(JSON.stringify(smaller)).toContain(path);
      expect(messages.map(({ content }) => JSON.stringify(content)).join()).toContain(JSON.stringify(text));
    }
  });

  test('a ledger and a summary by rule have what was ordered, word for word', async () => {
    const { facts, text } = await gatherLedger(messages, settings);
    expect(facts.constraints.join('\n')).toContain('must stay compatible with version 2');
    expect(text).toContain('must stay compatible with version 2');
    expect(await summariseByRule(messages, settings)).toContain('module-5.ts');
  });

  test('a compaction leaves its input alone, and refuses what is too short', async () => {
    const before = JSON.stringify(messages);
    const made = await compactMessages(messages, { ...settings, preserveCount: 2 });
    expect(made).toMatchObject({ kind: 'compacted', method: 'rules', originalCount: messages.length });
    expect(JSON.stringify(messages)).toBe(before);
    expect(await compactMessages(messages.slice(0, 2), settings)).toEqual({ kind: 'nothing' });
  });
});
