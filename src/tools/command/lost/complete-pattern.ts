import { lstatSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { ShellPattern } from '../../../domain/permission.ts';
import { orUndefined } from '../../../domain/value/or-undefined.ts';

/** Where a pattern begins: at the folder of the command, and `~` is the user's home. */
export type PatternBase = {
  readonly cwd: string;
  readonly userHome: string | undefined /** Called where some are left out. */;
  readonly cut?: () => void;
};

/** A shell gives up on nothing, but nobody reads a longer list. */
const MAX_PATHS = 2_000;

/** The absolute paths that a pattern stands for now: what is there that matches, or the one path that it names, there or not. */
export function completePattern(pattern: ShellPattern, { cwd, userHome, cut }: PatternBase): readonly string[] {
  const isOfHome = /^~(?:\/|$)/.test(pattern);
  if (isOfHome && userHome === undefined) return [];
  const start = isOfHome ? (userHome ?? cwd) : pattern.startsWith('/') ? '/' : cwd;
  const parts = (isOfHome ? pattern.slice(1) : pattern).split('/').filter((part) => part !== '' && part !== '.');
  let found: readonly string[] = [start];
  for (const part of parts) {
    const all = found.flatMap((folder) => (isPattern(part) ? matchesIn(folder, part) : [resolve(folder, plainOf(part))]));
    // What is in a folder whose name is not UTF-8 is not found.
    if (all.length > MAX_PATHS || all.some((path) => path.includes('\ufffd'))) cut?.();
    found = all.slice(0, MAX_PATHS);
  }
  return found;
}

/** True where something in it stands for other characters. */
const isPattern = (part: string): boolean => /[*?[]/.test(part.replace(/\\./gs, ''));

/** What the pattern says of itself, where it stands for one name. */
export const plainOf = (part: string): string => part.replace(/\\(.)/gs, '$1');

function matchesIn(folder: string, part: string): readonly string[] {
  const names = orUndefined(() => readdirSync(folder)) ?? [];
  return names.filter((name) => matchesName(part, name)).map((name) => join(folder, name));
}

type MatchOptions = { readonly hidden?: boolean /** Called with what a comparison takes. */; readonly spend?: (steps: number) => void };

/** True for a name that this part stands for; for a shell, one that begins with a dot only where the part does, if not `hidden`. */
export function matchesName(part: string, name: string, { hidden = false, spend }: MatchOptions = {}): boolean {
  if (!hidden && name.startsWith('.') && !part.startsWith('.') && !part.startsWith('\\.')) return false;
  spend?.(part.length);
  return matchesFrom(tokensOf(part), name, spend);
}

type Token = '*' | ((character: string) => boolean);

function tokensOf(part: string): readonly Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < part.length; at++) {
    const character = part.charAt(at);
    const end = character === '[' ? part.indexOf(']', at + 2) : -1;
    if (character === '*') tokens.push('*');
    else if (character === '?') tokens.push(() => true);
    else if (end > 0) {
      tokens.push(classOf(part.slice(at + 1, end)));
      at = end;
    } else {
      const literal = character === '\\' ? part.charAt(++at) : character;
      tokens.push((each) => each === literal);
    }
  }
  return tokens;
}

/** `[a-z_]`, `[!0-9]`. */
function classOf(text: string): (character: string) => boolean {
  const isNot = /^[!^]/.test(text);
  const within = isNot ? text.slice(1) : text;
  const has = (character: string): boolean => {
    for (let at = 0; at < within.length; at++) {
      const [first, last] = [within.charAt(at), within.charAt(at + 2)];
      if (within.charAt(at + 1) === '-' && last !== '') {
        if (character >= first && character <= last) return true;
        at += 2;
      } else if (character === first) return true;
    }
    return false;
  };
  return (character) => has(character) !== isNot;
}

/** Goes back to the last star only: the time is at most the product of both lengths. */
function matchesFrom(tokens: readonly Token[], name: string, spend: MatchOptions['spend']): boolean {
  const characters = [...name];
  let [token, at, star, from] = [0, 0, -1, 0];
  while (at < characters.length) {
    spend?.(1);
    const current = tokens[token];
    if (current === '*') [star, from] = [token++, at];
    else if (current?.(characters[at] ?? '') === true) {
      token++;
      at++;
    } else if (star >= 0) [token, at] = [star + 1, ++from];
    else return false;
  }
  return tokens.slice(token).every((each) => each === '*');
}

/** What stands at a path, a link as itself; undefined for nothing. */
export const standingAt = (path: string) => orUndefined(() => lstatSync(path));
