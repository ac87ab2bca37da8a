import { type BigIntStats, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { CommandPlan } from '../../agent/ports/tools.ts';
import type { PermissionRule, PermissionSettings } from '../../domain/config/permission-rule.ts';
import type { Bilingual } from '../../domain/language.ts';
import type { ParsedCommand, ViewedCommand } from '../../domain/permission.ts';
import { isWithin } from '../../domain/value/is-within.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';

type Rules = Pick<PermissionSettings, 'deny' | 'ask'>;
type PathCall = { readonly tool: string; readonly cwd: string; readonly paths: readonly string[] };

/** The person's rules that forbid or ask, and what some of them say about these names of a file. */
export type PathRules = Rules & {
  /** Files of the folders of work that hooks and MCP servers of the settings run, absolute. */
  readonly runFiles?: readonly string[];
  readonly about: (rules: Rules, call: PathCall) => 'deny' | 'ask' | undefined;
  /** What a command reads that only reads in a read-only view of the folder; when undefined, no command gets one. */
  readonly viewed?: (parsed: ParsedCommand) => ViewedCommand | undefined;
  /** Whether a command is known to touch what a rule is about, so that it has been judged by that. */
  readonly touches?: (rule: PermissionRule, command: Pick<CommandPlan, 'text' | 'parsed'>, cwd: string) => boolean;
};

/** Folders and files that are looked through for another name of a file. */
const MAX_ENTRIES = 20_000;
/** The same for what is hidden: with more than these no command runs in the sandbox unasked. */
const MAX_HIDDEN_ENTRIES = 200_000;

/**
 * The names by which rules know a file that has several: a hard link is not told from the file itself. Empty for one with a single name, and
 * where no rule is about paths.
 */
export function ruledNames(stats: BigIntStats | undefined, { deny, ask }: Rules, cwd: string): readonly string[] {
  if (stats === undefined || !stats.isFile() || stats.nlink < 2n) return [];
  const found = new Set<string>();
  for (const folder of new Set([...deny, ...ask].flatMap((rule) => literalPart(rule, cwd) ?? []))) {
    let left = MAX_ENTRIES;
    const look = (path: string): void => {
      const entry = left-- > 0 ? orUndefined(() => lstatSync(path, { bigint: true })) : undefined;
      if (entry?.ino === stats.ino && entry.dev === stats.dev) found.add(path);
      if (entry?.isDirectory() === true) for (const name of orUndefined(() => readdirSync(path)) ?? []) look(join(path, name));
    };
    look(folder);
  }
  return [...found];
}

export type HiddenPaths = {
  readonly paths: readonly string[];
  /** Why not all of it can be hidden. */
  readonly problem?: Bilingual;
};

/**
 * What is there of the paths that rules forbid to read or to read unasked, links resolved, with other names of it in the working folder and in `folders`; of a folder that is meant as a whole the folder. What
 * a command names itself has been asked about, so it is not hidden from that: `isNamed`. For a rule with a `*` before its end so many entries are
 * looked at and no more.
 */
export function hiddenPaths(
  { deny, ask, about }: PathRules,
  cwd: string,
  {
    isNamed = () => false,
    folders = [],
    most = MAX_HIDDEN_ENTRIES,
  }: { readonly isNamed?: (rule: PermissionRule) => boolean; readonly folders?: readonly string[]; readonly most?: number } = {},
): HiddenPaths {
  const found = new Set<string>();
  let isCut = false;
  const folder = orUndefined(() => realpathSync(cwd)) ?? cwd;
  const call = (path: string) => ({ tool: 'search', cwd: folder, paths: [path] });
  for (const rule of [...deny, ...ask.filter((each) => !isNamed(each))]) {
    const isDenied = (path: string): boolean => about({ deny: [rule], ask: [] }, call(path)) !== undefined;
    const literal = literalPart(rule, folder);
    if (literal === undefined || !(isDenied(literal) || (rule.path ?? '').includes('*'))) continue;
    let left = most;
    const look = (path: string): void => {
      isCut ||= left === 0;
      const entry = left > 0 ? orUndefined(() => lstatSync(path)) : undefined;
      left = Math.max(0, left - 1);
      const real = entry === undefined || !isDenied(path) ? undefined : orUndefined(() => realpathSync(path));
      if (real !== undefined) found.add(real);
      else if (entry?.isDirectory() === true) for (const name of orUndefined(() => readdirSync(path)) ?? []) look(join(path, name));
    };
    look(literal);
  }
  for (const name of otherNames([...found], [folder, ...folders])) found.add(name);
  const isAll = [...found].some((path) => isWithin(folder, path));
  const problem = isAll ? HIDES_ALL : isCut ? TOO_MANY : undefined;
  return { paths: [...found], ...(problem && { problem }) };
}

/** Other names in these folders of what is hidden: a hard link shows all of it. */
function otherNames(hidden: readonly string[], folders: readonly string[]): readonly string[] {
  const files = new Set<string>();
  const walk = (paths: readonly string[], see: (path: string, file: string) => void): void => {
    let left = MAX_ENTRIES;
    const look = (path: string): void => {
      const entry = left-- > 0 ? orUndefined(() => lstatSync(path)) : undefined;
      if (entry?.isFile() === true && entry.nlink > 1) see(path, `${entry.dev}:${entry.ino}`);
      if (entry?.isDirectory() === true) for (const name of orUndefined(() => readdirSync(path)) ?? []) look(join(path, name));
    };
    for (const path of paths) look(path);
  };
  walk(
    hidden.filter((path) => folders.some((folder) => isWithin(path, folder))),
    (_, file) => files.add(file),
  );
  const found: string[] = [];
  if (files.size > 0)
    walk(folders, (path, file) => {
      if (files.has(file) && !hidden.some((folder) => isWithin(path, folder))) found.push(path);
    });
  return found;
}

const HIDES_ALL: Bilingual = {
  en: 'a rule of yours forbids to read the working folder, or says to ask',
  zh: '你的一条规则禁止读取当前文件夹，或要求询问',
};
const TOO_MANY: Bilingual = {
  en: 'there is too much here to find all that your rules for paths hide',
  zh: '此处内容太多，无法找出你的路径规则要隐藏的全部内容',
};

/** The path of a rule up to its first `*`, absolute; undefined for a rule about something else. */
function literalPart({ file, path }: PermissionRule, cwd: string): string | undefined {
  if (file !== undefined || path === undefined) return file;
  const parts = path.split('/');
  const first = parts.findIndex((part) => part.includes('*'));
  const literal = (first < 0 ? parts : parts.slice(0, first)).join('/');
  return path.startsWith('/') ? literal || '/' : join(cwd, literal);
}

/** What of a wider look is left out: `isLeftOut` counts each path once. */
export function createRuledPaths(
  rules: PathRules | undefined,
  { tool, cwd, nameOf }: { readonly tool: string; readonly cwd: string; readonly nameOf: (path: string) => string },
) {
  const counts = { deny: 0, ask: 0 };
  const has = rules !== undefined && [...rules.deny, ...rules.ask].some(({ file, path }) => (file ?? path) !== undefined);
  const verdictOf = (path: string): 'deny' | 'ask' | undefined => {
    if (!has) return undefined;
    const whole = nameOf(path);
    return rules.about(rules, {
      tool,
      cwd,
      paths: [
        whole,
        ...ruledNames(
          orUndefined(() => lstatSync(whole, { bigint: true })),
          rules,
          cwd,
        ),
      ],
    });
  };
  return {
    /** False where no rule is about a path, so that nothing needs to be looked at. */
    has,
    isLeftOut: (path: string): boolean => {
      const verdict = verdictOf(path);
      if (verdict !== undefined) counts[verdict] += 1;
      return verdict !== undefined;
    },
    isRuled: (path: string): boolean => verdictOf(path) !== undefined,
    /** For the first line of a result. */
    note: (): string =>
      [
        counts.deny === 0 ? '' : `left out by a deny rule of the user: ${quantityOf(counts.deny)}`,
        counts.ask === 0 ? '' : `left out, since a rule of the user says to ask: ${quantityOf(counts.ask)}; a call with its path asks`,
      ]
        .filter((note) => note !== '')
        .join('; '),
  };
}

const quantityOf = (count: number): string => (count === 1 ? '1 file' : `${count} files`);
