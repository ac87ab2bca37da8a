import { describe, expect, test } from 'vitest';
import { type PromptSources, promptChanges } from '../../../../src/context/prompt/prompt-changes.ts';
import { type Instructions, systemPrompt } from '../../../../src/context/prompt/system-prompt.ts';
import type { Message } from '../../../../src/domain/session/message.ts';

const file = (text: string): Instructions => ({ path: 'AGENTS.md', text, cut: false });
const projectWith = (instructions: readonly Instructions[]) => ({
  ...{ cwd: '/p', platform: 'linux', date: '2026-01-01', repository: undefined },
  instructions,
});
const sources = (memory: string, instructions: readonly Instructions[] = []): PromptSources => ({
  project: projectWith(instructions),
  ...{ memory, allMemory: memory },
});
const frozen = ({ memory, project }: PromptSources): string =>
  systemPrompt({ base: 'x', soul: undefined, group: 'main', groupInstructions: undefined, memory, project });

let n = 0;
const notice = (kind: string | undefined, text: string): Message => ({
  ...{ id: `m${n++}`, at: '2026-01-02T00:00:00.000Z', role: 'user', origin: 'notice', content: [{ type: 'text', text }] },
  ...(kind === undefined ? {} : { notice: kind }),
});

const before = sources('- use tabs\n- the port is 8080', [file('Run the tests.')]);
const after = sources('- use tabs\n- the port is 9090', [file('Run all tests.')]);
const system = frozen(before);
const changes = (messages: readonly Message[], now = after) => promptChanges(system, messages, now);

describe('what is out of date in a frozen prompt', () => {
  test('is said by its kind, and not again once a notice of that kind has said it', () => {
    const all = changes([]);
    expect(all.map(({ notice: kind }) => kind)).toEqual(['instructions', 'forgotten', 'remembered']);
    const notices = all.map(({ notice: kind, text }) => notice(kind, text));
    expect(changes(notices)).toEqual([]);
    for (const [at, said] of notices.entries()) expect(changes([said]).map(({ notice: kind }) => kind)).not.toContain(all[at]?.notice);
  });

  test('is known to have been said by a log of 0.1.0, whose notices of all three were of one kind', () => {
    const notices = changes([]).map(({ text }) => notice('known', text));
    expect(changes(notices)).toEqual([]);
    expect(changes(notices.slice(0, 1)).map(({ notice: kind }) => kind)).toEqual(['forgotten', 'remembered']);
  });

  test('is not taken as said because another notice, a pin or a person has the same words', () => {
    const all = changes([]);
    for (const { text } of all)
      for (const other of [
        notice('todo', text),
        notice('hook', text),
        notice(undefined, text),
        { ...notice('known', text), origin: 'user' } as const,
      ])
        expect(changes([other])).toEqual(all);
    expect(changes([notice('known', `Something else.\n${all[2]?.text}`)])).toEqual(all);
  });

  test('is nothing where nothing changed, and one thing where instruction files go and come back', () => {
    expect(changes([], before)).toEqual([]);
    const [gone] = changes([], sources(before.memory));
    expect(gone).toMatchObject({ notice: 'instructions', text: expect.stringContaining('no instruction files any more') });
    const told = [notice('instructions', gone?.text ?? '')];
    expect(changes(told, sources(before.memory))).toEqual([]);
    expect(changes(told, before).map(({ notice: kind }) => kind)).toEqual(['instructions']);
  });

  test('takes back what was only remembered since', () => {
    const told = changes([]).map(({ notice: kind, text }) => notice(kind, text));
    const [taken, ...rest] = changes(told, sources('- use tabs', [file('Run all tests.')]));
    expect([taken, rest]).toEqual([{ notice: 'forgotten', text: expect.stringMatching(/so do not go by it:\n- the port is 9090$/) }, []]);
  });
});
