// One turn of the real binary on a small disk at each level of free space. Arguments: the disk's folder, and how many levels.
// Prints one line of JSON: what happened at each level; `wrong` must be empty.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [disk = '', backup = '', levels = '8'] = process.argv.slice(2);
const binary = join(process.cwd(), 'bin', 'sanbot.js');
const home = join(disk, 'home');
const cwd = join(backup, 'project');
mkdirSync(cwd);
const line = (i) => `entry ${i}: the quick brown fox reads the log of part ${i % 7} and finds error E${1000 + i}`;
const page = (from, count) => Array.from({ length: count }, (_, i) => line(from + i)).join('\n');
for (const [name, text] of [
  ['a.txt', page(0, 30)],
  ['b.txt', page(30, 30)],
  ['bulk.txt', page(0, 400)],
])
  writeFileSync(join(cwd, name), text);

const env = {
  PATH: process.env.PATH,
  HOME: backup,
  SANBOT_HOME: home,
  SANBOT_PROVIDER: 'offline',
  SANBOT_CONTEXT_WINDOW: '12000',
  NO_COLOR: '1',
};
const sanbot = (...args) => spawnSync(process.execPath, [binary, ...args], { cwd, env, encoding: 'utf8' });
/** With the permissions of the folders, which cpSync of Node 22 leaves out. */
const copyTree = (from, to) => spawnSync('cp', ['-a', from, to]);
const say = (prompt, ...more) => sanbot('-p', prompt, '--permission-mode', 'bypass', '--output-format', 'stream-json', ...more);

mkdirSync(home, { mode: 0o700 });
writeFileSync(join(home, 'config.json'), JSON.stringify({ compaction: { maxMessages: 6, keepRecentMessages: 4 } }), { mode: 0o600 });
say('read a.txt');
for (const prompt of ['we must never delete vendor/lib.ts', 'read b.txt']) say(prompt, '--continue');
const [id = ''] = readdirSync(join(home, 'sessions'));
copyTree(home, join(backup, 'saved'));

const wrong = [];
const codes = {};
for (let level = 0; level < Number(levels); level++) {
  rmSync(home, { recursive: true });
  copyTree(join(backup, 'saved'), home);
  const free = Math.round((level * 196_608) / Number(levels) / 4096) * 4096;
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(join(disk, 'filler'), Buffer.alloc(Math.max(0, bavail * bsize - free)));
  const ran = say('read bulk.txt', '--continue');
  const problem = (what) => wrong.push(`${free} bytes free: ${what}`);
  codes[ran.status] = (codes[ran.status] ?? 0) + 1;
  if (ran.status !== 0 && ran.status !== 7) problem(`exit code ${ran.status}: ${ran.stderr}`);
  if (ran.status === 7 && !ran.stderr.includes('the disk is full') && !ran.stdout.includes('the disk is full'))
    problem(`it does not say why: ${ran.stderr}`);
  rmSync(join(disk, 'filler'));
  const log = readFileSync(join(home, 'sessions', id, 'log.jsonl'), 'utf8');
  for (const text of ran.stdout.split('\n').filter((each) => each.includes('"type":"tool_ended"'))) {
    if (!log.includes(`"tool_use_id":"${JSON.parse(text).toolUseId}"`)) problem('a result that had ended is gone');
  }
  if (!log.startsWith(readFileSync(join(backup, 'saved', 'sessions', id, 'log.jsonl'), 'utf8')))
    problem('what was there before has changed');
  const next = say('status', '--continue');
  if (next.status !== 0) problem(`the next turn ends with ${next.status}: ${next.stderr}`);
  const { findings } = JSON.parse(sanbot('doctor', '--json').stdout);
  for (const { kind, path } of findings) if (kind !== 'body_orphan') problem(`afterwards ${kind}: ${path}`);
}
process.stdout.write(`${JSON.stringify({ codes, wrong })}\n`);
