'use strict';
/**
 * Runs the bundle with the code that V8 made of its files at an earlier start: a third of the CPU (docs/start.md).
 *
 * This code cache lies beside the bundle, else in the home: who can write there can change the program or its settings anyway. It has a folder
 * for each V8 with its flags, and in it one for each way to start, which compiles other functions. A file of it bears the name of a file of
 * the bundle, which changes with its content. It counts when its checksum is right, since V8 looks at its first bytes only, and when V8
 * takes it. Without it the program runs as well.
 */
const { isAscii } = require('node:buffer');
const { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } = require('node:fs');
const { homedir } = require('node:os');
const { dirname, isAbsolute, join } = require('node:path');
const { pathToFileURL } = require('node:url');
const { Script, constants } = require('node:vm');
const { crc32 } = require('node:zlib');

/** Runs the main file of a bundle, in whose folder's parent its cache is kept; says so where a checkout was not built. */
exports.loadProgram = (bundle, argv) => {
  if (!existsSync(join(bundle, MAIN))) {
    process.stderr.write('sanbot: not built: run npm ci in its folder. It needs the development packages, so without --omit=dev.\n');
    process.exitCode = 1;
    return;
  }
  const way = wayOf(argv);
  if (way === 'print' || way === 'acp') compilePatternsAtOnce();
  const cache = openCodeCache(placesOf(bundle), way);
  const modules = new Map();
  const load = (name) => {
    const known = modules.get(name);
    if (known !== undefined) return known.exports;
    const made = { exports: {} };
    modules.set(name, made);
    const path = join(bundle, name);
    const source = `${OPENING}${textOf(readFileSync(path))}\n})`;
    const filename = pathToFileURL(path).href;
    const script = name === MAIN ? scriptOf(source, filename) : cache.compile(name, source, filename);
    script.runInThisContext()(made.exports, requireFromBundle, made, path);
    return made.exports;
  };
  const requireFromBundle = (id) => (id.startsWith('./') ? load(id.slice(2)) : LATE.has(id) ? late(id) : require(id));
  requireFromBundle.importPackage = (id) => import(id);
  load(MAIN);
  // A conversation may end by a kill, and editors end what they started so; until then it uses much that no start needs.
  const keepAfterMs = KEEP_AFTER_MS[way];
  if (keepAfterMs !== undefined) setTimeout(cache.keep, keepAfterMs).unref();
  process.once('exit', (code) => code === 0 && cache.keep());
};

/**
 * V8 makes bytecode of a pattern for its first run and machine code for the second. Of our patterns, many with many words, both together
 * take longer than machine code at once: to judge twenty sentences 1.5 times as long, a thousand twice. A prompt is ready before they are
 * needed. Set before anything is compiled, since a code cache counts for one set of flags.
 */
const compilePatternsAtOnce = () => require('node:v8').setFlagsFromString('--no-regexp-tier-up');

/** Nearly all files are ASCII (`charset` in build/bundle.mjs): then V8 keeps a byte for each character, and nothing is decoded. */
const textOf = (bytes) => bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');

/** Parts of Node that a start asks for and mostly does not use. */
const LATE = new Set(
  [
    'child_process',
    'crypto',
    'dns',
    'dns/promises',
    'fs/promises',
    'http',
    'https',
    'module',
    'net',
    'readline',
    'timers/promises',
    'worker_threads',
    'zlib',
  ].map((name) => `node:${name}`),
);

/** The same part of Node, loaded when something of it is first used: as a prototype, for what imports it whole copies it and keeps that. */
const late = (id) => Object.create(new Proxy({}, { get: (_, name) => require(id)[name], has: (_, name) => name in require(id) }));

/** The one file whose name stays the same when its content changes. */
const MAIN = 'main.js';
/** With a first prompt or call answered, mostly, where programs are the ones who ask. */
const KEEP_AFTER_MS = { terminal: 3_000, acp: 30_000, mcp: 30_000 };
const OPENING = '(function(exports,require,module,__filename){';

/** The first word for a command; what is typed is never part of it, since what fails keeps nothing. */
function wayOf(argv) {
  if (/^[a-z]+$/.test(argv[0] ?? '')) return argv[0];
  return argv.some((word) => /^(?:-p|--print|--print=.*)$/.test(word)) ? 'print' : 'terminal';
}

/** The package before the home, which may not be there yet. */
function placesOf(bundle) {
  const inPackage = dirname(bundle);
  try {
    const home = process.env.SANBOT_HOME || join(homedir(), '.sanbot');
    return isAbsolute(home) ? [inPackage, home] : [inPackage];
  } catch {
    // A user without a home: the program says so.
    return [inPackage];
  }
}

/** V8 and its flags. Where none can be set, its version says it: node:v8 takes a start a millisecond to load. */
function engine() {
  const mayHaveFlags = process.execArgv.length > 0 || (process.env.NODE_OPTIONS ?? '') !== '';
  return mayHaveFlags ? require('node:v8').cachedDataVersionTag().toString(16) : `${process.versions.v8}-${process.arch}`;
}

function openCodeCache(places, way) {
  const folder = join('code-cache', engine(), way);
  const fresh = new Map();
  const compile = (name, source, filename) => {
    const cachedData = places.map((place) => readChecked(join(place, folder, name))).find((data) => data !== undefined);
    const script = scriptOf(source, filename, cachedData);
    if (cachedData === undefined || script.cachedDataRejected) fresh.set(name, script);
    return script;
  };
  const keep = () => {
    const files = [...fresh].map(([name, script]) => [name, script.createCachedData()]);
    fresh.clear();
    if (files.length > 0) places.find((place) => writeFiles(place, folder, files));
  };
  return { compile, keep };
}

function scriptOf(source, filename, cachedData) {
  const importModuleDynamically = constants.USE_MAIN_CONTEXT_DEFAULT_LOADER;
  return new Script(source, { filename, columnOffset: -OPENING.length, cachedData, importModuleDynamically });
}

/** More than the checksum takes: V8 copies data that does not begin at such a bound. */
const CHECKSUM_BYTES = 8;

function checksumOf(data) {
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32LE(crc32(data));
  return checksum;
}

/** Undefined where there is no such file, or not as it was written. */
function readChecked(path) {
  try {
    const bytes = readFileSync(path);
    const data = bytes.subarray(CHECKSUM_BYTES);
    return checksumOf(data).equals(bytes.subarray(0, CHECKSUM_BYTES)) ? data : undefined;
  } catch {
    return undefined;
  }
}

/** False where nothing can be written; a home is not made for it. */
function writeFiles(place, folder, files) {
  try {
    statSync(place);
    mkdirSync(join(place, folder), { recursive: true, mode: 0o700 });
    for (const [name, data] of files) {
      const path = join(place, folder, name);
      writeFileSync(`${path}.${process.pid}`, Buffer.concat([checksumOf(data), data]), { mode: 0o600 });
      renameSync(`${path}.${process.pid}`, path);
    }
    removeUnused(join(place, folder, '..', '..'));
    return true;
  } catch {
    return false;
  }
}

const UNUSED_MS = 30 * 24 * 60 * 60 * 1_000;

/** What belongs to another bundle, another version of Node or other flags, and was kept long ago. */
function removeUnused(cache) {
  for (const name of readdirSync(cache, { recursive: true })) {
    const path = join(cache, name);
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats?.isFile() && stats.mtimeMs < Date.now() - UNUSED_MS) rmSync(path, { force: true });
  }
}
