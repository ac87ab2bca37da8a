import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Sandbox } from './sanbot.ts';
import { callsTool } from './scenario.ts';
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
