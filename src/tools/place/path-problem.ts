import type { Bilingual } from '../../domain/language.ts';

/** No system opens a longer path; the limit keeps a mistaken argument of megabytes out of every message. */
const MAX_PATH_CHARS = 4096;

/**
 * Returns why a path is not accepted as it is written; undefined when it is. Nothing in a path is expanded or decoded: what looks as if it
 * should be is refused, instead of quietly meaning a file of that very name. Such a file can still be reached with `../` in front.
 */
export function pathProblem(path: string, platform: string): Bilingual | undefined {
  if (path.includes('\0')) return { en: 'a path cannot contain a NUL character', zh: '路径不能包含 NUL 字符' };
  if (path.length > MAX_PATH_CHARS)
    return {
      en: `the path is ${path.length} characters long; at most ${MAX_PATH_CHARS} are possible`,
      zh: `路径有 ${path.length} 个字符；最多 ${MAX_PATH_CHARS} 个`,
    };
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) return { en: 'this is a URL; give a path', zh: '这是 URL；请给出路径' };
  const [first = ''] = path.split(/[/\\]/);
  if (first.startsWith('~'))
    return {
      en: `~ is not expanded; give the absolute path, or ./${first}… for a file of that name`,
      zh: `~ 不会展开；请给出绝对路径，文件名就是如此时用 ./${first}…`,
    };
  if (/^(?:\$\w+|\$\{\w+\}|%\w+%)$/.test(first))
    return {
      en: `variables are not expanded; give the path itself, or ./${first}… for a file of that name`,
      zh: `变量不会展开；请直接给出路径，文件名就是如此时用 ./${first}…`,
    };
  if (path.split(/[/\\]/).some((part) => /^(?:\.|%2e){1,2}$/i.test(part) && part.includes('%')))
    return { en: '%2e is not decoded; write . or ..', zh: '%2e 不会解码；请写 . 或 ..' };
  if (/^\\\\|^\/\/[^/]|^[\\/]\?\?[\\/]/.test(path)) return { en: 'network and device paths are not used', zh: '不使用网络路径和设备路径' };
  const drive = /^[a-z]:/i.test(path);
  if (platform === 'win32')
    return drive && !/^[a-z]:[\\/]/i.test(path)
      ? { en: 'give the whole path after the drive letter', zh: '请在盘符后给出完整路径' }
      : undefined;
  return drive || path.startsWith('\\')
    ? {
        en: 'this is a Windows path, and this is not Windows; ./ in front reaches a file of that name',
        zh: '这是 Windows 路径，而这里不是 Windows；文件名就是如此时在前面加 ./',
      }
    : undefined;
}
