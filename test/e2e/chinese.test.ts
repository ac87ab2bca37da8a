import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type FakeApi, startFakeApi } from '../support/fake-api.ts';
import { createSandbox } from '../support/sanbot.ts';
import { callsTool, replies, type Step } from '../support/scenario.ts';

let api: FakeApi | undefined;
afterEach(async () => {
  await api?.close();
  api = undefined;
});

type Language = 'en' | 'zh';

/** A new world with a model that answers so, in a language. */
async function worldIn(language: Language, steps: readonly Step[]) {
  const world = createSandbox({ SANBOT_LANGUAGE: language });
  api = await startFakeApi(steps, { home: world.home });
  const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key', SANBOT_MODEL: 'claude-sonnet-5-5' };
  return { ...world, env, requests: api.requests };
}

const writes = (): readonly Step[] => [callsTool('write_file', { path: 'notes.txt', content: 'hello\n' }), replies('done')];

describe('the Chinese interface', () => {
  it('shows a turn with an approval, and takes the same keys', async () => {
    const { runAtTerminal, env } = await worldIn('zh', writes());
    const terminal = await runAtTerminal([], { env, columns: 80 });
    await terminal.waitForScreen('/help 列出命令');
    terminal.send('write notes\r');
    await terminal.waitForScreen('● 写入 ');
    const screen = await terminal.waitForScreen('进行此更改吗？');
    expect(screen.join('\n')).toContain('3 否');
    terminal.send('y');
    await terminal.waitForScreen('2 步');
    terminal.send('/context\r');
    await terminal.waitForScreen('没有值得释放的内容。');
    terminal.send('/quit\r');
    expect((await terminal.exit).exitCode).toBe(0);
  });

  it.each([
    [['-p', 'x', '--max-steps', 'many'], 2, '--max-steps'],
    [['--home', '~/x', '-p', 'x'], 2, '--home 必须指定文件夹'],
    [['rollback', '--snapshot', 'nope', '--yes'], 3, '没有'],
    [['--group', 'No Group', '-p', 'x'], 2, '不是有效的组名'],
  ])('%j is told in Chinese', async (args, code, words) => {
    const { run } = createSandbox({ SANBOT_LANGUAGE: 'zh', SANBOT_PROVIDER: 'offline' });
    const ran = await run(args);
    expect(ran.err).toContain(words);
    expect(ran.err).toMatch(/\p{Script=Han}/u);
    expect(ran.code).toBe(code);
  });

  it('tells each problem of the settings with what was expected and found, in Chinese', async () => {
    const { run, home } = createSandbox({ SANBOT_LANGUAGE: 'zh' });
    mkdirSync(home, { recursive: true });
    writeFileSync(join(home, 'config.json'), '{"agent":{"maxSteps":"many"},"model":{"nome":"x"}}');
    const { code, err } = await run(['-p', 'x']);
    expect(code).toBe(2);
    expect(err).toContain('agent.maxSteps：应为数字，实际为 "many"');
    expect(err).toContain('实际为 "nome"。是否想输入 model.name？');
    expect(err).toContain('请对照 .sanbot.example.json 检查该文件。');
  });

  it('tells what an endpoint refused, and the way out', async () => {
    const { run, env } = await worldIn('zh', [
      {
        answer: {
          kind: 'mischief',
          mischief: { how: 'status', status: 401, body: { error: { type: 'authentication_error', message: 'bad key' } } },
        },
      },
    ]);
    const { code, err } = await run(['-p', 'x'], { env });
    expect(code).toBe(4);
    expect(err).toMatch(/拒绝了来自 ANTHROPIC_API_KEY 的密钥（401：“bad key”）。/);
    expect(err).toContain('请更正 ANTHROPIC_API_KEY');
  });

  it('stores and sends the same as the English one, byte for byte', async () => {
    const steps = writes();
    const kept = async (language: Language) => {
      const world = await worldIn(language, steps);
      const json = await world.run(['-p', 'write notes', '--output-format', 'stream-json', '--permission-mode', 'bypass'], {
        env: world.env,
      });
      const [session = ''] = world.names('sessions');
      const log = world.read(`sessions/${session}/log.jsonl`);
      const events = world.read('context/events.jsonl');
      const requests = world.requests.map(({ body }) => JSON.stringify(body)).join('\n');
      const base = world.cwd.slice(0, -'/project'.length);
      return [json.out, log, events, requests].map((text) => masked(text, session, base));
    };
    expect(await kept('zh')).toEqual(await kept('en'));
  });
});

/** Without what differs from run to run: the time, ids, where it ran, how many tokens such a path has, and the sums of lines. */
const masked = (text: string, session: string, base: string): string =>
  text
    .replaceAll(session, 'SESSION')
    .replaceAll(base, '/base')
    .replace(/127\.0\.0\.1:\d+/g, 'HOST')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/\b[0-9a-f]{16,64}\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, 'ID')
    .replace(/"(ms|tokens)":[\d.]+/g, '"$1":0')
    .replace(/"crc":"[0-9a-f]{8}"/g, '"crc":0');
