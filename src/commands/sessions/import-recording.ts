import { type AgentDeps, limitsOf } from '../../agent/deps.ts';
import type { Bodies, OpenedLog, SnapshotBody } from '../../agent/ports/disk.ts';
import { Session } from '../../agent/session/session.ts';
import { redactOutcome, type StoreResultDeps, storeResult } from '../../agent/turn/run-tools.ts';
import { withoutThinking } from '../../context/history/apply-record.ts';
import { createMeasure } from '../../context/measure/measure.ts';
import { sameInBoth, type Warn } from '../../domain/language.ts';
import { type BodyRef, isThinking, isToolUse } from '../../domain/session/message.ts';
import { type HeaderRecord, type NewRecord, RECORD_VERSION } from '../../domain/session/record.ts';
import type { Step, Transcript } from '../../domain/session/transcript.ts';
import { redact } from '../../domain/value/redact.ts';
import { sessionToolSpecs } from '../../runtime/conversation/session-tools.ts';
import { storeEnvironmentOf } from '../../runtime/open-store.ts';
import { freezePrompt, projectFor } from '../../runtime/prompt/render-system.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { pathsOf } from '../../store/files/paths.ts';
import { encodeRecord } from '../../store/files/record-line.ts';
import { bodyRefOf, encodeBody } from '../../store/session/bodies/body-text.ts';
import { numberedRecord } from '../../store/session/sessions.ts';
import { writeSession } from '../../store/snapshot/write-session.ts';

export type ImportResult = { readonly sessionId: string; readonly messages: number; readonly offloaded: number; readonly thinking: number };

export type RecordedFile = Transcript & { readonly file: string };

/** There whole or not at all, with SanBot's own system prompt and tools. Nothing recorded is used as a path, nor becomes a memory. */
export function importRecording(runtime: Runtime, group: string, transcript: RecordedFile): ImportResult {
  const { environment, home, store, modelName } = runtime;
  const sessionId = store.sessions.newSessionId();
  const header: HeaderRecord = {
    type: 'header',
    v: RECORD_VERSION,
    sessionId,
    group,
    cwd: environment.cwd(),
    model: modelName,
    imported: { file: transcript.file, format: transcript.format },
    context: {
      ...freezePrompt(runtime, { group, project: projectFor(runtime, modelName), model: modelName, tools: sessionToolSpecs(runtime) }),
      shortTermSummary: '',
      messages: [],
      anchorFloor: 0,
    },
  };
  const log = collectLines(header, environment.now);
  const bodies = collectBodies(runtime, sessionId);
  const measure = createMeasure(runtime.count);
  const clock = recordedClock(environment.now);
  const session = new Session(log.openedLog, bodies, { now: clock.now, newId: environment.newId, measure });
  const deps = depsOf(runtime, measure);
  const thinking = appendSteps(transcript, session, { ...deps, clock });
  if (transcript.part !== '') session.append({ type: 'title', title: redact(transcript.part) });
  const warn: Warn = (line) => runtime.show({ type: 'warning', message: line });
  writeSession({ ...storeEnvironmentOf(environment, home), warn }, pathsOf(home), {
    sessionId,
    log: log.lines,
    bodies: bodies.saved(),
    retired: [],
    title: transcript.part === '' ? undefined : transcript.part,
  });
  return { sessionId, messages: session.context.messages.length, offloaded: bodies.count(), thinking };
}

const depsOf = ({ config, model, show }: Runtime, measure: AgentDeps['measure']): StoreResultDeps => ({
  config,
  model,
  measure,
  report: {
    emit: (event) => {
      if (event.type === 'warning') show(event);
    },
  },
});

/** Returns how many thinking blocks were left out: they are signed for a request that was another's. */
function appendSteps(transcript: Transcript, session: Session, deps: StoreResultDeps & { readonly clock: RecordedClock }): number {
  let thinkingCount = 0;
  const limits = limitsOf(session, deps);
  const appendText = (type: 'user' | 'notice', text: string): void =>
    session.append({ type: 'message', message: session.message({ role: 'user', origin: type, content: [{ type: 'text', text }] }) });
  appendText('notice', importNotice(transcript));
  for (const step of transcript.steps) {
    deps.clock.set(step.at);
    if (step.type !== 'reply') appendText(step.type, step.text);
    else {
      thinkingCount += step.content.filter(isThinking).length;
      for (const message of withoutThinking([replyOf(step, session)])) session.append({ type: 'message', message });
      for (const call of step.content.filter(isToolUse)) {
        const result = step.results.find((each) => each.toolUseId === call.id);
        const said = result?.said === undefined ? {} : { said: result.said };
        const outcome = { ok: result?.ok === true, content: result?.content ?? '', note: sameInBoth(''), denied: false, ms: 0, ...said };
        storeResult(call, redactOutcome(outcome, deps), session, deps, limits);
      }
    }
  }
  return thinkingCount;
}

type RecordedClock = { readonly now: () => Date; readonly set: (at: string | undefined) => void };

/** Gives what is imported the time at which it was said, as far as that is known and over. The session itself is of today. */
function recordedClock(now: () => Date): RecordedClock {
  let recorded: Date | undefined;
  return {
    now: () => (recorded !== undefined && recorded < now() ? recorded : now()),
    set: (at) => {
      recorded = at === undefined ? undefined : new Date(at);
    },
  };
}

const replyOf = (step: Extract<Step, { type: 'reply' }>, session: Session) =>
  session.message({
    role: 'assistant',
    origin: 'model',
    content: step.content,
    stopReason: step.results.length > 0 ? 'tool_use' : 'end_turn',
  });

/** So that the model does not call tools that it no longer has, nor take old paths for present ones. */
const importNotice = ({ format, cwd }: Transcript): string =>
  `What follows was recorded with another program (${format})${cwd === undefined ? '' : `, in the folder ${cwd}`}, and imported. The calls in it were made with that program's tools; the tools there are now are those of this conversation.`;

const asImported = <R extends NewRecord>(record: R): R =>
  record.type === 'message' ? { ...record, message: { ...record.message, imported: true } } : record;

function collectLines(header: HeaderRecord, now: () => Date) {
  const lines: Uint8Array[] = [];
  let since = 0;
  const append = <R extends NewRecord>(record: R) => {
    const numbered = numberedRecord(asImported(record), { n: lines.length, at: now().toISOString() });
    const line = encodeRecord(numbered);
    lines.push(line);
    since = record.type === 'checkpoint' || record.type === 'header' ? 0 : since + line.length;
    return numbered;
  };
  append(header);
  const log = { sessionId: header.sessionId, append, bytesSinceCheckpoint: () => since, close: () => undefined };
  const openedLog: OpenedLog = { log, header, records: [], warnings: [] };
  return { openedLog, lines };
}

function collectBodies({ home, config }: Runtime, sessionId: string) {
  const bodiesByHash = new Map<string, SnapshotBody>();
  let bytes = 0;
  const path: Bodies['path'] = (ref) => pathsOf(home).body(sessionId, ref);
  const refOf: Bodies['refOf'] = (text) => bodyRefOf(encodeBody(text));
  return {
    ...{ path, refOf },
    save: (text: string) => {
      const ref = refOf(text);
      if (!bodiesByHash.has(ref.sha256)) {
        if (bytes + ref.bytes > config.offload.maxSessionBytes) return undefined;
        bytes += ref.bytes;
        bodiesByHash.set(ref.sha256, { ref, text });
      }
      return { ref, path: path(ref) };
    },
    read: (ref: BodyRef) => bodiesByHash.get(ref.sha256)?.text,
    restore: () => undefined,
    retire: () => ({ retired: 0, failed: [] }),
    saved: (): Iterable<SnapshotBody> => bodiesByHash.values(),
    count: () => bodiesByHash.size,
  };
}
