import { afterThisTest } from './clean-up.ts';
import { startFakeApi } from './fake-api.ts';
import { binary, createSandbox, type Sandbox } from './sanbot.ts';
import { replies, type Step } from './scenario.ts';
import { spawnInTerminal, type TerminalOptions } from './terminal.ts';

type Talk = {
  readonly world?: Sandbox;
  readonly size?: TerminalOptions;
  readonly args?: readonly string[];
  /** What the model answers, request by request; then "reply N". */
  readonly steps?: readonly Step[];
};

/** The real binary at a pseudo terminal, not yet at its prompt, with a model that plays its steps. Both end with the test. */
export async function startTalk({ world = createSandbox(), size = {}, args = [], steps = [] }: Talk = {}) {
  const fake = await startFakeApi((_request, n) => steps[n] ?? replies(`reply ${n}`), { home: world.home, key: 'test-key' });
  afterThisTest(() => fake.close());
  const terminal = spawnInTerminal(process.execPath, [binary, ...args], {
    ...size,
    cwd: world.cwd,
    env: { ...world.env, ANTHROPIC_BASE_URL: fake.url, ANTHROPIC_API_KEY: 'test-key', SANBOT_MODEL: 'claude-sonnet-5-5' },
  });
  afterThisTest(() => terminal.kill('SIGKILL'));
  return { terminal, fake, world };
}

/** The same, at its prompt. */
export async function talk(options: Talk = {}) {
  const started = await startTalk(options);
  await started.terminal.waitFor(/> $/);
  return started;
}

export const SIZES = [
  { columns: 40, rows: 15 },
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
] as const;
