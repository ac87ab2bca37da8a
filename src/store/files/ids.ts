import { SanbotError } from '../../domain/errors.ts';
import { inspectText, nearest } from '../../domain/text.ts';

const ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;

const SNAPSHOT_ID = /^([a-z0-9][a-z0-9_-]{0,63})-(\d{8}T\d{9}Z)$/;

/** Names that Windows reserves for devices, in every folder and with every extension. */
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d)$/;

/** True when a text can name a session: such a text cannot be a path on any system. Checked before any file is touched. */
export const isId = (text: string): boolean => ID.test(text) && !RESERVED.test(text);

/** Letters of any script, none of them a capital, so that a name means one folder also where upper and lower case are the same. */
const GROUP = /^[\p{Ll}\p{Lo}\p{Lm}\p{Nd}][\p{Ll}\p{Lo}\p{Lm}\p{M}\p{Nd}_-]{0,63}$/u;

/** Of the 255 that a file system takes; names of files that hold a group's name are longer than it. */
const MAX_GROUP_BYTES = 200;

/** The same for a group. Letters with marks are one character each, as file systems compare them. */
export const isGroupName = (text: string): boolean => isId(text) || (isNameOfLetters(text) && !RESERVED.test(text));

/** Asked only for what is no id: V8 loads tables of Unicode for it, 2 ms of a start. */
const isNameOfLetters = (text: string): boolean =>
  GROUP.test(text) && text === text.normalize('NFC') && Buffer.byteLength(text) <= MAX_GROUP_BYTES;

export type SnapshotIdParts = { readonly sessionId: string; readonly timestamp: string };

/** Splits `{sessionId}-{timestamp}`; undefined for anything else, which is then no file of ours. */
export function parseSnapshotId(id: string): SnapshotIdParts | undefined {
  const [, sessionId, timestamp] = SNAPSHOT_ID.exec(id) ?? [];
  if (sessionId === undefined || timestamp === undefined || !isId(sessionId)) return undefined;
  return parseTimestamp(timestamp) === undefined ? undefined : { sessionId, timestamp };
}

/** Formats a time so that it sorts as text and is safe in file names everywhere: 20261121T201530123Z. */
export const formatTimestamp = (time: Date): string => time.toISOString().replace(/[-:.]/g, '');

/** Parses a timestamp; undefined when there is no such moment. */
export function parseTimestamp(timestamp: string): Date | undefined {
  const iso = timestamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)(\d{3})Z$/, '$1-$2-$3T$4:$5:$6.$7Z');
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) || formatTimestamp(time) !== timestamp ? undefined : time;
}

/** Returns an id for a new session: its start time, and six characters that tell apart two sessions of the same second. */
export function sessionIdFrom(now: Date, newId: () => string): string {
  const time = formatTimestamp(now);
  return `${time.slice(0, 8)}-${time.slice(9, 15)}-${newId().slice(-6)}`;
}

/** Returns the name of a group. Throws usage when it is invalid. */
export function checkGroup(group: string): string {
  if (isGroupName(group)) return group;
  throw new SanbotError(
    'usage',
    { en: `${inspectText(group)} is not a valid group name`, zh: `${inspectText(group)} 不是有效的组名` },
    {
      hint: {
        en: 'A group has 1 to 64 lower-case letters, digits, - and _, and begins with a letter or digit.',
        zh: '组名由 1 到 64 个文字（字母须为小写）、数字、- 和 _ 组成，以文字或数字开头。',
      },
    },
  );
}

/** Returns a valid time as it is, and anything else escaped like any text of unknown origin. */
export const printableTime = (text: string): string => (/^\d{4}-\d\d-\d\dT[\d:.]{5,12}Z$/.test(text) ? text : inspectText(text));

/** `ids` are the sessions that there are. */
export function noSuchSession(sessionId: string, ids: readonly string[]): SanbotError {
  const nearestText = nearestIds(sessionId, ids).join(', ');
  const hint = nearestText === '' ? {} : { hint: { en: `Similar ids: ${nearestText}.`, zh: `相近的 id：${nearestText}。` } };
  return new SanbotError(
    'not_found',
    { en: `There is no session ${inspectText(sessionId)}`, zh: `没有会话 ${inspectText(sessionId)}` },
    hint,
  );
}

/** Returns at most three ids that the user may have meant by `input`, best first. */
export function nearestIds(input: string, ids: readonly string[]): readonly string[] {
  const matches: string[] = [];
  while (matches.length < 3) {
    const others = ids.filter((id) => !matches.includes(id));
    const next = nearest(input, others);
    if (next === undefined) break;
    matches.push(next);
  }
  return matches;
}
