/** Where the work stands, in at most six lines, each with a label of its own, so that a newer one takes its place. */

import { unique } from '../../domain/lists.ts';
import { isString } from '../../domain/value/json.ts';
import { anyOf, lazyTest } from '../../domain/value/word-list.ts';
import { commandKey, hasWorked, isEdit, isOfWork, isReadOnlyCommand, wasRun } from '../ledger/outcomes.ts';
import type { ToolCall } from '../ledger/types.ts';
import { oneLine, quoteLine } from '../text/sentences.ts';
import type { FitLine } from './fit-sections.ts';
import { type SummaryWords, summaryLanguages } from './fit-sections.ts';

const MAX_FILES = 8;
const MAX_RUNS = 4;
const WORTH = 10;

/** Only what the calls show: what was not seen is called not seen. What an earlier summary called not committed stays so. */
export function stateLines(calls: readonly ToolCall[], words: SummaryWords, earlier = ''): readonly FitLine[] {
  const ran = calls.filter((call) => wasRun(call) && call.result !== undefined);
  const edited = ran.findLastIndex(isEdit);
  const committed = ran.findLastIndex((call) => commitIn(call) !== undefined);
  const usesGit = ran.some(({ command }) => /\bgit\b/.test(command ?? '')) || committed !== -1;
  const before = committed === -1 ? uncommittedIn(earlier) : undefined;
  const { state } = words;
  const facts: readonly (readonly [label: string, text: string | undefined])[] = [
    [state.branch, ran.map(branchIn).findLast(isString)],
    [state.commit, ran.map(commitIn).findLast(isString)],
    [state.pushed, pushedSince(ran, committed, words)],
    [state.uncommitted, usesGit || before !== undefined ? filesOf(before ?? [], ran.slice(committed + 1).filter(isEdit)) : undefined],
    [state.edit, lastPath(ran[edited])],
    [state.checked, runsSince(ran, edited, words)],
  ];
  return facts.flatMap(([label, text]) => (text ? [{ text: `- ${label}: ${text}`, worth: WORTH }] : []));
}

const BRANCH =
  /(?:^|\n)On branch (\S{1,100})(?=\s|$)|Switched to (?:a new )?branch '([^'\n]{1,100})'|(?:^|\n)\[([^\s\]]{1,100})(?: \(root-commit\))? [0-9a-f]{7,40}\] /;

function branchIn({ command = '', failed, result = '' }: ToolCall): string | undefined {
  if (failed || !/\bgit\b/.test(command)) return undefined;
  const shown = /\bgit branch --show-current\s*$/.test(command) ? /^\S{1,100}$/.exec(result.trim())?.[0] : undefined;
  const made = /\bgit (?:checkout -[bB]|switch -[cC]) ([^\s;&|"'$]{1,100})/.exec(command)?.[1];
  const found = BRANCH.exec(result.slice(0, RESULT_CHARS));
  const branch = shown ?? found?.slice(1).find(isString) ?? made;
  return branch === undefined ? undefined : quoteLine(branch, 100);
}

const RESULT_CHARS = 20_000;

function commitIn({ command = '', title, failed, result = '' }: ToolCall): string | undefined {
  const recorded = /^Commit ([0-9a-f]{7,40} .*)/.exec(title)?.[1];
  if (failed || recorded !== undefined) return recorded === undefined ? undefined : quoteLine(recorded, 120);
  if (!/\bgit\b[^\n]{0,200}\b(?:commit|merge|rebase|cherry-pick|revert)\b/.test(command)) return undefined;
  const [, hash, subject] = /(?:^|\n)\[[^\]\n]{1,100} ([0-9a-f]{7,40})\] ([^\n]{1,200})/.exec(result.slice(0, RESULT_CHARS)) ?? [];
  return hash === undefined || subject === undefined ? undefined : quoteLine(`${hash} ${subject}`, 120);
}

function pushedSince(ran: readonly ToolCall[], committed: number, { yes, notSeen }: SummaryWords): string | undefined {
  const isPushed = ran
    .slice(Math.max(committed, 0))
    .some(({ command, failed }) => !failed && /\bgit (?:-C \S+ )?push\b/.test(command ?? ''));
  return isPushed ? yes : committed === -1 ? undefined : notSeen;
}

const lastPath = (call: ToolCall | undefined): string =>
  quoteLine((call?.paths.findLast(isOfWork) ?? '').split('/').slice(-2).join('/'), 160);

function filesOf(before: readonly string[], edits: readonly ToolCall[]): string {
  const paths = edits.flatMap((edit) => edit.paths).filter(isOfWork);
  const names = unique([...before, ...paths.map((path) => path.split('/').at(-1) ?? path)]);
  return quoteLine([...names.slice(-MAX_FILES), ...(names.length > MAX_FILES ? [`… (+${names.length - MAX_FILES})`] : [])].join(', '), 300);
}

/** The newest result of each command that does more than look; without an edit before it, nothing is said of what did not run. */
function runsSince(ran: readonly ToolCall[], edited: number, words: SummaryWords): string | undefined {
  const results = new Map<string, string>();
  for (const call of ran.slice(edited + 1)) {
    const { command, kind } = call;
    if (kind !== 'run' || command === undefined || isReadOnlyCommand(command) || /\bgit\b/.test(command)) continue;
    const key = commandKey(command);
    results.delete(key);
    results.set(key, `\`${quoteLine(oneLine(key, 90), 90)}\` ${outcomeOf(call, words)}`);
  }
  if (results.size > 0) return [...results.values()].slice(-MAX_RUNS).join('; ');
  return edited === -1 ? undefined : words.notSeen;
}

function outcomeOf(call: ToolCall, { passed, failed, unclear }: SummaryWords): string {
  if (hasWorked(call)) return passed;
  return call.failed ? `${failed}${call.error ? `: ${quoteLine(call.error, 140)}` : ''}` : unclear;
}

function uncommittedIn(earlier: string): readonly string[] | undefined {
  const label = summaryLanguages.map(({ state }) => `- ${state.uncommitted}: `).find((each) => earlier.includes(`\n${each}`));
  const line = label === undefined ? undefined : earlier.slice(earlier.indexOf(`\n${label}`) + 1 + label.length).split('\n', 1)[0];
  return line?.split(', ').filter((name) => !name.startsWith('…'));
}

const LABELS = summaryLanguages.flatMap(({ state }) => Object.values(state)).map((label) => `- ${label}: `);

const labelOf = (text: string): string | undefined => LABELS.find((label) => text.startsWith(label));

export const isStateLine = (text: string): boolean => labelOf(text) !== undefined;

export function isReplaced(text: string, newer: readonly FitLine[]): boolean {
  const label = labelOf(text);
  return label !== undefined && newer.some((line) => line.text.startsWith(label));
}

/** The folder of the newest command, where it is known and not the working folder itself. */
export function folderLines(
  calls: readonly ToolCall[],
  words: SummaryWords,
  { cwd, earlier }: { readonly cwd?: string | undefined; readonly earlier: string | undefined },
): readonly FitLine[] {
  const commands = calls.filter((call) => call.kind === 'run' && wasRun(call) && call.result !== undefined && !hasCdFailed(call.result));
  const folder = commands.length === 0 ? folderIn(earlier ?? '') : lastFolder(commands, cwd);
  return folder === undefined || folder === cwd ? [] : [{ text: `- ${words.folder}: ${quoteLine(folder, 200)}`, worth: 8 }];
}

function lastFolder(commands: readonly ToolCall[], cwd: string | undefined): string | undefined {
  const newest = targetsOf(commands.at(-1));
  if (newest.length === 0) return undefined;
  const before = commands.slice(0, -1).flatMap(targetsOf);
  const [first = ''] = newest;
  // Gone to twice by the same relative path: the shell begins each command at the same place.
  const startsAnew = commands.every(({ tool }) => tool === OWN_TOOL) || before.includes(first);
  const start = startsAnew || before.every((target) => target === cwd) ? cwd : undefined;
  return newest.reduce<string | undefined>(goTo, start);
}

const OWN_TOOL = 'run_command';

/** Undefined where it is not known: from an unknown place, or back to the one before. */
function goTo(from: string | undefined, target: string): string | undefined {
  if (/^(?:[/~]|[A-Za-z]:[\\/])/.test(target)) return target.length > 1 ? target.replace(/[\\/]+$/, '') : target;
  if (from === undefined || target === '-') return undefined;
  return target
    .split('/')
    .reduce((path, step) => (step === '..' ? path.replace(/\/[^/]*$/, '') : step === '' || step === '.' ? path : `${path}/${step}`), from);
}

/** Where a command goes, step by step. What begins in a bracket ends with it. */
const targetsOf = (call: ToolCall | undefined): readonly string[] =>
  [...(call?.command ?? '').slice(0, 400).matchAll(/(?:^|&& |; |\n)cd ([^\s;&|)"'$`]{1,200})(?=\s*(?:$|[;&|\n]))/g)].map(
    ([, target = '']) => target,
  );

const CD_REASONS = "no such file, not a directory, can't cd, not found, permission denied";
const hasCdFailed = lazyTest(() => String.raw`(?:^|\n)[^\n]{0,60}\bcd:[^\n]{0,300}${anyOf(CD_REASONS)}`, 'i');

const FOLDER_LABELS = summaryLanguages.map(({ folder }) => `- ${folder}: `);

function folderIn(summary: string): string | undefined {
  const line = summary.split('\n').find((each) => FOLDER_LABELS.some((label) => each.startsWith(label)));
  const path = FOLDER_LABELS.reduce((rest, label) => rest.replace(label, ''), line ?? '');
  return /^(?:[/~]|[A-Za-z]:[\\/])/.test(path) ? path : undefined;
}

/** Told anew each time, or no longer true. */
export const isFolderLine = (text: string): boolean => FOLDER_LABELS.some((label) => text.startsWith(label));
