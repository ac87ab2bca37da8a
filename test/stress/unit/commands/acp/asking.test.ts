import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RequestPermissionResponse } from '@agentclientprotocol/sdk';
import { describe, expect, test } from 'vitest';
import { choosing, editorWith } from '../../../../support/acp.ts';
import { callsTool, replies } from '../../../../support/scenario.ts';

const write = (path: string) => callsTool('write_file', { path, content: 'text\n' });

describe('a permission', () => {
  test('is asked in the words of the terminal, with every answer that it has there', async () => {
    const { world, open, asked } = await editorWith([callsTool('run_command', { command: 'touch new.txt' }, 'call_1'), replies('Done.')]);
    const { prompt } = await open();
    await prompt('go');
    const [request] = asked;
    expect(request?.toolCall).toMatchObject({ toolCallId: 'call_1', kind: 'execute', status: 'pending' });
    expect(JSON.stringify(request?.toolCall.content)).toContain('$ touch new.txt');
    expect(request?.options.map(({ name, kind }) => `${kind}: ${name}`)).toEqual([
      'allow_once: Yes',
      'allow_always: Exactly this, for this session',
      'allow_always: Always in this folder: exactly this command',
      expect.stringContaining('allow_always: Always in this folder: commands that begin with'),
      'reject_once: No',
    ]);
    expect(existsSync(join(world.cwd, 'new.txt'))).toBe(true);
  });

  test('for the session is not asked for again; a no is a failed call', async () => {
    const editor = await editorWith([write('a.txt'), write('b.txt'), replies('Done.')], { answer: choosing('allow_always') });
    await (await editor.open()).prompt('go');
    expect(editor.asked).toHaveLength(1);
    const other = await editorWith([write('a.txt'), replies('Not done.')], { answer: choosing('reject_once') });
    await (await other.open()).prompt('go');
    expect(existsSync(join(other.world.cwd, 'a.txt'))).toBe(false);
    expect(other.updates).toContainEqual(expect.objectContaining({ sessionUpdate: 'tool_call_update', status: 'failed' }));
  });

  test.each([{ optionId: '' }, { optionId: '0x0' }, { optionId: null }, { optionId: ['0'] }])(
    'is not given by the id $optionId, which no choice has',
    async ({ optionId }) => {
      const odd = { outcome: { outcome: 'selected', optionId } } as unknown as RequestPermissionResponse;
      const { world, open, asked } = await editorWith([write('a.txt'), replies('Not done.')], { answer: () => odd });
      await (await open()).prompt('go');
      expect(asked).toHaveLength(1);
      expect(existsSync(join(world.cwd, 'a.txt'))).toBe(false);
    },
  );

  test('that lasts is written into the settings', async () => {
    const { world, open } = await editorWith([callsTool('run_command', { command: 'touch new.txt' }), replies('Done.')], {
      answer: choosing('exactly this command'),
    });
    await (await open()).prompt('go');
    expect(world.read('config.json')).toContain('touch new.txt');
  });

  test('can be refused with words for the model, where the editor lets somebody type them', async () => {
    const { open, fake } = await editorWith([write('a.txt'), replies('I see.')], {
      capabilities: { elicitation: { form: {} } },
      answer: choosing('No, because'),
      elicit: () => ({ action: 'accept', content: { answer: 'call it b.txt' } }),
    });
    await (await open()).prompt('go');
    expect(JSON.stringify(fake.requests[1]?.request.messages)).toContain('call it b.txt');
  });

  test('shows the whole new file, and is not asked in a mode that accepts edits', async () => {
    const { world, open, asked, agent } = await editorWith([write('a.txt'), write('b.txt'), replies('Done.')], {
      answer: choosing('allow_once'),
      args: ['--permission-mode', 'accept-edits'],
    });
    const { prompt, sessionId } = await open();
    await agent.request('session/set_mode', { sessionId, modeId: 'ask' });
    await prompt('go');
    expect(asked).toHaveLength(2);
    expect(asked[0]?.toolCall.content).toContainEqual({ type: 'diff', path: join(world.cwd, 'a.txt'), newText: 'text\n' });
    expect(readFileSync(join(world.cwd, 'b.txt'), 'utf8')).toBe('text\n');
  });
});

describe('a question of the model', () => {
  const ask = callsTool('ask_user', { question: 'Which way?', choices: ['left', 'right'] });

  test('has its choices', async () => {
    const { open, asked, fake } = await editorWith([ask, replies('Right.')], { answer: choosing('right') });
    await (await open()).prompt('go');
    expect(asked[0]?.toolCall.title).toBe('Which way?');
    expect(asked[0]?.options.map(({ name }) => name)).toEqual(['left', 'right']);
    expect(JSON.stringify(fake.requests[1]?.request.messages)).toContain('The user chose: right');
  });

  test('has an answer of one’s own where the editor lets somebody type it', async () => {
    const { open, fake } = await editorWith([ask, replies('Up.')], {
      capabilities: { elicitation: { form: {} } },
      answer: choosing('Something else'),
      elicit: () => ({ action: 'accept', content: { answer: 'up' } }),
    });
    await (await open()).prompt('go');
    expect(JSON.stringify(fake.requests[1]?.request.messages)).toContain('says: up');
  });
});

test('a file outside is asked about with its path', async () => {
  const { world, open, asked } = await editorWith([callsTool('read_file', { path: '../outside.txt' }), replies('Done.')]);
  writeFileSync(join(world.cwd, '..', 'outside.txt'), 'far');
  await (await open()).prompt('go');
  expect(JSON.stringify(asked[0]?.toolCall)).toContain('outside the working folder');
});
