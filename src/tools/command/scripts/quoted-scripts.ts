import { programName, type SimpleCommand } from '../../../domain/permission.ts';
import type { ShellLanguage } from '../find-shell.ts';

/** A text that a shell runs as a script. */
export type QuotedScript = { readonly text: string; readonly language: ShellLanguage };

/**
 * The texts that a command hands to a shell as scripts: after -c, of `trap`, all that `eval` and `watch` get. Undefined for one that is not
 * known: what a shell reads from its input, and what a shell runs whose grammar is another.
 */
export function quotedScripts({ words }: SimpleCommand, language: ShellLanguage): readonly (QuotedScript | undefined)[] {
  const taker = words.findIndex((word = '') => TAKES_SCRIPT.test(programName(word)));
  if (taker < 0) return [];
  const name = programName(words[taker] ?? '').toLowerCase();
  const rest = words.slice(taker + 1);
  if (name === 'eval') return [joined(rest[0] === '--' ? rest.slice(1) : rest, language)];
  if (name === 'watch') return [joined(rest.slice(optionsIn(rest)), 'sh')];
  if (name === 'trap') return rest.length === 0 ? [] : [joined(rest.slice(rest[0] === '--' ? 1 : 0).slice(0, 1), language)];
  const isShell = SHELL.test(name);
  // An interactive one reads files at its start.
  if (isShell && rest.some((word = '') => /^-[a-zA-Z]*i/.test(word))) return [undefined];
  const option = rest.findIndex((word = '') => COMMAND_OPTION.test(word));
  if (option < 0) return isShell && readsUnseen(rest) ? [undefined] : [];
  const value = /^--command=(.*)$/s.exec(rest[option] ?? '')?.[1];
  if (value !== undefined) return [{ text: value, language: 'sh' }];
  if (isShell && !/^(?:r?ba|da|a|k|mk|pdk|ok|ya)?sh/.test(name)) return [undefined];
  const behind = rest.slice(option + 1);
  return [joined(behind.slice(isShell ? optionsIn(behind) : 0).slice(0, 1), /^r?bash/.test(name) ? 'bash' : 'sh')];
}

const SHELL = /^(?:r?ba|da|a|z|k|mk|pdk|ok|ya|c|tc|fi)?sh[\d.-]*$/;
const TAKES_SCRIPT = /^(?:eval|trap|(?:r?ba|da|a|z|k|mk|pdk|ok|ya|c|tc|fi)?sh[\d.-]*|su|runuser|script|watch|flock|busybox|toybox)$/i;
const COMMAND_OPTION = /^-[a-zA-Z]*c[a-zA-Z]*$|^--(?:session-)?command(?:=|$)/;

const joined = (words: readonly (string | undefined)[], language: ShellLanguage): QuotedScript | undefined =>
  words.includes(undefined) ? undefined : { text: words.join(' '), language };

/** How many words at the beginning are options, with the names that some of them take. */
export function optionsIn(words: readonly (string | undefined)[]): number {
  let at = 0;
  while (/^[-+]/.test(words[at] ?? '')) {
    const word = words[at++] ?? '';
    if (word === '--' || word === '-') break;
    if (/^[-+][a-zA-Z]*[oOn]$/.test(word)) at++;
  }
  return at;
}

/** True for a shell that runs what it reads: from its input, or from a file that is not known or none of a disk. */
function readsUnseen(words: readonly (string | undefined)[]): boolean {
  const at = optionsIn(words);
  const file = words[at];
  if (words.slice(0, at).some((word = '') => /^-[a-zA-Z]*s/.test(word))) return true;
  return file === undefined ? !/^--(?:version|help)$/.test(words[0] ?? '') : /^\/(?:dev|proc)\//.test(file);
}
