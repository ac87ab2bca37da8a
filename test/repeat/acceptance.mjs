/**
 * `npm run test:acceptance -- [NAME…]`: what takes hours, in parts, one after another: the program killed at every step of its writes, the disk
 * full at every step, every bit flipped, every way back in every recording; then all laws with one seed after another. With names: the parts
 * that have one of them in theirs. It can be interrupted, and goes on behind the last part that was done. `npm run test:full` tries the least
 * of it and one twentieth (test/support/share.ts).
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { keptRuns, runTests, tell } from './kept-runs.mjs';

const TWENTIETHS = 20;

const testsIn = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(folder, name))
    .toSorted();
const isLaw = (path) => /\bfc\.assert\(/.test(readFileSync(path, 'utf8'));
const laws = testsIn('test').filter(isLaw);
const cases = testsIn('test').filter((path) =>
  /[/\\]crash[/\\]|rollback-equality|destructive-commands|server-habits|broken-hub|hub-faults/.test(path),
);
const words = process.argv.slice(2);
const parts = [
  ...cases.map((path) => ({ name: path, files: [path], variables: {} })),
  ...Array.from({ length: TWENTIETHS }, (_, at) => ({
    name: `laws, seed ${at + 1}`,
    files: laws,
    variables: { SANBOT_TWENTIETH: `${at + 1}` },
  })),
].filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)));

const { key, runs: kept, add } = keptRuns('acceptance', 'acceptance');
const doneOf = (part) => kept.find(({ name }) => name === part.name);
console.log(`${key}: ${parts.length} parts, ${parts.filter(doneOf).length} done before`);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(130));
for (const { name, files, variables } of parts.filter((part) => doneOf(part) === undefined)) {
  const { printed, ...run } = await runTests(files, { SANBOT_TEST: 'acceptance', ...variables });
  tell(name, run);
  add({ name, ...run, figures: figuresIn(printed) });
}

const runs = parts.map(doneOf);
const figures = runs.flatMap((run) => run.figures);
for (const line of figures) console.log(line);
console.log(total(figures.join('\n')));
const red = runs.flatMap((run) => run.red.map((test) => `${run.name}: ${test.name}`));
for (const name of red) console.log(`red: ${name}`);
console.log(`${runs.length} parts, ${runs.reduce((sum, { passed }) => sum + passed, 0)} tests passed, ${red.length} failed`);
process.exit(red.length === 0 ? 0 : 1);

/** The lines of figures that the tests print. */
function figuresIn(printed) {
  return printed.split('\n').filter((line) => /: (?:kills: )?\d+ of \d+/.test(line));
}

function total(text) {
  const sum = (pattern, at = 1) => [...text.matchAll(pattern)].reduce((all, found) => all + Number(found[at]), 0);
  const shareOf = (what) => {
    const pattern = new RegExp(`${what}.*?: (\\d+) of (\\d+)`, 'g');
    return sum(pattern, 2) === 0 ? '' : `${what}: ${sum(pattern)} of ${sum(pattern, 2)}, `;
  };
  const kills = `${sum(/kills: (\d+) of/g)} kills, ${sum(/full disk.*?: (\d+) of/g)} times a full disk`;
  const shares = ['truncations', 'flips noticed', 'parallel sessions', 'ways back', 'commands undone'].map(shareOf).join('');
  return `in all: ${kills}, ${shares}problems: ${sum(/problems: (\d+)/g)}`;
}
