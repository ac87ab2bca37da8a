import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { relocateContext } from '../../src/context/history/apply-record.ts';
import type { Message } from '../../src/domain/session/message.ts';
import { answers, calls, contextOf, says, user } from '../support/build.ts';
import { runs } from '../support/runs.ts';

const OLD = '/old/home/sessions/a/';
const NEW = '/new/place/sessions/b/';

const text = fc.oneof(
  fc.string(),
  fc.string().map((around) => `${around}${OLD}offloaded/x.txt${around}`),
);
const message: fc.Arbitrary<Message> = fc.oneof(
  text.map((said) => user(said)),
  text.map((said) => says(said)),
  text.map((path) => calls({ id: 'c', input: { path, deep: [{ path }] } })),
  text.map((content) => answers({ id: 'c', content })),
);

describe('a context moved to another folder', () => {
  test('is the very same object when the folder is nowhere named', () => {
    const context = contextOf([user('hi'), says('yes'), answers({ id: 'c', content: 'plain' })]);
    expect(relocateContext(context, OLD, NEW)).toBe(context);
  });

  test('comes back as it was by the way back, and what people and the model said in words never changes', () => {
    fc.assert(
      fc.property(fc.array(message), (messages) => {
        const context = contextOf(messages);
        const moved = relocateContext(context, OLD, NEW);
        expect(relocateContext(moved, NEW, OLD).messages).toEqual(messages);
        moved.messages.forEach((now, index) => {
          const was = messages[index];
          if (was?.origin === 'user') expect(now).toBe(was);
          else if (was?.content[0]?.type === 'text') expect(now.content).toEqual(was.content);
          else expect(JSON.stringify(now)).not.toContain(OLD);
        });
      }),
      { numRuns: runs(100) },
    );
  });

  test('loses its thinking blocks when a stub changed, for they are bound to the past as it was', () => {
    const thinking = { type: 'thinking', thinking: 'hm', signature: 's' };
    const reply = (id: string) => ({ ...says('ok'), content: [thinking, ...calls({ id }).content] });
    const untouched = contextOf([reply('c'), answers({ id: 'c', content: 'plain' })]);
    expect(relocateContext(untouched, OLD, NEW).messages[0]?.content).toContainEqual(thinking);
    const moved = relocateContext(contextOf([reply('c'), answers({ id: 'c', content: `Tool result is at: ${OLD}x` })]), OLD, NEW);
    expect(moved.messages[0]?.content).not.toContainEqual(thinking);
    expect(moved.anchorFloor).toBe(2);
  });
});
