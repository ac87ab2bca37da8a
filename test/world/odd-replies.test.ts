import { expect, test } from 'vitest';
import { SanbotError } from '../../src/domain/errors.ts';
import { isText } from '../../src/domain/session/message.ts';
import { asks, listen, requestOf } from '../support/model-rig.ts';
import { answerOf, bytesOf, wireInProcess } from '../support/wire-in-process.ts';
import { type OddReply, oddReplies, unreadReplies } from './odd-replies.ts';
import { COMMAND, text } from './server-habits.ts';

const request = requestOf([asks('hi')], { tools: [{ name: 'run_command', description: 'd', inputSchema: { type: 'object' } }] });
const ask = ([wire, body]: OddReply, stream = listen()) => wireInProcess(wire, () => answerOf([bytesOf(body)]))(request, stream);

test.each(Object.entries(oddReplies))('%s: one call with its arguments, and what was said once [W1, W4, W8]', async (_, given) => {
  const shown = listen();
  const answer = await ask(given, shown);
  if (answer.kind !== 'reply') return expect.fail(answer.kind);
  expect(answer.content.filter(({ type }) => type === 'tool_use')).toMatchObject([{ name: 'run_command', input: { command: COMMAND } }]);
  const said = answer.content.filter(isText).map((block) => block.text);
  const [, , words] = given;
  if (words !== undefined) for (const all of [said, shown.texts]) expect(all.join('').split(words)).toHaveLength(2);
});

test.each([
  ['output_text alone', JSON.stringify({ id: 'r', output_text: 'Done.' })],
  ['output_text beside no items', JSON.stringify({ response: { output: [], output_text: 'Done.' } })],
  ['output a text', JSON.stringify({ status: 'completed', output: 'Done.' })],
  ['output_text in the event that ends', 'data: {"type":"response.completed","response":{"output_text":"Done."}}\n\n'],
])('%s is the answer', async (_, body) => {
  const answer = await ask(['responses', body]);
  expect(answer).toMatchObject({ content: [{ type: 'text', text: 'Done.' }], stopReason: 'end_turn' });
});

test('a text that begins like the block before it is another one, and shown whole', async () => {
  const block = (index: number, pieces: readonly string[]) => [
    { type: 'content_block_start', index, content_block: { type: 'text', text: '' } },
    ...pieces.map((piece) => ({ type: 'content_block_delta', index, delta: { type: 'text_delta', text: piece } })),
    { type: 'content_block_stop', index },
  ];
  const all = [...block(0, ['Read it once more.']), ...block(1, ['Read it ', 'twice.']), ...block(2, ['Read it'])];
  const shown = listen();
  const answer = await ask(['messages', text([...all, { type: 'message_stop' }])], shown);
  const said = ['Read it once more.', 'Read it twice.', 'Read it'];
  expect(answer).toMatchObject({ content: said.map((each) => ({ type: 'text', text: each })) });
  expect(shown.texts.join('')).toBe(said.join(''));
});

test.each(Object.entries(unreadReplies))('%s: the turn says why [W10]', async (_, given) => {
  await expect(ask(given)).rejects.toBeInstanceOf(SanbotError);
});
