import { nodeAt, parseConfigText } from '../domain/config/config-text.ts';
import { chooseLanguage, type UiLanguage } from '../domain/language.ts';
import { orUndefined } from '../domain/value/or-undefined.ts';
import { readUserConfig } from '../store/config-file.ts';
import type { Environment } from './environment.ts';
import { homeOf } from './home.ts';

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
