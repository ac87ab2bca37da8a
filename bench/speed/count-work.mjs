/** Loaded before a program that a benchmark starts: at its end it says what of the machine's work it did, in the file that BENCH_WORK names. */
import crypto from 'node:crypto';
import fs from 'node:fs';
import { Session } from 'node:inspector';
import { syncBuiltinESMExports } from 'node:module';
import { basename } from 'node:path';
import zlib from 'node:zlib';

const counts = {};
const note = (name, bytes = 0) => {
  counts[name] ??= { times: 0, bytes: 0 };
  const row = counts[name];
  row.times += 1;
  row.bytes += bytes;
};
const sizeOf = (data) => (typeof data === 'string' ? Buffer.byteLength(data) : (data?.byteLength ?? 0));
const names = new Map();
const fileOf = (fd) => names.get(fd) ?? (fd < 3 ? 'standard output' : 'other files');

/** `told` says by which name and with how many bytes a call counts. */
function count(owner, name, told) {
  const original = owner[name];
  owner[name] = function counted(...args) {
    const result = original.apply(this, args);
    const told_ = told(args, result);
    if (told_ !== undefined) note(...told_);
    return result;
  };
  Object.assign(owner[name], original);
}

const KNOWN = new Set(['log.jsonl', 'events.jsonl', 'history.jsonl', 'pages.jsonl']);
count(fs, 'openSync', ([path], fd) => {
  const name = basename(String(path));
  names.set(fd, KNOWN.has(name) ? name : 'other files');
  return undefined;
});
count(fs, 'writeSync', ([fd, data, , length]) => [`written to ${fileOf(fd)}`, typeof length === 'number' ? length : sizeOf(data)]);
count(fs, 'writevSync', ([fd, parts]) => [`written to ${fileOf(fd)}`, parts.reduce((sum, part) => sum + sizeOf(part), 0)]);
for (const name of ['fsyncSync', 'fdatasyncSync']) count(fs, name, ([fd]) => [`flushed: ${fileOf(fd)}`]);
for (const name of ['fsync', 'fdatasync']) count(fs, name, ([fd]) => [`flushed: ${fileOf(fd)}`]);
count(fs, 'readFileSync', (_, data) => ['files read', sizeOf(data)]);
for (const name of [
  'statSync',
  'lstatSync',
  'fstatSync',
  'realpathSync',
  'existsSync',
  'readdirSync',
  'renameSync',
  'mkdirSync',
  'unlinkSync',
])
  count(fs, name, () => [`calls of the file system: ${name}`]);
count(crypto, 'hash', ([, data]) => ['hashed', sizeOf(data)]);
count(crypto, 'createHash', () => undefined);
count(crypto.Hash.prototype, 'update', ([data]) => ['hashed', sizeOf(data)]);
count(zlib, 'crc32', ([data]) => ['checksums', sizeOf(data)]);
count(JSON, 'stringify', (_, text) => ['serialised', sizeOf(text)]);
count(JSON, 'parse', ([text]) => ['parsed', sizeOf(text)]);
syncBuiltinESMExports();

const inspector = new Session();
inspector.connect();
inspector.post('Profiler.enable');
inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });

process.once('exit', () => {
  const calls = {};
  inspector.post('Profiler.takePreciseCoverage', (_, { result = [] } = {}) => {
    for (const { url, functions } of result) {
      const [, file] = /\/dist\/(.+)\.js$/.exec(url) ?? [];
      if (file === undefined) continue;
      for (const { functionName, ranges } of functions) {
        const name = `${file} ${functionName}`;
        if (functionName !== '') calls[name] = (calls[name] ?? 0) + ranges[0].count;
      }
    }
  });
  fs.writeFileSync(process.env.BENCH_WORK, JSON.stringify({ counts, calls }));
});
