import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { closeOpenCalls, pairingProblems, repairPairs, toWire } from '../../src/context/history/pairing.ts';
import type { ContentBlock, Message, WireMessage } from '../../src/domain/session/message.ts';
import { anyTranscript } from '../support/arbitrary.ts';
import { user } from '../support/build.ts';
import { apiRefusals } from '../support/pairing-oracle.ts';
import { runs } from '../support/runs.ts';

const closed = (messages: readonly Message[]): readonly Message[] => {
  const content = closeOpenCalls(messages);
  return content.length === 0 ? messages : [...messages, { ...user(), origin: 'interrupted', content }];
};

/** A transcript that the user has just spoken to, so that a request is due. */
const asked = anyTranscript({ open: true }).map((messages) => [...closed(messages), user('and now?')]);

const BRIDGE = '(nothing was said here)';
/** Half a character as JSON.stringify writes it. */
const HALF = /\\ud[89a-f][0-9a-f]{2}/gi;
const REPLACED = '\ufffd';

describe('what is sent', () => {
  test('is accepted by the API for any conversation, interrupted or not [O1, C60, C63, C64, D-43, F2, P7]', () => {
    fc.assert(
      fc.property(asked, (messages) => {
        expect(apiRefusals(toWire(messages))).toEqual([]);
        expect(pairingProblems(toWire(messages))).toEqual([]);
      }),
      { numRuns: runs(100) },
    );
  });

  test('holds every block of the conversation once and in order, but for blank text and replies that were only thinking', () => {
    fc.assert(
      fc.property(asked, (messages) => {
        const kept = messages.map(({ content }) => spoken(content));
        const before = kept.filter((content) => content.some((block) => block.type !== 'thinking')).flat();
        const after = toWire(messages).flatMap((message) => message.content);
        const calls = (blocks: readonly ContentBlock[]) => blocks.filter((block) => block.type === 'tool_use').map((block) => block.id);
        expect(calls(after)).toEqual(calls(before));
        const all = (blocks: readonly ContentBlock[]) => blocks.map((block) => JSON.stringify(block).replace(HALF, REPLACED)).sort();
        expect(all(after.filter((block) => block.text !== BRIDGE))).toEqual(all(before));
      }),
      { numRuns: runs(100) },
    );
  });

  test('keeps what the model said as the very same content [O2, C65]', () => {
    fc.assert(
      fc.property(asked, (messages) => {
        const sent = new Set(toWire(messages).map((message) => message.content));
        for (const { role, content } of messages) {
          const whole =
            content.every((block) => block.type !== 'text' || String(block.text).trim() !== '') &&
            JSON.stringify(content).search(/\\ud[89a-f]/i) === -1;
          if (role === 'assistant' && whole && content.some((block) => block.type !== 'thinking')) expect(sent.has(content)).toBe(true);
        }
      }),
      { numRuns: runs(100) },
    );
  });

  test('never holds half a character [C68, B-03]', () => {
    fc.assert(
      fc.property(asked, (messages) => {
        expect(strings(toWire(messages)).filter((text) => !text.isWellFormed())).toEqual([]);
      }),
      { numRuns: runs(100) },
    );
  });

  test('is the same for the same conversation, read back from disk or not [O22]', () => {
    fc.assert(
      fc.property(asked, (messages) => {
        const again: readonly Message[] = structuredClone(messages);
        expect(JSON.stringify(toWire(again))).toBe(JSON.stringify(toWire(messages)));
      }),
      { numRuns: runs(100) },
    );
  });

  test('only grows at its end as the conversation goes on, but for what joins its last user message [O22, C57]', () => {
    fc.assert(
      fc.property(asked, fc.nat(), (messages, at) => {
        const part = toWire(messages.slice(0, at % (messages.length + 1))).map((message) => JSON.stringify(message));
        const whole = toWire(messages).map((message) => JSON.stringify(message));
        const settled = part.slice(0, -1);
        expect(whole.slice(0, settled.length)).toEqual(settled);
        const last = toWire(messages.slice(0, at % (messages.length + 1))).at(-1);
        if (last?.role === 'assistant') expect(whole[part.length - 1]).toBe(part.at(-1));
      }),
      { numRuns: runs(100) },
    );
  });
});

describe('the pairing check', () => {
  const block = fc.oneof(
    fc.constantFrom<ContentBlock>({ type: 'text', text: 'hi' }, { type: 'text', text: ' ' }, { type: 'thinking', thinking: '' }),
    fc.constantFrom('a', 'b', 'c').map((id): ContentBlock => ({ type: 'tool_use', id, name: 'x', input: {} })),
    fc.constantFrom('a', 'b', 'c').map((id): ContentBlock => ({ type: 'tool_result', tool_use_id: id, content: 'r' })),
  );
  const anyWire = fc.array(
    fc.record<WireMessage>({ role: fc.constantFrom('user', 'assistant'), content: fc.array(block, { maxLength: 3 }) }),
    { minLength: 1, maxLength: 5 },
  );

  test('refuses exactly what the API refuses, for messages of any disorder [F7, O3, B-11]', () => {
    fc.assert(
      fc.property(anyWire, (messages) => {
        expect(pairingProblems(messages).length > 0).toBe(apiRefusals(messages).length > 0);
      }),
      { numRuns: runs(2_000) },
    );
  });

  test('and the API agree on a legal request after any one block is lost, doubled or moved [O1, F2]', () => {
    fc.assert(
      fc.property(asked, fc.nat(), fc.constantFrom('lost', 'doubled', 'moved'), (messages, at, harm) => {
        const wire = toWire(messages);
        const index = at % wire.length;
        const harmed = wire.flatMap((message, i): readonly WireMessage[] => {
          if (harm === 'moved') return i === index ? [] : i === index + 1 ? [message, wire[index] ?? message] : [message];
          const { content } = message;
          return i === index
            ? [{ ...message, content: harm === 'lost' ? content.slice(1) : [...content, ...content.slice(0, 1)] }]
            : [message];
        });
        expect(pairingProblems(harmed).length > 0).toBe(apiRefusals(harmed).length > 0);
      }),
      { numRuns: runs(100) },
    );
  });

  test('finds nothing left open once the open calls are closed, and closing twice closes nothing [D-43, C63]', () => {
    fc.assert(
      fc.property(anyTranscript({ open: true }), (messages) => {
        expect(closeOpenCalls(closed(messages))).toEqual([]);
      }),
      { numRuns: runs(100) },
    );
  });

  test('passes a conversation that has lost any of its messages, once it is mended [C61, C64, D-08, D-09]', () => {
    fc.assert(
      fc.property(anyTranscript({ open: true }), fc.array(fc.nat(30), { maxLength: 4 }), (messages, lost) => {
        const left = messages.filter((_, index) => !lost.includes(index));
        const mended = repairPairs(left);
        expect(apiRefusals(toWire([...closed(mended), user()]))).toEqual([]);
        expect(repairPairs(mended)).toBe(mended);
        if (lost.length === 0) expect(mended).toBe(left);
        const texts = (of: readonly Message[]) => of.flatMap((message) => message.content.filter((block) => block.type !== 'tool_result'));
        expect(texts(mended)).toEqual(texts(left));
      }),
      { numRuns: runs(100) },
    );
  });
});

/** Content without blank text, inside results too. */
const spoken = (content: readonly ContentBlock[]): readonly ContentBlock[] =>
  content
    .filter((block) => block.type !== 'text' || String(block.text).trim() !== '')
    .map((block) => (Array.isArray(block.content) ? { ...block, content: spoken(block.content) } : block));

function strings(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(strings) : [];
}
