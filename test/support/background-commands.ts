import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterThisTest } from './clean-up.ts';
import { startFakeApi } from './fake-api.ts';
import { createSandbox, type Sandbox } from './sanbot.ts';
import { callsTool, type Script } from './scenario.ts';
import { until } from './until.ts';

export const server = 'echo listening; while :; do sleep 0.1; done';

export const begin = (more: object = {}) => callsTool('run_command', { command: server, background: true, ...more });

export type State = { readonly supervisor: { readonly pid: number }; readonly child: { readonly pid: number }; readonly end?: unknown };

export const writtenStates = ({ home }: Sandbox): readonly State[] =>
  readdirSync(join(home, 'sessions')).flatMap((id) => {
    const folder = join(home, 'sessions', id, 'jobs');
    return existsSync(folder) ? readdirSync(folder).map((name) => JSON.parse(readFileSync(join(folder, name, 'state.json'), 'utf8'))) : [];
  });

/** Of each job, once its supervisor, a process of its own, has written down that its command runs. */
export const statesIn = (world: Sandbox): Promise<readonly State[]> =>
  until(() => {
    const states = writtenStates(world);
    return states.every(({ child }) => child !== undefined) && states;
  });

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

export const endIt = (pid: number): void => {
  if (isAlive(pid)) process.kill(pid, 'SIGKILL');
};

/** The program whose background commands end with the test, and what the model was sent. */
export async function startWithJobs(script: Script) {
  const world = createSandbox();
  const api = await startFakeApi(script, { home: world.home, key: 'test-key' });
  const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key', SANBOT_MODEL: 'claude-sonnet-5-5' };
  afterThisTest(() => api.close());
  afterThisTest(async () => {
    for (const state of await statesIn(world)) for (const { pid } of [state.supervisor, state.child]) endIt(pid);
  });
  const say = (prompt: string, ...more: readonly string[]) =>
    world.runBinary(['-p', prompt, '--permission-mode', 'bypass', ...more], { env });
  const sent = (n: number): string => JSON.stringify(api.requests.at(n)?.body);
  return { world, api, env, say, sent };
}
