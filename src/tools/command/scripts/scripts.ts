/**
 * What a command runs that stands in files, or in texts of its own.
 *
 * In comes a command as it was parsed, out go the commands of the scripts on the disk that it runs, parsed in the same way, for rules that
 * forbid or ask. Only what a file says is known, not what a script computes, nor what a program does.
 * `quoted-scripts.ts` has the texts that stand in the command itself, and `script-digests.ts` tells whether files that say what runs have
 * changed since a rule was written.
 */

import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { joinPatterns, literalPattern, type ParsedCommand, programName, type SimpleCommand } from '../../../domain/permission.ts';
import { isObject, parseJson } from '../../../domain/value/json.ts';
import { shellLanguage } from '../find-shell.ts';
import { parseShell } from '../parse-command.ts';
import { optionsIn } from './quoted-scripts.ts';

/**
 * The commands that stand in files which a command line runs: in scripts of shells, in recipes of make, in scripts of package.json, and in what
 * these run in turn. What a script computes is not known, nor what a program does. Never rejects.
 */
export async function commandsInFiles({ commands }: ParsedCommand, cwd: string): Promise<readonly SimpleCommand[]> {
  const found: SimpleCommand[] = [];
  const seen = new Set<string>();
  let last = commands;
  while (last.length > 0 && seen.size < MOST_SCRIPTS) {
    const scripts = (await Promise.all(last.map((command) => scriptsOf(command, cwd)))).flat();
    const added = scripts.filter(({ text, folder }) => !seen.has(`${folder}\n${text}`)).slice(0, MOST_SCRIPTS - seen.size);
    for (const { text, folder } of added) seen.add(`${folder}\n${text}`);
    const parsed = await Promise.all(
      added.map(async (script) => placed(await parseShell(script.text, script.language), script.folder, cwd)),
    );
    last = parsed.flat();
    found.push(...last);
  }
  return found;
}

const MOST_SCRIPTS = 50;
/** Longer ones are not parsed either. */
const MOST_BYTES = 256 * 1024;

type Script = { readonly text: string; readonly language: ReturnType<typeof shellLanguage>; readonly folder: string };

/** A script runs in the folder of the command that runs it. */
function placed({ commands }: ParsedCommand, folder: string, cwd: string): readonly SimpleCommand[] {
  const from = literalPattern(folder);
  if (folder === cwd) return commands;
  return commands.map((command) => ({
    ...command,
    folder: command.folder === undefined ? from : command.folder && joinPatterns(from, command.folder),
  }));
}

/** What starts the program that stands among its words. */
const STARTS: ReadonlySet<string> = new Set(
  'env nice ionice nohup setsid stdbuf time timeout xargs sudo doas command exec builtin find watch flock unshare npx'.split(' '),
);
const SHELL = /^(?:(?:r?ba|da|a|z|k|mk)?sh|\.|source)$/;
const PACKAGES = /^(?:npm|pnpm|yarn|bun)$/;

async function scriptsOf({ words, folder, redirected = [], isElsewhere }: SimpleCommand, cwd: string): Promise<readonly Script[]> {
  if (folder === null || isElsewhere === true) return [];
  const at = resolve(cwd, plain(folder ?? '.'));
  const starts = STARTS.has(programName(words[0] ?? ''));
  const read = words.flatMap((word, i) =>
    word !== undefined && (i === 0 || starts) ? [scriptsFrom(word, words.slice(i + 1), redirected, at)] : [],
  );
  return (await Promise.all(read)).flat();
}

/** What a program runs that is given these words. */
async function scriptsFrom(
  program: string,
  words: SimpleCommand['words'],
  redirected: readonly string[],
  folder: string,
): Promise<readonly Script[]> {
  const name = programName(program);
  const given = words.filter((word) => word !== undefined);
  if (SHELL.test(name)) {
    const file = words[optionsIn(words)] ?? (redirected[0] === undefined ? undefined : plain(redirected[0]));
    return file === undefined || words.some((word) => /^-[a-zA-Z]*c$/.test(word ?? '')) ? [] : shellScript(file, folder, name);
  }
  if (/^g?make$/.test(name)) return recipes(given, folder);
  if (PACKAGES.test(name)) return packageScripts(given, folder);
  return program.includes('/') ? shellScript(program, folder, undefined) : [];
}

/** A file that a shell reads: because it is told to, or since its first line says so or nothing. */
async function shellScript(path: string, folder: string, shell: string | undefined): Promise<readonly Script[]> {
  const text = await textOf(resolve(folder, path));
  const [, named] = /^#!.*?([\w.-]+)[ \t]*(?:-\w+[ \t]*)*$/m.exec(text?.split('\n', 1)[0] ?? '') ?? [];
  if (text === undefined || text.includes('\0') || (shell === undefined && named !== undefined && !SHELL.test(named))) return [];
  return [{ text, folder, language: shellLanguage(shell ?? named ?? 'sh') }];
}

async function recipes(words: readonly string[], folder: string): Promise<readonly Script[]> {
  const givenBy = (option: RegExp): string | undefined => {
    const at = words.findIndex((word) => option.test(word));
    return at === -1 ? undefined : (/^(?:--\w+=|-[fC])(.+)$/.exec(words[at] ?? '')?.[1] ?? words[at + 1]);
  };
  const place = resolve(folder, givenBy(/^(?:-C|--directory)/) ?? '.');
  const names = [givenBy(/^(?:-f|--file|--makefile)/) ?? [], 'GNUmakefile', 'makefile', 'Makefile'].flat();
  for (const name of names) {
    const text = await textOf(resolve(place, name));
    if (text !== undefined) return [{ text: recipesOf(text, words), folder: place, language: 'sh' }];
  }
  return [];
}

/** What `npm run x`, `npm test` and `yarn x` run, with what comes before and after. */
async function packageScripts(words: readonly string[], folder: string): Promise<readonly Script[]> {
  const [first = '', second = ''] = words.filter((word) => !word.startsWith('-'));
  const name = /^run(?:-script)?$/.test(first) ? second : /^(?:t|tst)$/.test(first) ? 'test' : first;
  const file = await textOf(join(folder, 'package.json'));
  const parsed = file === undefined ? undefined : parseJson(file);
  const scripts = isObject(parsed) && isObject(parsed.scripts) ? parsed.scripts : {};
  return [`pre${name}`, name, `post${name}`].flatMap((each): readonly Script[] => {
    const text = Object.hasOwn(scripts, each) ? scripts[each] : undefined;
    return typeof text === 'string' ? [{ text, folder, language: 'sh' }] : [];
  });
}

async function textOf(path: string): Promise<string | undefined> {
  const stats = await stat(path).catch(() => undefined);
  return stats?.isFile() === true && stats.size <= MOST_BYTES ? readFile(path, 'utf8').catch(() => undefined) : undefined;
}

const plain = (pattern: string): string => pattern.replace(/\\(.)/g, '$1');

/**
 * The recipes of a Makefile that make runs for these words, as one script: of the targets that are named, or of the first, with what they
 * need, and what `$(shell …)` runs while it is read. Variables that are set to a text are put in.
 */
export function recipesOf(makefile: string, words: readonly string[]): string {
  const lines = makefile.replace(/\\\r?\n[ \t]*/g, ' ').split(/\r?\n/);
  const variables = new Map<string, string>();
  for (const line of [...lines, ...words]) {
    const [, name = '', value = ''] = /^(?:export |override )?([\w.-]+)[ \t]*(?::{0,3}|\?|\+)=[ \t]*(.*)$/.exec(line) ?? [];
    if (name !== '') variables.set(name, value);
  }
  const expanded = (text: string, depth = 0): string =>
    depth === MOST_DEPTH
      ? text
      : text.replace(/\$[({]([\w.-]+)[)}]/g, (whole, name: string) =>
          name === 'MAKE' ? 'make' : expanded(variables.get(name) ?? whole, depth + 1),
        );
  const rules = rulesOf(lines.map((line) => expanded(line)));
  const named = words.filter((word) => /^[^-=][^=]*$/.test(word));
  const first = rules.flatMap(({ targets }) => targets).find((target) => !/^\.|%/.test(target));
  const reached = reachedBy(named.length > 0 ? named : [first ?? ''], rules);
  const shells = [...expanded(makefile).matchAll(/\$[({]shell ([^)}\n]{1,2000})[)}]/g)].map(([, command = '']) => command);
  return [...shells, ...reached.flatMap(({ recipe }) => recipe)].map((line) => line.replaceAll('$$', '$')).join('\n');
}

const MOST_DEPTH = 4;

type Rule = { readonly targets: readonly string[]; readonly needs: readonly string[]; readonly recipe: readonly string[] };

function rulesOf(lines: readonly string[]): readonly Rule[] {
  const rules: { targets: readonly string[]; needs: readonly string[]; recipe: string[] }[] = [];
  for (const line of lines) {
    if (line.startsWith('\t')) rules.at(-1)?.recipe.push(line.replace(/^[\t @+-]+/, ''));
    const [, targets, needs = '', recipe] = /^([^\s#:=][^:=#]*)::?(?!=)([^=;#]*)(?:;(.*))?/.exec(line) ?? [];
    if (targets !== undefined)
      rules.push({ targets: wordsOf(targets), needs: wordsOf(needs), recipe: recipe === undefined ? [] : [recipe] });
  }
  return rules;
}

const wordsOf = (text: string): readonly string[] => text.split(/[\s|]+/).filter((word) => word !== '');

/** The rules for these goals and for what they need; of what no rule names, those with a pattern. */
function reachedBy(goals: readonly string[], rules: readonly Rule[]): readonly Rule[] {
  const reached = new Set<Rule>();
  const known = new Set<string>();
  const open = [...goals];
  for (let goal = open.pop(); goal !== undefined; goal = open.pop()) {
    if (known.has(goal)) continue;
    known.add(goal);
    const exact = rules.filter(({ targets }) => targets.includes(goal));
    for (const rule of exact.some(({ recipe }) => recipe.length > 0) ? exact : [...exact, ...rules.filter(hasPattern)]) {
      reached.add(rule);
      open.push(...rule.needs);
    }
  }
  return rules.filter((rule) => reached.has(rule));
}

const hasPattern = ({ targets }: Rule): boolean => targets.some((target) => target.includes('%'));
