import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { npmIn, packInto } from '../../support/packed.ts';
import { createSandbox } from '../../support/sanbot.ts';
import { root } from '../../support/source.ts';

const base = mkdtempSync(join(tmpdir(), 'sanbot-library-'));
const project = join(base, 'project');
afterAll(() => rmSync(base, { recursive: true, force: true }));

let tarball = '';
beforeAll(() => {
  const packed = packInto(base);
  tarball = packed.find((file) => /\/sanbot-[\d.]+\.tgz$/.test(file)) ?? '';
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'project', private: true, type: 'module' }));
  npmIn(base)('install', '--prefix', project, '--no-audit', '--no-fund', ...packed);
});

const { env } = createSandbox({ SANBOT_PROVIDER: 'offline' });

/** Runs a program of the project, in a folder where nothing is. */
function runIn(name: string, text: string, options: readonly string[] = []): string {
  const cwd = mkdtempSync(join(base, 'empty-'));
  writeFileSync(join(project, name), text);
  return execFileSync(process.execPath, [...options, join(project, name)], {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

const examples = [...readFileSync(join(root, 'docs/library.md'), 'utf8').matchAll(/^```js\n([\s\S]*?)^```\n\n```text\n([\s\S]*?)^```/gm)];

describe('a project in JavaScript', () => {
  test('has examples to run', () => {
    expect(examples.length).toBeGreaterThanOrEqual(6);
  });

  test.each(examples.map(([, code = '', printed = ''], at) => [at + 1, code, printed] as const))(
    'prints what the page of the library says: example %i',
    (at, code, printed) => {
      expect(runIn(`example-${at}.mjs`, code)).toBe(printed);
    },
  );

  test('needs only the files of the package for a context, and writes none', () => {
    const [, code = ''] = examples.find(([, text = '']) => text.includes('context.undo()')) ?? [];
    const permission = Number(process.versions.node.split('.')[0]) < 22 ? '--experimental-permission' : '--permission';
    expect(runIn('closed.mjs', code, [permission, `--allow-fs-read=${project}/`])).toContain('true 10');
  });
});

const SOURCE = `
import { createAgent, type SanbotAgent, SanbotError } from 'sanbot';
import { type Context, createContext } from 'sanbot/context';

const context: Context = await createContext({ windowTokens: 1_000, onEvent: (event) => event.type === 'compacted' && event.snapshotId });
const result = await context.compact({ preview: true });
export const summary: string = result.kind === 'compacted' ? result.summary : '';
export const agent: SanbotAgent = await createAgent({ tools: [{ name: 'a', description: '', inputSchema: {}, run: () => '' }] });
for await (const event of agent.send('hello')) if (event.type === 'result') event.stopReason satisfies string;
export const code = (error: unknown) => (error instanceof SanbotError ? error.code satisfies string : '');
// @ts-expect-error
await createContext({});
`;

describe('a strict project in TypeScript, which checks the declarations too', () => {
  test.each([
    ['node16', 'node16', 'typescript'],
    ['esnext', 'bundler', 'typescript'],
    ['node16', 'node16', 'typescript-syntax'],
    ['esnext', 'bundler', 'typescript-syntax'],
  ])('with the modules of %s and the resolution of %s, by the package %s', (module, moduleResolution, compiler) => {
    writeFileSync(join(project, 'use.ts'), SOURCE);
    const compilerOptions = {
      module,
      moduleResolution,
      strict: true,
      exactOptionalPropertyTypes: true,
      target: 'es2022',
      noEmit: true,
      types: [],
    };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ files: ['use.ts'], compilerOptions }));
    const ran = spawnSync(process.execPath, [join(root, 'node_modules', compiler, 'bin', 'tsc'), '-p', project], { encoding: 'utf8' });
    expect([ran.stdout, ran.status]).toEqual(['', 0]);
  });
});

test('publint and are-the-types-wrong find nothing wrong with the package', () => {
  const bin = (name: string) => join(root, 'node_modules', '.bin', name);
  const lint = spawnSync(bin('publint'), [tarball, '--strict'], { encoding: 'utf8' });
  expect([lint.stdout, lint.status]).toEqual([expect.stringContaining('All good'), 0]);
  const types = spawnSync(bin('attw'), [tarball, '--profile', 'esm-only', '--no-color', '--no-emoji'], { encoding: 'utf8' });
  expect([types.stdout, types.status]).toEqual([expect.not.stringContaining('💀'), 0]);
});

/** CPU of a process from its start, in microseconds: the least of several. */
function cpuOf(args: readonly string[]): number {
  const report = "process.on('exit', () => { const { user, system } = process.cpuUsage(); process.stdout.write(String(user + system)); });";
  writeFileSync(join(project, 'report.cjs'), report);
  const runs = Array.from({ length: 15 }, () =>
    Number(execFileSync(process.execPath, ['--require', './report.cjs', ...args], { cwd: project, env, encoding: 'utf8' })),
  );
  return Math.min(...runs);
}

test('an import of sanbot/context takes at most half as much again as a process that does nothing', () => {
  writeFileSync(join(project, 'import.mjs'), "import 'sanbot/context';\n");
  expect(cpuOf(['import.mjs']) / cpuOf(['-e', '0'])).toBeLessThanOrEqual(1.5);
});

/** What a program loads beside what every one does. */
function loadedBy(name: string, text: string): readonly string[] {
  const recorded = (program: string): readonly string[] => {
    const imports = join(mkdtempSync(join(base, 'imports-')), 'list');
    execFileSync(process.execPath, ['--import', join(root, 'test/support/record-imports.mjs'), program], {
      ...{ cwd: project, env: { ...env, IMPORTS: imports }, stdio: 'ignore' as const },
    });
    return readFileSync(imports, 'utf8')
      .split('\n')
      .map((line) => line.split(' ')[0] ?? '');
  };
  writeFileSync(join(project, name), text);
  writeFileSync(join(project, 'nothing.mjs'), 'import "node:fs";\n');
  const usual = recorded('nothing.mjs');
  return [...new Set(recorded(name))].filter((each) => !usual.includes(each));
}

test('a context loads files of its own alone, and no part of Node that reaches out', () => {
  const [, code = ''] = examples.find(([, text = '']) => text.includes('context.undo()')) ?? [];
  const loaded = loadedBy('load.mjs', code);
  const files = loaded.filter((name) => name.includes('/node_modules/sanbot/'));
  expect(files.length).toBeGreaterThan(1);
  expect(files.filter((name) => !/\/dist\/exports\/[^/]+$/.test(name))).toEqual([]);
  expect(loaded.filter((name) => REACHES_OUT.test(name))).toEqual([]);
});

const REACHES_OUT = /^node:(?:https?|http2|net|tls|dns|child_process|worker_threads|readline|tty)(?:\/|$)/;
