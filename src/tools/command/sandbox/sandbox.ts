/**
 * The sandbox that commands run in, made by bubblewrap. In comes a place: the working folder, the homes, what the settings add. Out comes a
 * program with arguments that runs another one so that the kernel holds it to that place, or why no command can run there.
 *
 * - The disk is read-only but for the working folder (`plan.ts`), and of it that can be changed which neither runs later nor is obeyed by git
 *   (`git-holds.ts`). What a mount cannot hold, such as a link, keeps the command from running (`holds.ts`).
 * - Homes are hidden but for what is named (`shown.ts`). Sockets at which something listens are covered (`sockets.ts`).
 * - Whether bubblewrap works depends on the machine alone: nothing that lies in a folder can make it look as if it did not.
 */

import { spawn } from 'node:child_process';
import { realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { type Bilingual, because, quotedText } from '../../../domain/language.ts';
import { isWithin } from '../../../domain/value/is-within.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';
import { FIRST_TEXT, findProblem, isolationArgs, isPlan, planMounts, systemArgs } from './plan.ts';
import type { SandboxOptions, SandboxPlace } from './sandbox-place.ts';

/** A working bubblewrap: wraps a program so that the kernel holds it to its place, or says why none can run there. */
export type Sandbox = {
  readonly wrap: (place: SandboxPlace, options: SandboxOptions) => SandboxRun | Bilingual;
  /** Why `wrap` would return no program as things are now, for less work than that; undefined where it would. */
  readonly problem: (place: SandboxPlace, options: SandboxOptions) => Bilingual | undefined;
};

/** `args` are those before the wrapped program's own. */
export type SandboxRun = { readonly program: string; readonly args: readonly string[] };

type SandboxProbe = { readonly kind: 'works'; readonly sandbox: Sandbox } | { readonly kind: 'missing'; readonly why: Bilingual };

type ProbeContext = Pick<SandboxPlace, 'env' | 'cwd' | 'folders' | 'gitGuard'> & { readonly platform: string };

/**
 * Finds bubblewrap and runs a real command in it, since a kernel or a container may forbid what the program needs. No folder takes part in
 * that. A bubblewrap that lies in the working folder, or an added one, is the project's and not used. Never rejects.
 */
export async function probeSandbox({ env, platform, cwd, folders = [], gitGuard }: ProbeContext): Promise<SandboxProbe> {
  if (platform !== 'linux') return { kind: 'missing', why: { en: 'there is one on Linux only', zh: '只有 Linux 上有沙箱' } };
  const projects = [orUndefined(() => realpathSync(cwd)) ?? cwd, ...folders];
  const isOfProject = (path: string): boolean =>
    [path, orUndefined(() => realpathSync(path)) ?? path].some((each) => projects.some((project) => isWithin(each, project)));
  const program = (env.PATH ?? '')
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => join(folder, 'bwrap'))
    .find((path) => isProgram(path) && !isOfProject(path));
  if (program === undefined)
    return { kind: 'missing', why: { en: 'bubblewrap (bwrap) is not installed', zh: '没有安装 bubblewrap（bwrap）' } };
  const problem = await tryToRun(program, [...systemArgs(), ...isolationArgs(false), '--chdir', '/', '--', '/bin/sh', '-c', 'exit 0']);
  return problem === undefined
    ? { kind: 'works', sandbox: { wrap: (place, options) => wrap(program, { gitGuard, ...place }, options), problem: findProblem } }
    : { kind: 'missing', why: because({ en: 'bubblewrap does not work here', zh: 'bubblewrap 在此无法工作' }, quotedText(problem)) };
}

const isProgram = (path: string): boolean => orUndefined(() => statSync(path).isFile()) === true;

function wrap(program: string, place: SandboxPlace, options: SandboxOptions): SandboxRun | Bilingual {
  const plan = planMounts(place, options);
  if (!isPlan(plan)) return plan;
  const [first, ...rest] = [...withTexts(plan.texts), program, ...plan.args];
  return { program: first ?? program, args: rest };
}

/** A shell that gives texts to the program on descriptors; nothing where there are none. */
function withTexts(texts: readonly string[]): readonly string[] {
  if (texts.length === 0) return [];
  const documents = texts.map((text, i) => {
    let mark = 'END';
    while (text.split('\n').includes(mark)) mark += '_';
    return { from: `${FIRST_TEXT + i}<<'${mark}'`, body: `${text}\n${mark}\n` };
  });
  const script = `exec "$0" "$@" ${documents.map(({ from }) => from).join(' ')}\n${documents.map(({ body }) => body).join('')}`;
  return ['/bin/sh', '-c', script];
}

const PROBE_MS = 5_000;

/** Resolves with the first line of what went wrong; undefined when it ran. */
function tryToRun(program: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { env: {}, stdio: ['ignore', 'ignore', 'pipe'], timeout: PROBE_MS, killSignal: 'SIGKILL' });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said = `${said}${chunk.toString('utf8')}`.slice(0, 1_000);
    });
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code) => resolve(code === 0 ? undefined : (said.split('\n')[0] || `exit ${code ?? 'by a signal'}`).slice(0, 200)));
  });
}
