import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Constraint, check, type Files } from './task.ts';
import { type Cell, settingsOf, type Way } from './ways.ts';

/** One task that was done, or not, in one way. */
export type Row = {
  readonly task: string;
  readonly way: Way;
  /** Why the turn ended, as the program says. */
  readonly stopReason: string;
  readonly steps: number;
  readonly usd: number | null;
  readonly compactions: number;
  readonly offloads: number;
  /** Calls of `recall`, and reads of results that had left the context for a file. */
  readonly lookUps: number;
  readonly wrong: readonly string[];
  readonly broken: readonly Constraint[];
};

export type Program = {
  readonly path: string;
  /** What is set of the model, as it is in the settings file of whoever runs this; a file of prices beside it, if there is one. */
  readonly model: unknown;
  readonly catalogue: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly maxUsd: number | undefined;
  readonly signal: AbortSignal;
};

/** Commands could do the work instead of the model, helpers would do it in a context of their own. */
const DENIED = ['run_command', 'fetch_url', 'task'];
const MAX_STEPS = 600;

/** Does one task by the real program in an empty folder, which whoever calls this removes. Throws where the model cannot be asked. */
export async function runCell({ task, way }: Cell, folder: string, program: Program): Promise<Row> {
  const [home, work] = [join(folder, 'home'), join(folder, 'work')];
  mkdirSync(home, { recursive: true, mode: 0o700 });
  writeFileSync(join(home, 'config.json'), JSON.stringify({ model: program.model ?? {}, ...settingsOf({ task, way }) }), { mode: 0o600 });
  if (program.catalogue !== undefined) writeFileSync(join(home, 'models.json'), program.catalogue, { mode: 0o600 });
  for (const [path, text] of task.files) {
    mkdirSync(dirname(join(work, path)), { recursive: true });
    writeFileSync(join(work, path), text);
  }
  const limits = ['--max-steps', `${MAX_STEPS}`, ...(program.maxUsd === undefined ? [] : ['--max-cost', program.maxUsd.toFixed(2)])];
  const rights = ['--permission-mode', 'accept-edits', '--deny', DENIED.join(',')];
  const argv = ['-p', task.prompt, '--output-format', 'stream-json', '--home', home, ...rights, ...limits];
  const { code, out, err } = await runProgram([program.path, ...argv], {
    cwd: work,
    env: environment(program.env),
    signal: program.signal,
  });
  program.signal.throwIfAborted();
  const events = eventsIn(out);
  const result = events.findLast(({ type }) => type === 'result');
  const stopReason = String(result?.stopReason);
  // What is the model's own is a row; what is the key's, the network's or the disk's says nothing about the work.
  if (result === undefined || stopReason === 'failed')
    throw new Error(`${task.id}, ${way}: sanbot ended with ${code}. ${err || textOf(result)}`);
  return {
    ...{ task: task.id, way, stopReason, steps: Number(result.steps), compactions: Number(result.compactions) },
    ...{ usd: typeof result.costUsd === 'number' ? result.costUsd : null, offloads: Number(result.offloads) },
    lookUps: events.filter((event) => isLookUp(event, home)).length,
    ...check(task, { files: readFolder(work), answer: String(result.result) }),
  };
}

type Event = Readonly<Record<string, unknown>>;

const isLookUp = ({ type, tool, title }: Event, home: string): boolean =>
  type === 'tool_started' &&
  (tool === 'recall' || ((tool === 'read_file' || tool === 'search') && String(title).includes(join(home, 'sessions'))));

const textOf = (result: Event | undefined): string => JSON.stringify(result?.error ?? 'It printed no result.');

const eventsIn = (out: string): readonly Event[] =>
  out
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line));

/** The user's own, for keys and proxies, without what would set the sizes that are compared. */
const environment = (env: NodeJS.ProcessEnv): NodeJS.ProcessEnv =>
  Object.fromEntries([
    ...Object.entries(env).filter(([name]) => !/^SANBOT_(?:COMPACT_|CONTEXT_WINDOW$|HOME$|GROUP$|LANGUAGE$)/.test(name)),
    ['CI', '1'],
  ]);

type Where = { readonly cwd: string; readonly env: NodeJS.ProcessEnv; readonly signal: AbortSignal };
type Ran = { readonly code: number | null; readonly out: string; readonly err: string };

function runProgram(argv: readonly string[], { cwd, env, signal }: Where): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, argv, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const stop = () => child.kill('SIGINT');
    signal.addEventListener('abort', stop, { once: true });
    const [out, err]: [Buffer[], Buffer[]] = [[], []];
    child.stdout.on('data', (piece: Buffer) => out.push(piece));
    child.stderr.on('data', (piece: Buffer) => err.push(piece));
    child.on('error', reject);
    child.on('close', (code) => {
      signal.removeEventListener('abort', stop);
      resolve({ code, out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() });
    });
  });
}

const readFolder = (folder: string): Files =>
  new Map(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name))
      .map((path) => [path.slice(folder.length + 1).replaceAll('\\', '/'), readFileSync(path, 'utf8')]),
  );
