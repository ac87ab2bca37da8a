import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createContextFold } from '../../src/context/history/apply-record.ts';
import { planCachePoint, type SentLog } from '../../src/context/history/cache-point.ts';
import { pairingProblems, toWire } from '../../src/context/history/pairing.ts';
import { createMeasure } from '../../src/context/measure/measure.ts';
import { activePruning } from '../../src/context/offload/prune.ts';
import { sentMedia } from '../../src/context/offload/sent-media.ts';
import { reportedTtl } from '../../src/context/relief/price-relief.ts';
import type { SessionContext } from '../../src/domain/session/context.ts';
import { type ContentBlock, isToolResult, type Message, type WireMessage } from '../../src/domain/session/message.ts';
import { findLastGrowing, flatMapGrowing, grownFrom, memoizeGrowing, sharedStart } from '../../src/domain/value/memoize.ts';
import { requestBody } from '../../src/model/anthropic/request.ts';
import { convertHistory } from '../../src/model/convert-history.ts';
import { bodyJson } from '../../src/model/http/ask-over-http.ts';
import { chatMessages } from '../../src/model/openai-chat/chat-messages.ts';
import { inputItems } from '../../src/model/openai-responses/request.ts';
import { roughRequestTokens, roughTokens } from '../../src/model/rough-tokens.ts';
import { anyTranscript, usageOf } from '../support/arbitrary.ts';
import { contextOf } from '../support/build.ts';
import { runs, slowRuns } from '../support/runs.ts';

/**
 * What a step does is taken from the step before as far as the conversation is the same. The law: it is what comes out for a conversation
 * that nobody has seen, whatever happened before.
 */

type Happening =
  | { readonly kind: 'said'; readonly count: number }
  | { readonly kind: 'rolled back' | 'lost' | 'pruned' | 'elsewhere' | 'wrote cache'; readonly at: number }
  | { readonly kind: 'offloaded'; readonly at: number; readonly text: string };

const happening: fc.Arbitrary<Happening> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('said' as const), count: fc.integer({ min: 1, max: 4 }) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('rolled back' as const, 'lost' as const, 'pruned' as const, 'elsewhere' as const, 'wrote cache' as const),
      at: fc.nat(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('offloaded' as const), at: fc.nat(), text: fc.string() }) },
);

/** A conversation at each of its moments; broken ones among them. */
const lives = fc
  .tuple(
    fc.array(anyTranscript({ open: true }), { minLength: 1, maxLength: 3 }).map((all) => all.flat()),
    fc.array(happening, { minLength: 1, maxLength: 12 }),
  )
  .map(([script, happenings]) => {
    const moments: (readonly Message[])[] = [];
    let now: readonly Message[] = script.slice(0, 1);
    let next = 1;
    for (const each of happenings) {
      if (each.kind === 'said') now = [...now, ...script.slice(next, next + each.count)];
      if (each.kind === 'said') next += each.count;
      else now = changed(now, each);
      moments.push(now);
    }
    return moments;
  });

function changed(messages: readonly Message[], what: Exclude<Happening, { readonly kind: 'said' }>): readonly Message[] {
  const at = what.at % messages.length;
  const message = messages[at];
  if (message === undefined) return messages;
  if (what.kind === 'rolled back') return messages.slice(0, at + 1);
  if (what.kind === 'lost') return messages.length === 1 ? messages : messages.filter((_, index) => index !== at);
  if (what.kind === 'elsewhere') return messages.with(at, { ...message, endpoint: 'else' });
  if (what.kind === 'wrote cache')
    return messages.with(at, { ...message, usage: { ...usageOf(9), cacheWriteTokens: 3, cacheWrite1hTokens: at % 2 } });
  if (what.kind === 'pruned') return messages.with(at, { ...message, pruned: { upTo: 'x', placeholder: `${at}`, results: [] } });
  const content = message.content.map(
    (block): ContentBlock => (isToolResult(block) && what.kind === 'offloaded' ? { ...block, content: what.text } : block),
  );
  return messages.with(at, { ...message, content });
}

const unseen = <Value>(value: Value): Value => structuredClone(value);

/** Compares what comes out at each moment with what comes out for the same conversation when it is seen for the first time. */
const holds = (make: (messages: readonly Message[]) => unknown): void =>
  fc.assert(
    fc.property(lives, (moments) => {
      for (const messages of moments) expect(make(messages)).toEqual(make(unseen(messages)));
    }),
    { numRuns: slowRuns(200) },
  );

const asked = (messages: readonly WireMessage[]) =>
  ({ model: 'm', system: ['You are SanBot.', '短'], tools: [], messages, maxOutputTokens: 9, purpose: 'turn' }) as const;
const facts = { windowTokens: 9_000, assumed: false, maxOutputTokens: 900, costUsd: () => undefined };
const traits = {
  tools: true,
  images: false,
  reasoning: true,
  shortIds: true,
  systemRole: 'system',
  streams: true,
  streamUsage: true,
} as const;

describe('of a conversation that changes as conversations do', () => {
  test('what is sent is what is sent of the same one seen for the first time', () => {
    holds((messages) => toWire(messages));
  });

  test('so are its problems, before and after something was wrong with it', () => {
    holds((messages) => pairingProblems(toWire(messages)));
    // As a log may hold it, without what toWire does for it.
    holds((messages) => pairingProblems(messages.map(({ role, content }) => ({ role, content }))));
    holds((messages) => pairingProblems(messages));
  });

  test('so are the images in it, and what stands for those that are left out', () => {
    holds((messages) => [sentMedia(toWire(messages), { seesImages: true }), sentMedia(toWire(messages), {})]);
  });

  test('so is its pruning, and what was said of the cache', () => {
    holds((messages) => [
      activePruning(contextOf(messages)),
      activePruning(contextOf(messages, { anchorFloor: 2 })),
      reportedTtl(messages),
    ]);
  });

  test('so is its count', () => {
    const count = (text: string): number => Math.ceil(text.length / 3);
    const measure = createMeasure(count);
    fc.assert(
      fc.property(lives, (moments) => {
        for (const messages of moments)
          expect(measure.context(contextOf(messages), 1.5)).toEqual(createMeasure(count).context(contextOf(unseen(messages)), 1.5));
      }),
      { numRuns: runs(100) },
    );
  });

  test('so is what other endpoints are sent of it', () => {
    holds((messages) => [convertHistory(toWire(messages), 'anthropic'), convertHistory(toWire(messages), 'else')]);
    holds((messages) => inputItems(toWire(messages)));
    holds((messages) =>
      chatMessages({ system: ['a'], messages: toWire(messages) }, { ...traits, limitField: 'max_tokens', cacheKey: false, effort: 'all' }),
    );
  });

  test('so is its rough size, which is that of its JSON', () => {
    holds((messages) => roughRequestTokens(asked(toWire(messages))));
    fc.assert(
      fc.property(lives, (moments) => {
        for (const messages of moments) {
          const { system, tools, messages: sent } = asked(toWire(messages));
          const isImage = JSON.stringify(sent).includes('base64');
          if (!isImage) expect(roughRequestTokens(asked(sent))).toBe(roughTokens(JSON.stringify([system, tools, sent])));
        }
      }),
      { numRuns: runs(100) },
    );
  });

  test('the body is byte for byte what JSON.stringify makes of it, wherever the marks of the cache stand', () => {
    fc.assert(
      fc.property(lives, fc.array(fc.nat({ max: 30 }), { minLength: 12, maxLength: 12 }), (moments, points) => {
        for (const [index, messages] of moments.entries()) {
          const request = { ...asked(toWire(messages)), cachePoint: points[index] ?? 0 };
          const body = { ...requestBody(request, { facts, thinking: 'adaptive' }), left: undefined, stream: true };
          expect(Buffer.concat(bodyJson(body, 'messages')).toString()).toBe(JSON.stringify(body));
        }
      }),
      { numRuns: runs(100) },
    );
  });

  test('the place of the cache mark is the one that a comparison of all messages finds', () => {
    fc.assert(
      fc.property(lives, (moments) => {
        let known: SentLog | undefined;
        let fresh: SentLog | undefined;
        for (const [index, messages] of moments.entries()) {
          const time = { now: index * 1_000, ttlMs: 300_000 };
          const copied = fresh === undefined ? undefined : { ...fresh, messages: [...fresh.messages] };
          const seen = planCachePoint(known, toWire(messages), time);
          const unseenPoint = planCachePoint(copied, toWire([...messages]), time);
          expect(seen).toEqual(unseenPoint);
          known = seen.log;
          fresh = unseenPoint.log;
        }
      }),
      { numRuns: runs(100) },
    );
  });
});

test('a log that is played record by record leads to what its messages say when they are seen at once', () => {
  fc.assert(
    fc.property(anyTranscript({ open: true }), fc.array(fc.boolean()), (messages, offloads) => {
      const fold = createContextFold(contextOf([]));
      const answered = new Set<string>();
      for (const [index, message] of messages.entries()) {
        fold.apply({ type: 'message', message });
        for (const block of message.content) if (isToolResult(block)) answered.add(block.tool_use_id);
        const [first] = answered;
        if (offloads[index] === true && first !== undefined) {
          const body = { sha256: '0'.repeat(64), bytes: 1, lines: 1 };
          fold.apply({ type: 'offload', stubs: [{ ref: { toolUseId: first, tool: 'read_file', body }, text: 'a stub' }] });
          answered.delete(first);
        }
        const context: SessionContext = fold.context();
        expect(toWire(context.messages)).toEqual(toWire(unseen(context.messages)));
      }
    }),
    { numRuns: runs(100) },
  );
});

/** Reads of blocks that a step makes after `count` messages, and those of the step before it, which saw the conversation for the first time. */
function readsOfStep(count: number): { readonly first: number; readonly next: number } {
  let reads = 0;
  const watched = (block: ContentBlock): ContentBlock =>
    new Proxy(block, {
      get: (target, key) => {
        reads += 1;
        return Reflect.get(target, key);
      },
    });
  const messageAt = (index: number): Message => {
    const base = { id: `m${index}`, at: '2026-01-02T03:04:05.000Z' };
    if (index === 0) return { ...base, role: 'user', origin: 'user', content: [watched({ type: 'text', text: 'Read all.' })] };
    const id = `t${Math.ceil(index / 2)}`;
    if (index % 2 === 0)
      return { ...base, role: 'user', origin: 'tools', content: [watched({ type: 'tool_result', tool_use_id: id, content: 'lines' })] };
    const call: ContentBlock = { type: 'tool_use', id, name: 'read_file', input: { path: `p${index}` } };
    return { ...base, role: 'assistant', origin: 'model', stopReason: 'tool_use', content: [watched(call)] };
  };
  const fold = createContextFold(contextOf([]));
  const measure = createMeasure((text) => text.length);
  let log: SentLog | undefined;
  const step = (): number => {
    reads = 0;
    const context = fold.context();
    const messages = toWire(context.messages);
    const planned = planCachePoint(log, messages, { now: 0, ttlMs: 300_000 });
    log = planned.log;
    const body = requestBody({ ...asked(messages), cachePoint: messages.length - 1 }, { facts, thinking: 'adaptive' });
    measure.context(context, 1.5);
    activePruning(context);
    pairingProblems(messages);
    sentMedia(messages, { seesImages: true });
    roughRequestTokens(asked(messages));
    bodyJson(body, 'messages');
    return reads;
  };
  for (let index = 0; index < count; index++) fold.apply({ type: 'message', message: messageAt(index) });
  const first = step();
  for (const index of [count, count + 1]) fold.apply({ type: 'message', message: messageAt(index) });
  return { first, next: step() };
}

test('what a step reads does not depend on how long the conversation is', () => {
  // At the same place among the messages that are written together.
  const [short, long] = [readsOfStep(129), readsOfStep(1_281)];
  expect(long.first).toBeGreaterThan(short.first * 8);
  expect(long.next).toBe(short.next);
  expect(short.next).toBeGreaterThan(0);
});

describe('lists that mostly grow', () => {
  const lists = fc.array(fc.array(fc.nat({ max: 5 }), { maxLength: 12 }), { minLength: 1, maxLength: 8 });
  const items = Array.from({ length: 6 }, (_, value) => ({ value }));
  const listOf = (values: readonly number[]) => values.flatMap((value) => items[value] ?? []);

  test('what is computed of them is computed of each from its first item on', () => {
    const sums = memoizeGrowing<{ readonly value: number }, readonly number[]>((list, earlier) => {
      const kept = earlier?.value.slice(0, earlier.shared) ?? [];
      return [...kept, ...list.slice(kept.length).map(({ value }) => value)];
    });
    const twice = flatMapGrowing(({ value }: { readonly value: number }) => Array.from({ length: value % 3 }, () => value));
    const lastEven = findLastGrowing(({ value }: { readonly value: number }) => value % 2 === 0);
    fc.assert(
      fc.property(lists, (all) => {
        for (const values of all) {
          const list = listOf(values);
          expect(sums(list)).toEqual(values);
          expect(twice(list)).toEqual(values.flatMap((value) => Array.from({ length: value % 3 }, () => value)));
          expect(lastEven(list)).toBe(values.findLastIndex((value) => value % 2 === 0));
        }
      }),
      { numRuns: runs(100) },
    );
  });

  test('have a shared beginning that is compared, or known from where they come from', () => {
    const a = { value: 0 };
    const b = { value: 1 };
    const list = [a, b];
    const longer = grownFrom(list, 2, [...list, a]);
    expect(sharedStart(list, [a, a])).toBe(1);
    expect(sharedStart(list, longer)).toBe(2);
    expect(sharedStart(longer, list)).toBe(2);
    expect(sharedStart([a, b], longer)).toBe(2);
  });
});
