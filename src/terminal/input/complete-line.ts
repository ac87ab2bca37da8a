import type { Completion, CompletionItem } from '../prompt/completion.ts';
import type { ArgumentChoice } from '../slash/command.ts';
import { type CommandRow, commandUsage, descriptionOf } from '../slash/help-text.ts';
import { commandRows, takesFile } from '../slash/slash-commands.ts';
import { safeLine } from '../text/safe-text.ts';

export type LineCompletion = {
  readonly files: (typed: string) => Promise<readonly string[]>;
  /** What can stand behind a command's name. Must not reject. */
  readonly arguments: (command: string) => Promise<readonly ArgumentChoice[]>;
  readonly own: readonly CommandRow[];
};

/** A command at the beginning, what can stand behind it, or a path after an @: in quotes where there is a blank in it. */
export async function completeLine(beforeCursor: string, sources: LineCompletion): Promise<Completion | undefined> {
  const { files, own } = sources;
  if (/^\/[\p{L}\p{N}_-]*$/u.test(beforeCursor))
    return { items: commandItems(beforeCursor.slice(1).toLowerCase(), [...commandRows, ...own]), replaced: beforeCursor };
  const [, command, argument] = /^\/([a-z]+) +(\S[^\n]*)?$/.exec(beforeCursor) ?? [];
  if (command !== undefined) return completeArgument(command, argument ?? '', sources);
  const [, quotedPath, unquotedPath] = /(?:^|\s)@(?:"([^"\n]*)|(\S*))$/.exec(beforeCursor) ?? [];
  if (quotedPath !== undefined) {
    const paths = (await files(quotedPath)).filter(isQuotable);
    return { items: paths.map((path) => itemOf(path, quotePath(path))), replaced: `@"${quotedPath}` };
  }
  if (unquotedPath === undefined) return undefined;
  const paths = await files(unquotedPath);
  const anyNeedsQuotes = unquotedPath !== '' && paths.some(needsQuotes);
  const insertOf = (path: string): string => (isQuotable(path) && (anyNeedsQuotes || needsQuotes(path)) ? quotePath(path) : `@${path}`);
  return { items: paths.map((path) => itemOf(path, insertOf(path))), replaced: `@${unquotedPath}` };
}

const MAX_CHOICES = 50;

/** What was typed may be words of the user's own, so none is selected at first. */
async function completeArgument(command: string, typed: string, sources: LineCompletion): Promise<Completion | undefined> {
  if (takesFile(command)) {
    const paths = await sources.files(typed);
    return { items: paths.map((path) => itemOf(path, /\s/.test(path) ? `"${path}"` : path)), replaced: typed, isOptional: true };
  }
  const items = matching(await sources.arguments(command), typed.toLowerCase()).slice(0, MAX_CHOICES);
  return {
    items: items.map(({ text, detail }) => ({ ...itemOf(text, text), detail: safeLine(detail) })),
    replaced: typed,
    isOptional: true,
  };
}

/** Those that begin so, then those that hold it or are described by it; none where it is one of them. */
function matching(choices: readonly ArgumentChoice[], typed: string): readonly ArgumentChoice[] {
  if (choices.some(({ text }) => text.toLowerCase() === typed)) return [];
  const begins = ({ text }: ArgumentChoice): boolean => text.toLowerCase().startsWith(typed);
  const holds = ({ text, detail }: ArgumentChoice): boolean => `${text} ${detail}`.toLowerCase().includes(typed);
  return [...choices.filter(begins), ...choices.filter((each) => !begins(each) && holds(each))];
}

/** Those that begin so, then those that hold it; the shorter first. */
function commandItems(typed: string, rows: readonly CommandRow[]): readonly CompletionItem[] {
  const beginning = rows.filter(({ name }) => name.startsWith(typed));
  const within = rows.filter(({ name }) => !name.startsWith(typed) && name.includes(typed));
  return [...beginning, ...within].map((row) => ({
    insert: `/${row.name}${row.argumentHint === undefined ? '' : ' '}`,
    label: safeLine(commandUsage(row)),
    shortLabel: safeLine(`/${row.name}`),
    detail: safeLine(descriptionOf(row)),
  }));
}

const itemOf = (path: string, insert: string): CompletionItem => ({ insert, label: safeLine(path), detail: '' });
const needsQuotes = (path: string): boolean => /[\s。'`“「]/.test(path);
const isQuotable = (path: string): boolean => !path.includes('"');
/** Inside a folder there is more to come. */
const quotePath = (path: string): string => `@"${path}${path.endsWith('/') ? '' : '"'}`;
