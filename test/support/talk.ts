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

const MODEL = { ANTHROPIC_API_KEY: 'test-key', SANBOT_MODEL: 'claude-sonnet-5-5' };

async function startModel(steps: readonly Step[], { home }: Sandbox) {
  const fake = await startFakeApi((_request, n) => steps[n] ?? replies(`reply ${n}`), { home, key: 'test-key' });
  afterThisTest(() => fake.close());
  return fake;
}

/** The real binary at a pseudo terminal, not yet at its prompt, with a model that plays its steps. Both end with the test. */
export async function startTalk({ world = createSandbox(), size = {}, args = [], steps = [] }: Talk = {}) {
  const fake = await startModel(steps, world);
  const terminal = spawnInTerminal(process.execPath, [binary, ...args], {
    ...size,
    cwd: world.cwd,
    env: { ...world.env, ANTHROPIC_BASE_URL: fake.url, ...MODEL },
  });
  afterThisTest(() => terminal.kill('SIGKILL'));
  return { terminal, fake, world };
}

/** The same, at its prompt. */
export async function talkToBinary(options: Talk = {}) {
  const started = await startTalk(options);
  await started.terminal.waitFor(/> $/);
  return started;
}

/** The program at its prompt, in the process of the tests, which gets no signals and no new sizes. */
export async function talk({ world = createSandbox(), size = {}, args = [], steps = [] }: Talk = {}) {
  const fake = await startModel(steps, world);
  const terminal = await world.runAtTerminal(args, { ...size, env: { ANTHROPIC_BASE_URL: fake.url, ...MODEL } });
  await terminal.waitFor(/> $/);
  return { terminal, fake, world };
}

export const SIZES = [
  { columns: 40, rows: 15 },
  { columns: 80, rows: 24 },
  { columns: 120, rows: 40 },
] as const;
