import type { z } from 'zod';
import type { auditedEventSchema, compactionTriggers, pressureReasons, stopReasons, summaryMethods } from './event/event-schema.ts';
import { type Bilingual, isBilingual } from './language.ts';
import type { TodoItem } from './session/ledger.ts';
import { isObject, isString } from './value/json.ts';

export type PressureReason = (typeof pressureReasons)[number];
export type CompactionTrigger = (typeof compactionTriggers)[number];
export type SummaryMethod = (typeof summaryMethods)[number];
export type StopReason = (typeof stopReasons)[number];

/**
 * Everything that happens, in one stream; the screen, the JSON output and the audit log are folds over it. What was said, read or printed
 * is only in `text`, `thinking`, `tool_output`, `reply`, and in `diff` and `todo` of a `tool_ended`; the audit log leaves those out.
 */
export type SanbotEvent = WithTexts<WithSaid<RecordedEvent>> | UnauditedEvent;

/** As it is written down, for programs: in English. */
type RecordedEvent = Frozen<z.input<typeof auditedEventSchema>>;

/** The fields that hold a text of ours for a person: in both languages until the event is written down. */
type TextField = 'message' | 'why' | 'note';
type WithTexts<Event> = Event extends unknown
  ? { readonly [Key in keyof Event]: Key extends TextField ? InBoth<Event[Key]> : Event[Key] }
  : never;
type InBoth<Text> = Text extends string ? Bilingual : Text;

/** Events that are never in the audit log, and so have no schema to read them: what was said, and steps that only the screen shows. */
export type UnauditedEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'thinking'; readonly text: string }
  /** Lines of what a tool found or printed, for a person to see below its call, and how many there are besides. */
  | {
      readonly type: 'tool_output';
      readonly toolUseId: string;
      /** In both languages where they say why a call failed. */
      readonly lines: readonly (string | Bilingual)[];
      readonly omitted: number;
      readonly from: 'start' | 'end';
      /** How many of the lines stand before those that are left out; when undefined, all from the start and none from the end. */
      readonly first?: number;
    }
  /** How many files a call changed, and commands in the background until then; or, without one, hooks. */
  | { readonly type: 'files_changed'; readonly toolUseId?: string; readonly note: Bilingual }
  | { readonly type: 'tool_progress'; readonly tool: string; readonly text: string }
  /** Whether commands run in a sandbox, once it is known; `why` not, where the person has not chosen that. */
  | { readonly type: 'sandbox'; readonly active: boolean; readonly why?: Bilingual }
  | {
      readonly type: 'compaction_step';
      readonly step: 'snapshot' | 'archive' | 'memory' | 'summary' | 'commit';
      readonly part: number;
      readonly parts: number;
    };

export type CompactedEvent = Extract<SanbotEvent, { readonly type: 'compacted' }>;
/** Usage and cost of the requests for a summary, whether or not it was used; `costUsd` is undefined when no price is known. */
export type SummaryCost = Pick<CompactedEvent, 'usage' | 'costUsd'>;

/** An event as `read-event.ts` reads it from the audit log; it may contain words of a newer version. */
export type ReadEvent = Frozen<z.output<typeof auditedEventSchema>>;
export type ReadEventOf<Type extends ReadEvent['type']> = Extract<ReadEvent, { readonly type: Type }>;

type Frozen<Event> = Event extends unknown ? Readonly<Event> : never;
/** The audit log records that a reply came and that a file was changed, not what was said and written. */
type WithSaid<Event> = Event extends { readonly type: 'reply' }
  ? Event & { readonly text: string }
  : Event extends { readonly type: 'tool_ended' }
    ? Event & { readonly diff?: FileDiff; readonly todo?: readonly TodoItem[] }
    : Event;

/** What an edit changed in a file: the lines of a unified difference, at most some hundred of them, and how many lines it changes in all. */
export type FileDiff = {
  /** Relative to the working folder inside of it. */
  readonly path: string;
  readonly added: number;
  readonly removed: number;
  readonly text: string;
};

export type StreamEvent = InEnglish<SanbotEvent>;
type InEnglish<Event> = Event extends unknown ? { readonly [Key in keyof Event]: English<Event[Key]> } : never;
type English<Value> = Value extends Bilingual ? string : Value extends readonly (infer Item)[] ? readonly English<Item>[] : Value;

export function recordedFields(event: SanbotEvent): StreamEvent;
export function recordedFields(event: SanbotEvent): object {
  return Object.fromEntries(
    Object.entries(event).map(([key, value]) => [key, Array.isArray(value) ? value.map(inRecord) : inRecord(value)]),
  );
}

const inRecord = (value: unknown): unknown => (isBilingual(value) ? value.en : value);

/** One line of context/events.jsonl as stored; `readEvent` gives its fields their types. */
export type AuditRecord = { readonly v: 1; readonly at: string; readonly sessionId: string } & Record<string, unknown>;

/** True when a parsed line is a record of the audit log; otherwise the line is damaged. */
export const isAuditRecord = (value: unknown): value is AuditRecord =>
  isObject(value) && value.v === 1 && isString(value.at) && isString(value.sessionId);
