// What it costs that commands can be undone: npm run bench:changes -- [FILES…]
// Folders of so many files, with git and without, are looked at as before and after each command: first, by the next process of the session,
// when nothing changed, when 1 file did, and when 1,000 did. Printed are the processor's time of both looks (that of git, which is asked
// once, included), the clock's, and what was written into the home, also for each byte of the files that changed. The processor's time is
// what to compare, and the multiple of a bare `lstat` of all files that was measured beside it.

import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const FILES_A_FOLDER = 20;
/** As long as most files of a program are: about 3.5 KB. */
const LINES = 160;
const REPEATS = 5;
/** Longer than the tick of any file system's clock. */
const SETTLE_MS = 120;
const [, self = '', ...args] = process.argv;

const fileOf = (folder, i) => join(folder, `d${Math.floor(i / 1_000)}`, `e${Math.floor(i / FILES_A_FOLDER) % 50}`, `file-${i}.txt`);

function makeFolder(folder, count, hasGit) {
  for (let i = 0; i < count; i++) {
    const path = fileOf(folder, i);
    if (i % FILES_A_FOLDER === 0) mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, `file ${i}: ${(i * 2_654_435_761) % 4_294_967_291}\n`.repeat(LINES));
    utimesSync(path, 1_600_000_000, 1_600_000_000);
  }
  if (!hasGit) return;
  const git = (...of) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', '-c', 'gc.auto=0', ...of], { cwd: folder });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'all');
  git('gc', '-q');
}

/** Seconds of the processor that this process and its children took. */
function processorTime() {
  const { user, system } = process.cpuUsage();
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return (user + system) / 1e6 + (Number(fields[13]) + Number(fields[14])) / 100;
}

function bytesBelow(folder) {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    // Second names of the objects of git take no room.
    if (entry.isDirectory()) bytes += entry.name === 'objects' ? 0 : bytesBelow(path);
    else bytes += lstatSync(path).size;
  }
  return bytes;
}

const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

async function child(folder, home, count, what) {
  const { createChanges, LOOK_MS } = await import('../dist/store/changes/changes.js');
  const disk = {
    home,
    now: () => new Date(),
    newId: () => `${Math.random()}`.slice(2),
    pid: process.pid,
    platform: 'linux',
    probePid: () => undefined,
    cpuMs: () => {
      const { user, system } = process.cpuUsage();
      return (user + system) / 1_000;
    },
    warn: () => undefined,
  };
  const options = { folder: join(home, 'changes'), gitConfigs: [], searchPath: process.env.PATH, notBeyond: ['/', tmpdir()] };
  const changes = createChanges(disk, { ...options, caps: { fileBytes: 64 << 20, sessionBytes: 512 << 20 }, lookMs: LOOK_MS });
  mkdirSync(join(home, 'changes'), { recursive: true });
  let calls = 0;
  const row = (name, change) => {
    const [cpu, begun] = [processorTime(), performance.now()];
    const before = bytesBelow(join(home, 'changes'));
    const act = changes.begin(folder, { id: `${++calls}`, title: name, record: calls });
    const [cpuBetween, between] = [processorTime(), performance.now()];
    const changed = change();
    const [cpuAfter, after] = [processorTime(), performance.now()];
    const { set, uncovered } = act.end();
    const late = [...uncovered.values()].filter((why) => why === 'late').length;
    const looks = {
      first: between - begun,
      cpu: cpuBetween - cpu + processorTime() - cpuAfter,
      ms: between - begun + performance.now() - after,
    };
    return { name, ...looks, bytes: bytesBelow(join(home, 'changes')) - before, changed, found: set?.changes.length ?? 0, late };
  };
  let round = 0;
  const changeSome = (many) => () => {
    round += 1;
    let bytes = 0;
    for (let i = 0; i < many; i++) {
      const path = fileOf(folder, (i * 7 + round) % count);
      appendFileSync(path, 'more\n');
      bytes += lstatSync(path).size;
    }
    return bytes;
  };
  const median = (name, change) => {
    const rows = Array.from({ length: REPEATS }, () => {
      sleep(SETTLE_MS);
      return row(name, change);
    });
    return rows.toSorted((a, b) => a.cpu - b.cpu)[Math.floor(REPEATS / 2)];
  };
  const rows =
    what === 'first'
      ? [
          row('first', () => 0),
          median('nothing changed', () => 0),
          median('1 changed', changeSome(1)),
          median('1,000 changed', changeSome(Math.min(count, 1_000))),
        ]
      : [row('next process', () => 0)];
  // What the last command wrote is kept before the next one: here, so that what the next process keeps is its own.
  if (what === 'first') row('after the last', () => 0);
  console.log(JSON.stringify({ rows, bare: bareLooks(folder) }));
}

/** What two looks at all files cost that only ask the system, in seconds of the processor. */
function bareLooks(folder) {
  const begun = processorTime();
  for (let i = 0; i < 2; i++) {
    const waiting = [folder];
    for (const at of waiting)
      for (const name of readdirSync(at)) {
        const path = `${at}/${name}`;
        if (name !== '.git' && lstatSync(path).isDirectory()) waiting.push(path);
      }
  }
  return processorTime() - begun;
}

function measure(count, hasGit) {
  const base = mkdtempSync(join(tmpdir(), 'sanbot-changes-'));
  const folder = join(base, 'folder');
  try {
    mkdirSync(folder);
    makeFolder(folder, count, hasGit);
    sleep(SETTLE_MS);
    console.log(`\n${count.toLocaleString('en')} files, ${hasGit ? 'git' : 'no git'}`);
    console.log(
      '| | CPU ms | times a bare look | ms | before the command, ms | bytes kept | bytes changed | kept/changed | changes found | left out |',
    );
    console.log('| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |');
    for (const what of ['first', 'next']) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [self, '--child', folder, join(base, 'home'), `${count}`, what], {
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(stderr);
      const { rows, bare } = JSON.parse(stdout);
      for (const { name, cpu, ms, first, bytes, changed, found, late } of rows)
        console.log(
          `| ${[name, (cpu * 1_000).toFixed(0), (cpu / bare).toFixed(1), ms.toFixed(0), first.toFixed(0), bytes, changed, changed > 0 ? (bytes / changed).toFixed(2) : '', found, late].join(' | ')} |`,
        );
    }
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}

if (args[0] === '--child') await child(args[1], args[2], Number(args[3]), args[4]);
else
  for (const count of args.length > 0 ? args.map(Number) : [1_000, 50_000, 500_000])
    for (const hasGit of [true, false]) measure(count, hasGit);
