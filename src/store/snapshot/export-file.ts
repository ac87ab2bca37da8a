import { createHash } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { SnapshotBody } from '../../agent/ports/disk.ts';
import { SanbotError } from '../../domain/errors.ts';
import type { Bilingual, Warn } from '../../domain/language.ts';
import { bodyRefSchema } from '../../domain/session/message.ts';
import { inspectText } from '../../domain/text.ts';
import { isCount, isObject, isString } from '../../domain/value/json.ts';
import { entryExists, readOwnFile } from '../files/disk.ts';
import { orStoreDamage } from '../files/failure.ts';
import { isGroupName, isId, printablePath, type StorePaths } from '../files/paths.ts';
import { encodeRecord, readRecord, sealLine, withoutChecksum } from '../files/record-line.ts';
import { completeLines } from '../files/rewrite-lines.ts';
import { bodyFiles, bodyRefOf, decodeBody, encodeBody, readBodyFile, retiredBodyIn, sha256Of } from '../session/bodies/body-text.ts';
import { peekSession, readTitle, requireWhole } from '../session/peek-session.ts';
import type { SnapshotStore } from './snapshots.ts';

/** The format version of an exported file. */
const EXPORT_VERSION = 1;

export type ExportSource = {
  readonly paths: StorePaths;
  readonly snapshots: SnapshotStore;
  readonly at: string;
  readonly warn: Warn;
};

/**
 * Yields a session as the lines of one file: a head that describes it, its records exactly as they are in the log, its bodies, its
 * snapshots, and last the hash over all of them. What cannot be read is left out with a warning. Throws like `peekSession`.
 */
export function* exportLines({ paths, snapshots, at, warn }: ExportSource, sessionId: string): Generator<Uint8Array> {
  const { header } = peekSession(paths, sessionId);
  requireWhole(paths, sessionId);
  const hash = createHash('sha256');
  let lines = 0;
  const countLine = (line: Uint8Array): Uint8Array => {
    hash.update(line);
    lines += 1;
    return line;
  };
  const title = readTitle(paths, sessionId);
  const sessionFolder = join(paths.session(sessionId), sep);
  const head = { type: 'sanbot-export', v: EXPORT_VERSION, sessionId, group: header.group, at, sessionFolder };
  yield countLine(encodeRecord(title === undefined ? head : { ...head, title }));
  for (const { line, bytes } of completeLines(paths.log(sessionId))) {
    if (bytes?.length === 0) continue;
    if (bytes && isObject(readRecord(bytes))) yield countLine(sealLine(Buffer.concat([RECORD, bytes])));
    else warn(leftOut(paths.log(sessionId), line));
  }
  for (const line of bodyLines(paths, sessionId, warn)) yield countLine(line);
  for (const { id } of snapshots.list(sessionId)) {
    const line = snapshotLine(paths, snapshots, id);
    if (line === undefined) warn({ en: `Snapshot ${id} is not as it was written and left out.`, zh: `快照 ${id} 与写入时不同，未包含。` });
    else yield countLine(line);
  }
  yield encodeRecord({ type: 'end', lines, sha256: hash.digest('hex') });
}

const RECORD = Buffer.from('{"type":"record","record":');

function* bodyLines(paths: StorePaths, sessionId: string, warn: Warn): Generator<Uint8Array> {
  for (const { prefix, path } of bodyFiles(paths, sessionId)) {
    const bytes = readBodyFile(path);
    if (bytes === undefined || !sha256Of(bytes).startsWith(prefix))
      warn({
        en: `${printablePath(path)} is not what its name says and left out.`,
        zh: `${printablePath(path)} 的内容与名称不符，未包含。`,
      });
    else yield encodeRecord({ type: 'body', retired: false, ref: bodyRefOf(bytes), text: decodeBody(bytes) });
  }
  const retired = paths.retiredBodies(sessionId);
  if (!entryExists(retired)) return;
  for (const { line, bytes } of completeLines(retired)) {
    if (bytes?.length === 0) continue;
    const text = retiredBodyIn(bytes)?.text;
    if (text === undefined) warn(leftOut(retired, line));
    else yield encodeRecord({ type: 'body', retired: true, ref: bodyRefOf(encodeBody(text)), text });
  }
}

const leftOut = (path: string, line: number): Bilingual => ({
  en: `Line ${line} of ${printablePath(path)} is damaged and left out.`,
  zh: `${printablePath(path)} 第 ${line} 行已损坏，未包含。`,
});

function snapshotLine(paths: StorePaths, snapshots: SnapshotStore, id: string): Uint8Array | undefined {
  const read = snapshots.read(id);
  if (read.kind !== 'found') return undefined;
  const bytes = readOwnFile(paths.snapshot(read.meta.group, id));
  return bytes === undefined ? undefined : encodeRecord({ type: 'snapshot', meta: read.meta, text: bytes.toString('utf8') });
}

/** `sessionFolder`: where the session was, with a trailing separator. */
export type ExportedFile = Readonly<ReturnType<typeof parseHead>> & { readonly path: string };

/**
 * Opens an exported file that is complete and unchanged: its hash, the number of its lines and every body are verified. Nothing in it is
 * ever used as a path. Throws not_found when the file does not exist, and store_damaged with the reason when it is not what was exported.
 */
export function openExportedFile(file: string): ExportedFile {
  if (!orStoreDamage(file, () => entryExists(file)))
    throw new SanbotError(
      'not_found',
      { en: `There is no file ${printablePath(file)}`, zh: `没有文件 ${printablePath(file)}` },
      { en: 'sanbot export makes one.', zh: 'sanbot export 可生成一个。' },
    );
  return orStoreDamage(file, () => verifyExport(realpathSync(file), file));
}

const NO_EXPORT = { en: 'it is not an exported session', zh: '它不是导出的会话' };
const damagedLine = (line: number): Bilingual => ({ en: `line ${line} is damaged`, zh: `第 ${line} 行已损坏` });

function verifyExport(path: string, file: string): ExportedFile {
  const damagedError = (why: Bilingual) =>
    new SanbotError(
      'store_damaged',
      { en: `${printablePath(file)} cannot be imported: ${why.en}`, zh: `无法导入 ${printablePath(file)}：${why.zh}` },
      { en: 'Nothing was changed. Export the session again.', zh: '没有做任何更改。请重新导出会话。' },
    );
  const hash = createHash('sha256');
  let head: ReturnType<typeof parseHead> | undefined;
  let end: unknown;
  let lines = 0;
  for (const { line, bytes } of completeLines(path)) {
    if (bytes === undefined) throw damagedError(damagedLine(line));
    const value = readRecord(bytes);
    if (end !== undefined)
      throw damagedError({ en: `something follows its end, in line ${line}`, zh: `结尾之后还有内容，在第 ${line} 行` });
    if (isObject(value) && value.type === 'end') {
      end = value;
      if (value.lines !== lines || value.sha256 !== hash.digest('hex'))
        throw damagedError({ en: 'its bytes are not those that were exported (sha256 differs)', zh: '内容与导出时不同（sha256 不一致）' });
      continue;
    }
    hash.update(bytes).update('\n');
    lines += 1;
    if (head === undefined) head = parseHead(value, damagedError);
    else if (value === undefined) throw damagedError(damagedLine(line));
    else if (!isPart(value)) throw damagedError({ en: `line ${line} is not a part of a session`, zh: `第 ${line} 行不是会话的一部分` });
  }
  if (head === undefined) throw damagedError(NO_EXPORT);
  if (end === undefined) throw damagedError({ en: 'its end is missing', zh: '缺少结尾' });
  return { path, ...head };
}

function parseHead(value: unknown, damagedError: (why: Bilingual) => SanbotError) {
  if (!isObject(value) || value.type !== 'sanbot-export' || !isCount(value.v)) throw damagedError(NO_EXPORT);
  if (value.v > EXPORT_VERSION)
    throw damagedError({ en: `a newer SanBot wrote it (version ${value.v})`, zh: `由更新的 SanBot 写入（版本 ${value.v}）` });
  const { sessionId, group, sessionFolder, title } = value;
  if (!isString(sessionId) || !isId(sessionId))
    throw damagedError({
      en: `no session can be called ${inspectText(String(sessionId))}`,
      zh: `会话不能叫 ${inspectText(String(sessionId))}`,
    });
  if (!isString(group) || !isGroupName(group))
    throw damagedError({ en: `no group can be called ${inspectText(String(group))}`, zh: `组不能叫 ${inspectText(String(group))}` });
  if (!isString(sessionFolder) || sessionFolder.length < 2)
    throw damagedError({ en: 'it does not say where it was', zh: '没有说明它原来的位置' });
  return { sessionId, group, sessionFolder, title: isString(title) ? title : undefined };
}

function isPart(value: unknown): boolean {
  if (!isObject(value)) return false;
  if (value.type === 'record') return isObject(value.record);
  if (value.type === 'snapshot') return isObject(value.meta) && isString(value.text);
  const ref = bodyRefSchema.safeParse(value.ref);
  return value.type === 'body' && isString(value.text) && ref.success && sha256Of(encodeBody(value.text)) === ref.data.sha256;
}

/** Yields the records in order, as they were written, without their checksums. */
export function* exportedRecords({ path }: ExportedFile): Generator<unknown> {
  for (const value of exportedParts(path)) if (value.type === 'record') yield withoutChecksum(value.record);
}

export function* exportedBodies({ path }: ExportedFile, { retired }: { readonly retired: boolean }): Generator<SnapshotBody> {
  for (const value of exportedParts(path)) {
    if (value.type !== 'body' || (value.retired === true) !== retired || !isString(value.text)) continue;
    yield { ref: bodyRefOf(encodeBody(value.text)), text: value.text };
  }
}

/** Yields the meta of each snapshot, unchecked, and the bytes of its file. */
export function* exportedSnapshots({ path }: ExportedFile): Generator<{ readonly meta: unknown; readonly bytes: Buffer }> {
  for (const value of exportedParts(path))
    if (value.type === 'snapshot' && isString(value.text)) yield { meta: value.meta, bytes: Buffer.from(value.text, 'utf8') };
}

function* exportedParts(path: string): Generator<Readonly<Record<string, unknown>>> {
  for (const { bytes } of completeLines(path)) {
    const value = readRecord(bytes);
    if (isObject(value)) yield value;
  }
}
