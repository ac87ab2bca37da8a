import type { NewSnapshot, SnapshotBody } from '../../agent/ports/disk.ts';
import type { Bilingual } from '../../domain/language.ts';
import { type SessionContext, sessionContextSchema } from '../../domain/session/context.ts';
import { bodyRefSchema, type Message, messageSchema } from '../../domain/session/message.ts';
import { RECORD_VERSION } from '../../domain/session/record.ts';
import type { SnapshotMeta } from '../../domain/session/snapshot.ts';
import { type Fields, isCount, isObject, isString } from '../../domain/value/json.ts';
import { encodeRecord, lineSpans, readRecord } from '../files/record-line.ts';
import { bodyRefOf, encodeBody, sha256Of } from '../session/bodies/body-text.ts';

/** Encodes a snapshot, which needs nothing else: the context except its messages, then a line per message, then one per body. */
export function encodeSnapshot(id: string, { sessionId, group, reason, model, context, bodies }: NewSnapshot): Buffer {
  const { messages, ...rest } = context;
  return Buffer.concat([
    encodeRecord({ type: 'snapshot', v: RECORD_VERSION, id, sessionId, group, reason, model, messages: messages.length, context: rest }),
    ...messages.map((message) => encodeRecord({ type: 'message', message })),
    ...bodies.map(({ ref, text }) => encodeRecord({ type: 'body', ref, text })),
  ]);
}

type Encoded = { readonly snapshot: NewSnapshot; readonly bytes: Buffer };

/** Describes an encoded snapshot in a file of its own. */
export const metaOf = (id: string, at: Date, { snapshot, bytes }: Encoded): SnapshotMeta => ({
  v: RECORD_VERSION,
  id,
  sessionId: snapshot.sessionId,
  group: snapshot.group,
  at: at.toISOString(),
  reason: snapshot.reason,
  model: snapshot.model,
  messages: snapshot.context.messages.length,
  bodies: snapshot.bodies.length,
  tokens: snapshot.tokens,
  bytes: bytes.length,
  sha256: sha256Of(bytes),
});

export type DecodedSnapshot =
  | { readonly kind: 'snapshot'; readonly context: SessionContext; readonly bodies: readonly SnapshotBody[] }
  | { readonly kind: 'damaged'; readonly why: Bilingual };

/** Decodes the snapshot `id`. Reports damage when the bytes are not that snapshot, not complete, or a body does not match its hash. */
export function decodeSnapshot(bytes: Buffer, { id, sessionId }: { readonly id: string; readonly sessionId: string }): DecodedSnapshot {
  const [head, ...values] = valuesOf(bytes);
  if (!isHead(head)) return damagedResult({ en: 'its first line is not that of a snapshot', zh: '第一行不是快照的开头' });
  if (head.v > RECORD_VERSION)
    return damagedResult({ en: `a newer SanBot wrote it (version ${head.v})`, zh: `由更新版本的 SanBot 写入（版本 ${head.v}）` });
  if (head.id !== id || head.sessionId !== sessionId)
    return damagedResult({ en: 'it says that it is another snapshot', zh: '内容表明它是另一个快照' });
  const badIndex = values.findIndex((value) => !isSnapshotLine(value));
  if (badIndex >= 0) return damagedResult({ en: `line ${badIndex + 2} is not a record`, zh: `第 ${badIndex + 2} 行不是记录` });
  const lines = values.filter(isSnapshotLine);
  const messages = lines.flatMap((line) => (line.type === 'message' ? [line.message] : []));
  const bodies = lines.flatMap((line) => (line.type === 'body' ? [{ ref: line.ref, text: line.text }] : []));
  if (messages.length !== head.messages)
    return damagedResult({
      en: `it has ${messages.length} of ${head.messages} messages`,
      zh: `${head.messages} 条消息中只有 ${messages.length} 条`,
    });
  const mismatch = bodies.find(({ ref, text }) => bodyRefOf(encodeBody(text)).sha256 !== ref.sha256);
  if (mismatch !== undefined)
    return damagedResult({
      en: `the body ${mismatch.ref.sha256.slice(0, 32)} is not what its hash says`,
      zh: `正文 ${mismatch.ref.sha256.slice(0, 32)} 与其哈希不符`,
    });
  const context = { ...head.context, messages };
  return isContext(context)
    ? { kind: 'snapshot', context, bodies }
    : damagedResult({ en: 'its first line holds no context', zh: '第一行没有上下文' });
}

const damagedResult = (why: Bilingual): DecodedSnapshot => ({ kind: 'damaged', why });

function* valuesOf(bytes: Buffer): Generator<unknown> {
  const read = (position: number, length: number) => bytes.subarray(position, position + length);
  for (const { position, length } of lineSpans(read, 0, 0)) yield readRecord(bytes.subarray(position, position + length));
}

type Head = { readonly v: number; readonly id: unknown; readonly sessionId: unknown; readonly messages: number; readonly context: Fields };
const isHead = (value: unknown): value is Head =>
  isObject(value) && value.type === 'snapshot' && isCount(value.v) && isCount(value.messages) && isObject(value.context);

type SnapshotLine =
  | { readonly type: 'message'; readonly message: Message }
  | { readonly type: 'body'; readonly ref: SnapshotBody['ref']; readonly text: string };

/** The values themselves are kept, not the schemas' copies, so that key order and unknown fields are restored to the byte. */
function isSnapshotLine(value: unknown): value is SnapshotLine {
  if (!isObject(value)) return false;
  if (value.type === 'message') return messageSchema.safeParse(value.message).success;
  return value.type === 'body' && bodyRefSchema.safeParse(value.ref).success && isString(value.text);
}

const isContext = (value: unknown): value is SessionContext => sessionContextSchema.safeParse(value).success;
