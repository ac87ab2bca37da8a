import type { Limits } from '../../context/measure/limits.ts';
import { mediaName, mediaStubText } from '../../context/offload/media-stub.ts';
import type { OffloadCandidate } from '../../context/offload/offload.ts';
import { type SmallStubRoom, type Stub, smallStubText, stubText } from '../../context/offload/stub.ts';
import { mediaBody } from '../../domain/session/media.ts';
import type { StubRef } from '../../domain/session/message.ts';
import type { OffloadRecord } from '../../domain/session/record.ts';
import type { Session } from '../session/session.ts';

/** A stub as the log has it, whose body is in the file at `path`. */
export type StoredStub = OffloadRecord['stubs'][number] & { readonly path: string };

/** As events name what has become a file. */
export const offloadedResult = ({ ref: { toolUseId, tool, body }, path }: Pick<StoredStub, 'ref' | 'path'>) => ({
  ...{ toolUseId, tool, path },
  bytes: body.bytes,
});

type StoredResult = Pick<OffloadCandidate, 'toolUseId' | 'tool' | 'ok' | 'content'> & { readonly source?: string | undefined };
type Bodies = Pick<Session, 'bodies'>;

/** Stores the body of a result that arrives; undefined when its stub would not be smaller, and `full` when the session's cap is reached. */
export const storeArrival = (result: StoredResult, session: Bodies, limits: Limits): StoredStub | 'full' | undefined =>
  storeText(result, session, (stub) => stubText(stub, limits));

/** Stores the bodies of a batch and makes its stubs, each with names that none before it shows; `full` when the session's cap is reached on the way. */
export function storeBatch(candidates: readonly OffloadCandidate[], session: Bodies, tokens: number) {
  const room = { tokens, shownNames: new Set<string>() };
  const stubs: StoredStub[] = [];
  for (const candidate of candidates) {
    const stub = storeCandidate(candidate, session, room);
    if (stub === 'full') return { stubs, full: true };
    if (stub !== undefined) stubs.push(stub);
  }
  return { stubs, full: false };
}

/** As the log has it. */
export const recordOf = (stubs: readonly StoredStub[]): OffloadRecord => ({
  type: 'offload',
  stubs: stubs.map(({ path: _, ...stub }) => stub),
});

/** Makes the small stub of a batch, for what is a longer stub by now from its body: undefined where that is missing. */
function storeCandidate(candidate: OffloadCandidate, session: Bodies, room: SmallStubRoom): StoredStub | 'full' | undefined {
  if (candidate.media !== undefined) return storeMedia(candidate, candidate.media, session);
  const { stub: earlier, tool, ok, content } = candidate;
  const stored =
    earlier === undefined
      ? storeText(candidate, session, (stub) => smallStubText(stub, content, room))
      : shrinkStub({ earlier, tool, ok, content }, session, room);
  return typeof stored === 'object' ? { ...stored, ref: { ...stored.ref, shownTokens: room.tokens } } : stored;
}

function storeText(
  { toolUseId, tool, ok, content, source: from }: StoredResult,
  { bodies }: Bodies,
  describe: (stub: Stub) => string | undefined,
): StoredStub | 'full' | undefined {
  const saved = bodies.save(content);
  if (saved === undefined) return 'full';
  const source = from === undefined ? {} : { source: from };
  const text = describe({ path: saved.path, tool, ok, ref: saved.ref, body: content, ...source });
  return text === undefined ? undefined : { ref: { toolUseId, tool, body: saved.ref, ...source }, path: saved.path, text };
}

type Shrinking = Pick<OffloadCandidate, 'tool' | 'ok' | 'content'> & { readonly earlier: StubRef };

function shrinkStub({ earlier, tool, ok, content }: Shrinking, { bodies }: Bodies, room: SmallStubRoom): StoredStub | undefined {
  const body = bodies.read(earlier.body);
  if (body === undefined) return undefined;
  const path = bodies.path(earlier.body);
  const source = earlier.source === undefined ? {} : { source: earlier.source };
  const text = smallStubText({ path, tool, ok, ref: earlier.body, body, ...source }, content, room);
  return text === undefined ? undefined : { ref: earlier, path, text, shrunk: true };
}

function storeMedia(
  { toolUseId, tool, source: from }: OffloadCandidate,
  media: NonNullable<OffloadCandidate['media']>,
  { bodies }: Bodies,
): StoredStub | 'full' {
  const saved = bodies.save(mediaBody(media.block) ?? '');
  if (saved === undefined) return 'full';
  const source = from === undefined ? {} : { source: from };
  const what = mediaName(media);
  const text = mediaStubText({ path: saved.path, what, sha256: saved.ref.sha256, ...source });
  const ref = { toolUseId, tool, body: saved.ref, ...source, media: { message: media.messageId, at: media.at, what } };
  return { ref, path: saved.path, text };
}
