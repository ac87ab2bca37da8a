import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { isBilingual } from '../../../../../src/domain/language.ts';
import { createJobs, type Jobs } from '../../../../../src/tools/command/jobs/jobs.ts';
import { probeSandbox, type Sandbox } from '../../../../../src/tools/command/sandbox/sandbox.ts';
import { NO_RULES } from '../../../../../src/tools/command/scrub-env.ts';
import { afterThisTest } from '../../../../support/clean-up.ts';
import { root } from '../../../../support/source.ts';
import { until } from '../../../../support/until.ts';
import { visibleFolder } from '../../../../support/visible-folder.ts';

const above = visibleFolder ?? tmpdir();
const probe = await probeSandbox({ env: process.env, platform: process.platform, cwd: above });
const sandbox: Sandbox | undefined = probe.kind === 'works' ? probe.sandbox : undefined;

/** Stays until `end-NAME` is there, then tries to write what a cover forbids. */
const waiting = (name: string): string =>
  `echo > at-${name}; until [ -e end-${name} ]; do sleep 0.02; done; echo evil > .mcp.json; mkdir -p .husky; echo evil > .husky/pre-push`;

function makeFolder() {
  const folder = realpathSync(mkdtempSync(join(above, '.covers-')));
  afterThisTest(() => rmSync(folder, { recursive: true, force: true }));
  const cwd = join(folder, 'project with a space');
  mkdirSync(cwd);
  /** As a session of its own, in the same working folder. */
  const session = (id: string): { readonly jobs: Jobs; readonly begin: () => Promise<void> } => {
    const home = join(folder, 'home');
    const jobs = createJobs({
      folder: join(home, 'sessions', id, 'jobs'),
      supervisor: { node: process.execPath, file: join(root, 'dist', 'bundle', 'job-supervisor.js') },
      env: { PATH: process.env.PATH },
      platform: process.platform,
      kill: (pid, signal) => process.kill(pid, signal),
      now: () => new Date(),
    });
    afterThisTest(async () => {
      for (const { name } of jobs.list()) await jobs.stop(name);
    });
    const begin = async (): Promise<void> => {
      if (sandbox === undefined) throw new Error('no sandbox');
      const place = { cwd, home, userHome: undefined, readable: [], runFiles: [], shown: [], env: { PATH: process.env.PATH } };
      const wrapped = sandbox.wrap(place, { network: false });
      if (isBilingual(wrapped)) throw new Error(wrapped.en);
      const { program, args, covers } = wrapped;
      const environmentRules = { pass: [...NO_RULES.pass], withhold: [...NO_RULES.withhold] };
      const order = {
        command: waiting(id),
        keep: false,
        cwd,
        shell: '/bin/sh',
        redactSecrets: true,
        limits: { processes: 100 },
        environmentRules,
      };
      expect(await jobs.start({ ...order, sandbox: { program, args: [...args], covers: [...covers] } })).toMatchObject({ name: 'job-1' });
      await until(() => existsSync(join(cwd, `at-${id}`)));
    };
    return { jobs, begin };
  };
  const end = async (id: string, jobs: Jobs): Promise<void> => {
    writeFileSync(join(cwd, `end-${id}`), '');
    expect(await jobs.waitFor('job-1', 60_000, new AbortController().signal)).toMatchObject({ status: { kind: 'ended' } });
  };
  return { cwd, session, end };
}

describe.skipIf(sandbox === undefined || visibleFolder === undefined)(
  'two sessions in one folder, each with a command in a sandbox',
  () => {
    test.each(['a', 'b'])(
      'the cover that the living one needs stays when the other leaves, and the last removes it: %s first [S-07]',
      async (first) => {
        const { cwd, session, end } = makeFolder();
        const [a, b] = [session('a'), session('b')];
        await a.begin();
        await b.begin();
        const [leaving, staying, second] = first === 'a' ? [a, b, 'b'] : [b, a, 'a'];
        await leaving.jobs.leave();
        await end(second, staying.jobs);
        expect(
          staying.jobs
            .output('job-1', 0)
            .pieces.map(({ text }) => text)
            .join(''),
        ).toMatch(/Is a directory[\s\S]*Read-only file system/);
        if (existsSync(join(cwd, '.mcp.json'))) expect(readdirSync(join(cwd, '.mcp.json'))).toEqual([]);
        staying.jobs.covers.release([]);
        expect(readdirSync(cwd).toSorted()).toEqual(['at-a', 'at-b', `end-${second}`]);
      },
    );

    test('an empty folder of the user’s own stays, whoever ends last', async () => {
      const { cwd, session, end } = makeFolder();
      mkdirSync(join(cwd, '.husky'));
      writeFileSync(join(cwd, '.mcp.json'), '{}');
      const [a, b] = [session('a'), session('b')];
      await a.begin();
      await b.begin();
      await end('a', a.jobs);
      await a.jobs.leave();
      await end('b', b.jobs);
      await b.jobs.leave();
      expect(readdirSync(cwd).toSorted()).toEqual(['.husky', '.mcp.json', 'at-a', 'at-b', 'end-a', 'end-b']);
      expect(readFileSync(join(cwd, '.mcp.json'), 'utf8')).toBe('{}');
    });
  },
);
