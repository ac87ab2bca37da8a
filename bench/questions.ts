// How often a person is asked in recorded work: npm run bench:questions -- [FILE_OR_FOLDER…]   (default: ../shared/transcripts)
// Each call of the recordings is judged as the same call of SanBot's would be, in the folder that it ran in, with a sandbox, by somebody who
// says yes for this once. Printed are the questions in a hundred calls, and which calls ask. Nothing is run.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { decidePermission, type PermissionRules, type ReadyPlan } from '../src/agent/turn/permission.ts';
import { importTranscript } from '../src/commands/sessions/recordings/import-transcript.ts';
import { viewedCommand } from '../src/context/permission/viewed-command.ts';
import type { PermissionSettings } from '../src/domain/config/permission-rule.ts';
import { sameInBoth } from '../src/domain/language.ts';
import type { PermissionMode } from '../src/domain/permission.ts';
import { isToolUse } from '../src/domain/session/message.ts';
import { isObject, isString } from '../src/domain/value/json.ts';
import { parseShell } from '../src/tools/command/parse-command.ts';
import { neededBy } from '../src/tools/command/sandbox/needs.ts';
import { count, share } from './table.ts';

type Call = { readonly cwd: string; readonly input: Record<string, unknown>; readonly kind: 'run' | 'write' | 'other' };

const NAMES: Readonly<Record<string, Call['kind']>> = {
  ...{ bash: 'run', run_shell_command: 'run', execute_command: 'run' },
  ...{ edit: 'write', write: 'write', multiedit: 'write', write_file: 'write', replace: 'write', create: 'write' },
};

const filesIn = (place: string): readonly string[] =>
  statSync(place).isDirectory() ? readdirSync(place, { recursive: true, encoding: 'utf8' }).map((name) => join(place, name)) : [place];

const callsIn = (file: string): readonly Call[] =>
  importTranscript(file, readFileSync(file, 'utf8')).flatMap(({ cwd = '/project', steps }) =>
    steps
      .flatMap((step) => (step.type === 'reply' ? step.content.filter(isToolUse) : []))
      .map(({ name, input }) => ({
        cwd,
        input: isObject(input) ? input : {},
        kind: NAMES[name.toLowerCase()] ?? 'other',
      })),
  );

const isInside = (path: string, cwd: string): boolean =>
  !/^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(path) || path.startsWith(`${cwd}/`) || path === cwd;

async function planOf({ kind, cwd, input }: Call): Promise<ReadyPlan | undefined> {
  const text = [input.command, input.file_path, input.path].find(isString);
  if (kind === 'other' || text === undefined) return undefined;
  const run: ReadyPlan['run'] = async () => ({ ok: true, content: '', note: sameInBoth('') });
  const shared = { kind: 'ready', title: text, preview: text, cwd, run } as const;
  if (kind === 'write') return { ...shared, access: 'write', path: text, place: isInside(text, cwd) ? 'inside' : 'outside' };
  const parsed = await parseShell(text);
  const needs = neededBy(parsed, undefined, cwd);
  const caution = needs === undefined ? undefined : { why: sameInBoth(needs), eachTime: false };
  const command = {
    ...{ text, parsed, needs, isHeld: needs === undefined, scripts: undefined },
    freeToRead: async (paths: readonly string[]) => (paths.every((path) => isInside(path, cwd)) ? paths : undefined),
    irreversible: async () => undefined,
  };
  return { ...shared, access: 'run', path: undefined, place: 'none', command, ...(caution && { caution }) };
}

type Person = { readonly mode: PermissionMode } & Pick<PermissionSettings, 'sandboxedCommands'>;

async function isAsked(plan: ReadyPlan, { mode, sandboxedCommands }: Person): Promise<boolean> {
  const paths = plan.command === undefined ? undefined : viewedCommand(plan.command.parsed)?.paths;
  const onlyReads = paths !== undefined && (await plan.command?.freeToRead(paths)) !== undefined;
  const settings: PermissionSettings = { allow: [], ask: [], deny: [], readOnlyCommands: 'ask', sandboxedCommands };
  const rules: PermissionRules = { mode, settings, onlyReads, allowed: new Set(), grants: new Set(), trustsFolder: true };
  return decidePermission(plan.access === 'run' ? 'run_command' : 'edit_file', plan, rules).kind === 'ask';
}

const PEOPLE: readonly Person[] = [
  { mode: 'ask', sandboxedCommands: 'ask' },
  { mode: 'ask', sandboxedCommands: 'run' },
  { mode: 'accept-edits', sandboxedCommands: 'ask' },
  { mode: 'accept-edits', sandboxedCommands: 'run' },
];

const given = process.argv.slice(2);
const shared = join(process.cwd(), '..', 'shared', 'transcripts');
const files = (given.length > 0 ? given : existsSync(shared) ? [shared] : [])
  .flatMap(filesIn)
  .filter((name) => /\.(?:jsonl?|traj)$/.test(name) && !name.includes('chinese'));
const calls = files.flatMap(callsIn);
const plans = (await Promise.all(calls.map(planOf))).filter((plan) => plan !== undefined);
const commands = plans.filter(({ access }) => access === 'run');
console.log(`${count(calls.length)} calls of ${files.length} recordings, ${count(commands.length)} of them commands`);
for (const person of PEOPLE) {
  const asked: ReadyPlan[] = [];
  for (const plan of plans) if (await isAsked(plan, person)) asked.push(plan);
  const ofCommands = asked.filter(({ access }) => access === 'run');
  const how = `${person.mode}, commands in the sandbox: ${person.sandboxedCommands}`;
  console.log(
    `${how}: ${share(asked.length, calls.length)} of all calls ask, ${share(ofCommands.length, commands.length)} of the commands`,
  );
  if (process.env.SHOW === `${person.mode} ${person.sandboxedCommands}`)
    for (const { title } of ofCommands) console.log(`  ${title.replaceAll('\n', '⏎')}`);
}
