import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { type Bilingual, because, isBilingual, sameInBoth } from '../../domain/language.ts';
import type { OwnCommand, Skill } from '../../domain/session/skill.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { NO_TEXT } from '../../domain/value/text-bytes.ts';
import { entryExists } from '../../store/files/disk.ts';
import { readBrought } from '../../store/files/read-text.ts';
import { holdsSecrets } from '../../tools/place/secret-files.ts';
import type { Environment } from '../environment.ts';
import { findRepositoryRoot, readTextOrEmpty } from '../trust/repository.ts';
import { folderNames } from './folder-names.ts';
import { type IsLeftOut, isInProject } from './project-context.ts';

const PROJECT_FOLDERS = ['.sanbot/skills', '.claude/skills', '.agents/skills'];
/** Of one folder of skills. */
const MAX_SKILLS = 500;
/** Front matter is at the top, so no more of a file is read here. */
const MAX_HEAD_BYTES = 16 * 1024;

type Place = { readonly folder: string; readonly source: Skill['source']; readonly root: string | undefined };

/**
 * The skills of the user, and then those of the project where it is trusted: folders with a SKILL.md; of a name that two have, the first. A project's are not followed through links
 * out of it. Never rejects: what cannot be read as a skill is a line in `problems`. Where there is none, nothing is loaded.
 */
export async function findSkills(
  environment: Pick<Environment, 'cwd'>,
  { home, trustsProject, isLeftOut }: { readonly home: string; readonly trustsProject: boolean; readonly isLeftOut?: IsLeftOut },
): Promise<{ readonly skills: readonly Skill[]; readonly problems: readonly Bilingual[] }> {
  const places: readonly Place[] = [
    { folder: join(home, 'skills'), source: 'user', root: undefined },
    ...(trustsProject ? projectPlaces(environment.cwd()) : []),
  ];
  const problems: Bilingual[] = [];
  const found = places.flatMap((place) => {
    const names = foldersIn(place, Number.POSITIVE_INFINITY, (problem) => void problems.push(problem));
    if (names.length > MAX_SKILLS) problems.push(leftOutBehind(place.folder, names.length, MAX_SKILLS));
    return names.slice(0, MAX_SKILLS).map((name) => ({ ...place, name }));
  });
  if (found.length === 0) return { skills: [], problems };
  const { frontMatterBudget, readFrontMatter } = await import('../../domain/session/skill-front-matter.ts');
  const budget = frontMatterBudget();
  const skills = new Map<string, Skill>();
  for (const { folder, name, source } of found) {
    const path = join(folder, name, 'SKILL.md');
    if (isLeftOut !== undefined && [path, orUndefined(() => realpathSync(path)) ?? path].some(isLeftOut)) continue;
    const read = readOwn({ path, maxBytes: MAX_HEAD_BYTES, isHead: true }, (text) => readFrontMatter(text, name, budget), problems);
    if (isBilingual(read)) problems.push({ en: `The skill ${path} is left out: ${read.en}.`, zh: `未使用技能 ${path}：${read.zh}。` });
    else if (skills.has(read.name)) {
      const other = skills.get(read.name);
      if (other !== undefined && !isSameFolder(other.folder, join(folder, name)))
        problems.push({
          en: `The skill ${path} is left out: ${other.folder} has the same name, ${read.name}.`,
          zh: `未使用技能 ${path}：${other.folder} 同名（${read.name}）。`,
        });
    } else skills.set(read.name, { ...read, source, folder: join(folder, name) });
  }
  return { skills: [...skills.values()], problems };
}

const SAVE_AS_TEXT = because(NO_TEXT, { en: 'save it so', zh: '请这样保存' });

/** Of a file that has what is no text: that is replaced. */
export const garbled = (path: string): Bilingual => because(sameInBoth(path), SAVE_AS_TEXT);

/** Half of what a person wrote may say the contrary. */
const tooLong = (maxBytes: number): Bilingual => ({
  en: `it has more than ${maxBytes / 1024} KB: make it shorter`,
  zh: `它超过 ${maxBytes / 1024} KB：请缩短它`,
});

/** What is read of a file that a person has written, or why it is left out. One with something that is no text is used where `problems` tells that. */
export function readOwn<Value extends object>(
  { path, maxBytes, isHead = false }: { readonly path: string; readonly maxBytes: number; readonly isHead?: boolean },
  parse: (text: string) => Value | Bilingual,
  problems?: Bilingual[],
): Value | Bilingual {
  const brought = readBrought(path, maxBytes);
  if (isBilingual(brought))
    return because(brought, { en: 'make it a file that can be read, or move it away', zh: '请改为可读取的文件，或移走它' });
  if (brought.isCut && !isHead) return tooLong(maxBytes);
  const read = parse(brought.text);
  if (!brought.isGarbled) return read;
  if (problems === undefined || isBilingual(read)) return SAVE_AS_TEXT;
  problems.push(garbled(path));
  return read;
}

/** Of a folder that holds more than are read. */
export const leftOutBehind = (folder: string, count: number, most: number): Bilingual => ({
  en: `${folder} holds ${count}: those behind the first ${most} are left out.`,
  zh: `${folder} 中有 ${count} 个：第 ${most} 个之后的未使用。`,
});

/** The folders of skills in a project, by their path from the working folder; nothing in them is read. */
export const projectSkillFolders = (cwd: string): readonly string[] =>
  projectPlaces(cwd).flatMap((place) => foldersIn(place).map((name) => relative(cwd, join(place.folder, name))));

function projectPlaces(cwd: string): readonly Place[] {
  const root = findRepositoryRoot(cwd) ?? cwd;
  return [...new Set([cwd, root])].flatMap((folder) =>
    PROJECT_FOLDERS.map((name): Place => ({ folder: join(folder, name), source: 'project', root })),
  );
}

/** The names of folders with a SKILL.md. */
function foldersIn({ folder, root }: Place, most = MAX_SKILLS, tell?: (problem: Bilingual) => void): readonly string[] {
  return folderNames(folder, tell)
    .filter((name) => !name.startsWith('.'))
    .sort()
    .slice(0, most)
    .filter((name) => {
      const path = join(folder, name, 'SKILL.md');
      return isUnreached(path) ? tell !== undefined && isThere(path) : root === undefined || isInProject(path, root);
    });
}

const isUnreached = (path: string): boolean => orUndefined(() => realpathSync(path)) === undefined;

/** Also where its folder may not be entered. */
const isThere = (path: string): boolean => orUndefined(() => entryExists(path)) ?? true;

/** One folder is often a link to the other. */
const isSameFolder = (one: string, other: string): boolean =>
  orUndefined(() => realpathSync(one)) === orUndefined(() => realpathSync(other));

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
    const read = readOwn({ path, maxBytes: MAX_BYTES }, (text) => readCommandFile(text, name, budget));
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
    .filter(
      ({ path }) =>
        (isInProject(path, root) || (tell !== undefined && isUnreached(path))) &&
        !holdsSecrets(orUndefined(() => realpathSync(path)) ?? path),
    );
}

export const filesIn = (folder: string, source: OwnCommand['source'], tell?: (problem: Bilingual) => void): readonly MarkdownFile[] =>
  folderNames(folder, tell)
    .filter((name) => name.endsWith(EXTENSION) && !name.startsWith('.'))
    .sort()
    .map((name) => ({ name: name.slice(0, -EXTENSION.length).toLowerCase(), path: join(folder, name), source }));
