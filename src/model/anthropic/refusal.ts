import { isTransient, type Refusal, type RequestFailure, shownDetail } from '../http/failure.ts';

/** Whether the request asked the API for a summary (`asked`), or contained one (`carried`). */
export type CompactionUse = 'asked' | 'carried' | undefined;

/** Returns the answer that a refusal of this API means; undefined when it is a failure. */
export const judgeRefusal = (failure: RequestFailure, compaction: CompactionUse): Refusal | undefined =>
  isStaleThinking(failure) ? { kind: 'stale_thinking' } : compactionAnswer(failure, compaction);

/** A gateway in front of the API may know no entries of an hour, and refuses the field that asks for them. */
export const refusesHour = ({ status, text }: RequestFailure): boolean =>
  (status === 400 || status === 422) && /\bttl\b/.test(text.slice(0, 4_000));

/** The API has no code for this. Sending the same blocks again never helps. */
const isStaleThinking = ({ status, text }: RequestFailure): boolean =>
  (status === 400 || status === undefined) &&
  /(?:invalid.{0,4}signature.{0,12}thinking)|thinking.{0,80}(?:bound to a different|cannot be modified)/i.test(text.slice(0, 4_000));

/** Compaction errors have codes of their own; a server without the feature names the field, the block, or the role that comes first. */
const compactionAnswer = (failure: RequestFailure, compaction: CompactionUse): Refusal | undefined => {
  const { status, type, code = '', text } = failure;
  const refused = status === 400 || status === 422 || (status === undefined && type === 'invalid_request_error');
  if (!refused || isTransient(failure)) return undefined;
  if (compaction === 'asked') return { kind: 'no_compaction', why: shownDetail(failure), lasting: !code.startsWith('compaction_') };
  const mentionsCompaction = /compact|first message|roles? must/i.test(`${code} ${text.slice(0, 4_000)}`);
  return compaction === 'carried' && mentionsCompaction ? { kind: 'stale_compaction' } : undefined;
};
