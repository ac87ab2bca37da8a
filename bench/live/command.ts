import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { nodeAt, parseConfigText, plainValue } from '../../src/domain/config/config-text.ts';
import { orUndefined } from '../../src/domain/value/or-undefined.ts';
import { evaluate, type Means } from './evaluate.ts';
import { runCell } from './run.ts';
import { kinds, languages } from './tasks.ts';
import type { Price } from './ways.ts';

export type Surroundings = Pick<Means, 'say' | 'ask'> & {
  /** Where SanBot's source is. */
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly signal: AbortSignal;
};

const ALL = kinds.length * languages.length;
const MAX_SEED = 1_000_000;
const NOT_CONFIRMED = 9;

/** The command line; the exit code comes back. Throws what a person has to read. */
export async function evalLive(argv: readonly string[], { root, env, signal, say, ask }: Surroundings): Promise<number> {
  const options = readOptions(argv);
  const path = join(root, 'bin', 'sanbot.js');
  const home = env.SANBOT_HOME || join(env.HOME ?? homedir(), '.sanbot');
  const { name, price } = modelInUse(path, env);
  const { version }: { readonly version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const catalogue = orUndefined(() => readFileSync(join(home, 'models.json'), 'utf8'));
  const program = { path, model: ownModel(join(home, 'config.json')), catalogue, env, signal };
  const facts = { ...options, out: resolve(root, options.out), model: name, version, price: price ?? undefined };
  const run: Means['run'] = (cell, folder, maxUsd) => runCell(cell, folder, { ...program, maxUsd });
  return (await evaluate(facts, { say, ask, run })) ? 0 : NOT_CONFIRMED;
}

function readOptions(argv: readonly string[]) {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      tasks: { type: 'string', default: `${ALL}` },
      seed: { type: 'string', default: '1' },
      out: { type: 'string', default: join('.bench', 'eval-live') },
      yes: { type: 'boolean', default: false },
    },
  });
  const whole = (name: 'tasks' | 'seed', most: number): number => {
    const value = Number(values[name]);
    if (Number.isInteger(value) && value >= 1 && value <= most) return value;
    throw new Error(`--${name} takes a number from 1 to ${most}, not ${values[name]}`);
  };
  return { out: values.out, yes: values.yes, tasks: whole('tasks', ALL), seed: whole('seed', MAX_SEED) };
}

/** The part of the settings file that says which model, where and with which key. */
function ownModel(file: string): unknown {
  const text = orUndefined(() => readFileSync(file, 'utf8'));
  const parsed = text === undefined ? undefined : parseConfigText(text);
  if (parsed?.kind === 'bad') throw new Error(`${file} cannot be read: sanbot config validate says why`);
  const node = parsed && nodeAt(parsed.root, 'model');
  return node && plainValue(node);
}

type Listed = { readonly name: string; readonly isDefault?: boolean; readonly price?: Price | null };

/** The model that a session would begin with, as the program itself says. */
function modelInUse(path: string, env: NodeJS.ProcessEnv): Listed {
  const printed = execFileSync(process.execPath, [path, 'models', '--json'], { encoding: 'utf8', env, cwd: homedir() });
  const { endpoints }: { readonly endpoints: readonly { readonly models: readonly Listed[] }[] } = JSON.parse(printed);
  const found = endpoints.flatMap(({ models }) => models).find(({ isDefault }) => isDefault === true);
  if (found === undefined) throw new Error('No model is set: choose one with sanbot setup');
  return found;
}
