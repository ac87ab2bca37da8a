import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Bilingual, isBilingual } from '../../domain/language.ts';
import type { OwnCommand } from '../../domain/session/skill.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { holdsSecrets } from '../../tools/place/secret-files.ts';
import type { Environment } from '../environment.ts';
import { findRepositoryRoot, readTextOrEmpty } from '../trust/repository.ts';
import { garbled, leftOutBehind } from './find-skills.ts';
import { folderNames } from './folder-names.ts';
import { isInProject } from './project-context.ts';

const PROJECT_FOLDER = '.sanbot/commands';
const EXTENSION = '.md';
/** Of one folder. */
export const MAX_COMMANDS = 200;
const MAX_BYTES = 64 * 1024;

export type MarkdownFile = { readonly name: string; readonly path: string; readonly source: OwnCommand['source'] };

/**
 * The commands of the user, and then those of the project where its own are trusted; of a name that two have, the first. Each is a Markdown
 * file that is named after it. A project's are
 * not followed through links out of it, nor to what holds keys. Never rejects: what cannot be read as a command is a line in `problems`, and
 * in `broken` by the name that it would have had.
 */
export async function findCommands(
  environment: Pick<Environment, 'cwd'>,
  { home, trustsProject }: { readonly home: string; readonly trustsProject: boolean },
): Promise<{
  readonly commands: readonly OwnCommand[];
  readonly problems: readonly Bilingual[];
  readonly broken: ReadonlyMap<string, Bilingual>;
}> {
  const problems: Bilingual[] = [];
  const tell = (problem: Bilingual): void => void problems.push(problem);
  const all = [
    ...filesIn(join(home, 'commands'), 'user', tell),
    ...(trustsProject ? projectFilesIn(environment.cwd(), [PROJECT_FOLDER], tell) : []),
  ];
  const broken = new Map<string, Bilingual>();
  const byFolder = new Map<string, MarkdownFile[]>();
  for (const file of all) byFolder.set(dirname(file.path), [...(byFolder.get(dirname(file.path)) ?? []), file]);
  const files = [...byFolder.values()].flatMap((some) => some.slice(0, MAX_COMMANDS));
  if (files.length === 0) return { commands: [], problems, broken };
  const { frontMatterBudget, readCommandFile } = await import('../../domain/session/skill-front-matter.ts');
  const budget = frontMatterBudget();
  const commands = new Map<string, OwnCommand & { readonly path: string }>();
  for (const [folder, { length }] of byFolder) if (length > MAX_COMMANDS) tell(leftOutBehind(folder, length, MAX_COMMANDS));
  for (const { name, path, source } of files) {
    const read = readCommandFile(
      readTextOrEmpty(path, MAX_BYTES, () => problems.push(garbled(path))),
      name,
      budget,
    );
    const other = commands.get(name);
    if (isBilingual(read)) {
      const problem = { en: `The command ${path} is left out: ${read.en}.`, zh: `未使用命令 ${path}：${read.zh}。` };
      tell(problem);
      broken.set(name, problem);
    } else if (other !== undefined)
      problems.push({
        en: `The command ${path} is left out: ${other.path} has the same name.`,
        zh: `未使用命令 ${path}：${other.path} 同名。`,
      });
    else commands.set(name, { ...read, name, source, path });
  }
  return { commands: [...commands.values()].map(({ path: _, ...command }) => command), problems, broken };
}

/** The files of commands in a project by their path from the working folder, and a text that changes when one of them does. */
export function projectCommands(cwd: string): { readonly files: readonly string[]; readonly text: string } {
  const files = projectFiles(cwd)
    .slice(0, MAX_COMMANDS * 2)
    .map(({ path }) => [relative(cwd, path), digestOf(readTextOrEmpty(path, MAX_BYTES))] as const);
  return { files: files.map(([path]) => path), text: files.length === 0 ? '' : JSON.stringify(files) };
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const projectFiles = (cwd: string): readonly MarkdownFile[] => projectFilesIn(cwd, [PROJECT_FOLDER]);

/** The Markdown files of these folders of a project, in the working folder and in the root of its repository; none by a link out of it. */
export function projectFilesIn(cwd: string, names: readonly string[], tell?: (problem: Bilingual) => void): readonly MarkdownFile[] {
  const root = findRepositoryRoot(cwd) ?? cwd;
  return [...new Set([cwd, root])]
    .flatMap((folder) => names.flatMap((name) => filesIn(join(folder, name), 'project', tell)))
    .filter(({ path }) => isInProject(path, root) && !holdsSecrets(orUndefined(() => realpathSync(path)) ?? path));
}

export const filesIn = (folder: string, source: OwnCommand['source'], tell?: (problem: Bilingual) => void): readonly MarkdownFile[] =>
  folderNames(folder, tell)
    .filter((name) => name.endsWith(EXTENSION) && !name.startsWith('.'))
    .sort()
    .map((name) => ({ name: name.slice(0, -EXTENSION.length).toLowerCase(), path: join(folder, name), source }));
