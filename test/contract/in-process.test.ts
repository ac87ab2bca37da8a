import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createSandbox, type Ran } from '../support/sanbot.ts';

/** Without what differs from run to run: names of sessions, moments, durations, the folder, and tokens, since ids are random. */
const steady = ({ code, signal, out, err }: Ran, base: string) => {
  const same = (text: string): string =>
    text
      .replaceAll(base, 'BASE')
      .replace(/\d{8}-\d{6}-[0-9a-f]{6}/g, 'SESSION')
      .replace(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'TIME')
      .replace(/"(ms|\w*[tT]okens)":\d+/g, '"$1":0')
      .replace(/[\d.,]+ m?s\b|[\d,]+(?= of|\)? tokens)|\d+(?= %)/g, 'N');
  return { code, signal, out: same(out), err: same(err) };
};

const COMMANDS: readonly { readonly args: readonly string[]; readonly stdin?: string; readonly env?: Record<string, string> }[] = [
  { args: ['histroy'] },
  { args: ['-p', 'hi'], env: { SANBOT_CONTEXT_WINDOW: 'wide' } },
  { args: ['-p', 'hi'], env: { SANBOT_PROVIDER: 'anthropic' } },
  { args: ['-p', '审查', '--output-format', 'stream-json'], stdin: '+添加\n' },
  { args: ['-p', 'read a.txt', '--permission-mode', 'bypass', '--continue'] },
  { args: [], stdin: 'status\n' },
];

test('a command line in process answers as the real binary does: exit code, both outputs, what is left', async () => {
  const there = () => {
    const sandbox = createSandbox({ SANBOT_PROVIDER: 'offline' });
    writeFileSync(join(sandbox.cwd, 'a.txt'), 'alpha\n');
    return sandbox;
  };
  const [here, real] = [there(), there()];
  for (const { args, ...more } of COMMANDS) {
    const ran = steady(await here.run(args, more), join(here.cwd, '..'));
    expect({ args, ...ran }).toEqual({ args, ...steady(await real.runBinary(args, more), join(real.cwd, '..')) });
  }
  const left = ({ names }: typeof here) => names('.').concat(names(`sessions/${names('sessions')[0]}`));
  expect(left(here)).toEqual(left(real));
});

test('two command lines at the same time do not see each other', async () => {
  const worlds = [createSandbox({ SANBOT_PROVIDER: 'offline' }), createSandbox({ SANBOT_PROVIDER: 'offline' })];
  const said = await Promise.all(worlds.map((world, i) => world.run(['-p', `Remember the number ${i}`, '--output-format', 'json'])));
  expect(said).toMatchObject([
    { code: 0, err: '' },
    { code: 0, err: '' },
  ]);
  const ids = said.map(({ out }) => JSON.parse(out).sessionId);
  expect(worlds.map(({ names }) => names('sessions'))).toEqual(ids.map((id) => [id]));
});

test('a run listens to nothing of this process when it has ended', async () => {
  const listeners = () => process.eventNames().map((name) => [name, process.listenerCount(name)]);
  const before = listeners();
  await createSandbox({ SANBOT_PROVIDER: 'offline' }).run(['-p', 'status']);
  expect(listeners()).toEqual(before);
});
