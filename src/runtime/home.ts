import { readFileSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { nodeAt, parseConfigText } from '../domain/config/config-text.ts';
import { SanbotError } from '../domain/errors.ts';
import { chooseLanguage, type UiLanguage } from '../domain/language.ts';
import { orUndefined } from '../domain/value/or-undefined.ts';
import { readUserConfig } from '../store/config-file.ts';
import { MAIN_GROUP } from '../store/files/paths.ts';
import { requireHome, resolveHome } from '../store/home.ts';
import type { Environment } from './environment.ts';

/** As typed after --home; left out when it was not. */
export type HomeOptions = { readonly home?: string | undefined };

/** As typed after --group; left out when it was not. */
export type GroupOptions = { readonly group?: string | undefined };

/** --home, relative to the working folder, else SANBOT_HOME, else ~/.sanbot. Throws config_invalid, and store_failed for no folder. */
export function homeOf(environment: Environment, { home }: HomeOptions): string {
  const flag = home === undefined ? {} : { SANBOT_HOME: isAbsolute(home) ? home : resolve(environment.cwd(), checkHomeFlag(home)) };
  return requireHome(resolveHome({ ...environment.env, ...flag }, environment.homedir), environment);
}

/** `--home ""` would be the working folder, and `--home=~/x`, which shells leave as it is, a folder called `~`. */
function checkHomeFlag(home: string): string {
  if (home !== '' && !/^~(?:\/|$)/.test(home)) return home;
  throw new SanbotError(
    'usage',
    {
      en: `--home must name a folder, found ${home === '' ? 'nothing' : JSON.stringify(home)}`,
      zh: `--home 必须指定文件夹，实际为${home === '' ? '空' : ` ${JSON.stringify(home)}`}`,
    },
    {
      en: 'Write the full path (/home/you/x), or ./~ for a folder of that name.',
      zh: '请写完整路径（/home/you/x）；名为 ~ 的文件夹写作 ./~。',
    },
  );
}

/** --group, else SANBOT_GROUP, else main. */
export const groupOf = ({ env }: Environment, { group }: GroupOptions): string =>
  (group ?? (env.SANBOT_GROUP || MAIN_GROUP)).normalize('NFC');

export const promptFolder = ({ packageRoot }: Pick<Environment, 'packageRoot'>): string => join(packageRoot, 'prompts');

/** A file of the bundle that runs in a process or a thread of its own. */
export const programFile = (name: string, { packageRoot }: Pick<Environment, 'packageRoot'>): string =>
  join(packageRoot, 'dist', 'bundle', `${name}.js`);

export function versionOf({ packageRoot }: Pick<Environment, 'packageRoot'>): string {
  const manifest: unknown = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : 'unknown';
}

/**
 * The language to speak from the first word on, so before the command line is parsed: help and its errors are in it too. A wrong setting or
 * a file that cannot be read counts as none here; whoever reads the settings says what is wrong.
 */
export function interfaceLanguage(environment: Environment, argv: readonly string[]): UiLanguage {
  const { env, stdout } = environment;
  const set = env.SANBOT_LANGUAGE || orUndefined(() => setInFile(homeOf(environment, { home: typedHome(argv) })));
  return chooseLanguage({ set, env, isTerminal: stdout.isTTY === true });
}

/** The text is parsed only where the key can be in it. */
function setInFile(home: string): unknown {
  const text = readUserConfig(home)?.text;
  if (text === undefined || !/"ui"/.test(text)) return undefined;
  const parsed = parseConfigText(text);
  const node = parsed.kind === 'ok' ? nodeAt(parsed.root, 'ui.language') : undefined;
  return node?.type === 'scalar' ? node.value : undefined;
}

function typedHome(argv: readonly string[]): string | undefined {
  const at = argv.findLastIndex((word) => word === '--home' || word.startsWith('--home='));
  const word = at < 0 ? undefined : argv[at];
  return word === '--home' ? argv[at + 1] : word?.slice('--home='.length);
}
