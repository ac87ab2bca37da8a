import { realpathSync } from 'node:fs';
import { type ProjectRequest, readProjectRequest } from '../../domain/config/project-settings.ts';
import { SanbotError } from '../../domain/errors.ts';
import { readConfigFiles } from '../../store/config-file.ts';
import { pathsOf } from '../../store/files/paths.ts';
import { createTrustedFolders, type TrustedFolder, type TrustedFolders } from '../../store/trusted-folders.ts';
import type { Environment } from '../environment.ts';
import { storeEnvironmentOf } from '../open-store.ts';
import { projectSkillFolders } from '../prompt/find-skills.ts';
import { instructionFiles } from '../prompt/project-context.ts';
import { findRepositoryRoot, repositoryIdentity } from './repository.ts';

/** What the folder of a project would make SanBot load or run by itself. */
export type FolderRequest = ProjectRequest & {
  /** The settings file, when there is one. */
  readonly file: string | undefined;
  /** Paths of instruction files, from the working folder. */
  readonly instructions: readonly string[];
  /** Paths of folders with skills, from the working folder. */
  readonly skills: readonly string[];
};

/** Whether a folder is trusted, and what that decides. */
export type FolderTrust = {
  /** What the user trusts or does not: the root of the repository, else the working folder; links resolved. */
  readonly folder: string;
  readonly repository: string | null;
  /** `hooks_changed`: trusted, but its hooks are not those that were agreed to, and do not run. */
  readonly state: 'trusted' | 'hooks_changed' | 'untrusted';
  readonly request: FolderRequest;
  /** Why nothing counts as trusted, when what the user said cannot be read. */
  readonly problem?: string;
};

/**
 * Looks at the working folder without running or obeying anything of it. A folder is known by its real path and the repository it holds,
 * so a trust survives a new container, and another repository put in its place has none. `forThisRun`: the user said --trust.
 */
export function folderTrust(environment: Environment, home: string, forThisRun = false): FolderTrust {
  const root = findRepositoryRoot(environment.cwd());
  const folder = realPath(root ?? environment.cwd());
  const repository = root === undefined ? null : repositoryIdentity(root);
  const request = requestOf(environment, home);
  const place = { folder, repository, request };
  if (forThisRun) return { ...place, state: 'trusted' };
  try {
    const entry = trustedFolders(environment, home)
      .list()
      .find((each) => each.folder === folder && each.repository === repository);
    if (entry === undefined) return { ...place, state: 'untrusted' };
    return { ...place, state: request.hooksText === '' || entry.hooks === request.hooksText ? 'trusted' : 'hooks_changed' };
  } catch (error) {
    if (!(error instanceof SanbotError)) throw error;
    return { ...place, state: 'untrusted', problem: error.message };
  }
}

/** What to write down when the user agrees. */
export const trustEntry = ({ folder, repository, request }: FolderTrust, { now }: Pick<Environment, 'now'>): TrustedFolder => ({
  ...{ folder, repository, hooks: request.hooksText },
  at: now().toISOString(),
});

export const trustedFolders = (environment: Environment, home: string): TrustedFolders =>
  createTrustedFolders({ ...storeEnvironmentOf(environment, home), warn: () => undefined }, pathsOf(home));

/** Whether there is anything to agree to. */
export const asksForSomething = ({ settings, hooks, instructions, skills }: FolderRequest): boolean =>
  settings.length + hooks.length + instructions.length + skills.length > 0;

function requestOf(environment: Environment, home: string): FolderRequest {
  const { project } = readConfigFiles(home, environment.cwd());
  const instructions = instructionFiles(environment.cwd()).map(({ path }) => path);
  const unreadable = project !== undefined && 'error' in project ? { problem: project.error.message } : {};
  return {
    ...readProjectRequest(project?.text ?? '{}'),
    ...unreadable,
    file: project?.path,
    instructions,
    skills: projectSkillFolders(environment.cwd()),
  };
}

/** The path itself for a folder that is gone. */
function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}
