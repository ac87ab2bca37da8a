import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSandbox, type Sandbox } from '../support/sanbot.ts';

const OFFLINE = { SANBOT_PROVIDER: 'offline' };

async function talked(prompts: readonly string[], env = {}): Promise<{ readonly world: Sandbox; readonly session: string }> {
  const world = createSandbox({ ...OFFLINE, ...env });
  writeFileSync(join(world.cwd, '甲.txt'), 'one\n');
  for (const [i, prompt] of prompts.entries()) {
    const args = ['-p', prompt, '--permission-mode', 'bypass', ...(i === 0 ? [] : ['--continue'])];
    expect(await world.run(args)).toMatchObject({ code: 0 });
  }
  return { world, session: world.names('sessions')[0] ?? '' };
}

describe('sanbot rollback --session', () => {
  test('with nothing to undo says so, and not that a yes is missing', async () => {
    const { world, session } = await talked(['status']);
    const ran = await world.run(['rollback', '--last', '--session', session]);
    expect(ran).toMatchObject({ code: 3, err: expect.stringContaining('There is nothing to undo in session') });
  });

  test('needs no model to be named, since it asks none', async () => {
    const { world, session } = await talked(['status', 'status']);
    const env = { SANBOT_PROVIDER: 'openai-chat', OPENAI_API_KEY: 'k' };
    const args = ['rollback', '--session', session, '--to-message', '2', '--files', '--yes'];
    expect(await world.run(args, { env })).toMatchObject({ code: 0, err: '' });
  });

  test('lists the messages, and goes back to before one with or without its files [C123, C106, D-46]', async () => {
    const { world, session } = await talked(['read 甲.txt', 'edit 甲.txt: one => two', 'write new.txt: x', 'status']);
    const text = () => readFileSync(join(world.cwd, '甲.txt'), 'utf8');
    const list = JSON.parse((await world.run(['rollback', '--session', session, '--json'])).out);
    expect(list).toMatchObject([{ number: 1, text: 'read 甲.txt' }, { number: 2 }, { number: 3, text: 'write new.txt: x' }, { number: 4 }]);
    const to = ['rollback', '--session', session, '--to-message'];
    expect(await world.run([...to, '2'])).toMatchObject({ code: 9 });
    expect(await world.run([...to, '7', '--yes'])).toMatchObject({ code: 3, err: expect.stringContaining('from 1 to 4') });
    const dry = await world.run([...to, '2', '--files', '--dry-run']);
    expect(dry.out).toContain('- you: edit 甲.txt: one => two');
    expect(dry.out).toContain('1 - two\n1 + one');
    expect(dry.out).toMatch(/What SanBot has changed in files since then\s+is restored too\./);
    expect((await world.run([...to, '2', '--dry-run'])).out).toContain('Files on disk stay as they are.');
    expect(text()).toBe('two\n');

    const plain = JSON.parse((await world.run([...to, list[3].id, '--yes', '--json'])).out);
    expect(plain).toMatchObject({ restored: list[3].id, text: 'status', undo: expect.stringContaining(session) });
    expect(text()).toBe('two\n');

    const back = JSON.parse((await world.run([...to, '2', '--files', '--yes', '--json'])).out);
    expect(back.files).toMatchObject([
      { path: join(world.cwd, '甲.txt'), outcome: 'restored' },
      { path: join(world.cwd, 'new.txt'), outcome: 'removed' },
    ]);
    expect([text(), existsSync(join(world.cwd, 'new.txt'))]).toEqual(['one\n', false]);

    const undone = JSON.parse((await world.run(['rollback', '--snapshot', back.undo, '--files', '--yes', '--json'])).out);
    expect(undone.files.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['restored', 'restored']);
    expect([text(), existsSync(join(world.cwd, 'new.txt'))]).toEqual(['two\n', true]);
    const shown = JSON.parse((await world.run(['sessions', 'show', session, '--json'])).out);
    expect(shown.files).toMatchObject([
      { path: join(world.cwd, '甲.txt'), kept: true },
      { path: join(world.cwd, 'new.txt'), kept: true },
    ]);
    expect(await world.run(['doctor'])).toMatchObject({ code: 0 });
  });

  test('leaves what a person changed since, and brings back what a command of its own did [C105]', async () => {
    const { world, session } = await talked(['read 甲.txt', 'edit 甲.txt: one => two']);
    writeFileSync(join(world.cwd, '甲.txt'), 'by hand\n');
    const back = await world.run(['rollback', '--session', session, '--to-message', '2', '--files', '--yes']);
    expect(back.out).toContain('left      甲.txt (changed since, not by SanBot)');
    expect(readFileSync(join(world.cwd, '甲.txt'), 'utf8')).toBe('by hand\n');

    const own = await talked(['read 甲.txt', 'edit 甲.txt: one => two', 'run echo three > 甲.txt; echo x > made']);
    const ran = await own.world.run(['rollback', '--session', own.session, '--to-message', '2', '--files', '--yes']);
    expect(ran.out).toMatch(/restored {2}甲\.txt\nremoved {3}made\n|removed {3}made\nrestored {2}甲\.txt\n/);
    expect([readFileSync(join(own.world.cwd, '甲.txt'), 'utf8'), existsSync(join(own.world.cwd, 'made'))]).toEqual(['one\n', false]);
  });

  test('strikes out the memories of what was said since, and puts them back when it is undone [B10]', async () => {
    const { world, session } = await talked([
      'We decided to use pnpm for project alpha.',
      'We decided to use Kafka for the queue.',
      'hello',
    ]);
    const page = () => world.read('memory/extracted/decisions.md');
    const before = page();
    expect(before).toMatch(/\] We decided to use pnpm[\s\S]*\] We decided to use Kafka/);
    const back = await world.run(['rollback', '--session', session, '--to-message', '2', '--yes']);
    expect(back.out).toContain('1 memory extracted since marked as superseded.');
    expect(page()).toMatch(/\] We decided to use pnpm/);
    expect(page()).toMatch(/~~We decided to use Kafka for the queue\.~~ <!-- session \S+ message .* superseded-by /);

    const undone = await world.run(['rollback', '--session', session, '--last', '--yes']);
    expect(undone.out).toContain('1 memory current again.');
    expect(page()).toBe(before);

    const json = JSON.parse((await world.run(['rollback', '--session', session, '--to-message', '1', '--yes', '--json'])).out);
    expect(json).toMatchObject({ messages: 0, memories: { superseded: 2, restored: 0 } });
    expect(page()).not.toMatch(/\] We decided/);
  });

  test('that goes back behind a compaction leaves the memories of what is in the context again [B10]', async () => {
    const filler = Array.from({ length: 60 }, (_, i) => `line ${i} of some text that takes room`).join(' ');
    const prompts = [
      'We decided to use pnpm for project alpha. 我们决定使用 PostgreSQL。',
      ...Array.from({ length: 6 }, (_, i) => `${i} ${filler}`),
    ];
    const { world, session } = await talked(prompts, { SANBOT_CONTEXT_WINDOW: '10000' });
    const page = () => world.read('memory/extracted/decisions.md');
    const before = page();
    expect(before).toMatch(/- \[[\d-]+\] [^~]*pnpm/);
    const compaction = world.records(`sessions/${session}/log.jsonl`).find(({ reason }) => reason === 'compaction');
    const back = JSON.parse((await world.run(['rollback', '--snapshot', String(compaction?.snapshotId), '--yes', '--json'])).out);
    expect(page()).toBe(before);
    await world.run(['rollback', '--snapshot', back.undo, '--yes']);
    expect(page()).toBe(before);
  });

  test('is not undone by a consolidation: what was taken back stays out of the memories', async () => {
    const { world, session } = await talked(['We decided to use pnpm for project alpha.', 'We decided to use Kafka for the queue.']);
    await world.run(['rollback', '--session', session, '--to-message', '2', '--yes']);
    const done = await world.run(['consolidate', '--yes']);
    expect(done.code).toBe(0);
    expect(world.read('memory/extracted/decisions.md')).not.toMatch(/\] We decided to use Kafka/);
    expect(world.read('memory/summary/master.md')).toContain('pnpm');
    expect(world.read('memory/summary/master.md')).not.toContain('Kafka');
    await world.run(['rollback', '--session', session, '--last', '--yes']);
    expect(world.read('memory/extracted/decisions.md')).toMatch(/\] We decided to use Kafka/);
  });
});
