import type { NewSnapshot, SnapshotBody } from '../../agent/ports.ts';
import { type SessionContext, sessionContextSchema } from '../../domain/session/context.ts';
import { bodyRefSchema, type Message, messageSchema } from '../../domain/session/message.ts';
import { RECORD_VERSION } from '../../domain/session/record.ts';
import { encodeLine, lineSpans, parseJson } from '../files/json-line.ts';
import { type Fields, isCount, isObject, isString } from '../files/shape.ts';
import { encodeBody, refOf } from '../session/body-text.ts';

/**
 * The bytes of a snapshot: a first line with the context but for its messages, one line per message exactly as it was, one line per
 * body. Needs nothing else to be restored.
 */
export function encodeSnapshot(id: string, { sessionId, group, reason, model, context, bodies }: NewSnapshot): Buffer {
  const { messages, ...rest } = context;
  return Buffer.concat([
    encodeLine({ type: 'snapshot', v: RECORD_VERSION, id, sessionId, group, reason, model, messages: messages.length, context: rest }),
    ...messages.map((message) => encodeLine({ type: 'message', message })),
    ...bodies.map(({ ref, text }) => encodeLine({ type: 'body', ref, text })),
  ]);
}

export type DecodedSnapshot =
  | { readonly kind: 'snapshot'; readonly context: SessionContext; readonly bodies: readonly SnapshotBody[] }
  | { readonly kind: 'damaged'; readonly why: string };

/** The snapshot in these bytes, provided they are that of `id`, whole, and each body is what its hash says. */
export function decodeSnapshot(bytes: Buffer, { id, sessionId }: { readonly id: string; readonly sessionId: string }): DecodedSnapshot {
  const [first, ...values] = valuesOf(bytes);
  if (!isHead(first)) return damaged('its first line is not that of a snapshot');
  if (first.v > RECORD_VERSION) return damaged(`a newer SanBot wrote it (version ${first.v})`);
  if (first.id !== id || first.sessionId !== sessionId) return damaged('it says that it is another snapshot');
  const bad = values.findIndex((value) => !isLine(value));
  if (bad >= 0) return damaged(`line ${bad + 2} is not a record`);
  const lines = values.filter(isLine);
  const messages = lines.flatMap((line) => (line.type === 'message' ? [line.message] : []));
  const bodies = lines.flatMap((line) => (line.type === 'body' ? [{ ref: line.ref, text: line.text }] : []));
  if (messages.length !== first.messages) return damaged(`it has ${messages.length} of ${first.messages} messages`);
  const wrong = bodies.find(({ ref, text }) => refOf(encodeBody(text)).sha256 !== ref.sha256);
  if (wrong !== undefined) return damaged(`the body ${wrong.ref.sha256.slice(0, 32)} is not what its hash says`);
  const context = { ...first.context, messages };
  return isContext(context) ? { kind: 'snapshot', context, bodies } : damaged('its first line holds no context');
}

const damaged = (why: string): DecodedSnapshot => ({ kind: 'damaged', why });

function* valuesOf(bytes: Buffer): Generator<unknown> {
  const read = (position: number, length: number) => bytes.subarray(position, position + length);
  for (const { position, length } of lineSpans(read, 0, 0)) yield parseJson(bytes.subarray(position, position + length));
}

type Head = { readonly v: number; readonly id: unknown; readonly sessionId: unknown; readonly messages: number; readonly context: Fields };
const isHead = (value: unknown): value is Head =>
  isObject(value) && value.type === 'snapshot' && isCount(value.v) && isCount(value.messages) && isObject(value.context);

type SnapshotLine =
  | { readonly type: 'message'; readonly message: Message }
  | { readonly type: 'body'; readonly ref: SnapshotBody['ref']; readonly text: string };

/** The values themselves are kept, not the schemas' copies: key order and unknown fields come back to the byte. */
function isLine(value: unknown): value is SnapshotLine {
  if (!isObject(value)) return false;
  if (value.type === 'message') return messageSchema.safeParse(value.message).success;
  return value.type === 'body' && bodyRefSchema.safeParse(value.ref).success && isString(value.text);
}

const isContext = (value: unknown): value is SessionContext => sessionContextSchema.safeParse(value).success;
