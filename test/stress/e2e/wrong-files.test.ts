import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { binary, createSandbox, type Ran, type Sandbox } from '../../support/sanbot.ts';

/** A kind of file that a person brings. */
type Kind = {
  /** Below the home with ~/ in front, below the working folder without. */
  readonly path: string;
  readonly text: string;
  readonly args: readonly string[];
  /** How the program ends where the file is wrong, and where it is right. */
  readonly code: number;
  readonly right?: number;
  /** What is right beside it, and what is seen of that. */
  readonly beside?: Readonly<Record<string, string>>;
  readonly works?: RegExp;
};

const markdown = (name: string): string => `---\nname: ${name}\ndescription: Looks at it.\n---\nLook at the past.\n`;
const server = { command: '/nonexistent/server', env: { A: 'past' } };
const status = ['-p', 'status'];
const settings = (value: object): Pick<Kind, 'text' | 'args' | 'code'> => ({ text: JSON.stringify(value), args: status, code: 2 });

const kinds: Readonly<Record<string, Kind>> = {
  agent: {
    ...{ path: '~/agents/wrong.md', text: markdown('wrong'), args: ['agents'], code: 0 },
    ...{ beside: { '~/agents/right.md': markdown('right') }, works: /@agent-right/ },
  },
  'agent of a project': {
    ...{ path: '.claude/agents/wrong.md', text: markdown('wrong'), args: ['agents', '--trust'], code: 0 },
    ...{ beside: { '.sanbot/agents/right.md': markdown('right') }, works: /@agent-right/ },
  },
  command: { path: '~/commands/wrong.md', text: markdown('wrong'), args: ['-p', '/wrong'], code: 2 },
  skill: {
    ...{ path: '~/skills/wrong/SKILL.md', text: markdown('wrong'), args: ['-p', '/right'], code: 0 },
    ...{ beside: { '~/commands/right.md': 'status' }, works: /Offline model, no language model/ },
  },
  'skill of a project': { path: '.claude/skills/wrong/SKILL.md', text: markdown('wrong'), args: [...status, '--trust'], code: 0 },
  settings: { path: '~/config.json', ...settings({ model: { name: 'past' } }) },
  hooks: { path: '~/config.json', ...settings({ hooks: { Stop: [{ command: 'true # past' }] } }) },
  permissions: { path: '~/config.json', ...settings({ permissions: { deny: [{ tool: 'read_file', path: 'past' }] } }) },
  'settings of a project': {
    ...{ path: '.sanbot.json', ...settings({ compaction: { model: 'past' } }) },
    args: [...status, '--trust'],
  },
  servers: { path: '.mcp.json', text: JSON.stringify({ mcpServers: { desk: server } }), args: [...status, '--trust'], code: 0 },
  schema: {
    ...{ path: 'schema.json', text: '{"type": "object", "description": "past"}', args: [...status, '--json-schema', 'schema.json'] },
    ...{ code: 2, right: 14 },
  },
  catalogue: {
    path: 'models.json',
    text: JSON.stringify({ providers: [{ provider: 'past', host: 'a.example', models: [{ name: 'm', windowTokens: 1_000 }] }] }),
    args: ['models', '--refresh', 'models.json'],
    code: 2,
  },
};

type Fault = {
  readonly put: (path: string, text: string) => void;
  /** Of which kinds it is none: the file works. */
  readonly isRight?: (kind: string) => boolean;
};

const writes = (make: (text: string) => string | Buffer, isRight?: Fault['isRight']): Fault => ({
  put: (path, text) => writeFileSync(path, make(text), { mode: 0o600 }),
  ...(isRight && { isRight }),
});
const all = (): boolean => true;

const faults: Readonly<Record<string, Fault>> = {
  'nothing wrong': writes((text) => text, all),
  'UTF-8 with a mark': writes((text) => `\ufeff${text}`, all),
  'UTF-16 with a mark': writes((text) => Buffer.from(`\ufeff${text}`, 'utf16le'), all),
  'UTF-16 without a mark': writes((text) => Buffer.from(text, 'utf16le')),
  'another encoding': writes((text) => Buffer.from(text.replace('past', 'pâst'), 'latin1')),
  'a NUL': writes((text) => text.replace('past', 'p\0st')),
  'nothing but NULs': writes((text) => Buffer.alloc(text.length)),
  'no byte': writes(() => ''),
  blanks: writes(() => '\n \t\n'),
  // A command needs no front matter.
  half: writes(
    (text) => text.slice(0, text.length >> 1),
    (kind) => kind === 'command',
  ),
  'five megabytes': writes(
    (text) => `${text}${' '.repeat(5_000_000)}`,
    (kind) => /skill|catalogue/.test(kind),
  ),
  'nine megabytes': writes(
    (text) => `${text}${' '.repeat(9_000_000)}`,
    (kind) => /skill/.test(kind),
  ),
  'a list': writes(
    () => '["past"]',
    (kind) => kind === 'command',
  ),
  'a number': writes(
    () => '7',
    (kind) => kind === 'command',
  ),
  null: writes(
    () => 'null',
    (kind) => kind === 'command',
  ),
  'front matter that is a list': writes(() => '---\n- past\n---\nText.\n'),
  'a folder': { put: (path) => mkdirSync(join(path, 'in'), { recursive: true }) },
  'a dead link': { put: (path) => symlinkSync('nowhere', path) },
  'a link to itself': { put: (path) => symlinkSync(path, path) },
};

function worldOf({ path, beside = {} }: Kind): { readonly world: Sandbox; readonly file: string } {
  const world = createSandbox({ SANBOT_PROVIDER: 'offline' });
  const placeOf = (name: string): string => (name.startsWith('~/') ? join(world.home, name.slice(2)) : join(world.cwd, name));
  for (const [name, text] of Object.entries({ ...beside, [path]: '' })) {
    mkdirSync(dirname(placeOf(name)), { recursive: true, mode: 0o700 });
    if (name !== path) writeFileSync(placeOf(name), text, { mode: 0o600 });
  }
  return { world, file: placeOf(path) };
}

/** What is right there: a person who reads it knows what to write, or to do. */
const NEXT = /expected |write |make |give |Make |Fix |Compare |save it so|shows the form|begin with front matter/;

/** One line says which file and what is wrong, with what to do in it or in the line below. */
function expectTold({ path, works }: Kind, { out, err }: Pick<Ran, 'out' | 'err'>): void {
  const lines = `${err}${out}`.split('\n');
  const told = lines.filter((line) => line.includes(path.replace(/^~\//, '')) && !line.startsWith('@agent-wrong'));
  expect(told).toHaveLength(1);
  const at = lines.indexOf(told[0] ?? '');
  expect(lines.slice(at, at + 2).join('\n')).toMatch(NEXT);
  expect(out + err).toMatch(works ?? /./);
}

const expectSound = ({ out, err }: Pick<Ran, 'out' | 'err'>): void =>
  expect(out + err).not.toMatch(/fault in SanBot|^\s+at .*:\d+|Error:|undefined|\[object |E[A-Z]{4,}:/m);

describe.each(Object.entries(kinds))('a file of the kind %s', (name, kind) => {
  test.each(Object.entries(faults))('with %s is told in one line where it is wrong, and the rest works [B-41, B-47]', async (_, fault) => {
    const { world, file } = worldOf(kind);
    fault.put(file, kind.text);
    const ran = await world.run(kind.args);
    expectSound(ran);
    const isRight = fault.isRight?.(name) === true;
    expect([ran.code, ran.err]).toEqual([isRight ? (kind.right ?? 0) : kind.code, expect.anything()]);
    if (isRight) expect(ran.err).not.toContain(file);
    else expectTold(kind, ran);
  });
});

/** Root may read anything: without these rights it is a user like any other. */
const asUser = process.getuid?.() === 0 ? 'setpriv --bounding-set=-dac_override,-dac_read_search --inh-caps=-all ' : '';
const canDrop = process.platform === 'linux' && spawnSync('/bin/sh', ['-c', `${asUser}true`]).status === 0;

test.skipIf(!canDrop).each(Object.entries(kinds))(
  'a file of the kind %s that may not be read is told in one line, and the rest works [B-41]',
  (_, kind) => {
    const { world, file } = worldOf(kind);
    writeFileSync(file, kind.text);
    chmodSync(file, 0);
    const { status, stdout, stderr } = spawnSync('/bin/sh', ['-c', `exec ${asUser}"$0" "$@"`, process.execPath, binary, ...kind.args], {
      ...{ cwd: world.cwd, env: world.env, input: '', encoding: 'utf8' },
    });
    const ran = { out: stdout, err: stderr };
    expectSound(ran);
    expectTold(kind, ran);
    expect(ran.out + ran.err).toMatch(/permission denied/);
    expect(status).toBe(kind.code);
  },
);
