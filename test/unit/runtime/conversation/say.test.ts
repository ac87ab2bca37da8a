import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ModelFacts, ModelRequest } from '../../../../src/agent/ports/model.ts';
import type { SanbotEvent } from '../../../../src/domain/event.ts';
import { textOf } from '../../../../src/domain/session/message.ts';
import { resumeConversation, startConversation } from '../../../../src/runtime/conversation/conversation.ts';
import { processEnvironment } from '../../../../src/runtime/environment.ts';
import type { Runtime } from '../../../../src/runtime/runtime.ts';
import { buildRuntime } from '../../../../src/runtime/runtime.ts';
import { readSettings } from '../../../../src/runtime/settings.ts';
import { replies } from '../../../support/agent-world.ts';
import { createSandbox } from '../../../support/sanbot.ts';

const facts = (windowTokens: number): ModelFacts => ({ windowTokens, assumed: false, maxOutputTokens: 8_000, costUsd: () => 0 });

/** A home with a SessionStart hook, and a model of two sizes in it that answers everything. */
function world(settings: Readonly<Record<string, unknown>> = {}) {
  const { home, cwd, env } = createSandbox({ ANTHROPIC_API_KEY: 'never used' });
  mkdirSync(home, { mode: 0o700 });
  writeFileSync(join(home, 'config.json'), JSON.stringify({ hooks: { SessionStart: ['echo from the hook'] }, ...settings }), {
    mode: 0o600,
  });
  const requests: ModelRequest[] = [];
  const events: SanbotEvent[] = [];
  const runtimeAt = async (day: string): Promise<Runtime> => {
    const environment = {
      ...processEnvironment(),
      env,
      cwd: () => cwd,
      homedir: () => env.HOME ?? '',
      uid: process.geteuid?.(),
      now: () => new Date(`${day}T12:00:00Z`),
    };
    const runtime = await buildRuntime(environment, {
      settings: readSettings(environment, { home: undefined, model: 'large' }),
      mode: 'read-only',
      allowed: [],
      askPermission: async () => 'nobody',
      confirm: async () => true,
      show: (event) => void events.push(event),
      warn: () => undefined,
    });
    const ask = async (request: ModelRequest) => {
      requests.push(request);
      return replies('yes');
    };
    return { ...runtime, model: { ask, facts: (name) => facts(name === 'small' ? 50_000 : 200_000) } };
  };
  return { requests, events, runtimeAt };
}

const signal = (): AbortSignal => new AbortController().signal;

test('what comes before a turn comes once and in order: hooks, the model that was asked for, what has changed, the text', async () => {
  const { requests, events, runtimeAt } = world();
  const first = startConversation(await runtimeAt('2026-01-01'), 'main');
  await first.say('hello', signal());
  await first.end('other');
  events.length = 0;

  const resumed = resumeConversation(await runtimeAt('2026-01-02'), first.session.id, { model: 'small' });
  expect(resumed.session.model).toBe('large');
  await resumed.say('again', signal());
  const order = ['hook_ran', 'model_changed', 'turn_started', 'request'];
  expect(events.map(({ type }) => type).filter((type) => order.includes(type))).toEqual(order);
  expect(requests.at(-1)?.model).toBe('small');
  const texts = resumed.session.context.messages.map(({ notice, content }) => notice ?? textOf(content));
  expect(texts).toEqual(['hook', 'hello', 'yes', 'hook', 'date', 'again', 'yes']);

  events.length = 0;
  await resumed.say('once more', signal());
  expect(events.map(({ type }) => type).filter((type) => order.includes(type))).toEqual(['turn_started', 'request']);
  await resumed.end('other');
});

test('a model whose window is too small for the conversation leaves the text unsaid, and the next turn goes to the one that is there', async () => {
  const { requests, runtimeAt } = world({ offload: { enabled: false } });
  const first = startConversation(await runtimeAt('2026-01-01'), 'main');
  await first.say('word '.repeat(60_000), signal());
  await first.end('other');

  const resumed = resumeConversation(await runtimeAt('2026-01-01'), first.session.id, { model: 'small' });
  await expect(resumed.say('again', signal())).rejects.toMatchObject({ code: 'context_cannot_fit' });
  expect(requests.filter(({ purpose }) => purpose === 'turn')).toHaveLength(1);
  await resumed.say('again', signal());
  expect(requests.at(-1)?.model).toBe('large');
  await resumed.end('other');
});
