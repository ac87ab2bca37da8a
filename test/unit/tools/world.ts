import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outputFileSync } from 'fs-extra/esm';
import type { ToolOutcome, ToolPlan } from '../../../src/agent/ports/tools.ts';
import { findShell } from '../../../src/tools/command/find-shell.ts';
import { createJobs } from '../../../src/tools/command/jobs/jobs.ts';
import { NO_RULES } from '../../../src/tools/command/scrub-env.ts';
import { createParser } from '../../../src/tools/parse/parser.ts';
import type { ToolContext } from '../../../src/tools/tool-context.ts';
import { createTools } from '../../../src/tools/tools.ts';
import { afterThisTest } from '../../support/clean-up.ts';
import { parserProgram } from '../../support/parser-program.ts';
import { root as repository } from '../../support/source.ts';

export type TestWorld = {
  /** The working folder, links resolved. */
  readonly cwd: string;
  /** The folder that the working folder, SanBot's home and everything outside of both lie in. */
  readonly root: string;
  readonly home: string;
  readonly offloaded: string;
  /** Writes a file, its folders too; relative to the working folder. Returns its path. */
  readonly put: (path: string, content: string | Buffer, mode?: number) => string;
  readonly get: (path: string) => string;
  readonly link: (target: string, path: string) => void;
  /** Makes a body known to the session, without a file: as after it was retired. */
  readonly retire: (name: string, body: string) => string;
  readonly names: readonly string[];
  readonly plan: (tool: string, input: unknown) => Promise<ToolPlan>;
  readonly ready: (tool: string, input: unknown) => Promise<ReadyPlan>;
  /** Plans and runs; an invalid plan is an error of the test. */
  readonly call: (tool: string, input: unknown, signal?: AbortSignal) => Promise<ToolOutcome>;
  /** The message of a plan that must be invalid. */
  readonly refusal: (tool: string, input: unknown) => Promise<string>;
};
export type ReadyPlan = Extract<ToolPlan, { kind: 'ready' }>;

/** One for all tests of a file: its process stays for the next text. */
const parser = createParser({ program: parserProgram, deadline: (ms) => AbortSignal.timeout(ms) });

/** Real folders and the real tools; nothing in them but what a test puts there. */
export function createWorld(wish: Partial<ToolContext> | ((sessionFolder: string) => Partial<ToolContext>) = {}): TestWorld {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'sanbot-tools-')));
  afterThisTest(() => rmSync(root, { recursive: true, force: true }));
  const [cwd, home] = [join(root, 'ws', 'proj'), join(root, 'user', '.sanbot')];
  const sessionFolder = join(home, 'sessions', 's1');
  const offloaded = join(sessionFolder, 'offloaded');
  for (const folder of [cwd, offloaded]) mkdirSync(folder, { recursive: true });
  const bodies = new Map<string, string>();
  const tools = createTools({
    cwd,
    home,
    sessionFolder,
    environmentRules: NO_RULES,
    redactSecrets: true,
    limits: { processes: 4_096, memoryBytes: undefined },
    userHome: join(root, 'user'),
    sandbox: async () => undefined,
    env: { PATH: process.env.PATH, HOME: join(root, 'user') },
    pageChars: 10_000,
    readBody: (path) => bodies.get(path),
    web: { resolve: async () => [], dial: (target) => target, proxyFor: () => undefined, allowsLocal: () => false },
    deadline: (ms) => AbortSignal.timeout(ms),
    askPerson: async () => ({ kind: 'nobody' }),
    jobs: createJobs({
      pid: process.pid,
      folder: join(sessionFolder, 'jobs'),
      supervisor: { node: process.execPath, file: join(repository, 'dist', 'bundle', 'job-supervisor.js') },
      env: { PATH: process.env.PATH, HOME: join(root, 'user') },
      platform: process.platform,
      kill: (pid, signal) => process.kill(pid, signal),
      now: () => new Date(),
    }),
    parser,
    platform: process.platform,
    shell: findShell({ cwd, path: process.env.PATH }),
    fileChangeRecorder: async () => () => undefined,
    now: () => new Date(),
    newId: () => randomUUID().replaceAll('-', ''),
    kill: (pid, signal) => process.kill(pid, signal),
    ...(typeof wish === 'function' ? wish(sessionFolder) : wish),
  });
  const plan = async (name: string, input: unknown): Promise<ToolPlan> => {
    const tool = tools.find((each) => each.name === name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    return tool.plan(input);
  };
  const ready = async (name: string, input: unknown): Promise<ReadyPlan> => {
    const planned = await plan(name, input);
    if (planned.kind === 'invalid') throw new Error(planned.message);
    return planned;
  };
  return {
    ...{ cwd, root, home, offloaded, plan, ready, names: tools.map(({ name }) => name) },
    put: (path, content, mode) => {
      const whole = join(cwd, path);
      outputFileSync(whole, content, mode === undefined ? {} : { mode });
      return whole;
    },
    get: (path) => readFileSync(join(cwd, path), 'utf8'),
    link: (target, path) => symlinkSync(target, join(cwd, path)),
    retire: (name, body) => {
      const path = join(offloaded, name);
      bodies.set(path, body);
      return path;
    },
    call: async (name, input, signal = new AbortController().signal) => (await ready(name, input)).run(signal),
    refusal: async (name, input) => {
      const planned = await plan(name, input);
      if (planned.kind !== 'invalid') throw new Error(`${name} was not refused: ${planned.title}`);
      return planned.message;
    },
  };
}
