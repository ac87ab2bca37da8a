/**
 * What a folder brings that would act by itself, and whether it may: settings, hooks, MCP servers, skills, commands, instruction files.
 *
 * The working folder and the home come in. Out comes what the folder asks for, and whether the user has agreed to it as it is now. What
 * the settings take of a project follows from that, and nothing else of it is taken. `repository.ts` says which repository
 * lies there, from its own files; `named-files.ts` which files hooks and servers run, so that no edit of the model becomes a program.
 *
 * Looking runs nothing, git neither, and follows no link out of the repository. What is wrong in a project's file, or with what the user
 * has said, never means more than no trust.
 */

import { relative } from 'node:path';
import { parseConfigText } from '../../domain/config/config-text.ts';
import type { AgreedSection } from '../../domain/config/layer.ts';
import { type ProjectRequest, readProjectRequest, serversIn } from '../../domain/config/project-settings.ts';
import { SanbotError } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import { readConfigFiles, readMcpText } from '../../store/config-file.ts';
import { pathsOf } from '../../store/files/paths.ts';
import { createTrustedFolders, type TrustedFolder, type TrustedFolders } from '../../store/trusted-folders.ts';
import { agentFiles } from '../agents/find-agents.ts';
import type { Environment } from '../environment.ts';
import { storeEnvironmentOf } from '../open-store.ts';
import { projectCommands, projectSkillFolders } from '../prompt/find-skills.ts';
import { instructionFiles, realpathOf } from '../prompt/project-context.ts';
import { findRepositoryRoot, repositoryIdentity } from './repository.ts';

/** What the folder of a project would make SanBot load or run by itself. */
export type FolderRequest = ProjectRequest & {
  /** The settings file, when there is one. */
  readonly file: string | undefined;
  /** Paths of instruction files, from the working folder. */
  readonly instructions: readonly string[];
  /** Paths of folders with skills, from the working folder. */
  readonly skills: readonly string[];
  /** Paths of files with agents, from the working folder. */
  readonly agents: readonly string[];
  /** Paths of files with commands, from the working folder, and a text that changes with them. */
  readonly commands: readonly string[];
  readonly commandsText: string;
};

/** What a change of needs a new yes. */
export type AgreedPart = AgreedSection | 'commands';

/** Whether a folder is trusted, and what that decides. */
export type FolderTrust = {
  /** What the user trusts or does not: the root of the repository, else the working folder; links resolved. */
  readonly folder: string;
  readonly repository: string | null;
  /** `changed`: trusted, but some of what it has run is not what was agreed to. */
  readonly state: 'trusted' | 'changed' | 'untrusted';
  /** What is not as it was agreed to: it does not run. */
  readonly changed: readonly AgreedPart[];
  /** The user has seen what the servers of the project run and get, as they are now. */
  readonly sawServers: boolean;
  readonly request: FolderRequest;
  /** The user does not want to be asked about it. */
  readonly isRefused?: boolean;
  /** Why nothing counts as trusted, when what the user said cannot be read. */
  readonly problem?: Bilingual;
};

/**
 * Looks at the working folder without running or obeying anything of it. A folder is known by its real path and the repository it holds,
 * so a trust survives a new container, and another repository put in its place has none. `forThisRun`: the user said --trust.
 */
export function folderTrust(environment: Environment, home: string, forThisRun = false): FolderTrust {
  const root = findRepositoryRoot(environment.cwd());
  const folder = realpathOf(root ?? environment.cwd());
  const repository = root === undefined ? null : repositoryIdentity(root);
  const request = requestOf(environment, home);
  const place = { folder, repository, request };
  try {
    const said = trustedFolders(environment, home);
    const isThis = (each: Pick<TrustedFolder, 'folder' | 'repository'>): boolean =>
      each.folder === folder && each.repository === repository;
    const entry = said.list().find(isThis);
    const sawServers = entry?.servers === request.serversText;
    if (forThisRun) return { ...place, state: 'trusted', changed: [], sawServers };
    if (entry === undefined) return { ...place, state: 'untrusted', changed: [], sawServers, isRefused: said.refused().some(isThis) };
    const changed = changedSince(entry, request);
    return { ...place, state: changed.length === 0 ? 'trusted' : 'changed', changed, sawServers };
  } catch (error) {
    if (!(error instanceof SanbotError)) throw error;
    const unread = { ...place, changed: [], sawServers: false };
    return forThisRun ? { ...unread, state: 'trusted' } : { ...unread, state: 'untrusted', problem: error.shown.message };
  }
}

/** What is taken away needs no consent. */
const changedSince = (entry: TrustedFolder, { hooksText, serversText, commandsText }: FolderRequest): readonly AgreedPart[] => [
  ...(hooksText === '' || entry.hooks === hooksText ? [] : ['hooks' as const]),
  ...(serversText === '' || entry.servers === serversText ? [] : ['mcpServers' as const]),
  ...(commandsText === '' || entry.commands === commandsText ? [] : ['commands' as const]),
];

/** What to write down when the user agrees. */
export const trustEntry = ({ folder, repository, request }: FolderTrust, { now }: Pick<Environment, 'now'>): TrustedFolder => ({
  ...{ folder, repository, hooks: request.hooksText, servers: request.serversText, commands: request.commandsText },
  at: now().toISOString(),
});

export const trustedFolders = (environment: Environment, home: string): TrustedFolders =>
  createTrustedFolders({ ...storeEnvironmentOf(environment, home), warn: () => undefined }, pathsOf(home));

/** Whether there is anything to agree to. */
export const asksForSomething = ({ settings, hooks, servers, instructions, skills, agents, commands }: FolderRequest): boolean =>
  [settings, hooks, servers, instructions, skills, agents, commands].some(({ length }) => length > 0);

function requestOf(environment: Environment, home: string): FolderRequest {
  const { project } = readConfigFiles(home, environment.cwd());
  const instructions = instructionFiles(environment.cwd()).map(({ path }) => path);
  const unreadable = project !== undefined && 'error' in project ? { problem: project.error.shown.message } : {};
  const request = readProjectRequest(project?.text ?? '{}');
  const { files: commands, text: commandsText } = projectCommands(environment.cwd());
  return {
    ...request,
    ...withServers(request, readMcpText(environment.cwd())),
    ...unreadable,
    file: project?.path,
    instructions,
    skills: projectSkillFolders(environment.cwd()),
    agents: agentFiles(environment.cwd()).map(({ path }) => relative(environment.cwd(), path)),
    commands,
    commandsText,
  };
}

/** The servers of both files; one text, so that a change of either needs a new yes. */
function withServers({ servers, serversText }: ProjectRequest, text: string | undefined): Pick<ProjectRequest, 'servers' | 'serversText'> {
  const parsed = parseConfigText(text ?? '{}');
  if (parsed.kind === 'bad') return { servers, serversText };
  const beside = serversIn(parsed.root);
  return {
    servers: [...servers, ...beside.servers],
    serversText: `${serversText}${beside.serversText === '' ? '' : `\n${beside.serversText}`}`,
  };
}
