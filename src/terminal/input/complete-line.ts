import { commandNames } from '../slash/slash-commands.ts';

/**
 * Completes a command at the beginning of the line, and a path after an @: in quotes where there is a blank in it, and then all that could
 * be meant, so that what they have in common can be gone on with. `files` answers with paths that begin as its argument.
 */
export async function completeLine(
  beforeCursor: string,
  files: (prefix: string) => Promise<readonly string[]>,
): Promise<readonly [candidates: string[], replaced: string]> {
  if (/^\/[a-z-]*$/.test(beforeCursor)) {
    const candidates = commandNames.map((name) => `/${name}`).filter((name) => name.startsWith(beforeCursor));
    return [candidates.length === 1 ? candidates.map((name) => `${name} `) : candidates, beforeCursor];
  }
  const [, quotedPath, unquotedPath] = /(?:^|\s)@(?:"([^"\n]*)|(\S*))$/.exec(beforeCursor) ?? [];
  if (quotedPath !== undefined) return [(await files(quotedPath)).filter(isQuotable).map(quotePath), `@"${quotedPath}`];
  if (unquotedPath === undefined) return [[], beforeCursor];
  const paths = await files(unquotedPath);
  const anyNeedsQuotes = unquotedPath !== '' && paths.some(needsQuotes);
  return [
    paths.map((path) => (isQuotable(path) && (anyNeedsQuotes || needsQuotes(path)) ? quotePath(path) : `@${path}`)),
    `@${unquotedPath}`,
  ];
}

const needsQuotes = (path: string): boolean => /[\s。'`“「]/.test(path);
const isQuotable = (path: string): boolean => !path.includes('"');
/** Inside a folder there is more to come. */
const quotePath = (path: string): string => `@"${path}${path.endsWith('/') ? '' : '"'}`;
