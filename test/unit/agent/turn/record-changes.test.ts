import { describe, expect, test } from 'vitest';
import type { BegunAct, LeftOutFiles, RecordedActs } from '../../../../src/agent/ports/disk.ts';
import type { AskPermission, CommandPlan, ToolOutcome } from '../../../../src/agent/ports/tools.ts';
import { recordChanges } from '../../../../src/agent/turn/record-changes.ts';
import type { SanbotEvent } from '../../../../src/domain/event.ts';
import type { PermissionAnswer, PermissionMode } from '../../../../src/domain/permission.ts';
import type { Actor, ChangeSet, Entry } from '../../../../src/domain/session/change.ts';
import { parseShell } from '../../../../src/tools/command/parse-command.ts';
import { createAgentWorld, silentPerson } from '../../../support/agent-world.ts';

const FILE: Entry = { kind: 'file', mode: 0o644, size: 1, mtime: 1, ctime: 1, ino: 1, holds: 'sha256:00' };
const actor = (title: string): Actor => ({ id: title, title, record: 1 });
const setOf = (by: Actor, path: string, also: readonly Actor[] = []): ChangeSet => ({
  ...{ n: 1, at: '2026-03-04T05:06:07.000Z', by, also },
  changes: [{ path: `/w/${path}`, before: FILE, after: null }],
});

type World = {
  /** It is in the sandbox. */
  readonly held?: boolean;
  /** Somebody said yes to this very call. */
  readonly isAllowed?: boolean;
  readonly title?: string;
  readonly left?: readonly string[];
  readonly answer?: PermissionAnswer;
  readonly mode?: PermissionMode;
  readonly set?: ChangeSet;
  readonly news?: readonly ChangeSet[];
  readonly isNews?: boolean;
  readonly fails?: boolean;
};

/** A call of this command, or of a server's tool without one, in /w; and all that was asked of the record and told. */
async function calling(command: string | undefined, world: World = {}, more: object = {}) {
  const asked: string[] = [];
  const events: SanbotEvent[] = [];
  let names: readonly string[] = [];
  let title = '';
  let writes: readonly string[] = [];
  const begun: BegunAct = {
    goOn: (id) => void asked.push(`goes on as ${id}`),
    end: () => {
      asked.push('end');
      return { set: world.set, uncovered: new Map([['/w', 'unnamed']]), isNews: world.isNews === true };
    },
  };
  const acts: RecordedActs = {
    begin: async (act) => {
      asked.push('begin');
      names = act.names();
      title = act.title;
      writes = act.writes ?? [];
      if (world.fails === true) throw new Error('no room');
      return begun;
    },
    news: async () => world.news ?? [],
    leaveOut: async () => {
      asked.push('leave out');
      return world.left && leftFiles(world.left, asked);
    },
  };
  const parsed = command === undefined ? undefined : await parseShell(command);
  const plan = {
    ...({ kind: 'ready', access: 'run', path: undefined, place: 'none', title: 'run', preview: '', cwd: '/w' } as const),
    ...(parsed !== undefined && {
      command: {
        ...{ text: command ?? '', parsed, needs: undefined, isHeld: world.held === true, scripts: undefined },
        freeToRead: async (paths) => paths,
        irreversible: async () => undefined,
      } satisfies CommandPlan,
    }),
    run: async () => DONE,
    ...more,
  };
  const session = { cwd: '/w', consent: createAgentWorld().session.consent };
  const call = {
    id: 'c1',
    title: world.title ?? 'run',
    plan,
    isAllowed: world.isAllowed === true,
    input: { path: 'in/a', list: ['~/b'] },
    session,
    signal: new AbortController().signal,
  };
  const askPermission: AskPermission = async ({ keeps, preview }) => {
    asked.push(`asks: ${keeps?.en} ${preview}`);
    return world.answer ?? 'no';
  };
  const person = { ...silentPerson, mode: world.mode ?? 'ask', askPermission };
  const deps = { disk: { acts }, report: { emit: (event: SanbotEvent) => void events.push(event) }, person };
  const run = (outcome: ToolOutcome | Error = DONE) =>
    recordChanges(call, deps, async () => {
      asked.push('run');
      if (outcome instanceof Error) throw outcome;
      return outcome;
    });
  return {
    run,
    asked,
    warnings: () => events.flatMap((event) => (event.type === 'warning' ? [event.message.en] : [])),
    names: () => names,
    title: () => title,
    writes: () => writes,
  };
}

const leftFiles = (paths: readonly string[], asked: string[]): LeftOutFiles => ({
  files: paths.map((name) => ({ name, path: `/w/${name}`, why: { en: 'a shell runs it', zh: 'shell 会运行它' }, isBack: false })),
  problems: [],
  restore: 'sanbot changes --restore 3',
  preview: async () => '+planted',
  keep: async () => {
    asked.push('keep');
    return [];
  },
});

const DONE: ToolOutcome = { ok: true, content: 'exit 0', note: { en: 'exit 0', zh: '退出码 0' } };

describe('a call that may change files', () => {
  test('is recorded from before it runs until it has ended, and its outcome tells what it changed', async () => {
    const { run, asked } = await calling('rm a', { set: setOf(actor('run'), 'a') });
    const { content, changed } = await run();
    expect(asked).toEqual(['begin', 'run', 'end', 'leave out']);
    expect([content, changed?.text, changed?.note.en]).toEqual(['exit 0', '[deleted: a]', '1 file deleted']);
  });

  test('costs nothing where it is proven to only read, or runs on another machine', async () => {
    for (const [command, more] of [
      ['ls -l a', {}],
      [undefined, { isElsewhere: true }],
      [undefined, { access: 'read' }],
    ] as const) {
      const { run, asked } = await calling(command, {}, more);
      expect(await run()).toEqual(DONE);
      expect(asked).toEqual(['run']);
    }
  });

  test('may write the lists of a package manager where it is one and was allowed, in the sandbox', async () => {
    for (const [command, isAllowed, held, count] of [
      ['npm install x', true, true, 3],
      ['npm install x', false, true, 0],
      ['npm install x', true, false, 0],
      ['make', true, true, 0],
    ] as const) {
      const { run, writes } = await calling(command, { isAllowed, held });
      await run();
      expect([command, writes().length]).toEqual([command, count]);
    }
  });

  test('names the paths that it may change: words, patterns, options, and where redirections lead', async () => {
    const { run, names } = await calling('cd sub && rm -f "x y" *.log --out=o ~/b; echo > e; cat >> f; ssh host rm z');
    await run();
    expect(names()).toEqual(expect.arrayContaining(['sub', 'sub/x y', 'sub/*.log', 'sub/o', '~/b', 'sub/e', 'sub/f']));
    const secret = 'K9f3Lq8Zt2xR7';
    for (const command of [
      `mysql -p${secret} -e x`,
      `curl -u me:${secret} h`,
      `PGPASSWORD=${secret} psql`,
      `wget https://u:${secret}@h/x`,
    ]) {
      const withSecret = await calling(command, { title: `run_command ${command}` });
      await withSecret.run();
      expect(`${withSecret.title()} ${withSecret.names().join(' ')}`).not.toContain(secret);
    }
    const ofServer = await calling(undefined);
    await ofServer.run();
    expect(ofServer.names()).toEqual(['in/a', '~/b']);
  });

  test('that goes on in the background is not over when its call is', async () => {
    const { run, asked } = await calling('make');
    await run({ ...DONE, job: 'job-1' });
    expect(asked).toEqual(['begin', 'run', 'goes on as job-1', 'leave out']);
  });

  test('has what others changed meanwhile told with their names, and who else may have done its own', async () => {
    const job = actor('job-1: run_command make');
    const { run } = await calling('rm a', { set: setOf(actor('run'), 'a', [job]), news: [setOf(job, 'b')] });
    const { changed } = await run();
    expect(changed?.text.split('\n')).toEqual([
      '[deleted: a]',
      '[at the same time, so that it may be its doing: job-1: run_command make]',
      '[job-1: run_command make]',
      '[deleted: b]',
    ]);
    expect(changed?.note.en).toBe('1 file deleted; job-1: run_command make: 1 file deleted');
    const reading = await calling('ls', { news: [setOf(job, 'b')] });
    expect((await reading.run()).changed?.text).toBe('[job-1: run_command make]\n[deleted: b]');
  });

  test('says what of the folder cannot come back when that is new, and that nothing can where it cannot be kept', async () => {
    const wide = await calling('rm a', { isNews: true });
    await wide.run();
    expect(wide.warnings()).toEqual([expect.stringContaining('this folder is too wide to keep')]);
    const full = await calling('rm a', { fails: true });
    expect(await full.run()).toEqual(DONE);
    expect(full.warnings()).toEqual(['What this command changes cannot be undone: no room']);
  });

  test('says what it had changed when it was stopped, since nobody gets its outcome', async () => {
    const { run, asked, warnings } = await calling('rm a', { set: setOf(actor('run'), 'a') });
    await expect(run(new Error('stopped'))).rejects.toThrow('stopped');
    expect(asked).toEqual(['begin', 'run', 'end', 'leave out']);
    expect(warnings()).toEqual(['run was stopped after it had changed files: 1 file deleted']);
  });
});

describe('what a command in the sandbox left that runs later', () => {
  const set: ChangeSet = {
    ...{ n: 1, at: '2026-03-04T05:06:07.000Z', by: actor('run') },
    changes: ['.envrc', 'a'].map((name) => ({ path: `/w/${name}`, before: null, after: FILE })),
  };
  const planting = (world: World) => calling('touch .envrc a', { left: ['.envrc'], set, held: true, ...world });

  test('is asked about with the difference, and a no leaves it out', async () => {
    const { run, asked, warnings } = await planting({ answer: 'no' });
    const { changed } = await run();
    expect(asked.slice(3)).toEqual(['leave out', 'asks: This command left .envrc (a shell runs it). +planted']);
    expect(changed?.text).toBe(
      '[new: a]\n[not there any more, since it runs by itself later: .envrc (a shell runs it). The user was asked and said no: do not make it another way. It was kept aside; the user brings it back with: sanbot changes --restore 3]',
    );
    expect(changed?.note).toEqual({ en: '1 file new, 1 left out', zh: '新增 1 个文件，未保留 1 个文件' });
    expect(warnings()).toEqual([]);
  });

  test('comes back with a yes, and why not goes to the model', async () => {
    const yes = await planting({ answer: 'once' });
    expect((await yes.run()).changed?.text).toBe('[new: a]\n[runs by itself later, and the user said yes to it: .envrc (a shell runs it)]');
    expect(yes.asked.at(-1)).toBe('keep');
    const no = await planting({ answer: { kind: 'refusal', why: 'use mise' } });
    expect((await no.run()).changed?.text).toContain('They say: use mise It was kept aside');
  });

  test('stays out where nobody can be asked or the mode asks nothing, which the person is told with the way to it', async () => {
    for (const world of [{ answer: 'nobody' }, { mode: 'bypass' }] as const) {
      const { run, asked, warnings } = await planting(world);
      expect((await run()).changed?.text).toContain('not there any more');
      expect(warnings()).toEqual([
        'Left out, since it runs by itself later: .envrc (a shell runs it). To have it: sanbot changes --restore 3',
      ]);
      expect(asked).not.toContain('keep');
    }
  });

  test('stays out when the command was stopped, and one of which nothing can be written down is not run', async () => {
    const stopped = await planting({});
    await expect(stopped.run(new Error('stopped'))).rejects.toThrow('stopped');
    expect(stopped.warnings().at(-1)).toContain('Left out');
    const full = await planting({ fails: true });
    expect(await full.run()).toMatchObject({ ok: false, content: expect.stringContaining('not run') });
    expect(full.asked).toEqual(['begin']);
  });
});
