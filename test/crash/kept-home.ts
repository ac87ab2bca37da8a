import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { signInsOf } from '../../src/runtime/conversation/mcp.ts';
import { processEnvironment } from '../../src/runtime/environment.ts';
import { afterThisFile } from '../support/clean-up.ts';
import { copyTree } from '../support/copied-world.ts';
import { playedScript } from '../support/mcp.ts';
import { createSandbox, type Ran, type Sandbox } from '../support/sanbot.ts';

/** A home that keeps what its user has said of folders, servers, rules and memories, at one place, and copies of it beside it. */
export type KeptHome = {
  readonly world: Sandbox;
  /** Ids, in the order in which they were said. */
  readonly memories: readonly string[];
  readonly copy: () => string;
  /** A command line in this process, in a copy. */
  readonly run: (home: string, args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Ran>;
  /** What a command line, or a function, says of a copy, without what differs from one to the next. */
  readonly state: (home: string, shown: Shown, env?: Readonly<Record<string, string>>) => Promise<string>;
  /** What the doctor finds in a copy, two hours later. */
  readonly findings: (home: string) => Promise<readonly string[]>;
};
export type Shown = readonly string[] | ((home: string) => unknown);

const PARTS = 'DESK_PARTS';
/** The variable that says which version of the server `desk` starts. */
export const deskAt = (version: number): Readonly<Record<string, string>> => ({ [PARTS]: `version=${version}` });

/** A server that one can sign in to. */
export const page = { name: 'page', source: 'user', file: 'config.json', config: { url: 'http://127.0.0.1:9/mcp' } } as const;
export const signedIn = (token: string) => ({
  ...{ url: page.config.url, issuer: 'https://login.test', client: { client_id: 'sanbot' } },
  tokens: { access_token: token, token_type: 'Bearer' },
});

export const signInsIn = (home: string) => signInsOf(page, processEnvironment(), home);

export const FOLDERS = ['part 1', '部分 2', 'part 3', 'part 4'];
export const SAID = ['The office is in Basel', 'The lab 实验室 is in Bern', 'We decided to paint the door green', 'I prefer tea'];

export async function createKeptHome(): Promise<KeptHome> {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline', ...deskAt(1) });
  const script = join(world.cwd, 'desk.mjs');
  writeFileSync(script, `process.argv.push(...process.env.${PARTS}.split(' ')); await import(${JSON.stringify(playedScript)});`);
  for (const folder of FOLDERS) {
    mkdirSync(join(world.cwd, folder));
    writeFileSync(join(world.cwd, folder, '.sanbot.json'), '{ "agent": { "maxSteps": 7 } }');
  }
  mkdirSync(world.home, { mode: 0o700 });
  const desk = { command: process.execPath, args: [script], env: { [PARTS]: `\${${PARTS}}` } };
  const permissions = { allow: [{ tool: 'run_command', command: 'make all' }] };
  writeFileSync(join(world.home, 'config.json'), JSON.stringify({ mcpServers: { desk, page: page.config }, permissions }), { mode: 0o600 });
  const steps = [
    ['trust', 'add', '--yes', join(world.cwd, FOLDERS[0] ?? '')],
    ['mcp', 'test', 'desk'],
    ...SAID.map((text) => ['memory', 'add', text]),
  ];
  for (const args of steps) {
    const { code, err } = await world.run(args);
    if (code !== 0) throw new Error(`${args.join(' ')} ends with ${code}: ${err}`);
  }
  signInsIn(world.home).write(signedIn('first'));
  const listed: readonly { readonly id: string; readonly text: string }[] = JSON.parse((await world.run(['memory', '--json'])).out);
  const base = mkdtempSync(join(tmpdir(), 'sanbot-kept-'));
  afterThisFile(() => rmSync(base, { recursive: true, force: true }));
  let count = 0;
  const copy = (): string => {
    const home = join(base, String(++count));
    copyTree(world.home, home);
    return home;
  };
  const run: KeptHome['run'] = (home, args, env = {}) => world.run(args, { env: { SANBOT_HOME: home, ...env } });
  return {
    ...{ world, copy, run },
    state: async (home, shown, env) =>
      JSON.stringify(typeof shown === 'function' ? shown(home) : (await run(home, shown, env)).out)
        .replaceAll(home, '')
        .replace(/"(?:id|at|messageId)\\": \\"[^"]+"/g, ''),
    findings: async (home) => {
      age(home);
      const found: readonly Found[] = JSON.parse((await run(home, ['doctor', '--json', '--no-endpoint'])).out).findings;
      return found.map(({ kind, path }) => `${kind}: ${path.slice(home.length)}`);
    },
    memories: SAID.flatMap((text) => listed.flatMap((each) => (each.text === text ? [each.id] : []))),
  };
}

type Found = { readonly kind: string; readonly path: string };

/** As if it were two hours later: no process can still be writing what stands there half written. */
export function age(home: string): void {
  const then = new Date(Date.now() - 2 * 60 * 60 * 1000);
  for (const { parentPath, name } of readdirSync(home, { recursive: true, withFileTypes: true }))
    utimesSync(join(parentPath, name), then, then);
}
