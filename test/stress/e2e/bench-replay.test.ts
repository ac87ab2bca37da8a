import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { importTranscript } from '../../../src/commands/sessions/recordings/import-transcript.ts';
import { asAnthropic, asClaudeCode, asPi, longSession, small } from '../../support/recorded.ts';
import { createSandbox, type Sandbox } from '../../support/sanbot.ts';
import { root } from '../../support/source.ts';

const sandbox = createSandbox();
const file = (name: string, text: string): string => {
  writeFileSync(join(sandbox.cwd, name), text);
  return name;
};
const long = file('long.jsonl', asClaudeCode(longSession({ turns: 25, bodyLines: 150 })));

/** `npm run bench:replay` without npm. */
function start({ env, cwd }: Sandbox, args: readonly string[]) {
  const child = spawn(process.execPath, [join(root, 'bench', 'replay.mjs'), ...args], { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const text = { out: '', err: '' };
  for (const [name, stream] of [
    ['out', child.stdout],
    ['err', child.stderr],
  ] as const)
    stream.on('data', (piece: Buffer) => {
      text[name] += piece.toString();
    });
  const ended = new Promise<{ code: number | null; out: string; err: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, ...text })),
  );
  return { child, ended };
}

const replay = (...args: readonly string[]) => start(sandbox, args).ended;

describe('npm run bench:replay', () => {
  test('prints a page a person reads, writes nothing, and needs no key', async () => {
    const ran = await replay(long, file('small.jsonl', asPi(small)), '--window', '32k', '--policy', 'sanbot,none');
    expect({ code: ran.code, err: ran.err }).toEqual({ code: 0, err: '' });
    expect(ran.out).toContain('2 files, 2 conversations, 79 requests');
    expect(ran.out).toMatch(/^\| 32k \| 0\.0 % /m);
    expect(ran.out).toMatch(/^\| 32k none \| 1 of 2 \|/m);
    expect(sandbox.names('')).toEqual([]);
  });

  test('prints the same JSON every time, a total for each window and policy', async () => {
    const argv = [long, '--window', '16000,32k', '--policy', 'sanbot,none', '--json'];
    const [first, second] = [await replay(...argv), await replay(...argv)];
    expect(first.out).toBe(second.out);
    const { totals, runs } = JSON.parse(first.out);
    expect(totals.map((each: Record<string, unknown>) => [each.windowTokens, each.policy, each.overflowSessions])).toEqual([
      [16_000, 'sanbot', 0],
      [16_000, 'none', 1],
      [32_000, 'sanbot', 0],
      [32_000, 'none', 1],
    ]);
    expect(runs).toHaveLength(4);
  });

  test('takes several files side by side and prints the same as one after the other', async () => {
    const files = [file('one.json', asAnthropic(longSession({ turns: 6, bodyLines: 60 }))), file('two.jsonl', asPi(small))];
    const argv = ['--window', '8k', '--policy', 'all', '--json'];
    const together = await replay(...files, ...argv);
    const apart = [];
    for (const name of files) apart.push(...JSON.parse((await replay(name, ...argv)).out).runs);
    const { runs, totals } = JSON.parse(together.out);
    expect(runs).toEqual(apart);
    expect(totals.map(({ policy }: { policy: string }) => policy)).toEqual([
      'sanbot',
      'sliding-window',
      'truncate',
      'summary-only',
      'none',
    ]);
    expect(totals[0].between.cacheable.low).toBeLessThanOrEqual(totals[0].between.cacheable.high);
    expect(totals[0].costAgainst[0]).toMatchObject({ policy: 'sanbot', ratio: 1 });
  });

  test('keeps the replayed sessions as a home in which the real search finds what left the context', async () => {
    const ran = await replay(long, '--window', '16k', '--keep-home', 'kept', '--json');
    const [{ sessionId, compactions, snapshots, snapshotsEqual }] = JSON.parse(ran.out).runs;
    expect(sessionId).toBe('long-16k-sanbot');
    expect(ran.err).toContain('kept; to search it: sanbot search --home kept --session long-16k-sanbot');
    expect([compactions > 0, snapshotsEqual]).toEqual([true, snapshots]);
    // As old as its last step, which is now: opened as a home, it loses no snapshot to its age.
    const kept = () =>
      readdirSync(join(sandbox.cwd, 'kept', 'memory', 'session-summaries')).filter((name) => name.endsWith('.jsonl')).length;
    const snapshotFiles = kept();
    expect((await sandbox.run(['compact', '--home', 'kept', '--session', sessionId, '--preview'])).code).toBe(0);
    expect([snapshotFiles > 0, kept()]).toEqual([true, snapshotFiles]);
    const hits = await sandbox.run(['search', '--home', 'kept', '--session', sessionId, '--json', 'npx tsc -p src/area3']);
    expect(hits.out).toContain("Cannot find name 'shape3'");
    expect((await sandbox.run(['doctor', '--home', 'kept'])).code).toBe(0);
    const again = await replay(long, '--window', '16k', '--keep-home', 'kept');
    expect({ code: again.code, out: again.out }).toEqual({ code: 1, out: '' });
    expect(again.err).toContain('Session long-16k-sanbot already exists');
  });

  test('writes every request on demand, a file for each recorded reply, with all calls answered', async () => {
    const ran = await replay('small.jsonl', '--requests', 'requests', '--window', '200k');
    expect(ran.code).toBe(0);
    const folder = join(sandbox.cwd, 'requests', 'small.jsonl', '200000-sanbot');
    expect(readdirSync(folder).sort()).toEqual(['000002.json', '000003.json', '000004.json', '000006.json']);
    const { system, tools, messages } = JSON.parse(readFileSync(join(folder, '000003.json'), 'utf8'));
    expect(system[0]).toContain('SanBot');
    expect(tools.length).toBeGreaterThan(3);
    expect(
      messages.map((message: { role: string; content: { type: string }[] }) => [message.role, message.content.map(({ type }) => type)]),
    ).toEqual([
      ['user', ['text']],
      ['assistant', ['text', 'tool_use', 'tool_use']],
      ['user', ['tool_result', 'tool_result']],
    ]);
  });

  test('takes a session that sanbot export wrote, with the whole of results that went to files', async () => {
    const own = createSandbox({ SANBOT_PROVIDER: 'offline' });
    const text = Array.from({ length: 900 }, (_, i) => `第${i}行: the quick brown fox`).join('\n');
    writeFileSync(join(own.cwd, 'big.txt'), text);
    await own.run(['-p', 'read big.txt']);
    await own.run(['--continue', '--fork', '-p', 'status']);
    const [id = '', fork = ''] = own.names('sessions');
    for (const [session, name] of [
      [id, 'whole.jsonl'],
      [fork, 'fork.jsonl'],
    ] as const) {
      expect((await own.run(['export', '--session', session, '-o', name])).code).toBe(0);
      const { code, out, err } = await start(own, [name, '--json', '--window', '200k']).ended;
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(JSON.parse(out).runs).toMatchObject([{ format: 'sanbot', offloads: 1 }]);
      const [transcript] = importTranscript(name, readFileSync(join(own.cwd, name), 'utf8'));
      expect(transcript?.steps.flatMap((step) => (step.type === 'reply' ? step.results : []))[0]?.content).toContain('第700行');
    }
    const torn = readFileSync(join(own.cwd, 'whole.jsonl'), 'utf8').trimEnd().split('\n').slice(0, -1);
    writeFileSync(join(own.cwd, 'torn.jsonl'), torn.join('\n'));
    expect((await start(own, ['torn.jsonl', '--window', '200k']).ended).err).toContain('its end is missing');
  });

  test.each([
    ['a file that is no session', [file('notes.txt', 'Dear diary.')], 1, 'notes.txt is in no known format'],
    ['a file that is not there', ['gone.jsonl'], 1, 'Cannot read gone.jsonl'],
    ['no file', [], 2, 'Give recorded sessions'],
    ['a window that is no size', [long, '--window', 'big'], 1, '--window: expected sizes of at least'],
    ['a window that nothing fits', [long, '--window', '100'], 1, '--window: expected sizes of at least 4000 tokens'],
    ['a policy that nobody knows', [long, '--policy', 'magic'], 1, '--policy: expected one of sanbot, sliding-window'],
  ])('%s is refused with what is wrong', async (_, args, code, why) => {
    const ran = await replay(...args);
    expect({ code: ran.code, out: ran.out }).toEqual({ code, out: '' });
    expect(ran.err).toContain(why);
  });
});

const entries = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
};
/** What a replay keeps for itself while it runs, in either place. */
const passing = (pid: number | undefined): readonly string[] =>
  [tmpdir(), '/dev/shm'].flatMap(entries).filter((path) => path.includes(`sanbot-replay-${pid}-`));

test('a replay that is stopped leaves nothing behind', async () => {
  const endless = file('endless.jsonl', asClaudeCode(longSession({ turns: 150, bodyLines: 150 })));
  const { child, ended } = start(sandbox, [endless, '--window', '16k,32k', '--policy', 'all']);
  await expect.poll(() => passing(child.pid).flatMap(entries)).not.toEqual([]);
  child.kill('SIGTERM');
  expect(await ended).toEqual({ code: 130, out: '', err: '' });
  expect(passing(child.pid)).toEqual([]);
});

test('a replay that fails in the middle leaves nothing behind', async () => {
  const { child, ended } = start(sandbox, ['notes.txt', long]);
  expect((await ended).code).toBe(1);
  expect(passing(child.pid)).toEqual([]);
});
