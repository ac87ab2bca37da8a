'use strict';
/**
 * Where the single executable begins: it unpacks what the npm package installs, once for each build, and goes on as that does. What is
 * unpacked lies in the home, where no command in a sandbox can write; where no home can be written to, in a folder of the user's own
 * for temporary files.
 *
 * Called `node`, it runs the file that it is given, as Node does: so the program starts its own processes (`argv0` of their `spawn`).
 */
const fs = require('node:fs');
const { createRequire } = require('node:module');
const { homedir, tmpdir } = require('node:os');
const { dirname, isAbsolute, join } = require('node:path');
const { getRawAsset } = require('node:sea');

/** What the build puts in: the name of the folder, which changes with what is in it. */
const BUILD = '@BUILD@';
const UNUSED_MS = 30 * 24 * 60 * 60 * 1_000;

const run = (file) => createRequire(file)(file);

/** The folder of the program; undefined where it can be written nowhere, which has been said. */
function unpacked() {
  const failures = [];
  for (const place of places()) {
    try {
      return unpackInto(place());
    } catch (error) {
      failures.push(error.message);
    }
  }
  process.stderr.write(
    `sanbot: its files cannot be unpacked: ${[...new Set(failures)].join('; ')}. Set SANBOT_HOME to a folder that can be written to.\n`,
  );
  process.exitCode = 1;
}

const places = () => [
  () => {
    const home = process.env.SANBOT_HOME || join(homedir(), '.sanbot');
    if (!isAbsolute(home)) throw new Error(`SANBOT_HOME is no absolute path: ${home}`);
    return join(home, 'program');
  },
  () => ownFolder(join(tmpdir(), `sanbot-${process.geteuid()}`)),
];

/** Throws where somebody else can write there, or could. */
function ownFolder(path) {
  fs.mkdirSync(path, { recursive: true, mode: 0o700 });
  const stats = fs.lstatSync(path);
  if (!stats.isDirectory() || stats.uid !== process.geteuid() || (stats.mode & 0o077) !== 0)
    throw new Error(`${path} is not this user's alone`);
  return path;
}

function unpackInto(place) {
  const folder = join(place, BUILD);
  const stats = fs.statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined) unpack(place, folder);
  // A folder that is in use stays: see removeUnused.
  else if (stats.mtimeMs < Date.now() - UNUSED_MS / 30) touch(folder);
  return folder;
}

/** Whole or not at all: under another name until each file is on the disk. Of two that do it at once, one is first. */
function unpack(place, folder) {
  const parts = `${folder}.${process.pid}`;
  try {
    for (const [name, { bytes, mode }] of files()) {
      const path = join(parts, name);
      fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      fs.writeFileSync(path, bytes, { mode, flush: true });
    }
    fs.renameSync(parts, folder);
  } catch (error) {
    fs.rmSync(parts, { recursive: true, force: true });
    if (!fs.existsSync(folder)) throw error;
  }
  removeUnused(place);
}

/** As build/release/executable.mjs has packed them. */
function* files() {
  const archive = require('node:zlib').brotliDecompressSync(Buffer.from(getRawAsset('program')));
  const end = archive.indexOf(0);
  let at = end + 1;
  for (const [name, length, mode] of JSON.parse(archive.toString('utf8', 0, end))) {
    yield [name, { bytes: archive.subarray(at, at + length), mode }];
    at += length;
  }
}

function touch(folder) {
  try {
    fs.utimesSync(folder, new Date(), new Date());
  } catch {
    // Of a home that is read-only now, nothing is removed either.
  }
}

/** Other builds that no start has used for long, and what was left half done. */
function removeUnused(place) {
  for (const name of fs.readdirSync(place)) {
    const path = join(place, name);
    const stats = fs.statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && stats.mtimeMs < Date.now() - UNUSED_MS) fs.rmSync(path, { recursive: true, force: true });
  }
}

if (process.argv0 === 'node') {
  process.argv.splice(1, 1);
  run(process.argv[1]);
} else {
  const folder = unpacked();
  if (folder !== undefined) run(join(folder, 'bin', 'sanbot.js'));
}
