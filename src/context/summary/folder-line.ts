import { anyOf, lazyTest } from '../../domain/value/word-list.ts';
import { wasRun } from '../ledger/outcomes.ts';
import type { ToolCall } from '../ledger/types.ts';
import { chinese, english, type SummaryWords } from '../rules/rule-summary-words.ts';
import { quoteLine } from '../text/quote.ts';
import type { FitLine } from './fit-sections.ts';

type Around = {
  /** Where the session works: the commands of most shells start there. */
  readonly cwd?: string | undefined;
  /** The summary before these calls. */
  readonly earlier: string | undefined;
};

/**
 * The folder in which the newest command ran, as a whole path, where that is known and is not the working folder itself. A shell of which it
 * is not known whether it keeps its folder tells nothing once a command goes to no folder.
 */
export function folderLines(calls: readonly ToolCall[], words: SummaryWords, { cwd, earlier }: Around): readonly FitLine[] {
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

const LABELS = [english, chinese].map(({ folder }) => `- ${folder}: `);

/** The folder that a line of a summary names, where it is a whole path. */
function folderIn(summary: string): string | undefined {
  const line = summary.split('\n').find((each) => LABELS.some((label) => each.startsWith(label)));
  const path = LABELS.reduce((rest, label) => rest.replace(label, ''), line ?? '');
  return /^(?:[/~]|[A-Za-z]:[\\/])/.test(path) ? path : undefined;
}

/** Told anew each time, or no longer true. */
export const isFolderLine = (text: string): boolean => LABELS.some((label) => text.startsWith(label));
