import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { asAnthropic, asClaudeCode, asCodex, asGeminiCli, asOpenai, asPi, longSession, type Recorded, small } from '../support/recorded.ts';
import { createSandbox, type Sandbox } from '../support/sanbot.ts';

const offline = { SANBOT_PROVIDER: 'offline' };
const newSandbox = (): Sandbox => createSandbox(offline);

async function imported(sandbox: Sandbox, name: string, text: string) {
  writeFileSync(join(sandbox.cwd, name), text);
  const ran = await sandbox.run(['import', name]);
  const ids = [...ran.out.matchAll(/Imported session (\S+)/g)].map(([, id = '']) => id);
  return { ran, ids, id: ids[0] ?? '' };
}

type Message = {
  readonly at: string;
  readonly role: string;
  readonly origin: string;
  readonly content: readonly Record<string, unknown>[];
  readonly stubs?: [];
};
const messagesOf = (sandbox: Sandbox, id: string): readonly Message[] =>
  sandbox.records(`sessions/${id}/log.jsonl`).flatMap((record) => (record.type === 'message' ? [record.message as Message] : []));

const said = (recorded: Recorded): readonly string[] => recorded.map((step) => ('user' in step ? step.user : step.says));

test('a page to read is refused, with what to export instead', async () => {
  const sandbox = newSandbox();
  await sandbox.run(['-p', 'status']);
  const [id = ''] = sandbox.names('sessions');
  for (const [format, form] of [
    ['md', 'Markdown'],
    ['html', 'HTML'],
  ] as const) {
    await sandbox.run(['export', '--session', id, '--format', format, '-o', `page.${format}`]);
    const refused = await sandbox.run(['import', `page.${format}`]);
    expect({ code: refused.code, out: refused.out }).toEqual({ code: 2, out: '' });
    expect(refused.err).toContain(`page.${format} is a page to read (${form})`);
    expect(refused.err).toContain(`sanbot export --session ${id} -o session.jsonl`);
  }
});

describe("importing another agent's session", () => {
  test('from a place below a file says that there is no such file, and blames nobody', async () => {
    const sandbox = newSandbox();
    writeFileSync(join(sandbox.cwd, 'f'), 'text');
    for (const name of ['f/x', 'f/x.jsonl', 'gone.jsonl']) {
      const ran = await sandbox.run(['import', name]);
      expect({ code: ran.code, out: ran.out }).toEqual({ code: 3, out: '' });
      expect(ran.err).toContain(`There is no file ${join(sandbox.cwd, name)}`);
      expect(ran.err).not.toContain('a fault in SanBot');
    }
  });

  test.each([
    ['claude-code', asClaudeCode],
    ['codex', asCodex],
    ['pi', asPi],
    ['gemini-cli', asGeminiCli],
    ['anthropic', asAnthropic],
    ['openai', asOpenai],
  ])('of %s gives a session that is whole, passes doctor and goes on', async (format, write) => {
    const sandbox = newSandbox();
    const { ran, id } = await imported(sandbox, 'recorded', write(small));
    expect(ran.code).toBe(0);
    expect(ran.out).toContain(`(${format}): 10 messages. To continue it: sanbot --resume ${id}`);
    const texts = messagesOf(sandbox, id)
      .slice(1)
      .flatMap(({ content }) => content.flatMap((block) => (block.type === 'text' ? [block.text] : [])));
    expect(texts).toEqual(said(small));
    expect((await sandbox.run(['doctor'])).code).toBe(0);
    const resumed = await sandbox.run(['--resume', id, '-p', 'status']);
    expect({ code: resumed.code, out: resumed.out }).toMatchObject({ code: 0, out: expect.stringContaining('messages') });
    expect((await sandbox.run(['search', 'readTable', '--session', id])).out).toContain('readTable');
  });

  test('keeps when each thing was said, so that it is found by its time; what would be still to come is of now', async () => {
    const sandbox = newSandbox();
    const lines = asClaudeCode(small).trim().split('\n');
    const dated = lines.map((line, i) => {
      const timestamp = i === lines.length - 1 ? '2999-01-01T00:00:00.000Z' : `2025-03-${String(i + 1).padStart(2, '0')}T10:00:00.000Z`;
      return JSON.stringify({ ...JSON.parse(line), timestamp });
    });
    const before = new Date().toISOString();
    const { id } = await imported(sandbox, 'dated.jsonl', dated.join('\n'));
    const messages = messagesOf(sandbox, id).slice(1);
    expect(messages[0]?.at).toBe('2025-03-01T10:00:00.000Z');
    expect(messages.slice(0, -1).every(({ at }) => at.startsWith('2025-03-'))).toBe(true);
    expect([messages.at(-1)?.at ?? '', before].sort()[0]).toBe(before);
    const search = async (...options: readonly string[]) => (await sandbox.run(['search', 'readTable', ...options])).out;
    expect(await search('--until', '2025-04-01')).toContain('readTable');
    expect(await search('--until', '2025-03-01')).not.toContain(id);
    expect((await sandbox.run(['history'])).out).toContain(id);
  });

  test('puts large results into files as when they arrive, with nothing of them lost, and a small window can go on', async () => {
    const sandbox = newSandbox();
    const recorded = longSession({ turns: 12, bodyLines: 300 });
    const { ran, id } = await imported(sandbox, 'long.jsonl', asPi(recorded));
    expect(ran.out).toContain('12 large results in files');
    const bodies = sandbox.names(`sessions/${id}/offloaded`).map((name) => sandbox.read(`sessions/${id}/offloaded/${name}`));
    const results = recorded.flatMap((step) => ('calls' in step ? step.calls.filter(({ name }) => name === 'read') : []));
    expect(bodies.sort()).toEqual(results.map(({ result }) => result).sort());
    const resumed = await sandbox.run(['--resume', id, '-p', 'status', '--context-window', '16000']);
    expect(resumed.code).toBe(0);
    expect((await sandbox.run(['doctor'])).code).toBe(0);
  });

  test('tells damaged lines and what it does not know, and imports the rest [D-08]', async () => {
    const sandbox = newSandbox();
    const lines = asClaudeCode(small).split('\n');
    const torn = [...lines.slice(0, 2), '{"type":"user","mess', '{"type":"hologram","uuid":"u9"}', ...lines.slice(2)].join('\n');
    const { ran } = await imported(sandbox, 'torn.jsonl', torn);
    expect(ran.code).toBe(0);
    expect(ran.err).toContain('torn.jsonl: damaged: line 3 is not a JSON object');
    expect(ran.err).toContain('left out: 1 hologram');
    expect(ran.out).toContain('10 messages');
  });

  test.each([2_200, 50_000])('of arguments nested %i levels deep keeps the call and says so, and the session goes on', async (levels) => {
    const sandbox = newSandbox();
    const input = `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    const reply = `{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"x","input":${input}}]}`;
    const result = '{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"found"}]}';
    const { ran, id } = await imported(sandbox, 'deep.json', `{"messages":[{"role":"user","content":"hi"},${reply},${result}]}`);
    expect([ran.code, ran.err]).toEqual([0, expect.stringContaining('left out: 1 arguments that cannot be sent')]);
    expect((await sandbox.run(['--resume', id, '-p', 'status'])).code).toBe(0);
  });

  test('takes nothing recorded for a path: names that climb out stay text, ids that no API takes are made so', async () => {
    const sandbox = newSandbox();
    const evil: Recorded = [
      { user: '../../../etc/passwd' },
      {
        says: 'I look.',
        calls: [{ id: '../../a|b c', name: '../write', input: { path: '../../../../tmp/x' }, result: 'x'.repeat(20_000), ok: true }],
      },
      { says: 'Done.', calls: [] },
    ];
    const { ran, id } = await imported(sandbox, 'evil.jsonl', asPi(evil));
    expect(ran.code).toBe(0);
    expect(sandbox.names(`sessions/${id}/offloaded`)).toHaveLength(1);
    const call = messagesOf(sandbox, id)
      .flatMap(({ content }) => content)
      .find((block) => block.type === 'tool_use');
    expect(call).toMatchObject({ id: expect.stringMatching(/^[\w-]+$/), name: expect.stringMatching(/^[\w-]+$/) });
    expect(readdirSync(sandbox.cwd)).toEqual(['evil.jsonl']);
  });

  test.each([
    ['of no known kind', 'Dear diary.', 'notes.txt is in no known format'],
    ['that is empty', '', 'notes.txt is empty'],
  ])('a file %s is refused and makes nothing', async (_, text, why) => {
    const sandbox = newSandbox();
    const { ran } = await imported(sandbox, 'notes.txt', text);
    expect({ code: ran.code, out: ran.out }).toEqual({ code: 2, out: '' });
    expect(ran.err).toContain(why);
    expect(sandbox.names('sessions')).toEqual([]);
  });
});
