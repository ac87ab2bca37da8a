import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type FakeApi, startFakeApi } from '../../support/fake-api.ts';
import { chatWire } from '../../support/fake-chat.ts';
import { pdf, png, textPdf } from '../../support/pictures.ts';
import { createSandbox } from '../../support/sanbot.ts';
import { callsTool, replies, type Script, type Step, status } from '../../support/scenario.ts';
import { goodSummary } from '../../support/summary.ts';

let api: FakeApi | undefined;
afterEach(async () => {
  await api?.close();
  api = undefined;
});

const picture = png(60, 40);
const prose = Array.from({ length: 150 }, (_, i) => `Fact ${i} of the picture stands here.`).join(' ');
const data = picture.toString('base64');

async function world(steps: Script | readonly Step[], model = 'claude-sonnet-5-5', window = '') {
  const sandbox = createSandbox();
  writeFileSync(join(sandbox.cwd, 'a.png'), picture);
  writeFileSync(join(sandbox.cwd, 'paper.pdf'), pdf(2));
  api = await startFakeApi(steps, { home: sandbox.home });
  const env = {
    ANTHROPIC_BASE_URL: api.url,
    ANTHROPIC_API_KEY: 'test-key',
    SANBOT_MODEL: model,
    SANBOT_COMPACT_PRESERVE_COUNT: '2',
    ...(window !== '' && { SANBOT_CONTEXT_WINDOW: window }),
  };
  const run = (...args: readonly string[]) => sandbox.run(args, { env });
  const sent = (n: number): string => JSON.stringify(api?.requests[n]?.body.messages ?? []);
  const last = (): string => sent((api?.requests.length ?? 1) - 1);
  return { ...sandbox, run, sent, last };
}

test('read_file shows an image and a PDF to a model that sees, in the result and beside a line that says what it is', async () => {
  const { run, sent } = await world([
    callsTool('read_file', { path: 'a.png' }),
    callsTool('read_file', { path: 'paper.pdf' }),
    replies('grey'),
  ]);
  expect(await run('-p', 'what is there?')).toMatchObject({ code: 0, out: 'grey\n' });
  expect(sent(1)).toContain(`{"type":"image","source":{"type":"base64","media_type":"image/png","data":"${data}"}}`);
  expect(sent(1)).toContain('a.png: PNG image, 60 × 40 pixels');
  expect(sent(2)).toContain('"media_type":"application/pdf"');
});

test('@file sends an image along with what is said, and one that cannot be sent is told', async () => {
  const { run, sent, cwd } = await world([replies('grey')]);
  writeFileSync(join(cwd, 'cut one.png'), picture.subarray(0, 40));
  const { err } = await run('-p', 'look at @a.png, @"cut one.png" and @missing.png or ann@a.png');
  expect(sent(0).split(data)).toHaveLength(2);
  expect(sent(0)).toContain(`[Attached a.png: PNG image, 60 × 40 pixels, ${picture.length} bytes]`);
  expect(err).toContain('Attached a.png (PNG image, 60 × 40 pixels, ');
  expect(err).toContain('missing.png is not sent along: there is no such file');
  expect(err).toContain('cut one.png is not sent along: it is a PNG image that is damaged or cut off');
});

test('a model that does not see gets a sentence that says what stood there; the session keeps the image, and one that sees has it back', async () => {
  const { run, runBinary, last, read, names } = await world((_request, n) =>
    n === 0 ? callsTool('read_file', { path: 'a.png' }) : replies('grey'),
  );
  await run('-p', 'what is there?');
  const log = `sessions/${names('sessions')[0]}/log.jsonl`;
  const blind = await startFakeApi([replies('I cannot see.')], { wire: chatWire() });
  const env = { SANBOT_PROVIDER: 'openai-chat', OPENAI_BASE_URL: `${blind.url}/v1`, OPENAI_API_KEY: 'key' };
  const { err } = await runBinary(['-p', 'and now?', '--continue', '--model', 'small-model'], { env });
  await blind.close();
  const told = JSON.stringify(blind.requests[0]?.body);
  expect(told, err).toContain(`[Not shown, since the model in use does not see: PNG image, 60 × 40 pixels, ${picture.length} bytes.]`);
  expect(told).not.toContain(data);
  expect(read(log)).toContain(data);
  await run('-p', 'and now?', '--continue', '--model', 'claude-sonnet-5-5');
  expect(last()).toContain(data);
});

test('a session with images is compacted and rolled back: the summary has a line for each, and the image comes back whole', async () => {
  const { run, sent, last, records, names } = await world((request, n) => {
    if (request.purpose === 'summary') return replies(goodSummary);
    return n === 0 ? callsTool('read_file', { path: 'a.png' }) : replies(`Answer ${n}. ${prose}`);
  });
  await run('-p', 'what is there?');
  for (const text of ['one', 'two', 'three']) await run('-p', text, '--continue');
  expect(last()).toContain(data);
  const [id = ''] = names('sessions');
  const compacted = await run('compact', '--session', id, '--json');
  expect(compacted.code, compacted.err).toBe(0);
  const asked = api?.requests.findIndex(({ request }) => request.purpose === 'summary') ?? -1;
  expect(asked === -1 || sent(asked).includes('a.png: PNG image, 60 × 40 pixels')).toBe(true);
  await run('-p', 'after', '--continue');
  expect(last()).toContain('[Compressed History]');
  expect(last()).not.toContain(data);
  const snapshot = records('context/events.jsonl').find(({ type }) => type === 'compacted')?.snapshotId;
  const rolledBack = await run('rollback', '--snapshot', String(snapshot), '--yes');
  expect(rolledBack.code, rolledBack.err).toBe(0);
  await run('-p', 'back', '--continue');
  expect(last()).toContain(data);
  expect((await run('doctor')).code).toBe(0);
});

test('a model that does not see reads the text of a PDF, and a damaged one is told', async () => {
  const world = createSandbox();
  writeFileSync(join(world.cwd, 'paper.pdf'), textPdf(['The answer is forty-two.']));
  writeFileSync(join(world.cwd, 'broken.pdf'), pdf(2));
  const blind = await startFakeApi(
    [callsTool('read_file', { path: 'paper.pdf' }), callsTool('read_file', { path: 'broken.pdf' }), replies('42')],
    { wire: chatWire() },
  );
  const env = { SANBOT_PROVIDER: 'openai-chat', OPENAI_BASE_URL: `${blind.url}/v1`, OPENAI_API_KEY: 'key' };
  const { code, out, err } = await world.run(['-p', 'what is the answer?', '--model', 'small-model'], { env });
  await blind.close();
  expect([code, out], err).toEqual([0, '42\n']);
  expect(JSON.stringify(blind.requests[1]?.body)).toContain('--- page 1\\nThe answer is forty-two.');
  expect(JSON.stringify(blind.requests[2]?.body)).toContain('broken.pdf: is a PDF that is damaged: its pages cannot be read');
});

test('images leave a full context as files that a stub names, are seen again, and come back with a rollback', async () => {
  const { run, sent, last, records, names, cwd, home } = await world(
    (request, n) => {
      if (request.purpose === 'summary') return replies(goodSummary);
      if (n < 6) return callsTool('read_file', { path: `shot-${n}.png` });
      if (n === 6) return replies(`All six seen. ${prose}`);
      return n === 7 ? callsTool('read_file', { path: pathIn(request) }) : replies(`Again. ${prose}`);
    },
    'claude-sonnet-5-5',
    '24000',
  );
  const pathIn = (request: unknown): string => /is at: (\S+?\.png)/.exec(JSON.stringify(request))?.[1] ?? 'none';
  const shots = Array.from({ length: 6 }, (_, n) => Buffer.concat([png(1_400 + n, 1_400), Buffer.from('IEND')]));
  for (const [n, bytes] of shots.entries()) writeFileSync(join(cwd, `shot-${n}.png`), bytes);
  const looked = await run('-p', 'look at all six');
  expect(looked.code, looked.err).toBe(0);
  const [id = ''] = names('sessions');
  const stubbed = records('context/events.jsonl').flatMap(({ type, results }) => (type === 'offloaded' ? [results] : []));
  expect(stubbed.length).toBeGreaterThan(0);
  expect(last()).toContain(`PNG image, 1400 × 1400 pixels, ${shots[0]?.length} bytes, shot-0.png, sha256`);
  expect(last()).not.toContain(shots[0]?.toString('base64'));
  expect(last()).toContain(shots[5]?.toString('base64'));
  const files = names(join('sessions', id, 'offloaded')).map((name) => readFileSync(join(home, 'sessions', id, 'offloaded', name)));
  for (const file of files) expect(shots.some((shot) => shot.equals(file))).toBe(true);
  const again = await run('-p', 'show me the first again', '--continue');
  expect(again.code, again.err).toBe(0);
  expect(last()).toContain(shots[0]?.toString('base64'));
  const compacted = await run('compact', '--session', id, '--json');
  expect(compacted.code, compacted.err).toBe(0);
  await run('-p', 'and now?', '--continue');
  const summary = last();
  for (const n of [0, 1]) expect(summary).toContain(`shot-${n}.png`);
  expect(summary).toContain(join(home, 'sessions', id, 'offloaded'));
  expect(sent(7)).toContain('Not shown any more, it is at:');
  const snapshot = records('context/events.jsonl').findLast(({ type }) => type === 'compacted')?.snapshotId;
  const back = await run('rollback', '--snapshot', String(snapshot), '--yes');
  expect(back.code, back.err).toBe(0);
  await run('-p', 'back', '--continue');
  expect(last()).toContain(shots[0]?.toString('base64'));
  expect((await run('doctor')).code).toBe(0);
  const exported = join(cwd, 'session.jsonl');
  expect((await run('export', '--session', id, '-o', exported)).code).toBe(0);
  const other = createSandbox();
  expect((await other.run(['import', exported])).out).toContain(id);
  const moved = other.names(join('sessions', id, 'offloaded')).filter((name) => name.endsWith('.png'));
  expect(moved.length).toBeGreaterThan(0);
  for (const name of moved) {
    const bytes = readFileSync(join(other.home, 'sessions', id, 'offloaded', name));
    expect(shots.some((shot) => shot.equals(bytes))).toBe(true);
  }
  expect((await other.run(['doctor', '--no-endpoint'])).code).toBe(0);
});

test('an image is counted by its pixels and not by its base64 [C45]', async () => {
  const { run, records, cwd } = await world([callsTool('list_files', {}), callsTool('read_file', { path: 'big.png' }), replies('done')]);
  writeFileSync(join(cwd, 'big.png'), Buffer.concat([png(1_500, 1_000), Buffer.alloc(600_000), Buffer.from('IEND')]));
  await run('-p', 'look');
  const [, before = 0, after = 0] = records('context/events.jsonl').flatMap(({ type, tokens }) =>
    type === 'request' ? [Number(tokens)] : [],
  );
  // 54 × 36 patches, and the words of the call and its result.
  expect(after - before).toBeGreaterThan(1_944);
  expect(after - before).toBeLessThan(2_250);
});

test('an image that the provider refuses locks nothing: it is left out, told, and the turn goes on [C47]', async () => {
  const { run, last } = await world((request, n) => {
    if (n === 0) return callsTool('read_file', { path: 'a.png' });
    return JSON.stringify(request.messages).includes('"image"')
      ? status(400, 'invalid_request_error', 'Could not process image')
      : replies('without it, then');
  });
  const { code, out, err } = await run('-p', 'look');
  expect([code, out]).toEqual([0, 'without it, then\n']);
  expect(err).toContain('The images and documents of this conversation were left out');
  expect(last()).toContain('which the provider refused');
});

test('more images than a request may have go several at a time, and thinking that is bound to them goes along', async () => {
  const { run, sent, cwd } = await world((_request, n) =>
    n < 24 ? callsTool('read_file', { path: `${n}.png` }, `call_image_${n}`, { thinking: `I look at ${n}` }) : replies('all seen'),
  );
  for (let n = 0; n < 24; n++) writeFileSync(join(cwd, `${n}.png`), png(60 + n, 40));
  const { code, out, err } = await run('-p', 'look at all', '--model', 'claude-opus-5-5');
  expect([code, out], err).toEqual([0, 'all seen\n']);
  expect(err).not.toContain('thinking');
  expect(api?.requests).toHaveLength(25);
  const images = Array.from({ length: 25 }, (_, n) => sent(n).split('"type":"image"').length - 1);
  expect(images).toEqual([...Array.from({ length: 21 }, (_, n) => n), 15, 16, 17, 18]);
  for (const [n, thoughts] of [20, 0, 1, 2, 3].entries()) expect(sent(20 + n).split('"type":"thinking"')).toHaveLength(thoughts + 1);
});
