import { matchesGlob } from '../../domain/value/glob.ts';

/** True when the path matches, part by part: `*` is anything in a part, `**` any number of parts. Both absolute, with slashes. */
export function matchesPathRule(pattern: string, path: string): boolean {
  const [globs, parts] = [pattern.split('/'), path.split('/')];
  let at = 0;
  let star = -1;
  let matchEnd = 0;
  let next = 0;
  while (next < parts.length) {
    const glob = globs[at];
    if (glob === '**') {
      star = at++;
      matchEnd = next;
    } else if (glob !== undefined && matchesGlob(glob, parts[next] ?? '')) {
      at++;
      next++;
    } else if (star !== -1) {
      at = star + 1;
      next = ++matchEnd;
    } else return false;
  }
  while (globs[at] === '**') at++;
  return at === globs.length;
}
