import { afterEach, describe, expect, test } from 'vitest';
import type { ModelRequest } from '../../../../src/agent/ports/model.ts';
import type { ModelReply } from '../../../../src/domain/session/model-answer.ts';
import { anthropicAt, asks, listen, requestOf } from '../../../support/model-rig.ts';
import { fakeApis } from '../../../support/played-api.ts';
import { replies, status } from '../../../support/scenario.ts';

const { api, close } = fakeApis();
afterEach(close);

/** The provider's own address, behind a proxy that is the fake API. */
const official = (url: string) =>
  anthropicAt(url, { env: { ANTHROPIC_BASE_URL: 'http://api.anthropic.com', ANTHROPIC_API_KEY: 'key', HTTP_PROXY: url } });
const reply = async (ask: ReturnType<typeof anthropicAt>, request: ModelRequest): Promise<ModelReply> => {
  const answer = await ask(request, listen());
  if (answer.kind !== 'reply') throw new Error(answer.kind);
  return answer;
};
const messages = [asks('one')];

describe('why a prefix was missed', () => {
  test('is asked of the provider itself, which says what of a request differs from the one before', async () => {
    const server = await api(Array.from({ length: 5 }, () => replies('ok')));
    const ask = official(server.url);
    const first = await reply(ask, requestOf(messages, { previousReply: null }));
    expect(first).toMatchObject({ id: 'msg_1' });
    expect(first).not.toHaveProperty('prefix');
    const grown = [...messages, { role: 'assistant', content: first.content } as const, asks('two')];
    const second = await reply(ask, requestOf(grown, { previousReply: 'msg_1', cachePoint: 0 }));
    expect(second).toMatchObject({ id: 'msg_2', prefix: { changed: 'nothing', missedTokens: 0 } });
    const tools = [{ name: 'other', description: 'Is new.', inputSchema: { type: 'object' } }];
    const third = await reply(ask, requestOf(grown, { previousReply: 'msg_2', tools }));
    expect(third.prefix).toEqual({ changed: 'tools', missedTokens: expect.any(Number) });
    expect(third.prefix?.missedTokens).toBeGreaterThan(20);
    const fourth = await reply(ask, requestOf([asks('another'), ...grown.slice(1)], { previousReply: 'msg_3', tools }));
    expect(fourth.prefix).toMatchObject({ changed: 'messages' });
    expect(await reply(ask, requestOf(grown, { previousReply: 'msg_of_nobody' }))).not.toHaveProperty('prefix');
    expect(server.requests.map(({ body }) => body.diagnostics)).toEqual(
      [null, 'msg_1', 'msg_2', 'msg_3', 'msg_of_nobody'].map((id) => ({ previous_message_id: id })),
    );
  });

  test('changes nothing of a request that is cached, and stands behind all of it', async () => {
    const server = await api([replies('ok'), replies('ok')]);
    const ask = official(server.url);
    await reply(ask, requestOf(messages));
    await reply(ask, requestOf(messages, { previousReply: 'msg_1' }));
    const [plain, compared] = server.requests.map(({ body }) => body);
    const { diagnostics: _, ...cached } = compared ?? {};
    expect(JSON.stringify(cached)).toBe(JSON.stringify(plain));
    expect(Object.keys(compared ?? {}).at(-2)).toBe('diagnostics');
  });

  test('is not asked of another address', async () => {
    const server = await api([replies('ok')]);
    expect(await reply(anthropicAt(server.url), requestOf(messages, { previousReply: null }))).not.toHaveProperty('id');
    expect(server.requests[0]?.body).not.toHaveProperty('diagnostics');
  });

  test('is asked no more once the field was refused, and the request is made without it', async () => {
    const refusal = status(400, 'invalid_request_error', 'diagnostics: Extra inputs are not permitted');
    const server = await api([refusal, replies('ok'), replies('ok')]);
    const ask = official(server.url);
    for (const previousReply of [null, 'msg_1'])
      expect(await reply(ask, requestOf(messages, { previousReply }))).not.toHaveProperty('prefix');
    expect(server.requests.map(({ body }) => 'diagnostics' in body)).toEqual([true, false, false]);
  });
});
