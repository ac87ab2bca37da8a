import { expect, test } from 'vitest';
import { createSandbox } from '../support/sanbot.ts';

test('sanbot events gives a pipe every line whole, and leaves out the session where it was asked for one', async () => {
  const { run, names, records } = createSandbox({ SANBOT_PROVIDER: 'offline' });
  const words = 'the quick brown fox '.repeat(8).trim();
  await run(['-p', `run echo ${words}`, '--permission-mode', 'bypass']);
  const [id = ''] = names('sessions');
  const all = await run(['events']);
  expect({ code: all.code, err: all.err }).toEqual({ code: 0, err: '' });
  const lines = all.out.trimEnd().split('\n');
  expect(lines).toHaveLength(records('context/events.jsonl').length);
  expect(lines.every((line) => line.includes(` ${id} `))).toBe(true);
  expect(all.out).not.toContain('…\n');
  expect(all.out).toContain(words);
  const own = await run(['events', '--session', id]);
  expect(own.out).toBe(all.out.replaceAll(` ${id} `, ' '));
});

test('sanbot events refuses a type that there is none of, with the nearest or all of them', async () => {
  const { run } = createSandbox({ SANBOT_PROVIDER: 'offline' });
  const near = await run(['events', '--type', 'compactd']);
  expect({ code: near.code, out: near.out, err: near.err }).toEqual({
    code: 2,
    out: '',
    err: 'sanbot: --type: there is no event type "compactd"\n  Did you mean compacted?\n',
  });
  const far = await run(['events', '--type', 'bogus', '--json']);
  expect({ code: far.code, err: far.err }).toEqual({ code: 2, err: expect.stringMatching(/The types are session_started, .*turn_ended/) });
  expect(await run(['events', '--type', 'turn_ended'])).toMatchObject({ code: 0 });
});
