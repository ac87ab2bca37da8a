import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { goneSettings } from '../../../src/domain/config/layer.ts';
import { indexOf, neutral, outputsOf, placeHome } from '../../support/home-fixture.ts';
import { binary, createSandbox, type Sandbox } from '../../support/sanbot.ts';
import { root } from '../../support/source.ts';
import { type SpawnedTerminal, spawnInTerminal } from '../../support/terminal.ts';
import { unsealed } from '../../support/unsealed.ts';

/*
 * A home that SanBot 0.1.0 wrote (test/fixtures/make-home.ts says how), with the settings of its user: offline, every key set, hooks among
 * them. It is opened at another place than it was written at, as a home that was moved; its records name the old one.
 */
const fixture = join(root, 'test', 'fixtures', 'home-0.1.0');
const index = indexOf(fixture);
const committed = (name: string): string => readFileSync(join(fixture, name), 'utf8');

/** Its working folder has settings of its own, which 0.1.0 took unasked: now its owner has trusted it. */
async function placed(): Promise<Sandbox> {
  const world = createSandbox();
  placeHome(fixture, world);
  expect(await world.run(['trust', 'add', '--yes'])).toMatchObject({ code: 0 });
  return world;
}

/** What is said of the setting of that home that is gone, by each command that reads the settings. */
const GONE = /^sanbot: [^\n]*config\.json: compaction\.method is ignored: [^\n]*\n/;

type Rows = readonly Readonly<Record<string, unknown>>[];

/**
 * What is promised of an output: every byte of it, save that settings and fields of a result and of the metrics may be added, and that one is gone, and that what a search finds first, and how much of it
 * is shown, may get better. Its hits keep their fields, and may get more.
 */
const promised = (name: string, printed: string, before: string): string => {
  if (name === 'print') {
    const fields = Object.keys(JSON.parse(before));
    return `${JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(printed)).filter(([field]) => fields.includes(field))))}\n`;
  }
  if (name === 'metrics') {
    const [metrics, former] = [JSON.parse(printed), JSON.parse(before)];
    const fields = Object.fromEntries(Object.keys(former).map((field) => [field, metrics[field]]));
    // It counts sessions that broke off since; before, requests.
    fields.targets = metrics.targets.map((target: { readonly name: string }, at: number) =>
      target.name === 'overflow_rate' ? former.targets[at] : target,
    );
    return `${JSON.stringify(fields, null, 2)}\n`;
  }
  const [now, then]: readonly Rows[] = name === 'config' || name === 'search' ? [JSON.parse(printed), JSON.parse(before)] : [];
  if (now === undefined || then === undefined) return printed;
  if (name === 'config')
    return `${JSON.stringify(
      now.filter(({ key }) => then.some((row) => row.key === key)),
      null,
      2,
    )}\n`;
  const fields = Object.keys(then[0] ?? {});
  for (const row of now) expect(Object.keys(row).slice(0, fields.length)).toEqual(fields);
  return before;
};

const withoutGone = (name: string, before: string): string => {
  if (name !== 'config') return before;
  const rows: Rows = JSON.parse(before);
  return `${JSON.stringify(
    rows.filter(({ key }) => !Object.hasOwn(goneSettings, String(key))),
    null,
    2,
  )}\n`;
};

const running: SpawnedTerminal[] = [];
afterEach(() => {
  for (const terminal of running.splice(0)) terminal.kill('SIGKILL');
});

describe('a home that 0.1.0 wrote', () => {
  test('is printed in JSON as 0.1.0 printed it, to the byte, and its audit log as it stands there', async () => {
    const world = await placed();
    for (const { name, args } of outputsOf(index)) {
      const { code, out, err } = await world.run(args);
      const before = withoutGone(name, committed(`output/${name}.json`));
      expect({ name, code, err: err.replace(GONE, ''), out: promised(name, neutral(out, world), before) }).toEqual({
        name,
        code: 0,
        err: '',
        out: before,
      });
    }
    const events = ['events-000001-4242.jsonl', 'events.jsonl'].map((name) => committed(`home/context/${name}`)).join('');
    const { out } = await world.run(['events', '--json']);
    expect(out.slice(0, events.length)).toBe(events);
  });

  test('opens every session, goes on, compacts, undoes that, and goes back to what 0.1.0 saved', async () => {
    const world = await placed();
    const all = readdirSync(join(fixture, 'home', 'sessions'));
    expect([...all].sort()).toEqual(expect.arrayContaining(Object.values(index.sessions)));
    const terminal = await talk(world);
    for (const id of all) await workOn(terminal, id);
    terminal.send('/quit\r');
    expect((await terminal.exit).exitCode).toBe(0);
    for (const id of all) expectRestored(world, id);
    const hooks = world.records('context/events.jsonl').filter(({ hook }) => hook === 'SessionStart');
    expect(hooks.length).toBeGreaterThan(all.length);
    expect(await world.run(['doctor'])).toMatchObject({ code: 0, out: expect.stringContaining('all is well') });
  });

  test('is compacted and rolled back from outside, reported, exported as 0.1.0 did it, and takes its export back', async () => {
    const world = await placed();
    const { offline = '', group = '' } = index.sessions;
    expect(await world.run(['rollback', '--snapshot', index.snapshot, '--yes'])).toMatchObject({ code: 0 });
    const compacted = await world.run(['compact', '--session', offline, '--json']);
    const { snapshot }: { readonly snapshot: string } = JSON.parse(compacted.out);
    const undone = await world.run(['rollback', '--session', offline, '--last', '--yes', '--json']);
    expect(JSON.parse(undone.out)).toMatchObject({ restored: snapshot });
    expectRestored(world, offline);
    expect(await world.run(['report', '--session', offline, '--html', 'report.html'])).toMatchObject({ code: 0 });
    expect(readFileSync(join(world.cwd, 'report.html'), 'utf8')).toContain('Tide tables, 潮汐表');
    expect(await world.run(['config', 'validate'])).toMatchObject({ code: 0, err: expect.stringMatching(GONE) });

    for (const name of ['session.jsonl', 'session.md', 'session.html']) {
      expect(await world.run(['export', '--session', group, '-o', name])).toMatchObject({ code: 0, out: '' });
      const [text, before] = [exported(unsealed(readFileSync(join(world.cwd, name), 'utf8'))), exported(committed(`exports/${name}`))];
      if (name === 'session.md') expect(text.split('\n')).toEqual(expect.arrayContaining(saidIn(before)));
      else expect(text).toBe(before);
    }
    const imported = await world.run(['import', join(fixture, 'exports', 'session.jsonl')]);
    expect(imported).toMatchObject({
      code: 0,
      err: expect.stringMatching(GONE),
      out: expect.stringContaining(`(its own id ${group} is already in use) with 1 snapshot.`),
    });
    expect(await world.run(['doctor'])).toMatchObject({ code: 0, out: expect.stringContaining('15 sessions') });
  });
});

/** Without what says when and where it was exported, the hash over that, and the words for a call, which pages are free to choose. */
const exported = (text: string): string =>
  text
    .replace(/(?<=^<section class="model">.*<pre>)(?:[a-z_]+ |[^\n]*\n)(?=\{$)/gm, '')
    .replace(/(?<=^\{"type":"sanbot-export".*)"at":"[^"]*","sessionFolder":"[^"]*"/, '')
    .replace(/(?<="sha256":")[0-9a-f]{64}(?="\}\n$)/, '')
    .replace(/(?<=Date: |, exported )\d{4}-\d\d-\d\dT[\d:.]+Z/, '');

/** The lines of a page without its head, and without those around a call or a result: these stand at its end since. */
const saidIn = (page: string): string[] =>
  page.split('\n').filter((line) => !/^(?:- (?:Date|Messages)|(?:Call|Result) of |```)/.test(line));

async function talk(world: Sandbox): Promise<SpawnedTerminal> {
  const terminal = spawnInTerminal(process.execPath, [binary], { cwd: world.cwd, env: world.env });
  running.push(terminal);
  await terminal.waitFor(PROMPT);
  return terminal;
}

const PROMPT = /\n> $/;
const TURN_IS_OVER = / · \d+ steps?\b[^>]*\n> $/;
const YES = 'y';

const snapshotFolders = ['memory/session-summaries', 'groups/harbour/memory/session-summaries'];
/** Those of a session that 0.1.0 wrote, oldest first. */
const snapshotsIn = (id: string): readonly string[] =>
  snapshotFolders
    .flatMap((folder) => readdirSync(join(fixture, 'home', folder)))
    .flatMap((name) => (name.startsWith(id) && name.endsWith('.meta.json') ? [name.replace('.meta.json', '')] : []))
    .sort();

/** One session at the terminal; what is said in it first is enough to be worth a compaction. */
async function workOn(terminal: SpawnedTerminal, id: string): Promise<void> {
  const [oldest] = snapshotsIn(id);
  const type = async (line: string, until: string | RegExp): Promise<void> => {
    terminal.send(`${line}\r`);
    await terminal.waitFor(until);
  };
  await type(`/resume ${id}`, PROMPT);
  if (oldest !== undefined) await back(terminal, `/rollback ${oldest}`);
  terminal.paste(LONG);
  await type('', TURN_IS_OVER);
  await type('status', TURN_IS_OVER);
  await type('/compact', /Compacted [\s\S]*\n> $/);
  await back(terminal, '/undo');
  await type('status', TURN_IS_OVER);
}

const LONG = Array.from({ length: 120 }, (_, n) => `Stone ${n} of the harbour wall is loose. `).join('');

/** Files stay as they are. */
async function back(terminal: SpawnedTerminal, command: string): Promise<void> {
  terminal.send(`${command}\r`);
  if (command === '/undo') return void (await terminal.waitFor(/Undone: [\s\S]*\n> $/));
  await terminal.waitFor('Yes, roll back');
  terminal.send(YES);
  const said = await terminal.waitFor(/Restore files too\?[\s\S]*other keys are kept|Rolled back: [\s\S]*\n> $/);
  if (!said.includes('Restore files too?')) return;
  terminal.send('\r');
  await terminal.waitFor(/Rolled back: [\s\S]*\n> $/);
}

/** Each way back in the log, those of 0.1.0 among them, brought the messages of its snapshot, to the byte; the last undid a compaction. */
function expectRestored(world: Sandbox, id: string): void {
  const log = world.read(`sessions/${id}/log.jsonl`).split('\n');
  const restored = log.filter((line) => line.includes('"reason":"rollback"')).flatMap((line) => restoredIn(line, world));
  const compaction: { readonly snapshotId: string } = JSON.parse(log.findLast((line) => line.includes('"reason":"compaction"')) ?? '');
  expect(restored).toEqual(expect.arrayContaining(snapshotsIn(id).slice(0, 1)));
  expect(restored.at(-1)).toBe(compaction.snapshotId);
}

/** The snapshot that a rollback went back to; none for one that went back to a message. */
function restoredIn(line: string, world: Sandbox): readonly string[] {
  const { restored }: { readonly restored: string } = JSON.parse(line);
  const folder = snapshotFolders.find((each) => world.names(each).includes(`${restored}.jsonl`));
  if (folder === undefined) return [];
  const saved = unsealed(world.read(`${folder}/${restored}.jsonl`)).split('\n');
  const messages = saved.filter((each) => each.startsWith(MESSAGE)).map((each) => each.slice(MESSAGE.length, -1));
  expect(line.includes(`"messages":[${messages.join(',')}`)).toBe(true);
  return [restored];
}

const MESSAGE = '{"type":"message","message":';
