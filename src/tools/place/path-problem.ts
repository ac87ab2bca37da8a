/** No system opens a longer path; the limit keeps a mistaken argument of megabytes out of every message. */
const MAX_PATH_CHARS = 4096;

/**
 * Returns why a path is not accepted as it is written; undefined when it is. Nothing in a path is expanded or decoded: what looks as if it
 * should be is refused, instead of quietly meaning a file of that very name. Such a file can still be reached with `../` in front.
 */
export function pathProblem(path: string, platform: string): string | undefined {
  if (path.includes('\0')) return 'a path cannot contain a NUL character';
  if (path.length > MAX_PATH_CHARS) return `the path is ${path.length} characters long; at most ${MAX_PATH_CHARS} are possible`;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) return 'this is a URL; give a path';
  const [first = ''] = path.split(/[/\\]/);
  if (first.startsWith('~')) return `~ is not expanded; give the absolute path, or ./${first}… for a file of that name`;
  if (/^(?:\$\w+|\$\{\w+\}|%\w+%)$/.test(first))
    return `variables are not expanded; give the path itself, or ./${first}… for a file of that name`;
  if (path.split(/[/\\]/).some((part) => /^(?:\.|%2e){1,2}$/i.test(part) && part.includes('%'))) return '%2e is not decoded; write . or ..';
  if (/^\\\\|^\/\/[^/]|^[\\/]\?\?[\\/]/.test(path)) return 'network and device paths are not used';
  const drive = /^[a-z]:/i.test(path);
  if (platform === 'win32') return drive && !/^[a-z]:[\\/]/i.test(path) ? 'give the whole path after the drive letter' : undefined;
  return drive || path.startsWith('\\')
    ? 'this is a Windows path, and this is not Windows; ./ in front reaches a file of that name'
    : undefined;
}
