import { describe, expect, test } from 'vitest';
import { type ContentBlock, textOf, type WireMessage } from '../../../../src/domain/session/message.ts';
import type { ModelReply } from '../../../../src/domain/session/model-answer.ts';
import { createOffline, type OfflineOptions } from '../../../../src/model/offline/offline.ts';
import { createRequestChecker } from '../../../support/check-request.ts';
import { quietStream } from '../../../support/fake-model.ts';
import { asks, requestOf } from '../../../support/model-rig.ts';

const allTools = ['read_file', 'list_files', 'search', 'run_command', 'write_file', 'edit_file'];
const tools = (names: readonly string[]) => names.map((name) => ({ name, description: name, inputSchema: { type: 'object' } }));

const ask = async (
  messages: readonly WireMessage[],
  names: readonly string[] = allTools,
  options: OfflineOptions = {},
): Promise<ModelReply> => {
  const request = requestOf(messages, { tools: tools(names), system: ['base'] });
  expect(createRequestChecker().check({ ...request, maxTokens: 100 })).toEqual([]);
  const answer = await createOffline(options)(request, quietStream());
  if (answer.kind !== 'reply') throw new Error(`expected a reply, got ${answer.kind}`);
  return answer;
};

/** Asks, lets the tool return something, and gives what is then said. */
const told = async (request: string, content: string, more: Partial<ContentBlock> = {}): Promise<string> => {
  const call = await ask([asks(request)]);
  const id = call.content[0]?.id;
  const result = { type: 'tool_result', tool_use_id: id, content, ...more };
  const reply = await ask([asks(request), { role: 'assistant', content: call.content }, { role: 'user', content: [result] }]);
  expect(reply.stopReason).toBe('end_turn');
  return textOf(reply.content);
};

const numbered = (count: number) => Array.from({ length: count }, (_, i) => `line ${i + 1}`).join('\n');

describe('a direct request', () => {
  test('becomes one call of its tool', async () => {
    const reply = await ask([asks('读取 src/a.ts 第3-4行')]);
    expect(reply).toMatchObject({
      stopReason: 'tool_use',
      content: [{ type: 'tool_use', name: 'read_file', input: { path: 'src/a.ts', offset: 3, limit: 2 } }],
    });
  });

  test('for a tool that is not offered is answered in words', async () => {
    const reply = await ask([asks('remember we use pnpm')]);
    expect(reply.stopReason).toBe('end_turn');
    expect(textOf(reply.content)).toContain('remember is not available');
    expect((await ask([asks('remember we use pnpm')], ['remember'])).stopReason).toBe('tool_use');
  });

  test('is found behind a notice, and before one', async () => {
    const notice = { type: 'text', text: 'Today is Sunday.' };
    const wanted = { type: 'text', text: 'list' };
    for (const content of [
      [notice, wanted],
      [wanted, notice],
    ])
      expect((await ask([{ role: 'user', content }])).stopReason).toBe('tool_use');
  });

  test('has a call id of its own each time', async () => {
    const first = await ask([asks('list')]);
    const id = String(first.content[0]?.id);
    const done: readonly WireMessage[] = [
      asks('list'),
      { role: 'assistant', content: first.content },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'a' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'a' }] },
      asks('list'),
    ];
    expect((await ask(done)).content[0]?.id).not.toBe(id);
    const later = await ask([asks('list')], allTools, { now: () => new Date(86_400_000) });
    expect(later.content[0]?.id).not.toBe(id);
  });
});

describe('a result is told', () => {
  test('whole when it is short', async () => {
    expect(await told('read a.txt', 'one\ntwo\n')).toBe('read_file returned 2 lines:\none\ntwo');
  });

  test('by its first and last lines and its size when it is long', async () => {
    const text = await told('read a.txt', numbered(500));
    expect(text).toContain('500 lines, 4,391 characters');
    expect(text).toContain('\nline 1\n');
    expect(text).toMatch(/\nline 500$/);
    expect(text).toContain('476 lines not shown');
    expect(text.length).toBeLessThan(600);
  });

  test('shortened in the middle when it is one long line, in whole characters', async () => {
    const text = await told('read a.txt', '👋🏽'.repeat(5_000));
    expect(text.length).toBeLessThan(1_200);
    expect(text.isWellFormed()).toBe(true);
  });

  test('as a failure when it is one', async () => {
    expect(await told('run false', 'exit 1\nno such thing', { is_error: true })).toBe('run_command failed:\nexit 1\nno such thing');
  });

  test('as nothing when it is empty', async () => {
    expect(await told('run true', '')).toBe('run_command is done and returned nothing.');
  });

  test('with the way to the rest when it is a stub', async () => {
    const text = await told(
      'run seq 9999',
      'Tool result is at: /home/me/.sanbot/sessions/s/offloaded/x.txt\ntool: run_command\nsize: 49 KB',
    );
    expect(text).toContain('read /home/me/.sanbot/sessions/s/offloaded/x.txt lines 1-100');
  });

  test('with the way to read on by characters when a stub was cut inside a line, in the language of the request', async () => {
    const stub = (head: string) =>
      `Tool result is at: /b/x.txt\nread_file, ok\nOnly the first 375 and the last 366 of 320025 characters are below. Read on with read_file (this path, char_offset: 375), or search in it.\n--- head\n${head}`;
    expect(await told('read a.txt', stub('short'))).toContain('To see a part: read /b/x.txt from char 375');
    expect(await told('读取 a.txt', stub('short'))).toContain('读取 /b/x.txt 从第375字符');
    expect(await told('read a.txt', stub('x'.repeat(5_000)))).toContain('read /b/x.txt from char 0');
    // What a file says of itself is no word of ours.
    expect(await told('read a.txt', 'Tool result is at: /b/x.txt\n--- head\nchar_offset: 9')).toContain('lines 1-100');
  });

  test('as it is when it is a page of characters, with the way to the next one', async () => {
    const text = await told(
      'read a.txt from char 0',
      `a.txt: characters 0-7999 of 9000 (line 1 of 1); not all of it, go on with char_offset=8000\n${'y'.repeat(8_000)}`,
    );
    expect(text).toContain('y'.repeat(8_000));
    expect(text).toMatch(/\n\nTo read on: read a\.txt from char 8000$/);
    const lines = await told('读取 "我的 a.txt" 第1-1行', 'a.txt: line 1 of 2; not all of it, go on with offset=2\none');
    expect(lines).toMatch(/\n\n继续读：读取 "我的 a\.txt" 第2行-$/);
    expect(await told('run cat x', 'a: 1; not all of it, go on with char_offset=8000\none')).not.toContain('read on');
  });

  test('in the language of the request', async () => {
    expect(await told('读取 a.txt', '甲\n乙')).toBe('read_file 返回 2 行：\n甲\n乙');
  });

  test('of blocks as well as of a string', async () => {
    expect(await told('read a.txt', '', { content: [{ type: 'text', text: 'inside' }, { type: 'image' }] })).toContain('inside');
  });
});

describe('anything else', () => {
  test.each(['Explain monads to me', '你是谁？'])('%s: it says what it understands, and that it is no language model', async (text) => {
    const said = textOf((await ask([asks(text)])).content);
    expect(said).toMatch(/no language model|不是语言模型/);
    expect(said).toMatch(/read PATH|读取 路径/);
    expect(said).not.toMatch(/remember|记住/);
  });

  test('status tells what the request holds', async () => {
    const call = { type: 'tool_use', id: 'a', name: 'list_files', input: {} };
    const stub = { type: 'tool_result', tool_use_id: 'a', content: 'Tool result is at: /x' };
    const said = textOf(
      (await ask([asks('list'), { role: 'assistant', content: [call] }, { role: 'user', content: [stub] }, asks('status')])).content,
    );
    expect(said).toContain('4 messages, 1 tool call, 1 result offloaded');
    // A figure of its own would contradict the one below the answer.
    expect(said).toContain('The window has 32,000 tokens; /context shows');
  });

  test.each([
    ['hello again', 'no language model'],
    ['你好', '不是语言模型'],
  ])('said after a call that was interrupted (%s), is answered itself, not the old call', async (text, answer) => {
    const call = { type: 'tool_use', id: 'a', name: 'run_command', input: { command: 'sleep 30' } };
    const result = { type: 'tool_result', tool_use_id: 'a', content: 'Interrupted: this call has no result.', is_error: true };
    const reply = await ask([
      asks('run sleep 30'),
      { role: 'assistant', content: [call] },
      { role: 'user', content: [result, { type: 'text', text }] },
    ]);
    expect(textOf(reply.content)).toContain(answer);
    expect(textOf(reply.content)).not.toContain('Interrupted');
  });

  test('it answers what was typed while the tool ran', async () => {
    const call = { type: 'tool_use', id: 'a', name: 'list_files', input: {} };
    const result = { type: 'tool_result', tool_use_id: 'a', content: 'x' };
    const reply = await ask([
      asks('list'),
      { role: 'assistant', content: [call] },
      { role: 'user', content: [result, { type: 'text', text: 'read b.txt' }] },
    ]);
    expect(reply.content).toMatchObject([{ name: 'read_file', input: { path: 'b.txt' } }]);
  });
});

test('its window is enforced with the figures of the counter it is given', async () => {
  const answer = await createOffline({ windowTokens: 100, countTokens: () => 101 })(requestOf([asks('list')]), quietStream());
  expect(answer).toEqual({ kind: 'overflow', limitTokens: 100, sentTokens: 101 });
});
