import { expect, test } from 'vitest';
import { SanbotError } from '../../src/domain/errors.ts';
import { isText } from '../../src/domain/session/message.ts';
import { asks, listen, requestOf } from '../support/model-rig.ts';
import { answerOf, bytesOf, wireInProcess } from '../support/wire-in-process.ts';
import { type OddReply, oddReplies, unreadReplies } from './odd-replies.ts';
import { COMMAND } from './server-habits.ts';

const request = requestOf([asks('hi')], { tools: [{ name: 'run_command', description: 'd', inputSchema: { type: 'object' } }] });
const ask = ([wire, body]: OddReply) => wireInProcess(wire, () => answerOf([bytesOf(body)]))(request, listen());

test.each(Object.entries(oddReplies))('%s: one call with its arguments, and what was said once [W1, W4, W8]', async (_, given) => {
  const answer = await ask(given);
  if (answer.kind !== 'reply') return expect.fail(answer.kind);
  expect(answer.content.filter(({ type }) => type === 'tool_use')).toMatchObject([{ name: 'run_command', input: { command: COMMAND } }]);
  const said = answer.content.filter(isText).map(({ text }) => text);
  const [, , words] = given;
  if (words !== undefined) expect(said.join('').split(words)).toHaveLength(2);
});

test.each(Object.entries(unreadReplies))('%s: the turn says why [W10]', async (_, given) => {
  await expect(ask(given)).rejects.toBeInstanceOf(SanbotError);
});
