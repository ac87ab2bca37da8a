import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { importTranscript } from '../../src/commands/sessions/recordings/import-transcript.ts';
import { createSandbox } from '../support/sanbot.ts';

/** A home whose settings hold these hooks, a small window, and a working folder with three files that fill it. */
function hookedSandbox(hooks: object) {
  const sandbox = createSandbox({ SANBOT_PROVIDER: 'offline', SANBOT_CONTEXT_WINDOW: '16000' });
  mkdirSync(sandbox.home, { mode: 0o700 });
  const compaction = { keepRecentMessages: 2, keepRecentTokens: 200, maxMessages: 4, minMessagesBeforeCompact: 2 };
  writeFileSync(join(sandbox.home, 'config.json'), JSON.stringify({ hooks, compaction }), { mode: 0o600 });
  const lines = Array.from({ length: 900 }, (_, i) => `line ${i} of a long page`).join('\n');
  writeFileSync(join(sandbox.cwd, 'long.txt'), lines);
  const say = (text: string) => sandbox.run(['-p', text, '--continue', '--permission-mode', 'bypass']);
  const converse = async () => {
    await sandbox.run(['-p', 'read long.txt', '--permission-mode', 'bypass']);
    let last = await say('颜色是蓝色');
    for (const text of ['hello', 'status']) {
      const next = await say(text);
      last = { ...next, err: last.err + next.err };
    }
    return last;
  };
  const audit = () => sandbox.records('context/events.jsonl');
  return { ...sandbox, lines, converse, audit };
}

test('a hook for the Claude Agent SDK finds the whole conversation where transcript_path says, offloaded results included; nothing of it stays', async () => {
  const keep = 'node -e \'const i=JSON.parse(require("fs").readFileSync(0));require("fs").copyFileSync(i.transcript_path,"seen.jsonl")\'';
  const { cwd, lines, converse, names, audit } = hookedSandbox({ PreCompact: [keep] });
  await converse();
  expect(audit().map(({ type }) => type)).toContain('compacted');
  const text = readFileSync(join(cwd, 'seen.jsonl'), 'utf8');
  const [read] = importTranscript('seen.jsonl', text);
  expect(read?.format).toBe('claude-code');
  const said = read?.steps.flatMap((step) => (step.type === 'user' ? [step.text] : []));
  expect(said).toEqual(['read long.txt', '颜色是蓝色', 'hello', 'status'].slice(0, said?.length));
  expect(said?.length).toBeGreaterThan(2);
  const results = read?.steps.flatMap((step) => (step.type === 'reply' ? step.results.map(({ content }) => String(content)) : [])) ?? [];
  const seen = results.join('\n');
  for (const line of lines.split('\n').slice(0, 200)) expect(seen).toContain(line);
  const parents = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(parents.map(({ parentUuid }) => parentUuid)).toEqual([null, ...parents.slice(0, -1).map(({ uuid }) => uuid)]);
  const [id = ''] = names('sessions');
  expect(names(`sessions/${id}`)).not.toContain('transcript.jsonl');
});

test('a PreCompact hook is told the permission mode of that moment: of the session, and of a compaction from outside', async () => {
  const { cwd, converse, names, run } = hookedSandbox({ PreCompact: ['cat >> seen.jsonl; echo >> seen.jsonl'] });
  await converse();
  const modes = (): readonly string[] => {
    const lines = readFileSync(join(cwd, 'seen.jsonl'), 'utf8').split('\n');
    return lines.filter((line) => line !== '').map((line) => JSON.parse(line).permission_mode);
  };
  expect(new Set(modes())).toEqual(new Set(['bypassPermissions']));
  await run(['compact', '--session', names('sessions')[0] ?? '']);
  // It is read-only: no tool of it may write.
  expect(modes().at(-1)).toBe('plan');
});

test('a hook that fails, or hangs, is told and put down in the audit log; the archive is written and the work goes on [N9]', async () => {
  const { converse, names, audit, run } = hookedSandbox({
    PreCompact: ['exit 1', { command: 'sleep 1000', timeoutMs: 200 }],
    SessionEnd: ['exit 4'],
  });
  const { code, err } = await converse();
  expect(code).toBe(0);
  expect(err).toContain('The PreCompact hook exit 1 failed, the work goes on: it ended with exit code 1\n');
  expect(err).toContain('The SessionEnd hook exit 4 failed, the session ended anyway: it ended with exit code 4\n');
  expect(names('groups/main/conversations').length).toBeGreaterThan(0);
  const failed = audit().filter(({ type, ok }) => type === 'hook_ran' && ok === false);
  expect(failed.map(({ hook, command, note }) => [hook, command, note])).toEqual(
    expect.arrayContaining([
      ['PreCompact', 'exit 1', 'it ended with exit code 1'],
      ['PreCompact', 'sleep 1000', 'it took longer than 200 ms and was stopped'],
      ['SessionEnd', 'exit 4', 'it ended with exit code 4'],
    ]),
  );
  expect(await run(['doctor'])).toMatchObject({ code: 0 });
});

test('what a SessionStart hook prints is in the context of the first request, once a start', async () => {
  const { run, names, records } = hookedSandbox({ SessionStart: ['cat > start.json; echo 今天是满月'] });
  await run(['-p', 'status']);
  const [id = ''] = names('sessions');
  const messages = () =>
    records(`sessions/${id}/log.jsonl`).flatMap(({ message }) => (message === undefined ? [] : [JSON.stringify(message)]));
  expect(messages()[0]).toContain('> 今天是满月');
  expect(messages()[0]).toContain('"origin":"notice"');
  await run(['-p', 'status', '--continue']);
  expect(messages().filter((message) => message.includes('今天是满月'))).toHaveLength(2);
});

test('a compaction from outside asks the hooks too: one that blocks it is told with its reason, and no transcript stays', async () => {
  const { run, converse, names } = hookedSandbox({ PreCompact: ['cat > asked.json; echo not today >&2; exit 2'] });
  await converse();
  const [id = ''] = names('sessions');
  const { code, err } = await run(['compact', '--session', id]);
  expect(code).toBe(9);
  expect(err).toContain('a PreCompact hook blocked it: not today');
  expect(names(`sessions/${id}`)).not.toContain('transcript.jsonl');
});

test('a hook that is no command is refused with the key and what is right', async () => {
  const { run, home } = hookedSandbox({});
  writeFileSync(join(home, 'config.json'), '{"hooks": {"PreCompact": [{"cmd": "x"}], "PreCompakt": []}}');
  const { code, err } = await run(['-p', 'status']);
  expect(code).toBe(2);
  expect(err).toContain(
    'hooks.PreCompact.0: expected a command, {"command": "…", "timeoutMs": …} with at most 600000, or {"matcher": "…", "hooks": [{"type": "command", "command": "…"}]}, found an object',
  );
  expect(err).toContain('Did you mean hooks.PreCompact?');
});

test('a key that a hook prints reaches neither the model nor the disk [S-30]', async () => {
  const { run, names, read } = hookedSandbox({ SessionStart: ['echo "token=ghp_$(printf a1B2%.0s 1 2 3 4 5 6 7 8 9)"'] });
  await run(['-p', 'status']);
  const log = read(`sessions/${names('sessions')[0]}/log.jsonl`);
  expect(log).toContain('[redacted');
  expect(log).not.toContain('ghp_a1B2a1B2');
});
