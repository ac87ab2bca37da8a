import { expect, test } from 'vitest';
import { AbortedError } from '../../../../src/domain/errors.ts';
import { openLine } from '../../../../src/model/http/ask-over-http.ts';
import { openaiEndpoint } from '../../../../src/model/http/choose-endpoint.ts';
import { getJson } from '../../../../src/model/http/get-json.ts';
import { startJsonServer } from '../../../support/json-server.ts';
import { modelConfig } from '../../../support/model-rig.ts';

const lineTo = (url: string) =>
  openLine({
    endpoint: () => openaiEndpoint({}, { ...modelConfig, baseUrl: `${url}/v1`, apiKey: 'key', headers: { 'X-Mine': 'yes' } }, 'API'),
    env: {},
  });
const { signal } = new AbortController();

test('a question has the key and the headers of the endpoint, and a body where one is given', async () => {
  const server = await startJsonServer({ 'GET /v1/a': { is: 1 }, 'POST /v1/b': (body: string) => ({ said: JSON.parse(body) }) });
  const line = lineTo(server.url);
  expect(await getJson(line, { url: `${server.url}/v1/a`, signal })).toEqual({ is: 1 });
  expect(await getJson(line, { url: `${server.url}/v1/b`, body: { x: '好' }, signal })).toEqual({ said: { x: '好' } });
  for (const { headers } of server.asked) expect(headers).toMatchObject({ authorization: 'Bearer key', 'x-mine': 'yes' });
});

test('nothing is asked at another origin, and no redirect is followed, neither with the key nor with a body', async () => {
  const elsewhere = await startJsonServer({ 'GET /v1/a': { stolen: true }, 'POST /v1/a': { stolen: true } });
  const server = await startJsonServer(
    Object.fromEntries(
      [301, 302, 303, 307, 308].flatMap((status) =>
        ['GET', 'POST'].map((method) => [
          `${method} /v1/${status}`,
          { status, headers: { location: `${elsewhere.url}/v1/a` }, text: '{}' },
        ]),
      ),
    ),
  );
  const line = lineTo(server.url);
  expect(await getJson(line, { url: `${elsewhere.url}/v1/a`, signal })).toBeUndefined();
  for (const status of [301, 302, 303, 307, 308])
    for (const body of [undefined, { secret: 1 }])
      expect(await getJson(line, { url: `${server.url}/v1/${status}`, body, signal })).toBeUndefined();
  expect(elsewhere.asked).toEqual([]);
  expect(server.asked).toHaveLength(10);
});

test.each([
  ['an error', { status: 500, text: '{"a":1}' }],
  ['no JSON', { text: '<html>' }],
  ['more than anybody lists', { text: JSON.stringify('x'.repeat(9 * 1024 * 1024)) }],
])('%s is no answer', async (_name, answer) => {
  const server = await startJsonServer({ 'GET /v1/a': answer });
  expect(await getJson(lineTo(server.url), { url: `${server.url}/v1/a`, signal })).toBeUndefined();
});

test('nobody there is no answer, and an abort rejects', async () => {
  const line = lineTo('http://127.0.0.1:1');
  expect(await getJson(line, { url: 'http://127.0.0.1:1/v1/a', signal })).toBeUndefined();
  await expect(getJson(line, { url: 'http://127.0.0.1:1/v1/a', signal: AbortSignal.abort() })).rejects.toBeInstanceOf(AbortedError);
});
