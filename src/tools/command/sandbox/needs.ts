import type { SandboxNeeds } from '../../../domain/config/sandbox-mode.ts';
import { type Bilingual, because, joinTexts, sameInBoth } from '../../../domain/language.ts';
import type { ParsedCommand } from '../../../domain/permission.ts';
import { visibleLine } from '../../place/visible.ts';
import { outerGitFolders } from './git-holds.ts';
import { changesWorkTree, writesRepository } from './git-work-tree.ts';

/**
 * What a command needs beyond the sandbox, by what was asked for and by what git in it does: all that it does to a work tree or nothing of
 * it, so that needs everything; and where it writes a repository of which the git folder lies outside of the working folder, that folder.
 */
export function neededBy(parsed: ParsedCommand, asked: SandboxNeeds | undefined, cwd: string): SandboxNeeds | undefined {
  if (changesWorkTree(parsed)) return 'everything';
  const isMeant = asked === 'repository' || (asked !== 'everything' && writesRepository(parsed));
  if (!isMeant) return asked;
  const isOutside = outerGitFolders(cwd).length > 0;
  // The network and that folder as well, as to fetch there, is more than the sandbox gives.
  return asked === 'network' ? (isOutside ? 'everything' : asked) : isOutside ? 'repository' : undefined;
}

/** What the person is told of it. `problem`: why no sandbox can be made here. */
export function cautionOf(
  needs: SandboxNeeds,
  { cwd, problem }: { readonly cwd: string; readonly problem: Bilingual | undefined },
): Bilingual {
  if (problem !== undefined) return because(NO_SANDBOX_HERE, problem);
  if (needs !== 'repository') return cautions[needs];
  const folders = outerGitFolders(cwd).map((folder) => sameInBoth(visibleLine(folder, 300)));
  return because(cautions.repository, joinTexts(folders, { en: ', ', zh: '、' }));
}

const cautions: Readonly<Record<SandboxNeeds, Bilingual>> = {
  network: { en: 'it reaches the network from the sandbox', zh: '它从沙箱中访问网络' },
  repository: {
    en: 'it writes, from the sandbox, the git folder of its repository, which lies outside of the working folder',
    zh: '它从沙箱中写入其仓库的 git 文件夹，该文件夹位于当前文件夹之外',
  },
  everything: { en: 'it runs outside of the sandbox', zh: '它在沙箱之外运行' },
};

const NO_SANDBOX_HERE: Bilingual = {
  en: 'it runs outside of the sandbox, which cannot be made here',
  zh: '它在沙箱之外运行，因为在此无法建立沙箱',
};
