import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelRequest } from '../../src/agent/ports/model.ts';
import { textOf } from '../../src/domain/session/message.ts';
import { afterThisTest } from './clean-up.ts';
import { type FakeWire, startFakeApi } from './fake-api.ts';
import { createSandbox } from './sanbot.ts';
import { replies, type Script, type Step } from './scenario.ts';

/** What a helper was asked, as its own requests tell; undefined for a request of the conversation that it works for. */
export function helperTask({ system, messages }: ModelRequest): string | undefined {
  return system.join('\n').includes('You are a helper:') ? textOf(messages[0]?.content ?? []) : undefined;
}

/** Plays a session and its helpers, each by its own steps in their order, however their requests are interleaved. */
export function withHelpers(main: readonly Step[], helpers: Readonly<Record<string, readonly Step[]>>): Script {
  const waiting = new Map(Object.entries({ ...helpers, '': main }).map(([task, steps]) => [task, [...steps]]));
  return (request) => waiting.get(helperTask(request) ?? '')?.shift() ?? replies('(nothing more was scripted)');
}

const LONG = Array.from({ length: 400 }, (_, i) => `line ${i} of a long file, with words that fill it`).join('\n');

/** A folder with three files, a home with these settings, and an API that plays a session and its helpers. */
export async function helperWorld(script: Script, settings: object = {}, windowTokens = 200_000, wire?: FakeWire) {
  const sandbox = createSandbox();
  mkdirSync(sandbox.home, { mode: 0o700 });
  writeFileSync(join(sandbox.home, 'config.json'), JSON.stringify(settings), { mode: 0o600 });
  writeFileSync(join(sandbox.cwd, 'a.txt'), 'alpha is 7\n');
  writeFileSync(join(sandbox.cwd, 'b.txt'), 'beta is 9\n');
  writeFileSync(join(sandbox.cwd, 'long.txt'), LONG);
  const api = await startFakeApi(script, { home: sandbox.home, ...(wire && { wire }) });
  afterThisTest(() => api.close());
  const model = { SANBOT_MODEL: 'claude-sonnet-5-5', SANBOT_CONTEXT_WINDOW: `${windowTokens}` };
  const env = {
    ANTHROPIC_BASE_URL: api.url,
    ANTHROPIC_API_KEY: 'test-key',
    OPENAI_BASE_URL: `${api.url}/v1`,
    OPENAI_API_KEY: 'test-key',
    ...model,
  };
  const requestsOf = (task: string | undefined) => api.requests.filter(({ request }) => helperTask(request) === task);
  return {
    ...sandbox,
    ...{ api, env },
    say: (prompt: string, ...args: readonly string[]) => sandbox.run(['-p', prompt, ...args], { env }),
    log: () => sandbox.records(`sessions/${sandbox.names('sessions')[0]}/log.jsonl`),
    main: () => requestsOf(undefined),
    of: requestsOf,
    session: () => sandbox.names('sessions')[0] ?? '',
  };
}
