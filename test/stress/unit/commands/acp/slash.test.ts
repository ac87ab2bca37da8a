import { describe, expect, test } from 'vitest';
import { type AcpOptions, choosing, startAcp } from '../../../../support/acp.ts';
import { afterThisTest } from '../../../../support/clean-up.ts';
import { threeTurns } from '../../../../support/three-turns.ts';

/** A session of three turns, loaded in an editor. */
async function loaded(options: AcpOptions = {}) {
  const { world, api, id: sessionId } = await threeTurns();
  afterThisTest(() => api.close());
  const env = { ANTHROPIC_BASE_URL: api.url, ANTHROPIC_API_KEY: 'test-key', SANBOT_MODEL: 'claude-sonnet-5-5' };
  const editor = await startAcp({ ...options, world, env });
  await editor.agent.request('session/load', { sessionId, cwd: world.cwd, mcpServers: [] });
  const say = async (text: string): Promise<string> => {
    const before = editor.text('agent_message_chunk').length;
    const answer = await editor.agent.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
    expect(answer).toEqual({ stopReason: 'end_turn' });
    return editor.text('agent_message_chunk').slice(before);
  };
  const reload = async (): Promise<readonly string[]> => {
    const before = editor.updates.length;
    await editor.agent.request('session/load', { sessionId, cwd: world.cwd, mcpServers: [] });
    return editor.updates.slice(before).map(({ sessionUpdate }) => sessionUpdate);
  };
  return { ...editor, sessionId, say, reload, api };
}

const knowing: AcpOptions = { capabilities: { session: { compaction: {}, notices: {} } } };

describe('a compaction', () => {
  test('is told as one where the editor knows them, with the summary as it is written and how to undo it', async () => {
    const { say, updates, reload } = await loaded(knowing);
    await say('/compact keep the port numbers');
    const told = updates.filter(({ sessionUpdate }) => sessionUpdate.startsWith('compaction'));
    expect(told[0]).toMatchObject({ sessionUpdate: 'compaction_update', status: 'in_progress' });
    expect(told[1]).toMatchObject({ sessionUpdate: 'compaction_summary_chunk', content: { text: expect.stringContaining('##') } });
    const ended = told.at(-1);
    expect(ended).toMatchObject({ sessionUpdate: 'compaction_update', status: 'completed' });
    expect(JSON.stringify(told)).toMatch(/## Technical Context.*Compacted .*\/undo/);
    expect(new Set(told.map((update) => 'compactionId' in update && update.compactionId)).size).toBe(1);
    const played = await reload();
    expect(played.filter((kind) => kind === 'user_message_chunk')).toHaveLength(3);
    expect(played).toContain('compaction_update');
  });

  test('is a message with how to undo it elsewhere; after the undo it is not played back', async () => {
    const { say, reload, text } = await loaded();
    expect(await say('/compact')).toMatch(/Compacted .*Undo: \/undo/);
    await reload();
    expect(text('agent_message_chunk')).toContain('Compacted here; the summary that the model works with:');
    expect(await say('/undo')).toContain('Undo: /undo');
    const before = text('agent_message_chunk').length;
    const played = await reload();
    expect(played.filter((kind) => kind === 'user_message_chunk')).toHaveLength(3);
    expect(text('agent_message_chunk').slice(before)).not.toContain('Compacted here');
  });

  test('is looked at first with --preview, and made or not as the editor answers', async () => {
    const discarded = await loaded({ ...knowing, answer: choosing('Discard') });
    expect(await discarded.say('/compact --preview')).toContain('## Technical Context');
    expect(discarded.asked[0]?.toolCall.title).toBe('Compact like this?');
    expect(discarded.updates).toContainEqual(expect.objectContaining({ sessionUpdate: 'compaction_update', status: 'cancelled' }));
    const committed = await loaded({ ...knowing, answer: choosing('Commit') });
    await committed.say('/compact --preview');
    expect(committed.updates).toContainEqual(expect.objectContaining({ sessionUpdate: 'compaction_update', status: 'completed' }));
  });
});

test('commands do and show what they do at a terminal', async () => {
  const { say, updates, comes, reload } = await loaded({ answer: choosing('Yes') });
  const offered = await comes(({ sessionUpdate }) => sessionUpdate === 'available_commands_update');
  const names = 'availableCommands' in offered ? offered.availableCommands.map(({ name }) => name) : [];
  expect(names).toEqual(expect.arrayContaining(['compact', 'undo', 'rewind', 'context', 'pin', 'recall']));
  expect(names).not.toEqual(expect.arrayContaining(['quit']));
  expect(await say('/context')).toContain('system prompt');
  expect(await say('/recall vendor/lib1.ts')).toContain('lib1.ts');
  expect(await say('/pin 1')).toMatch(/Pinned/);
  expect(await say('/pins')).toContain('part 0');
  expect(await say('/nonsense')).toContain('There is no command /nonsense');
  await say('/permissions read-only');
  expect(updates).toContainEqual({ sessionUpdate: 'current_mode_update', currentModeId: 'read-only' });
  await say('/rename A new name');
  expect(updates).toContainEqual({ sessionUpdate: 'session_info_update', title: 'A new name' });
  await say('/rewind 2');
  expect((await reload()).filter((kind) => kind === 'user_message_chunk')).toHaveLength(1);
});

test('what only begins like a command is said to the model', async () => {
  const { say, api } = await loaded();
  const before = api.requests.length;
  await say('/etc/hosts is empty, why?');
  await say('# A heading');
  expect(api.requests.length).toBe(before + 2);
});
