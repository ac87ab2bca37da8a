import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { englishProse } from '../../support/english-prose.ts';
import type { Sandbox } from '../../support/sanbot.ts';
import { usedHome } from '../../support/used-home.ts';

let world: Sandbox;
let id: string;
let snapshot: string;
let memory: string;
beforeAll(async () => {
  world = await usedHome('我们决定用朱红色刷门', { filler: 'again-and-again ', memory: '我喜欢简短的提交说明' });
  id = world.names('sessions')[0] ?? '';
  await world.run(['-p', 'status', '--continue']);
  snapshot = JSON.parse((await world.run(['history', '--session', id, '--json'])).out)[0].id;
  memory = JSON.parse((await world.run(['memory', '--json'])).out)[0]?.id ?? 'none';
  writeFileSync(join(world.cwd, 'bad.jsonl'), '{"a":1}\nnot json\n');
  writeFileSync(join(world.cwd, 'image.png'), 'x');
  mkdirSync(join(world.cwd, 'folder'));
  await world.run(['export', '--session', id, '-o', 'folder/session.jsonl']);
});

const lines = `
history
history --session ID
history --snapshot SNAPSHOT
history --snapshot none
context --session ID
context --session nothing
compact --session ID
compact --session ID --preview
rollback --session ID
rollback --snapshot SNAPSHOT --dry-run
rollback --snapshot SNAPSHOT
rollback --session ID --last --yes
rollback --session ID --to-message 1 --dry-run
rollback --session ID --to-message 99 --yes
rollback --session ID --to-message 1 --files --yes
sessions
sessions list
sessions show ID
sessions show none
sessions rename ID 标题
sessions delete ID
sessions delete none --yes
sessions search 朱红
sessions search none
search 朱红
search none
search --errors 朱红
search --decisions
search --decisions --since 7d
search --tool none 朱红
search --role user 朱红
show ID:0
show none
show ID:999
events
events --session ID
events --since 2h
events --session none
memory
memory list
memory list --kind runtime
memory show MEMORY
memory show none
memory add 我喜欢简短的提交说明
memory add --kind facts 端口是8080
memory add sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnop
memory add LONG
memory add .
memory forget none
memory edit MEMORY 门是蓝色的
memory edit none 新
memory edit facts
memory edit facts 新
memory review
memory undo
memory embed
consolidate
consolidate --dry-run
consolidate --yes
metrics
metrics --since 7d
metrics --session ID
report --session ID --html folder/r.html
report --session ID --html none/r.html
report --session ID --html bad.jsonl
export --session ID -o folder/e.md
export --session ID -o folder
export --session ID -o none/e.md
import bad.jsonl
import none.jsonl
import folder
import image.png
doctor
doctor --no-endpoint
doctor --repair
doctor --session ID
doctor --session none
clean --dry-run
clean
purge --match 朱红 --dry-run
purge --match 朱红
purge --match x --dry-run
purge --match 没有的东西 --dry-run
demo --fast
setup
models
models --all
config show
config path
config validate
config
permissions
permissions list
permissions allow run_command rm
permissions allow --here run_command make
permissions allow none x
permissions ask fetch_url example.com
permissions deny * ~/letters/**
permissions remove 1
permissions remove 99
permissions readonly run
permissions readonly never
mcp
mcp list
mcp add files -- node none.mjs
mcp add far --url http://127.0.0.1:9/mcp
mcp add files -- node none.mjs
mcp add bad.name -- node
mcp add folder
mcp add plain --url http://example.com/mcp
mcp list
mcp test files
mcp test far
mcp test none
mcp approve files --yes
mcp approve none
mcp login files
mcp login far --no-browser
mcp logout far
mcp logout files
mcp remove far
mcp remove none
trust
trust list
trust add
trust add --yes
trust add folder --yes
trust add none
trust list
trust remove
trust remove
completion
completion tcsh
-p 你好
-p 你好 --resume none
-p 你好 --resume ID
-p 你好 --model none
-p 你好 --max-steps 0
-p 你好 --input-format stream-json
-p 你好 --sandbox on
-p 你好 --home bad.jsonl
-p @none.txt
-p @image.png
-p @folder/session.jsonl
--resume
--continue --fork -p 你好
--group a/b -p 你好
--allow none -p 你好
show ID:1 --json extra
`;

test.each(
  lines
    .trim()
    .split('\n')
    .map((line) => [line]),
)('sanbot %s', async (line) => {
  const args = line
    .split(' ')
    .filter((word) => word !== '')
    .map(
      (word) =>
        (({ SNAPSHOT: snapshot, MEMORY: memory, LONG: '长'.repeat(900) }) as Readonly<Record<string, string>>)[word] ??
        word.replace(/^ID/, id),
    );
  const { out, err } = await world.run(args, { env: { SANBOT_LANGUAGE: 'zh' } });
  const told = line.startsWith('-p') ? err : `${ours(line, out)}\n${err}`;
  expect(`${out}${err}`).not.toBe('');
  expect(englishProse(told).join('\n')).toBe('');
});

/** Without what is quoted from the conversation: what was found, what a rollback brings back or takes away, what a made-up job says. */
function ours(line: string, out: string): string {
  if (line === 'demo --fast') return out.replace(SOURCE_ROW, '');
  const quotation = /^(?:search|rollback)/.test(line) ? /^\s{2}/ : /^$/;
  return out
    .split('\n')
    .filter((row) => !quotation.test(row))
    .join('\n');
}

const SOURCE_ROW = /^ +1 {3}export const.*$/m;
