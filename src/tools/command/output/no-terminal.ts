import type { EnvironmentRules } from '../../../domain/config/command-environment.ts';
import type { Bilingual } from '../../../domain/language.ts';
import { anyOf, lazyTest } from '../../../domain/value/word-list.ts';

const NO_EDITOR =
  'echo "There is no editor here: give the text on the command line or in a file (git commit -m, git rebase without -i)." >&2; false';

/**
 * For programs that would open a pager or an editor, or ask: there is no terminal. They print, or say so and fail, in place of waiting for
 * a key that nobody can press.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  ...Object.fromEntries('PAGER GIT_PAGER MANPAGER GH_PAGER SYSTEMD_PAGER BAT_PAGER DELTA_PAGER'.split(' ').map((name) => [name, 'cat'])),
  ...{ AWS_PAGER: '', PSQL_PAGER: 'cat', EDITOR: 'false', VISUAL: 'false', GIT_EDITOR: NO_EDITOR, GIT_SEQUENCE_EDITOR: NO_EDITOR },
  ...{ GIT_TERMINAL_PROMPT: '0', GH_PROMPT_DISABLED: '1', PIP_NO_INPUT: '1', DEBIAN_FRONTEND: 'noninteractive' },
};

/** The environment of a command; a variable that the user's settings pass by its name stays as it is. */
export function withoutTerminal(env: Readonly<Record<string, string>>, { pass }: EnvironmentRules): Record<string, string> {
  const settings = Object.entries(SETTINGS).filter(([name]) => !(pass.includes(name) && env[name] !== undefined));
  return { ...env, ...Object.fromEntries(settings) };
}

/** What programs say that look for a terminal, or for an answer at one. */
const TERMINAL = `not a terminal, not a tty, isn't a terminal, terminal is required, no tty present, failed tty get, error opening terminal,
  terminal prompts disabled, TERM environment variable not set, inappropriate ioctl for device`;
const ANSWER = `could not read username, could not read password, there is no editor here, problem with the editor, EOF when reading a line,
  EOFError, ERR_USE_AFTER_CLOSE, user force closed the prompt`;
const hasTrace = lazyTest(() => `${anyOf(TERMINAL, ANSWER)}|error reading input, exiting`, 'i');

const TAIL_CHARS = 4_000;

/** True for the output of a failed command that shows that it wanted a terminal. */
export const wantsTerminal = (output: string): boolean => hasTrace(output.slice(0, TAIL_CHARS)) || hasTrace(output.slice(-TAIL_CHARS));

/** True for an output whose last line is a question or a prompt: it was stopped while it waited for an answer. */
export const endsInPrompt = (output: string): boolean =>
  /(?:[?:>]|\[[yn]\/[yn]\]|\([yn]\/[yn]\))[ \t]*$/i.test(output.slice(-300)) && !output.endsWith('\n');

export const NO_TERMINAL_FACT: Bilingual = {
  en: 'it wanted a terminal or an answer, and there is neither: give what it asks for as an option, an argument or a file (-m, --yes, --no-edit, --batch)',
  zh: '它需要终端或回答，而两者都没有：请用选项、参数或文件给出它要的内容（-m、--yes、--no-edit、--batch）',
};
