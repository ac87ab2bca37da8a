import type { Completion, CompletionItem } from '../prompt/completion.ts';
import type { CommandRow } from '../slash/help-text.ts';
import { commandRows } from '../slash/slash-commands.ts';
import { safeLine } from '../text/safe-text.ts';

/**
 * What a command at the beginning of the message could be, and a path after an @: in quotes where there is a blank in it, and then all
 * that could be meant. `own` are commands beside SanBot's. `files` answers with paths that begin as its argument.
 */
export async function completeLine(
  beforeCursor: string,
  files: (prefix: string) => Promise<readonly string[]>,
  own: readonly CommandRow[] = [],
): Promise<Completion | undefined> {
  if (/^\/[\p{L}\p{N}_-]*$/u.test(beforeCursor))
    return { items: commandItems(beforeCursor.slice(1).toLowerCase(), [...commandRows, ...own]), replaced: beforeCursor };
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

/** Those that begin so, then those that hold it; the shorter first. */
function commandItems(typed: string, rows: readonly CommandRow[]): readonly CompletionItem[] {
  const beginning = rows.filter(({ name }) => name.startsWith(typed));
  const within = rows.filter(({ name }) => !name.startsWith(typed) && name.includes(typed));
  return [...beginning, ...within].map(({ name, argumentHint, description }) => ({
    insert: `/${name}${argumentHint === undefined ? '' : ' '}`,
    label: safeLine(`/${name}${argumentHint === undefined ? '' : ` ${argumentHint}`}`),
    detail: safeLine(description),
  }));
}

const itemOf = (path: string, insert: string): CompletionItem => ({ insert, label: safeLine(path), detail: '' });
const needsQuotes = (path: string): boolean => /[\s。'`“「]/.test(path);
const isQuotable = (path: string): boolean => !path.includes('"');
/** Inside a folder there is more to come. */
const quotePath = (path: string): string => `@"${path}${path.endsWith('/') ? '' : '"'}`;
