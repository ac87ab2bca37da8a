/**
 * Runs of vitest that are kept in a file in node_modules/.cache, by the commit and what has changed since, so that whoever runs many can be
 * interrupted and goes on where it was.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const VITEST = join('node_modules', 'vitest', 'vitest.mjs');

/** The runs of that kind on these sources, and what adds one. */
export function keptRuns(name, kind) {
  const path = join('node_modules', '.cache', `${name}.jsonl`);
  const key = `${kind} ${stateOfSources()}`;
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trimEnd().split('\n') : [];
  const runs = lines.map((line) => JSON.parse(line)).filter((run) => run.key === key);
  const add = (run) => {
    mkdirSync(dirname(path), { recursive: true });
    appendFileSync(path, `${JSON.stringify({ key, ...run })}\n`);
    runs.push(run);
  };
  return { key, runs, add };
}

/** The commit, and a mark of what stands otherwise in the working folder. */
function stateOfSources() {
  const git = (...words) => execFileSync('git', words, { encoding: 'utf8', maxBuffer: 2 ** 28 });
  const changed = git('diff', 'HEAD') + git('status', '--porcelain');
  const mark = changed === '' ? '' : `+${createHash('sha256').update(changed).digest('hex').slice(0, 8)}`;
  return `${git('rev-parse', '--short', 'HEAD').trim()}${mark}`;
}

/** Resolves with what a run of these files, or of all, came to: how many tests passed, the red ones with the beginning of why, and what was printed. */
export async function runTests(files, variables = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'sanbot-runs-'));
  const report = join(folder, 'report.json');
  const child = spawn(process.execPath, [VITEST, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...files], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...variables },
  });
  const end = () => child.kill();
  process.once('exit', end);
  const pieces = [];
  child.stdout.on('data', (piece) => pieces.push(piece));
  const start = performance.now();
  const code = await new Promise((resolve) => child.on('close', (status, signal) => resolve(status ?? signal)));
  process.off('exit', end);
  const found = {
    seconds: Math.round((performance.now() - start) / 1_000),
    ...(existsSync(report) ? read(report) : { passed: 0, red: [] }),
  };
  rmSync(folder, { recursive: true, force: true });
  // An error that no test waited for, or a run that was ended.
  if (found.red.length === 0 && code !== 0) found.red.push({ name: `vitest ended with ${code}, and no test was red` });
  return { ...found, printed: stripVTControlCharacters(Buffer.concat(pieces).toString()) };
}

function read(report) {
  const { numPassedTests: passed, testResults } = JSON.parse(readFileSync(report, 'utf8'));
  return { passed, red: testResults.flatMap(redIn) };
}

function redIn({ name: path, status, message, assertionResults }) {
  const file = relative('.', path);
  const red = assertionResults.filter((test) => test.status === 'failed');
  if (status === 'failed' && red.length === 0) return [{ name: file, why: beginning(message) }];
  return red.map(({ fullName, failureMessages }) => ({ name: `${file} > ${fullName}`, why: beginning(failureMessages[0]) }));
}

const beginning = (text = '') => text.slice(0, 2_000);

/** One line of it, and the names of those that are red. */
export function tell(what, { passed, red, seconds }) {
  console.log(`${what}: ${passed} passed, ${red.length} failed, ${seconds} s`);
  for (const { name } of red) console.log(`  ${name}`);
}
