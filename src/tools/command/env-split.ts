import { programName, type SimpleCommand } from '../../domain/permission.ts';

/**
 * The command that `env -S` makes of a text; undefined where there is none, null for a text with quotes, escapes or variables in it, which
 * env reads in a way of its own.
 */
export function splitByEnv(command: SimpleCommand): SimpleCommand | null | undefined {
  const { words } = command;
  const env = words.findIndex((word = '') => /^env(?:\.exe)?$/i.test(programName(word)));
  if (env < 0) return undefined;
  const at = words.findIndex((word, i) => i > env && splitOption(word) !== undefined);
  if (at < 0) return undefined;
  const attached = splitOption(words[at])?.text;
  const text = attached === undefined || attached === '' ? words[at + 1] : attached;
  const rest = words.slice(text === attached ? at + 1 : at + 2);
  if (text === undefined || /[\\'"$#]/.test(text)) return null;
  return { ...command, words: ['env', ...text.split(/\s+/).filter((word) => word !== ''), ...rest] };
}

/** Also together with other letters, and a long option by its beginning. */
function splitOption(word = ''): { readonly text: string } | undefined {
  const short = /^-[0iv]*S(.*)$/s.exec(word)?.[1];
  if (short !== undefined) return { text: short };
  const [, name = '', text = ''] = /^--([a-z-]+)(?:=(.*))?$/s.exec(word) ?? [];
  return name !== '' && 'split-string'.startsWith(name) ? { text } : undefined;
}
