import { basename } from 'node:path';
import { SanbotError } from '../../domain/errors.ts';
import { logRecordSchema } from '../../domain/session/record.ts';
import { inspectText } from '../../domain/text.ts';
import { namesIn } from '../files/atomic-write.ts';
import { groupsOf } from '../files/groups.ts';
import { isId } from '../files/ids.ts';
import { printablePath, type StorePaths } from '../files/paths.ts';
import { type HomeFile, purgedPart, valueIn } from './purge-files.ts';
import { breaksStructure, type Redaction } from './purge-values.ts';
import { PURGED } from './secret-pattern.ts';

const MIN_CHARS = 4;
const MIN_BYTES = 6;

/** Throws usage for a text that is too short to be a secret (it would occur everywhere) or that cannot be replaced. */
export function checkSecret(text: string): void {
  const size = [...text.trim()].length;
  const bytes = Buffer.byteLength(text.trim());
  if (size < MIN_CHARS || bytes < MIN_BYTES)
    throw new SanbotError(
      'usage',
      {
        en: `--match needs at least ${MIN_CHARS} characters and ${MIN_BYTES} bytes of text, found ${size} and ${bytes}`,
        zh: `--match 至少需要 ${MIN_CHARS} 个字符、${MIN_BYTES} 字节的文字，实际为 ${size} 个字符、${bytes} 字节`,
      },
      {
        hint: {
          en: 'Give the whole secret; a short text would also match unrelated content.',
          zh: '请给出完整的机密内容；太短的文字会匹配到无关的内容。',
        },
      },
    );
  if (!text.isWellFormed() || text.includes('\0'))
    throw new SanbotError('usage', { en: '--match has half a character or a NUL in it', zh: '--match 中有半个字符或 NUL' });
  if (PURGED.includes(text))
    throw new SanbotError('usage', {
      en: `--match is a part of ${PURGED}, which would take its place`,
      zh: `--match 是 ${PURGED} 的一部分，而后者会取代它`,
    });
}

/** Sessions, groups and snapshots are identified by their names. */
export function refuseNames(paths: StorePaths, text: string): void {
  const groups = groupsOf(paths);
  const snapshots = groups.flatMap((group) => namesIn(paths.summaries(group)));
  const match = [...namesIn(paths.sessions).filter(isId), ...groups, ...snapshots].find((name) => name.includes(text));
  if (match !== undefined)
    throw new SanbotError(
      'refused',
      {
        en: `${inspectText(match)} is the name of a session, a group or a snapshot, which cannot be purged`,
        zh: `${inspectText(match)} 是会话、组或快照的名称，无法清除`,
      },
      {
        hint: {
          en: 'Nothing was changed. A session goes with sanbot sessions delete ID.',
          zh: '没有做任何更改。会话可用 sanbot sessions delete ID 删除。',
        },
      },
    );
}

/** Removing a word of our own records, such as "assistant", would make the record unreadable. */
export function refuseBroken({ path, name, kind }: HomeFile, part: Buffer, redaction: Redaction): void {
  const { text } = redaction.pattern;
  const value = valueIn(part, kind);
  const isRecord = basename(path) === 'log.jsonl' && logRecordSchema.safeParse(value).success;
  const isReadable = !isRecord || logRecordSchema.safeParse(valueIn(purgedPart(part, kind, redaction), kind)).success;
  if (isReadable && !breaksStructure(value, text)) return;
  throw new SanbotError('refused', {
    en: `${inspectText(text)} is a word of SanBot's own files (${printablePath(name)}), which could not be read without it`,
    zh: `${inspectText(text)} 是 SanBot 自己的文件（${printablePath(name)}）中的词，没有它文件就无法读取`,
  });
}
