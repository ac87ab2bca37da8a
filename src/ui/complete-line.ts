import { commandNames } from './slash-commands.ts';

/** Completes a command at the beginning of the line, and a path after an @. `files` answers with paths that begin as its argument. */
export async function completeLine(
  beforeCursor: string,
  files: (prefix: string) => Promise<readonly string[]>,
): Promise<readonly [candidates: string[], replaced: string]> {
  if (/^\/[a-z-]*$/.test(beforeCursor)) {
    const candidates = commandNames.map((name) => `/${name}`).filter((name) => name.startsWith(beforeCursor));
    return [candidates.length === 1 ? candidates.map((name) => `${name} `) : candidates, beforeCursor];
  }
  const mention = /(?:^|\s)@(\S*)$/.exec(beforeCursor)?.[1];
  if (mention === undefined) return [[], beforeCursor];
  const paths = await files(mention);
  return [paths.map((path) => `@${path}`), `@${mention}`];
}
