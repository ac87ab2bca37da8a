import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outputFileSync } from 'fs-extra/esm';
import { beforeAll, describe, expect, test } from 'vitest';
import { decidePermission, type PermissionRules, provesReading, type ReadyPlan } from '../../../../src/agent/turn/permission.ts';
import type { PermissionRule } from '../../../../src/domain/config/permission-rule.ts';
import { type BypassCase, collectedCases, controlCases, generatedCases } from '../../../support/bypass-cases.ts';
import { afterThisFile } from '../../../support/clean-up.ts';
import { sampleOf } from '../../../support/runs.ts';
import { createWorld } from '../world.ts';

/** A person's rules for the program of a command and for its first words, beside what many people would write. */
function rulesFor(command: string): readonly PermissionRule[] {
  const parts = command.split(/[\n;|&()<>`"']+/).map((part) => part.trim().split(/\s+/));
  const own = parts.flatMap((words) => [words.slice(0, 1), words.slice(0, 2)]).map((words) => words.join(' '));
  const common =
    'ls,cat,echo,git log,git diff,git status,git show,git branch,grep,rg,find,sort,sed,head,tail,wc,npm test,npm run,node,python3,make,awk,xargs,env,bash,sh,tee,curl,tar,uniq,tree,ps,date,file,less,man,zip,git,npm,go,cargo,[,test,true,sleep,which,diff,xxd,split';
  // Rules for what the marker is made with would allow just that.
  const payloads = /^(?:\S*\/)?(?:touch|cp|mv|ln|mkdir|install|truncate|rm)\b/;
  return [...own, ...common.split(',')]
    .filter((prefix) => prefix !== '' && !payloads.test(prefix))
    .map((prefix) => ({ tool: 'run_command', prefix }));
}

const rulesOf = (allow: readonly PermissionRule[], wish: Partial<PermissionRules> = {}): PermissionRules => ({
  ...{
    mode: 'accept-edits',
    allowed: new Set<string>(),
    grants: new Set<string>(['write inside']),
    onlyReads: false,
    trustsFolder: true,
  },
  ...wish,
  settings: { allow: [...allow], ask: [], deny: [], readOnlyCommands: 'run', sandboxedCommands: 'ask' },
});

const root = mkdtempSync(join(tmpdir(), 'sanbot-bypass-'));
afterThisFile(() => rmSync(root, { recursive: true, force: true }));
const marker = join(root, 'marker');
const cwd = join(root, 'project');

const NO_RULES = { deny: [], ask: [] };
const TEXT = 'a b\na b\nc\n';
const put = (path: string, content: string, mode?: number): void =>
  outputFileSync(join(cwd, path), content, mode === undefined ? {} : { mode });

beforeAll(() => {
  put('f', TEXT);
  put('src/a', '');
  put('scripts/ok.js', 'console.log(1)\n');
  put('Makefile', 'all:\n\techo hi\n');
  put('d/pre.sh', `#!/bin/sh\ntouch ${marker}\n`, 0o755);
  put('d/Makefile', `x := $(shell touch ${marker})\nall:\n`);
  bash('git init -q . && git add f && git -c user.name=a -c user.email=a@b commit -qm x');
});

const inScratch = (command: string): string => command.replaceAll('$M', marker).replaceAll('$D', join(cwd, 'd'));

const bash = (command: string) =>
  spawnSync('bash', ['-c', command], {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: root },
    input: '',
    timeout: 10_000,
    encoding: 'utf8',
  });

/**
 * Runs each of the scripts in $1 by a bash of its own, and names those after which the marker was there. Begun from here each of them
 * would take longer: the larger a process, the longer it takes to part.
 */
const RUN_EACH = `
for script in "$1"/*; do
  timeout 10 bash -c "$(<"$script")" </dev/null 2>&1 | cat >/dev/null
  if compgen -G "$2/marker*" >/dev/null; then echo "\${script##*/}"; rm -rf "$2"/marker*; fi
  rm -f "$3/s"; printf '%s' "$4" >"$3/f"
done`;

/** Those of the commands that make the marker. */
function actingOf(commands: readonly string[]): readonly string[] {
  const scripts = mkdtempSync(join(tmpdir(), 'sanbot-scripts-'));
  afterThisFile(() => rmSync(scripts, { recursive: true, force: true }));
  for (const [at, command] of commands.entries()) writeFileSync(join(scripts, String(at)), command);
  const { stdout, status } = spawnSync('bash', ['-c', RUN_EACH, 'bash', scripts, root, cwd, TEXT], {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: root },
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  return stdout.split('\n').flatMap((at) => (at === '' ? [] : (commands[Number(at)] ?? [])));
}

const planOf = (command: string, world = createWorld({ cwd })): Promise<ReadyPlan> => world.ready('run_command', { command });

const decide = async (plan: ReadyPlan, rules: PermissionRules) =>
  decidePermission('run_command', plan, { ...rules, onlyReads: await provesReading(plan, NO_RULES) }).kind;

async function unasked(cases: readonly BypassCase[]): Promise<readonly string[]> {
  const all = cases.flatMap(({ command }) => rulesFor(command));
  const runs: string[] = [];
  const world = createWorld({ cwd });
  for (const { command } of cases) {
    for (const text of new Set([command, inScratch(command)])) {
      const plan = await planOf(text, world);
      const sets = [[], ...rulesFor(command).map((rule) => [rule]), all];
      const onlyReads = await provesReading(plan, NO_RULES);
      if (sets.some((allow) => decidePermission('run_command', plan, rulesOf(allow, { onlyReads })).kind === 'allow')) runs.push(text);
    }
  }
  return runs;
}

describe.each([
  ['collected', collectedCases],
  ['generated', generatedCases()],
] as const)('of the %s commands that only look harmless', (name, cases) => {
  test.skipIf(cases === undefined)(`none runs unasked, under any rule that a person would write [S-09, S-10]`, async () => {
    expect(await unasked(name === 'generated' ? sampleOf(cases ?? []) : (cases ?? []))).toEqual([]);
  });

  test.skipIf(cases === undefined)('most do act under bash, so that the asking is for something [S-10]', () => {
    const tried = sampleOf(cases ?? []);
    const acting = actingOf(tried.map(({ command }) => inScratch(command)));
    // Not every machine has every program.
    expect(acting.length).toBeGreaterThan(tried.length * 0.6);
    console.info(`${name}: ${acting.length} of ${tried.length} act under bash, 0 run unasked`);
  });
});

describe('what is harmless', () => {
  test.each(controlCases)('still runs unasked: $command', async ({ command, prefix }) => {
    const before = listing();
    const plan = await planOf(command);
    const allow = prefix === '' ? [] : [{ tool: 'run_command', prefix }];
    expect(await decide(plan, rulesOf(allow))).toBe('allow');
    const { status, stderr } = bash(command);
    expect([status, stderr]).toEqual([0, '']);
    expect(listing()).toEqual(before);
  });

  test('asks outside of a sandbox while the person has not said otherwise, and for what lies elsewhere or holds secrets', async () => {
    put('.env', 'KEY=1\n');
    const rules = { ...rulesOf([]), settings: { ...rulesOf([]).settings, readOnlyCommands: 'ask' } } as const;
    expect(await decide(await planOf('ls'), rules)).toBe('ask');
    for (const command of [
      'cat /etc/hostname',
      'cat ../x',
      'cat .env',
      'ls ~',
      'cat "~/x"',
      'head -1 d/../.env',
      'find / -name x',
      'git status',
      // Through links, folders that lie elsewhere.
      'du -aL .',
      'ls -RL .',
      'tree -l .',
      'find -L . -name x',
    ])
      expect([command, await decide(await planOf(command), rulesOf([]))]).toEqual([command, 'ask']);
  });

  test('is no longer proven when the project could put another program in its place', async () => {
    const inside = createWorld({ cwd, env: { PATH: `${cwd}/node_modules/.bin:/usr/bin` } });
    const relative = createWorld({ cwd, env: { PATH: '/usr/bin:' } });
    put('node_modules/.bin/ls', '#!/bin/sh\n', 0o755);
    for (const world of [inside, relative])
      expect(await provesReading(await world.ready('run_command', { command: 'ls' }), NO_RULES)).toBe(false);
  });
});

const listing = (): readonly string[] =>
  readdirSync(cwd, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('.git'))
    .sort();

test('the marker is not there at the end', () => {
  expect(existsSync(marker)).toBe(false);
});
