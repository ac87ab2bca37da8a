import { sep } from 'node:path';

/**
 * True for files that make a shell, an editor, git or a build server run programs by themselves. A person is asked about each change of
 * them, wherever they are.
 */
export function isSensitivePath(path: string): boolean {
  const parts = path.split(sep).map(plain);
  const name = parts.at(-1) ?? '';
  if (NAMES.has(name)) return true;
  const git = parts.lastIndexOf('.git');
  if (git >= 0 && parts[git + 1] !== 'objects') return true;
  return parts.some((part, i) => FOLDERS.has(part) || (part === '.github' && parts[i + 1] === 'workflows'));
}

/** Returns a name as a file system sees it that ignores case, trailing dots and Unicode forms. */
const plain = (part: string): string =>
  part
    .normalize('NFC')
    .toLowerCase()
    .replace(/[. ]+$/, '');

const FOLDERS: ReadonlySet<string> = new Set(['.vscode', '.idea', '.husky', '.circleci']);
const NAMES: ReadonlySet<string> = new Set(
  `.bashrc .bash_profile .bash_login .bash_logout .profile .zshrc .zshenv .zprofile .zlogin
  .gitconfig .gitmodules .gitlab-ci.yml .ripgreprc .mcp.json .npmrc .envrc .sanbot.json`.split(/\s+/),
);
