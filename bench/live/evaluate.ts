import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { type Facts, reportPage } from './report-page.ts';
import type { Row } from './run.ts';
import { makeTasks } from './tasks.ts';
import { type Cell, estimate, type Price, ways } from './ways.ts';

export type Options = {
  readonly out: string;
  /** How many of the twenty, from the first on. */
  readonly tasks: number;
  readonly seed: number;
  readonly yes: boolean;
  readonly model: string;
  readonly version: string;
  /** Undefined where the price of the model is not known. */
  readonly price: Price | undefined;
};

export type Means = {
  readonly say: (line: string) => void;
  /** Undefined where nobody can be asked. */
  readonly ask: ((question: string) => Promise<string>) | undefined;
  /** Does one task in a folder of its own, for at most so many dollars; it throws where it cannot be done, or is stopped. */
  readonly run: (cell: Cell, folder: string, maxUsd: number | undefined) => Promise<Row>;
};

/** A run that costs this much more than was estimated is stopped by the program. */
const MAX_TIMES = 4;
const PREFIX = 'sanbot-eval-';

/**
 * Does what is not done yet of the tasks, in each way, and writes the page: false where it did not start. What is done is kept in `out`,
 * a file a run, so that whoever interrupts it can go on; a run that was interrupted begins anew.
 */
export async function evaluate(options: Options, means: Means): Promise<boolean> {
  const { out, seed, model, version, price } = options;
  const tasks = makeTasks(seed, options.tasks);
  const facts: Facts = { model, seed, version, tasks: tasks.map(({ id }) => id) };
  const cells = tasks.flatMap((task) => ways.map((way): Cell => ({ task, way })));
  const kept = openFolder(out, { model, seed, version });
  const open = cells.filter((cell) => !existsSync(kept.fileOf(cell)));
  if (open.length > 0 && !(await isWanted(open, cells.length - open.length, options, means))) return false;
  kept.begin();
  for (const [i, cell] of open.entries()) {
    means.say(`${i + 1} of ${open.length}: ${cell.task.id}, ${cell.way}`);
    const usd = estimate(cell, price).usd;
    const row = await inFolder(kept.running, (folder) => means.run(cell, folder, usd && usd * MAX_TIMES));
    write(kept.fileOf(cell), JSON.stringify(row));
    write(kept.page, reportPage(facts, kept.rows(cells)));
  }
  write(kept.page, reportPage(facts, kept.rows(cells)));
  means.say(`The report is in ${kept.page}`);
  return true;
}

/** Tells what it will cost, and asks. */
async function isWanted(open: readonly Cell[], done: number, { price, yes, model }: Options, { say, ask }: Means): Promise<boolean> {
  const all = open.map((cell) => estimate(cell, price));
  const sum = (of: (each: (typeof all)[number]) => number): number => all.reduce((total, each) => total + of(each), 0);
  say(
    `${open.length} runs with ${model}${done === 0 ? '' : `, ${done} are done`}: about ${sum(({ steps }) => steps).toLocaleString('en')} requests, ${(sum(({ tokens }) => tokens) / 1_000_000).toFixed(1)} million tokens, most of them read from the provider's cache.`,
  );
  if (price === undefined) say('The price of this model is not known (model.price sets it), and nothing stops a run that costs too much.');
  else {
    const usd = sum((each) => each.usd ?? 0);
    say(
      `Estimated: ${usd.toFixed(2)} dollars, at your own account. The true price may be half or twice that. A run is stopped at ${MAX_TIMES} times its estimate: ${(usd * MAX_TIMES).toFixed(2)} dollars for all of them.`,
    );
  }
  if (yes) return true;
  if (ask === undefined) {
    say('Nobody can be asked here. --yes starts it.');
    return false;
  }
  if (/^y(?:es)?$/i.test((await ask('Start? [y/N] ')).trim())) return true;
  say('Nothing was started.');
  return false;
}

type Plan = Pick<Options, 'model' | 'seed' | 'version'>;

/** The folder of the results. Throws where it holds those of another model, seed or version, which no page may mix. */
function openFolder(out: string, plan: Plan) {
  const [planFile, rows, running] = [join(out, 'plan.json'), join(out, 'runs'), join(out, 'running')];
  const before = existsSync(planFile) ? readFileSync(planFile, 'utf8') : JSON.stringify(plan);
  if (before !== JSON.stringify(plan))
    throw new Error(`${out} holds results of ${before}, not of ${JSON.stringify(plan)}. --out names another folder.`);
  removeLeftover(running);
  const fileOf = ({ task, way }: Cell): string => join(rows, `${task.id}-${way.replaceAll(' ', '-')}.json`);
  return {
    ...{ fileOf, running, page: join(out, 'report.md') },
    begin: (): void => {
      mkdirSync(rows, { recursive: true });
      write(planFile, JSON.stringify(plan));
    },
    rows: (cells: readonly Cell[]): readonly Row[] =>
      cells.flatMap((cell) => (existsSync(fileOf(cell)) ? [JSON.parse(readFileSync(fileOf(cell), 'utf8'))] : [])),
  };
}

/** An empty folder that is gone afterwards, also after a kill: it is named in a file until then, for it may hold a key. */
async function inFolder<T>(running: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), PREFIX));
  write(running, folder);
  try {
    return await work(folder);
  } finally {
    removeLeftover(running);
  }
}

function removeLeftover(running: string): void {
  if (!existsSync(running)) return;
  const folder = readFileSync(running, 'utf8');
  // Only what was made here is removed, whatever the file says.
  if (basename(folder).startsWith(PREFIX) && existsSync(folder) && readdirSync(dirname(folder)).includes(basename(folder)))
    rmSync(folder, { recursive: true, force: true });
  rmSync(running);
}

/** Whole or not at all. */
function write(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
