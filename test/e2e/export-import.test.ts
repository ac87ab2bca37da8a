import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { isObject } from '../../src/domain/value/json.ts';
import { EXPORT_ENV, exportedLine, exportedSession } from '../support/exported-session.ts';
import { runInProcess } from '../support/in-process.ts';
import { InputPipe, OutputPipe } from '../support/pipes.ts';
import { createSandbox, type Sandbox } from '../support/sanbot.ts';
import { unsealed } from '../support/unsealed.ts';

let sandbox: Sandbox;
let id: string;
let file: string;
beforeAll(async () => {
  ({ sandbox, id, file } = await exportedSession());
});

/** What was said and what came of it, record by record, without what differs by where it is; summaries and notices are each home's own. */
const logOf = (world: Sandbox, session: string): readonly string[] =>
  world.records(`sessions/${session}/log.jsonl`).flatMap((record) => {
    const { message } = record;
    if (!isObject(message)) return record.type === 'offload' ? [unplaced(record.stubs, session)] : [String(record.type)];
    return message.origin === 'notice'
      ? []
      : [unplaced([message.id, message.role, message.origin, message.content, message.stubs], session)];
  });

const unplaced = (value: unknown, session: string): string =>
  JSON.stringify(value)
    .replace(/\/[^"\s]*\/\.sanbot\/sessions\/[a-z0-9-]+/g, '<folder>')
    .replaceAll(session, '<id>');

/** Where the results of a log say that they are; what the model said in words is left as it was said. */
const placesIn = (world: Sandbox, session: string) =>
  world
    .read(`sessions/${session}/log.jsonl`)
    .split('\n')
    .filter((record) => record.includes('"origin":"tools"') || record.includes('"type":"offload"'))
    .flatMap((record) => record.match(/(?<="Tool result is at: )[^\\"]*(?=\/offloaded)/g) ?? []);

const withoutTimes = (page: string): string => page.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME');

describe('a session that was exported and imported on another machine', () => {
  test('has every record, body and snapshot, its stubs lead to its new home, and it goes on [N13, S15]', async () => {
    const other = createSandbox(EXPORT_ENV);
    const imported = await other.run(['import', file]);
    expect(imported).toMatchObject({ code: 0, out: expect.stringContaining(`Imported session ${id} with 2 snapshots.`), err: '' });
    expect(logOf(other, id)).toEqual(logOf(sandbox, id));
    for (const folder of [`sessions/${id}/offloaded`, 'memory/session-summaries'])
      expect(other.names(folder)).toEqual(sandbox.names(folder).filter((name) => !name.endsWith('.md')));
    for (const name of other.names(`sessions/${id}/offloaded`))
      expect(other.read(`sessions/${id}/offloaded/${name}`)).toBe(sandbox.read(`sessions/${id}/offloaded/${name}`));
    expect(other.read(`sessions/${id}/bodies.jsonl`)).toBe(sandbox.read(`sessions/${id}/bodies.jsonl`));
    expect(new Set(placesIn(sandbox, id))).toEqual(new Set([join(sandbox.home, 'sessions', id)]));
    expect(new Set(placesIn(other, id))).toEqual(new Set([join(other.home, 'sessions', id)]));
    expect(await other.run(['doctor'])).toMatchObject({ code: 0, err: '' });
    expect((await other.run(['sessions'])).out).toContain('重构');
    const snapshot =
      other
        .names('memory/session-summaries')
        .find((name) => name.endsWith('.jsonl'))
        ?.replace('.jsonl', '') ?? '';
    expect(await other.run(['rollback', '--snapshot', snapshot, '--yes'])).toMatchObject({ code: 0 });
    expect(await other.run(['--resume', id, '-p', 'status'])).toMatchObject({ code: 0 });
    expect(await other.run(['doctor'])).toMatchObject({ code: 0 });
  });

  test('gets a new id when its own is taken, and what is there stays as it was', async () => {
    const other = createSandbox(EXPORT_ENV);
    await other.run(['import', file]);
    const before = logOf(other, id);
    const again = await other.run(['import', file]);
    expect(again.out).toContain(`(its own id ${id} is already in use)`);
    expect(logOf(other, id)).toEqual(before);
    const second = other.names('sessions').find((name) => name !== id) ?? '';
    expect(logOf(other, second)).toEqual(before);
    expect(await other.run(['doctor'])).toMatchObject({ code: 0, out: expect.stringContaining('2 sessions and 4 snapshots') });
  });

  test('is private, whatever the umask, and so is the file [S-33]', async () => {
    const other = createSandbox(EXPORT_ENV);
    await other.run(['import', file]);
    const modes = readdirSync(other.home, { recursive: true, withFileTypes: true }).map(
      (entry) => statSync(join(entry.parentPath, entry.name)).mode & 0o077,
    );
    expect([...new Set(modes)]).toEqual([0]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});

/** The file with its lines changed, and the hash at its end made right again: what a forger would send. */
function forged(change: (lines: string[]) => string[]): string {
  const lines = change(unsealed(readFileSync(file, 'utf8')).split('\n').slice(0, -2));
  const body = lines.map((each) => `${each}\n`).join('');
  return `${body}${JSON.stringify({ type: 'end', lines: lines.length, sha256: createHash('sha256').update(body).digest('hex') })}\n`;
}

const editHead = (fields: object) => forged(([first = '', ...rest]) => [JSON.stringify({ ...JSON.parse(first), ...fields }), ...rest]);

const fileRecord = (path: string) => {
  const version = { fingerprint: 'a'.repeat(64), bytes: 4, kept: true };
  return { type: 'file', n: 9_000, at: '2026-01-02T03:04:05.000Z', path, tool: 'write_file', before: version, after: null };
};

describe('a file that is not what sanbot export wrote', () => {
  const whole = () => readFileSync(file, 'utf8');
  test.each<readonly [string, () => string]>([
    ['one byte changed [S-38]', () => whole().replace('vendor/lib.ts', 'vendor/lib.js')],
    ['cut off [S-39]', () => whole().slice(0, -200)],
    ['something after its end', () => `${whole()}{"type":"record","record":{}}\n`],
    ['a session id that is a path [S-36, S-39]', () => editHead({ sessionId: '../../x' })],
    ['a group that is a path [S-36, S-39]', () => editHead({ group: '../x' })],
    ['of a newer version [D-41]', () => editHead({ v: 99 })],
    [
      'a body that is not what its hash says [D-44]',
      () => forged((lines) => lines.map((each) => (each.startsWith('{"type":"body"') ? each.replace(/"text":"./, '"text":"#') : each))),
    ],
    [
      'a header of another session [S-35]',
      () =>
        forged((lines) =>
          lines.map((each) => (each.includes('"type":"header"') ? each.replace(`"sessionId":"${id}"`, '"sessionId":"other"') : each)),
        ),
    ],
  ])('%s: it is refused with the reason, and nothing is written', async (_, text) => {
    const other = createSandbox(EXPORT_ENV);
    writeFileSync(join(other.cwd, 'x.jsonl'), text());
    const { code, err } = await other.run(['import', 'x.jsonl']);
    expect({ code, told: /cannot be imported: \S/.test(err) }).toEqual({ code: 8, told: true });
    expect(other.names('')).toEqual([]);
  });

  test('names paths in what it holds: nothing outside of the home is written, changed or removed, and the names lead nowhere [S-36, S-39]', async () => {
    const other = createSandbox(EXPORT_ENV);
    writeFileSync(join(other.cwd, 'precious.txt'), 'mine');
    const hostile = ['../../../x', join(other.cwd, 'precious.txt'), '/etc/passwd', 'a/../../b', 'CON', 'a\0b', 'x'.repeat(10_000)];
    const snapshot = (lines: readonly string[]) => lines.find((each) => each.startsWith('{"type":"snapshot"')) ?? '';
    const text = forged((lines) => [
      ...lines,
      ...hostile.map((path) => {
        const value = JSON.parse(snapshot(lines));
        return JSON.stringify({ ...value, meta: { ...value.meta, id: path, group: path } });
      }),
      ...hostile.map((path) => JSON.stringify({ type: 'record', record: fileRecord(path) })),
    ]);
    writeFileSync(join(other.cwd, 'x.jsonl'), text);
    const { code, out, err } = await other.run(['import', 'x.jsonl']);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('with 2 snapshots.') });
    expect(err.match(/A snapshot is left out/g)).toHaveLength(hostile.length);
    expect(readFileSync(join(other.cwd, 'precious.txt'), 'utf8')).toBe('mine');
    expect(readdirSync(other.cwd).sort()).toEqual(['precious.txt', 'x.jsonl']);
    // The contents of recorded files did not come along, so that a rollback of files has nothing to write.
    const back = await other.run(['rollback', '--session', id, '--to-message', '1', '--files', '--yes', '--json']);
    expect(back.code).toBe(0);
    expect(readFileSync(join(other.cwd, 'precious.txt'), 'utf8')).toBe('mine');
  });

  test('through a link is read, and never written to', async () => {
    const other = createSandbox(EXPORT_ENV);
    symlinkSync(file, join(other.cwd, 'link.jsonl'));
    expect(await other.run(['import', 'link.jsonl'])).toMatchObject({ code: 0 });
    const before = readFileSync(file);
    expect(await other.run(['export', '--session', id, '-o', 'link.jsonl'])).toMatchObject({ code: 9 });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('is not there: exit code 3', async () => {
    const world = createSandbox(EXPORT_ENV);
    writeFileSync(join(world.cwd, 'file'), 'text');
    for (const path of ['no.jsonl', 'file/x', 'x'.repeat(300), 'file/x/y.jsonl']) {
      const { code, err } = await world.run(['import', path]);
      expect({ code, told: /^sanbot: There is no file /.test(err) }, path).toEqual({ code: 3, told: true });
    }
  });
});

describe('sanbot export', () => {
  test('as Markdown and as HTML holds all that was said before the compactions too, with the whole results, and nothing in it is obeyed [S-24]', async () => {
    const md = await sandbox.run(['export', '--session', id, '--format', 'md']);
    expect(md.out).toContain('# 重构');
    expect(md.out).toContain('we must never delete vendor/lib.ts');
    for (const i of [0, 29, 45, 200, 399]) expect(md.out).toContain(exportedLine(i));
    const html = await sandbox.run(['export', '--session', id, '--format', 'html']);
    expect(html.out).toContain('<title>重构</title>');
    expect(html.out).toContain(exportedLine(200).replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
    expect(html.out).not.toContain('<b>');
    expect(html.out).not.toContain('<script');
    for (const [name, page] of [
      ['page.md', md.out],
      ['PAGE.HTML', html.out],
    ] as const) {
      expect(await sandbox.run(['export', '--session', id, '-o', name])).toMatchObject({ code: 0 });
      expect(withoutTimes(readFileSync(join(sandbox.cwd, name), 'utf8'))).toBe(withoutTimes(page));
    }
  });

  test('never writes over a file, and says when the session is not there', async () => {
    expect(await sandbox.run(['export', '--session', id, '-o', file])).toMatchObject({ code: 9 });
    expect(await sandbox.run(['export', '--session', 'nothing'])).toMatchObject({ code: 3 });
  });

  test('leaves out what is damaged, tells it, and what is left can be imported [D-09]', async () => {
    const other = createSandbox(EXPORT_ENV);
    await other.run(['import', file]);
    const log = join(other.home, 'sessions', id, 'log.jsonl');
    const lines = readFileSync(log, 'utf8').split('\n');
    writeFileSync(log, [lines[0], '{"damaged', ...lines.slice(1)].join('\n'), { mode: 0o600 });
    const { code, err } = await other.run(['export', '--session', id, '-o', 'out.jsonl']);
    expect({ code, told: err.includes('Line 2 of') }).toEqual({ code: 0, told: true });
    expect(await createSandbox(EXPORT_ENV).run(['import', join(other.cwd, 'out.jsonl')])).toMatchObject({ code: 0 });
  });
});

test('an export to a terminal shows control sequences and is not obeyed; into a pipe it goes as it is [S-23]', async () => {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  writeFileSync(join(world.cwd, 'evil.txt'), 'a\u001b]0;owned\u0007b\u009b2Jc');
  await world.run(['-p', 'read evil.txt']);
  const [id = ''] = world.names('sessions');
  for (const format of ['md', 'html', 'jsonl']) {
    const args = ['export', '--session', id, '--format', format];
    const shown = Object.assign(new OutputPipe(), { isTTY: true });
    await runInProcess(args, { env: world.env, cwd: world.cwd, stdin: new InputPipe(''), stdout: shown, stderr: new OutputPipe() });
    expect(shown.text).toContain('owned');
    expect(shown.text).not.toMatch(/\u001b\]0;owned|\u009b2J/);
    expect((await world.run(args)).out).toContain('owned');
  }
});
