import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { encodeText } from '../../../src/domain/value/text-bytes.ts';
import { modelOf, worldWith } from '../../support/mcp.ts';
import type { Sandbox } from '../../support/sanbot.ts';
import { callsTool, replies, type Step } from '../../support/scenario.ts';

const WORDS = '端口是 7001 naïve';
const front = `---\nname: tidy\ndescription: ${WORDS}\n---\n${WORDS}\n`;

/** Where a person's text stands, what it is there, and how it comes to the model. */
type Place = {
  readonly path: string;
  readonly text?: string;
  readonly args?: readonly string[];
  readonly calls?: readonly Step[];
  /** Files beside it, in plain UTF-8. */
  readonly beside?: Readonly<Record<string, string>>;
};

const schema = JSON.stringify({ type: 'string', description: WORDS });
const hook = JSON.stringify({ hooks: { SessionStart: [{ command: `echo "${WORDS}"` }] } });

const places: Readonly<Record<string, Place>> = {
  'AGENTS.md': { path: 'AGENTS.md' },
  'SANBOT.md of the project': { path: 'SANBOT.md' },
  'a file that AGENTS.md imports': { path: 'docs/rules.md', beside: { 'AGENTS.md': 'See @docs/rules.md for more.\n' } },
  'AGENTS.md of a folder below': {
    path: 'sub/AGENTS.md',
    beside: { 'sub/a.txt': 'a\n' },
    calls: [callsTool('read_file', { path: 'sub/a.txt' })],
  },
  'an @file': { path: 'notes.txt', args: ['look at @notes.txt'] },
  read_file: { path: 'notes.txt', calls: [callsTool('read_file', { path: 'notes.txt' })] },
  search: { path: 'notes.txt', calls: [callsTool('search', { pattern: '7001' })] },
  '.sanbot.json': { path: '.sanbot.json', text: hook },
  'config.json': { path: 'HOME/config.json', text: hook },
  'SANBOT.md of the home': { path: 'HOME/groups/main/SANBOT.md' },
  'soul.md': { path: 'HOME/memory/soul.md' },
  'the page of all memories': { path: 'HOME/memory/summary/master.md', text: `# Memory\n\n- ${WORDS}\n` },
  'a page of memories': { path: 'HOME/memory/extracted/facts.md', text: `# Facts\n\n- ${WORDS}\n` },
  'a skill, read': { path: 'HOME/skills/tidy/SKILL.md', text: front, calls: [callsTool('skill', { name: 'tidy' })] },
  'a file of a skill': {
    path: 'HOME/skills/tidy/more.md',
    beside: { 'HOME/skills/tidy/SKILL.md': '---\nname: tidy\ndescription: d\n---\nDo it.\n' },
    calls: [callsTool('skill', { name: 'tidy', file: 'more.md' })],
  },
  'a skill of the project': { path: '.claude/skills/tidy/SKILL.md', text: front },
  'an agent': { path: '.claude/agents/tidy.md', text: front },
  '--append-system-prompt @FILE': { path: 'more.txt', args: ['go', '--append-system-prompt', '@more.txt'] },
  '--json-schema': { path: 'schema.json', text: schema, args: ['go', '--json-schema', 'schema.json'] },
};

const encodings = {
  'UTF-16LE': { encoding: 'utf-16le', mark: true },
  'UTF-16BE': { encoding: 'utf-16be', mark: true },
  'UTF-8 with a mark': { encoding: 'utf-8', mark: true },
} as const;

async function sentWith(place: Place, encode: (text: string) => Buffer) {
  const world = worldWith({});
  const put = (path: string, bytes: Buffer | string) => {
    const at = pathIn(world, path);
    mkdirSync(dirname(at), { recursive: true });
    writeFileSync(at, bytes, { mode: 0o600 });
  };
  for (const [path, text] of Object.entries(place.beside ?? {})) put(path, text);
  put(place.path, encode(place.text ?? `${WORDS}\n`));
  const { api, env } = await modelOf(world, (_, n) => place.calls?.[n] ?? replies('"done"'));
  const { args = ['go'] } = place;
  const ran = await world.run(['--trust', '--permission-mode', 'bypass', '-p', ...args], { env });
  const sent = JSON.stringify(api.requests.map(({ body }) => body));
  const results = JSON.stringify(api.requests.at(-1)?.body.messages ?? []);
  return { ran, sent, results };
}

const pathIn = ({ home, cwd }: Sandbox, path: string) => (path.startsWith('HOME/') ? join(home, path.slice(5)) : join(cwd, path));

const rows = Object.entries(places).flatMap(([name, place]) =>
  Object.entries(encodings).flatMap(([encoding, form]) =>
    [['\n', 'a last newline'] as const, ['', 'none'] as const].map((end) => ({ name, place, encoding, form, end })),
  ),
);

test.each(rows)('$name in $encoding with $end.1 is read [B-47]', async ({ place, form, end }) => {
  const { ran, sent } = await sentWith(place, (text) => encodeText(`${text.trimEnd()}${end[0]}`, form));
  expect(ran).toMatchObject({ code: 0, err: expect.not.stringMatching(/UTF|cannot|not read|left out/) });
  expect({ isThere: sent.includes(WORDS), isGarbled: /\ufeff|\ufffd|\\u0000/.test(sent) }).toEqual({ isThere: true, isGarbled: false });
});

/** The same in encodings that say nothing of themselves. */
const others = {
  latin1: (text: string) => Buffer.from(text.replaceAll('端口是', 'déjà vu'), 'latin1'),
  GB18030: (text: string) => Buffer.concat([...text].map((each) => GB[each] ?? Buffer.from(each === 'ï' ? 'i' : each))),
  'Shift-JIS': (text: string) => Buffer.concat([...text].map((each) => SJIS[each] ?? Buffer.from(each === 'ï' ? 'i' : each))),
  'UTF-16LE without a mark': (text: string) => Buffer.from(text, 'utf16le'),
  'UTF-16BE without a mark': (text: string) => Buffer.from(text, 'utf16le').swap16(),
};
const GB: Readonly<Record<string, Buffer>> = {
  端: Buffer.from('b6cb', 'hex'),
  口: Buffer.from('bfda', 'hex'),
  是: Buffer.from('cac7', 'hex'),
};
const SJIS: Readonly<Record<string, Buffer>> = {
  端: Buffer.from('925b', 'hex'),
  口: Buffer.from('8cfb', 'hex'),
  是: Buffer.from('90a5', 'hex'),
};

test.each(
  Object.entries(places).flatMap(([name, place]) =>
    Object.entries(others).map(([encoding, encode]) => ({ name, place, encoding, encode })),
  ),
)('$name in $encoding is told [B-47]', async ({ place, encode }) => {
  const { ran, results } = await sentWith(place, encode);
  expect(`${ran.err}\n${results}`).toMatch(/UTF-8|UTF-16|is binary|is no text|match in 1 file/);
});
