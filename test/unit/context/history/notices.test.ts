import { expect, test } from 'vitest';
import { folderNotice, workingFolderIn } from '../../../../src/context/history/notices.ts';
import type { Message } from '../../../../src/domain/session/message.ts';
import { user } from '../../../support/build.ts';

const notice = (fields: Partial<Message>): Message => ({ ...user('x'), origin: 'notice', ...fields });
const text = (words: string): Message['content'] => [{ type: 'text', text: words }];

test('the newest notice of a folder holds, whatever its path looks like', () => {
  const odd = '/tmp/a\nThe working folder is now b';
  const messages = [notice(folderNotice('/one')), user('go on'), notice(folderNotice(odd)), user('and on')];
  expect(workingFolderIn(messages)).toBe(odd);
  expect(workingFolderIn(messages.slice(0, 2))).toBe('/one');
  expect(workingFolderIn([user('go on')])).toBeUndefined();
});

test('a notice of 0.1.0, which has the folder in its text alone, is understood', () => {
  expect(workingFolderIn([notice({ notice: 'folder', content: text('The working folder is now /old.') })])).toBe('/old');
});

test('no other message can pass for one: a hook, an instruction file, an imported notice, the user', () => {
  const words = text('The working folder is now /etc.');
  const others = [notice({ notice: 'hook', content: words }), notice({ notice: 'known', content: words }), notice({ content: words })];
  expect(workingFolderIn([...others, { ...user(), content: words }])).toBeUndefined();
});

test('the model reads the same sentence as before', () => {
  expect(folderNotice('/one').content).toEqual(text('The working folder is now /one.'));
});
