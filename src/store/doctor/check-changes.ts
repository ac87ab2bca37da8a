import { join } from 'node:path';
import { type Bilingual, joinTexts } from '../../domain/language.ts';
import { actorsOf, type Entry } from '../../domain/session/change.ts';
import { isObject, parseJson } from '../../domain/value/json.ts';
import { isBaseName, linesIn, readBase, setLine, setsOfSession } from '../changes/change-lines.ts';
import { contentFiles, createContents } from '../changes/contents.ts';
import { readVersion } from '../changes/former-versions.ts';
import { type Disk, entryExists, readOwnFile } from '../files/disk.ts';
import { openLineFile } from '../files/line-file.ts';
import { CHANGES_LOG, folderOf, namesIn, printablePath, type StorePaths } from '../files/paths.ts';
import { completeLines, keepBackup, moveLines, rewriteLines } from '../files/rewrite-lines.ts';
import { cutOffText } from './check-log.ts';
import { finding, lineNumbers, orUnreadable, type PartialFinding, type RepairResult } from './finding.ts';
import { attemptRepair, moveAside, setAsideText } from './home-files.ts';

type Home = { readonly disk: Disk; readonly paths: StorePaths };

/** Checks what a session keeps of the changes of its commands: each content against its hash, each line, and that what is named is there. */
export function checkChanges({ disk, paths }: Home, sessionId: string): readonly PartialFinding[] {
  const folder = paths.changes(sessionId);
  const log = join(folder, CHANGES_LOG);
  if (!entryExists(log)) return [];
  return [
    ...orUnreadable(log, () => checkLines(log)),
    ...orUnreadable(folder, () => [...checkContents(disk, folder), ...checkMissing({ disk, paths }, sessionId)]),
    ...namesIn(folder)
      .filter(isBaseName)
      .flatMap((name) => checkBase(join(folder, name))),
  ];
}

function checkLines(path: string): readonly PartialFinding[] {
  const damaged = damagedLines(path);
  const where = lineNumbers(damaged);
  const bytes = readOwnFile(path) ?? Buffer.alloc(0);
  const tailBytes = bytes.length - (bytes.lastIndexOf('\n') + 1);
  return [
    ...(damaged.length > 0 ? [finding('changes_lines', path, { en: `damaged: ${where.en}`, zh: `损坏：${where.zh}` })] : []),
    ...(tailBytes > 0 ? [finding('changes_tail', path, cutOffText(tailBytes))] : []),
  ];
}

const damagedLines = (path: string) => [...completeLines(path)].filter(({ bytes }) => bytes === undefined || !isObject(parseJson(bytes)));

function checkContents(disk: Disk, folder: string): readonly PartialFinding[] {
  const contents = createContents(disk, folder);
  const damaged = [...contents.places()].filter(([sha256]) => contents.read(sha256) === undefined);
  return contentFiles(folder).flatMap((name) => {
    const count = damaged.filter(([, { file }]) => file === name).length;
    const what: Bilingual = {
      en: `${count === 1 ? 'a kept content does' : `${count} kept contents do`} not match ${count === 1 ? 'its' : 'their'} hash`,
      zh: `${count} 份保留的内容与哈希不符`,
    };
    return count === 0 ? [] : [finding('changes_contents', join(folder, name), what)];
  });
}

function lostIn({ disk, paths }: Home, sessionId: string) {
  const contents = createContents(disk, paths.changes(sessionId));
  const isLost = ({ holds }: Entry): boolean => {
    if (holds?.startsWith('sha256:') !== true) return false;
    const sha256 = holds.slice('sha256:'.length);
    return !contents.has(sha256) && readVersion(paths, sessionId, sha256) === undefined;
  };
  // What others changed between two acts is never undone. What stood there is known by its hash from the act before, and not kept.
  const acts = setsOfSession(paths, sessionId).filter((set) => actorsOf(set).length > 0);
  const changes = acts.flatMap((set) => set.changes);
  const files = changes.filter(({ before }) => before !== null && isLost(before)).map(({ path }) => path);
  return { files: [...new Set(files)], isLost };
}

function checkMissing(home: Home, sessionId: string): readonly PartialFinding[] {
  const { files } = lostIn(home, sessionId);
  const [first = ''] = files;
  const more = files.length - 1;
  const what: Bilingual = {
    en: `a kept content of ${printablePath(first)}${more > 0 ? ` and ${more} more` : ''} is not there; the file cannot be restored to it`,
    zh: `${printablePath(first)}${more > 0 ? ` 等 ${more + 1} 个文件` : ''}保留的一份内容不存在；无法将文件恢复到该内容`,
  };
  return files.length === 0 ? [] : [finding('changes_missing', logOf(home, sessionId), what)];
}

const logOf = ({ paths }: Pick<Home, 'paths'>, sessionId: string): string => join(paths.changes(sessionId), CHANGES_LOG);

function checkBase(path: string): readonly PartialFinding[] {
  const isWhole = (): boolean => {
    try {
      return readBase(path) !== undefined;
    } catch {
      return false;
    }
  };
  return isWhole() ? [] : [finding('changes_base', path, { en: 'it cannot be read', zh: '无法读取' })];
}

/** Under the session's lock. Never throws. */
export function repairChanges(
  home: Home,
  sessionId: string,
  { findings, setAsideFolder }: { readonly findings: readonly PartialFinding[]; readonly setAsideFolder: string },
): readonly RepairResult[] {
  const { disk } = home;
  const places = (kind: PartialFinding['kind']) => findings.filter((each) => each.kind === kind).map(({ path }) => path);
  const damaged = places('changes_contents');
  const isLost = damaged.length > 0 || places('changes_missing').length > 0;
  return [
    ...places('changes_tail').flatMap((path) => attemptRepair(path, () => repairTailOf(disk, path))),
    ...places('changes_base').flatMap((path) => attemptRepair(path, () => setAsideText(moveAside(disk, path, setAsideFolder)))),
    ...places('changes_lines').flatMap((path) => attemptRepair(path, () => takeOutLines(disk, path))),
    ...damaged.flatMap((path) => attemptRepair(path, () => dropDamaged(disk, path))),
    ...(isLost ? attemptRepair(logOf(home, sessionId), () => noteLost(home, sessionId)) : []),
  ];
}

function repairTailOf(disk: Disk, path: string): Bilingual {
  const { file, warnings } = openLineFile(disk, path, { point: 'changes' });
  file.close();
  return joinTexts(warnings, { en: ' ', zh: '' });
}

function takeOutLines(disk: Disk, path: string): Bilingual {
  const positions = new Set(damagedLines(path).map(({ position }) => position));
  const saved = moveLines(disk, path, (position) => positions.has(position));
  return { en: `what cannot be read was moved to ${saved}`, zh: `无法读取的行已移到 ${saved}` };
}

function dropDamaged(disk: Disk, path: string): Bilingual {
  const backup = keepBackup(disk, path);
  const contents = createContents(disk, folderOf(path));
  contents.retain((sha256) => contents.read(sha256) !== undefined);
  return { en: `written without what is damaged; the former file is ${backup}`, zh: `已重写并去掉损坏的内容；原文件为 ${backup}` };
}

function noteLost(home: Home, sessionId: string): Bilingual {
  const { isLost, files } = lostIn(home, sessionId);
  const path = logOf(home, sessionId);
  const lines = linesIn(path).map((line) => setLine(line, (entry) => (isLost(entry) ? { ...entry, holds: 'lost' } : entry)));
  rewriteLines(
    home.disk,
    path,
    lines.map((line) => Buffer.from(`${JSON.stringify(line)}\n`)),
  );
  return { en: `noted of ${files.length} that it is lost`, zh: `已注明 ${files.length} 个文件的内容已丢失` };
}
