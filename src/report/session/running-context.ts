import { createContextFold } from '../../context/history/apply-record.ts';
import { type Measure, SEED_RATIO } from '../../context/measure/measure.ts';
import { activePruning, applyPruning } from '../../context/offload/prune.ts';
import type { SessionContext } from '../../domain/session/context.ts';
import type { Message, PruneRecord } from '../../domain/session/message.ts';
import type { LogRecord } from '../../domain/session/record.ts';
import { addToParts, type ContextSize, measureContext, rawParts, sizeOf } from './report-size.ts';

/** A context that grows by the records of its log, and what it weighs. */
export type RunningContext = {
  readonly apply: (record: LogRecord) => void;
  readonly context: () => SessionContext;
  /** What it weighs as it stands. */
  readonly size: () => ContextSize;
  /** What another one would weigh in its place. */
  readonly sizeOf: (context: SessionContext) => ContextSize;
  /** What the request weighed that this reply, the next message, answers. */
  readonly sizeBefore: (reply: Message) => ContextSize;
};

/** Weighs only what a record adds, so that a long session takes time for its records and not for their squares. */
export function createRunningContext(measure: Measure): RunningContext {
  const fold = createContextFold({ system: '', shortTermSummary: '', tools: [], messages: [], anchorFloor: 0 });
  const scale = { measure, ratio: SEED_RATIO };
  /** Undefined when all of it has to be weighed anew. */
  let parts: number[] | undefined;
  /** What is left out on the wire since the last change of the context. */
  let pruned: PruneRecord | undefined;
  const partsNow = (): number[] => {
    parts ??= rawParts(fold.context(), measure);
    return parts;
  };
  return {
    context: fold.context,
    size: () => sizeOf(scale, partsNow(), undefined),
    sizeOf: (context) => measureContext(scale, context, undefined),
    sizeBefore: (reply) => {
      pruned = reply.pruned ?? pruned;
      if (pruned !== undefined) return measureContext(scale, applyPruning(fold.context(), pruned), reply.usage);
      return sizeOf(scale, partsNow(), reply.usage);
    },
    apply: (record) => {
      fold.apply(record);
      if (record.type === 'message' && parts !== undefined) addToParts(parts, record.message, measure);
      if (record.type === 'header' || record.type === 'checkpoint') pruned = activePruning(record.context);
      if (record.type === 'offload' || record.type === 'model') pruned = undefined;
      if (record.type === 'header' || record.type === 'checkpoint' || record.type === 'offload') parts = undefined;
    },
  };
}
