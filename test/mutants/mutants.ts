/**
 * How strong the tests are: faults are put into the sources, one at a time, and `npm test` has to see them.
 *
 *   npm run test:mutants -- [--seed N] [--count N] [--only PATH]… [--tests PATH]… [--jobs N]
 *
 * `--only` draws from some sources alone, `--tests` lets some tests alone see them. The project is the current folder.
 * First each file of tests runs once, to learn which places of the sources it reaches; this, and each result, is kept in
 * node_modules/.cache/mutants for as long as the sources and those tests are the same, so that what was interrupted goes on, and a survivor
 * is asked about once more when a test that reaches it is changed or added.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { layOut, projectFiles } from './copy.ts';
import { drawFaults } from './draw.ts';
import { faultsIn } from './faults.ts';
import { filesFor, holds, judge, type Reach, type Verdict } from './judge.ts';
import { keptLines } from './kept-lines.ts';
import { reportOf } from './report.ts';
import { openSlot, type Slot } from './slot.ts';
import { type Numbered, placeOf, withNotes, withSwitches } from './switches.ts';

const { values: options } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '300' },
    only: { type: 'string', multiple: true, default: ['src'] },
    tests: { type: 'string', multiple: true, default: ['test'] },
    jobs: { type: 'string', default: String(availableParallelism()) },
  },
});

const root = process.cwd();
const tool = dirname(fileURLToPath(import.meta.url));
const hashOf = (...texts: readonly string[]): string => createHash('sha256').update(texts.join('\0')).digest('hex').slice(0, 12);
const isBelow = (folders: readonly string[], file: string): boolean =>
  folders.some((each) => file === each || file.startsWith(join(each, '/')));

const sources = projectFiles(root)
  .filter((path) => /^src\/.*\.ts$/.test(path))
  .toSorted()
  .map((file, index) => ({ file, index, text: readFileSync(join(root, file), 'utf8') }));
const ofSources = hashOf(...sources.flatMap(({ file, text }) => [file, text]));
const cache = join(root, 'node_modules', '.cache', 'mutants');
const workshop = mkdtempSync(join(tmpdir(), 'mutants-'));
const removeWorkshop = (): void => rmSync(workshop, { recursive: true, force: true });

type Workplace = { readonly copy: string; readonly slot: Slot };
let workplaces: readonly Workplace[] = [];
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    await Promise.all(workplaces.map(({ slot }) => slot.close()));
    removeWorkshop();
    process.exit(130);
  });

/** Copies of the project with changed sources, side by side, for as long as `work` takes. */
async function inCopies(change: (copy: string) => ReadonlyMap<string, string>, work: () => Promise<void>): Promise<void> {
  workplaces = Array.from({ length: Number(options.jobs) }, (_, job) => {
    const copy = join(workshop, String(job));
    layOut(root, copy, { changed: change(copy), tool });
    return { copy, slot: openSlot(copy) };
  });
  await work();
  await Promise.all(workplaces.map(({ slot }) => slot.close()));
}

/** Each workplace takes the next one as soon as it is free. */
async function share<T>(all: readonly T[], work: (each: T, place: Workplace) => Promise<void>): Promise<void> {
  const open = [...all];
  const takeNext = async (place: Workplace): Promise<void> => {
    const next = open.shift();
    if (next === undefined) return;
    await work(next, place);
    await takeNext(place);
  };
  await Promise.all(workplaces.map(takeNext));
}

/** Runs each file of tests once that has not been run on these sources. */
async function reachOf(files: readonly string[]): Promise<readonly Reach[]> {
  const kept = keptLines<Reach>(join(cache, `reached-${ofSources}.jsonl`));
  const hashes = new Map(files.map((file) => [file, hashOf(readFileSync(join(root, file), 'utf8'))]));
  const known = () => kept.all().filter(({ file, hash }) => hashes.get(file) === hash);
  const missing = files.filter((file) => !known().some((each) => each.file === file));
  if (missing.length > 0) {
    tell(`${missing.length} test files run once, to learn what they reach`);
    const noted = (copy: string) => new Map(sources.map(({ file, index, text }) => [file, withNotes(text, index, join(copy, 'reached'))]));
    await inCopies(noted, () =>
      share(missing, async (file, { copy, slot }) => {
        writeFileSync(join(copy, 'reached'), '');
        const begun = Date.now();
        await slot.runWhole(file, MOST_MS);
        const places = new Set(readFileSync(join(copy, 'reached'), 'utf8').match(/\d+/g)?.map(Number));
        kept.add({ file, hash: hashes.get(file) ?? '', ms: Date.now() - begun, places: [...places] });
      }),
    );
  }
  return known();
}

const tell = (line: string): void => void process.stderr.write(`${line}\n`);
/** More than any file of tests takes. */
const MOST_MS = 1_200_000;

/** The files that `npm test` runs, by the words that it gives to vitest. */
function testFiles(): readonly string[] {
  const script: string = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).scripts.test;
  const words = /vitest run([^'"&|]*)/.exec(script)?.[1]?.trim().split(/\s+/) ?? [];
  const list = ['node_modules/vitest/vitest.mjs', 'list', '--filesOnly', '--json', ...words.filter((word) => word !== '' && word !== '--')];
  const listed: readonly { readonly file: string }[] = JSON.parse(execFileSync(process.execPath, list, { encoding: 'utf8' }));
  return listed.map(({ file }) => relative(root, file)).filter((file) => isBelow(options.tests, file));
}

const drawn = drawFaults(
  sources.filter(({ file }) => isBelow(options.only, file)).flatMap(({ file, text }) => faultsIn(file, text)),
  { seed: Number(options.seed), count: Number(options.count) },
).map((fault, index) => ({ ...fault, id: index + 1 }));
const key = hashOf(ofSources, ...drawn.map(({ file, start, change }) => `${file}:${start}:${change}`));
const results = keptLines<Verdict>(join(cache, `results-${key}.jsonl`));

type Open = { readonly fault: Numbered; readonly files: readonly Reach[] };

/** The faults about which the tests as they are have not been asked. */
function openFaults(reaches: readonly Reach[]): readonly Open[] {
  const verdicts = new Map(results.all().map((verdict) => [verdict.id, verdict]));
  return drawn.flatMap((fault) => {
    const source = sources.find(({ file }) => file === fault.file);
    if (source === undefined) return [];
    const files = filesFor(fault.file, placeOf(fault, source.text, source.index), reaches);
    const verdict = verdicts.get(fault.id);
    return verdict !== undefined && holds(verdict, files) ? [] : [{ fault, files }];
  });
}

async function judgeAll(faults: readonly Open[]): Promise<void> {
  const greens = new Map<string, boolean>();
  const switched = (copy: string) =>
    new Map(
      sources.flatMap(({ file, text }) => {
        const inFile = drawn.filter((fault) => fault.file === file);
        return inFile.length === 0 ? [] : [[file, withSwitches(text, inFile, join(copy, 'active'))]];
      }),
    );
  await inCopies(switched, () =>
    share(faults, async ({ fault, files }, { copy, slot }) => {
      const put = (id: number): void => writeFileSync(join(copy, 'active'), String(id));
      const verdict = await judge(fault, files, { slot, put, greens });
      results.add(verdict);
      tell(`${verdict.outcome} ${fault.file}:${fault.line} ${verdict.by ?? ''} (${Math.round(verdict.ms / 1000)} s)`);
    }),
  );
}

const open = openFaults(await reachOf(testFiles()));
tell(`${drawn.length} faults, ${open.length} to ask about`);
if (open.length > 0) await judgeAll(open);
removeWorkshop();
const { text, isReached } = reportOf(drawn, results.all());
process.stdout.write(`${text}\n`);
process.exitCode = isReached ? 0 : 1;
