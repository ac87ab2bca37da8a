import { groupBy, unique } from '../../../domain/lists.ts';
import type { Ledger, Progress } from '../../../domain/session/ledger.ts';
import { openTasks } from '../../history/todo-list.ts';
import type { CountTokens } from '../../measure/count.ts';
import type { FitLine, FitSection, SummaryWords } from '../../summary/fit-sections.ts';
import { cutAt, quoteLine } from '../../text/sentences.ts';
import { commandKey, isCheck, parseSuccess } from '../outcomes.ts';

/** A line, and the text by which it is known to be said already beside the ledger. */
export type RankItem = { readonly text: string; readonly key: string };

export const plainItem = (item: string): RankItem => ({ text: `- ${item}`, key: item });

/** What failed, oldest first, whether or not it worked in the end; and what was done without ever failing. */
export function outcomeItems(
  { failedCommands, done }: Ledger,
  { failureStates, shownBy }: SummaryWords,
): { readonly failures: readonly RankItem[]; readonly done: readonly RankItem[] } {
  const successes = done.map((text) => ({ text, success: parseSuccess(text) }));
  const failing = failedCommands.map(({ command }) => commandKey(command).slice(0, CAUSE_CHARS));
  const repaired = successes.flatMap(({ success }) => {
    const command = shorten(success?.command ?? '', COMMAND_CHARS);
    return (success?.after ?? []).flatMap((cause): readonly RankItem[] => {
      const [, other, error = cause] = /^`([^`]{1,100})`: ([\s\S]*)$/.exec(cause) ?? [];
      if (other === undefined) return [{ text: `- \`${command}\`: ${cause} (${failureStates.worked})`, key: cause }];
      const key = commandKey(other).slice(0, CAUSE_CHARS);
      return failing.includes(key) ? [] : [{ text: `- ${cause} (${shownBy(`\`${command}\``)})`, key: error }];
    });
  });
  return {
    failures: [...repaired, ...failedCommands.map(failureItem)],
    done: successes.filter(({ success }) => (success?.after ?? []).length === 0).map(({ text }) => doneItem(text)),
  };
}

const CAUSE_CHARS = 60;

const failureItem = ({ command, error }: Ledger['failedCommands'][number]): RankItem => ({
  text: `- \`${shorten(command, COMMAND_CHARS)}\`: ${error}`,
  key: error,
});

/** Longer commands are cut: recall finds the whole, and the room goes to other facts. */
const COMMAND_CHARS = 100;

function doneItem(text: string): RankItem {
  const end = text.startsWith('`') ? text.lastIndexOf('` succeeded') : -1;
  return end < 0 ? plainItem(text) : { text: `- \`${shorten(text.slice(1, end), COMMAND_CHARS)}${text.slice(end)}`, key: text };
}

const shorten = (text: string, chars: number): string => (text.length <= chars ? text : `${cutAt(text, chars - 1).trimEnd()}…`);

const WORTH = 79;
const FILES_CHARS = 300;
const COMMANDS_CHARS = 500;

type Heading = Pick<FitSection, 'heading' | 'none'>;

/** What is left of the newest request. What is told elsewhere in the same message is not said to be nothing. */
export function pendingTasks(
  heading: Heading,
  { todo, progress, failedCommands }: Ledger,
  { words, adjacentText }: { readonly words: SummaryWords; readonly adjacentText: string },
): { readonly heading: Heading; readonly lines: readonly FitLine[] } {
  const isOpen = heading.none !== undefined && adjacentText.includes(`" (${words.unfinished})`);
  const progressed = isOpen && progress !== undefined ? progressLines(progress, words) : [];
  const lines = [...progressed, ...(heading.none === undefined ? [] : failingChecks(failedCommands, progress?.failed ?? [], words))];
  const elsewhere = [
    ...(isOpen && progressed.length === 0 ? [words.latestOpen] : []),
    ...(openTasks(todo).length > 0 ? [words.tasksOpen] : []),
  ];
  if (heading.none === undefined || elsewhere.length === 0) return { heading, lines };
  if (lines.length === 0) return { heading: { ...heading, none: elsewhere.join(' ') }, lines };
  return { heading, lines: [...lines, ...elsewhere.map((text) => ({ text: `- ${text}`, worth: WORTH }))] };
}

function failingChecks(failed: Ledger['failedCommands'], told: readonly string[], words: SummaryWords): readonly FitLine[] {
  const checks = unique(failed.map(({ command }) => commandKey(command)).filter(isCheck)).filter(
    (command) => !told.some((each) => command.startsWith(each)),
  );
  return checks
    .slice(-MAX_CHECKS)
    .map((command) => ({ text: `- ${words.checkFails}: \`${shorten(command, COMMAND_CHARS)}\``, worth: WORTH }));
}

const MAX_CHECKS = 3;

function progressLines({ files, worked, failed, next }: Progress, { progress: words }: SummaryWords): readonly FitLine[] {
  const quoted = (commands: readonly string[]): string => commands.map((command) => `\`${command}\``).join(', ');
  const parts = [
    [words.files, quoteLine(files.map((path) => path.split('/').slice(-2).join('/')).join(', '), FILES_CHARS)],
    [words.worked, quoteLine(quoted(worked), COMMANDS_CHARS)],
    [words.failed, quoteLine(quoted(failed), COMMANDS_CHARS)],
    [words.next, next === undefined ? '' : `"${next}"`],
  ].filter(([, text]) => text !== '');
  const isNothing = parts.length === 0;
  return [
    { text: `- ${isNothing ? words.nothing : words.soFar}`, worth: WORTH },
    ...parts.map(([label, text]) => ({ text: `  ${label}: ${text}`, worth: WORTH })),
  ];
}

/** The ledger with the paths in the working folder as they are called there, and without bodies of files that it lists. */
export function seenFrom(cwd: string | undefined, ledger: Ledger): Ledger {
  const shown = (paths: readonly string[]): string[] => unique(paths.map((path) => pathFrom(cwd, path)));
  return {
    ...ledger,
    filesModified: shown(ledger.filesModified),
    filesRead: shown(ledger.filesRead),
    identifiers: shown(ledger.identifiers),
    bodies: bodiesToTell(ledger),
    filesDeleted: ledger.filesDeleted && shown(ledger.filesDeleted),
  };
}

export const pathsHeading = (heading: string, cwd: string | undefined, paths: readonly string[]): string =>
  cwd !== undefined && paths.some((path) => pathFrom(cwd, path) !== path) ? `${heading}\n\nIn ${cwd}` : heading;

function pathFrom(cwd: string | undefined, path: string): string {
  const isInside = cwd !== undefined && cwd.length > 1 && path.startsWith(cwd) && /^[\\/][^\\/]/.test(path.slice(cwd.length));
  return isInside ? path.slice(cwd.length + 1) : path;
}

export const byFolder = (lines: readonly FitLine[]): readonly FitLine[] =>
  [...groupBy(lines, ({ text }) => folderPart(text.split(': ', 1)[0] ?? '')).values()].flat();

/** Folds the older paths into lines by folder: none is lost, and the folder they share is written once. */
export function foldOlderPaths(paths: readonly string[], tokens: number, count: CountTokens): string[] {
  let remainingTokens = tokens;
  const lastFolded = paths.findLastIndex((path) => {
    remainingTokens -= count(`- ${path}\n`);
    return remainingTokens < 0;
  });
  const lines = [...groupBy(paths.slice(0, lastFolded + 1), folderPart)].flatMap(([folder, group]) => {
    const names = group.map((path) => path.slice(folder.length));
    const label = folder === '' ? '' : `${folder}: `;
    return names.flatMap((_, at) => (at % NAMES_PER_LINE === 0 ? [`${label}${names.slice(at, at + NAMES_PER_LINE).join(', ')}`] : []));
  });
  return [...lines, ...paths.slice(lastFolded + 1)];
}

const NAMES_PER_LINE = 12;

/** The bodies that are told of: a file that is listed by its own path can be read there, as it is now. */
function bodiesToTell({ bodies, filesRead, filesModified }: Ledger): Ledger['bodies'] {
  const listed = new Set([...filesRead, ...filesModified]);
  return bodies.filter(({ what }) => !listed.has(what.replace(/^\S+ /, '').replace(/, \d+ lines$/, '')));
}

export const bodyItem =
  (folder: string) =>
  ({ path, what }: Ledger['bodies'][number]): { readonly text: string; readonly key: string } => ({
    text: `- ${path.slice(folder.length)}: ${elideMiddle(what)}`,
    key: path,
  });

export const lookUpHeading = (folder: string): string => `### Where to look things up${folder === '' ? '' : `\n\nIn ${folder}`}`;

export function sharedFolder(paths: readonly string[]): string {
  const folder = folderPart(paths[0] ?? '');
  return paths.length > 1 && paths.every((path) => folderPart(path) === folder) ? folder : '';
}

const folderPart = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

const WHAT_CHARS = 64;
const elideMiddle = (what: string): string =>
  what.length <= WHAT_CHARS ? what : `${cutAt(what, 16).trimEnd()}…${what.slice(-(WHAT_CHARS - 17)).toWellFormed()}`;
