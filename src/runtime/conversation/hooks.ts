import { lstatSync } from 'node:fs';
import { addStartContext, type StartSource } from '../../agent/hooks.ts';
import type { Emit } from '../../agent/ports/effects.ts';
import type { RunHooks } from '../../agent/ports/tools.ts';
import { type SdkSession, sdkLine } from '../../context/history/sdk-transcript.ts';
import { AbortedError } from '../../domain/errors.ts';
import { type HookEvent, type HookOutput, type HookResult, type HookSetting, readHookRun } from '../../domain/hook.ts';
import { redact } from '../../domain/value/redact.ts';
import { unlinkIfExists } from '../../store/files/atomic-write.ts';
import { encodeLine } from '../../store/files/json-line.ts';
import { pathsOf, type StorePaths } from '../../store/files/paths.ts';
import { rewriteLines } from '../../store/files/rewrite-lines.ts';
import { allRecords } from '../../store/session/peek-session.ts';
import { versionOf } from '../home.ts';
import { storeEnvironmentOf } from '../open-store.ts';
import type { Runtime } from '../runtime.ts';
import type { Conversation, EndReason } from './types.ts';

/** Unless the setting says otherwise. Leaving must not take long. */
const DEFAULT_TIMEOUT_MS: Readonly<Record<HookEvent, number>> = {
  PreCompact: 60_000,
  PostCompact: 30_000,
  SessionStart: 30_000,
  SessionEnd: 5_000,
};

/** So much of what all hooks of one moment say goes to the model. */
const MAX_TEXT_CHARS = 10_000;

export type HookSession = { readonly sessionId: string; readonly cwd: string; readonly emit: Emit };

/** The hooks of the settings for one session; undefined when there are none. */
export function createHookRunner(session: HookSession, runtime: Runtime): RunHooks | undefined {
  const { hooks } = runtime.config;
  if (Object.values(hooks).every((commands) => commands.length === 0)) return undefined;
  return async (event, details, signal) => {
    const commands = hooks[event];
    if (commands.length === 0) return {};
    const { runHook } = await import('../../tools/command/run-hook.ts');
    const transcript = writeTranscript(session, runtime);
    const { sessionId } = session;
    const { environment, mode } = runtime;
    const input = {
      session_id: sessionId,
      transcript_path: transcript,
      cwd: environment.cwd(),
      permission_mode: mode,
      hook_event_name: event,
      ...details,
    };
    const shell = {
      cwd: environment.cwd(),
      env: environment.env,
      environmentRules: runtime.config.commands.environment,
      platform: environment.platform,
      newId: environment.newId,
      kill: environment.kill,
    };
    const answers: HookOutput[] = [];
    for (const hookSetting of commands) {
      const { command, timeoutMs } = resolveHook(hookSetting, event);
      const started = environment.now().getTime();
      const outcome = await runHook(command, { context: shell, input, timeoutMs, signal });
      if (outcome === 'aborted') throw new AbortedError('stopped');
      const answer = typeof outcome === 'string' ? outcome : readHookRun(outcome);
      const note = typeof answer === 'string' ? answer.slice(0, 500).toWellFormed() : '';
      const ms = Math.max(0, environment.now().getTime() - started);
      session.emit({
        type: 'hook_ran',
        hook: event,
        command: command.slice(0, 200).toWellFormed(),
        ok: typeof answer !== 'string',
        note,
        ms,
      });
      if (typeof answer === 'string') continue;
      if (answer.message !== undefined) session.emit({ type: 'warning', message: `${event} hook: ${answer.message.slice(0, 500)}` });
      answers.push(answer);
    }
    return redacted(mergeAnswers(answers, event, session.emit), runtime.config.agent.redactSecrets);
  };
}

const resolveHook = (hookSetting: HookSetting, event: HookEvent): { readonly command: string; readonly timeoutMs: number } =>
  typeof hookSetting === 'string'
    ? { command: hookSetting, timeoutMs: DEFAULT_TIMEOUT_MS[event] }
    : { command: hookSetting.command, timeoutMs: hookSetting.timeoutMs ?? DEFAULT_TIMEOUT_MS[event] };

/** The first objection counts, and the last summary; texts stand behind each other. */
function mergeAnswers(answers: readonly HookOutput[], event: HookEvent, emit: Emit): HookResult {
  const joinedTexts = answers.flatMap(({ text }) => text ?? []).join('\n\n');
  if (joinedTexts.length > MAX_TEXT_CHARS)
    emit({
      type: 'warning',
      message: `The output of the ${event} hooks was cut to ${MAX_TEXT_CHARS} of ${joinedTexts.length} characters.`,
    });
  const blocked = answers.find((answer) => answer.blocked !== undefined)?.blocked?.slice(0, 500);
  const summary = answers.findLast((answer) => answer.summary !== undefined)?.summary;
  if (blocked !== undefined && event !== 'PreCompact')
    emit({ type: 'warning', message: `A ${event} hook tried to block, which has no effect at that point: ${blocked}` });
  return {
    ...(blocked !== undefined && { blocked }),
    ...(joinedTexts !== '' && { text: joinedTexts.slice(0, MAX_TEXT_CHARS) }),
    ...(summary !== undefined && { summary }),
  };
}

/** The whole conversation, from the log; returns where it is. A session that is not on disk yet has none, and what fails is told. */
function writeTranscript({ sessionId, cwd, emit }: HookSession, { environment, home, store }: Runtime): string {
  const paths = pathsOf(home);
  const path = paths.transcript(sessionId);
  if (lstatSync(paths.log(sessionId), { throwIfNoEntry: false }) === undefined) return path;
  try {
    const place = { sessionId, cwd, version: versionOf(environment), bodyOf: store.bodies(sessionId).read };
    const disk = { ...storeEnvironmentOf(environment, home), warn: (message: string) => emit({ type: 'warning', message }) };
    rewriteLines(disk, path, transcriptLines(paths, place));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    emit({ type: 'warning', message: `The transcript for the hooks was not written: ${why}` });
  }
  return path;
}

function* transcriptLines(paths: StorePaths, place: SdkSession): Generator<Uint8Array> {
  let parent: string | null = null;
  const seenIds = new Set<string>();
  for (const record of allRecords(paths, place.sessionId)) {
    const messages = record.type === 'message' ? [record.message] : record.type === 'header' ? record.context.messages : [];
    for (const message of messages) {
      if (seenIds.has(message.id)) continue;
      seenIds.add(message.id);
      yield encodeLine(sdkLine(message, parent, place));
      parent = message.id;
    }
  }
}

/** What a hook printed goes to the model, to the disk and to the screen, like the result of a tool. */
function redacted(result: HookResult, redactSecrets: boolean): HookResult {
  if (!redactSecrets) return result;
  const { blocked, text, summary } = result;
  return {
    ...(blocked !== undefined && { blocked: redact(blocked) }),
    ...(text !== undefined && { text: redact(text) }),
    ...(summary !== undefined && { summary: redact(summary) }),
  };
}

export type SessionHooks = {
  /** Before each turn: runs the SessionStart hooks once, and once more after `renew`. Rejects only with store_failed. */
  readonly start: (signal: AbortSignal) => Promise<void>;
  readonly renew: (source: StartSource) => void;
  /** Runs the SessionEnd hooks of a session that was begun. Never rejects. */
  readonly end: (reason: EndReason) => Promise<void>;
};

/** When the hooks of one session run. Looking at a session and leaving again runs none. */
export function createSessionHooks({ session, deps }: Pick<Conversation, 'session' | 'deps'>, initialSource: StartSource): SessionHooks {
  let source: StartSource | undefined = initialSource;
  let hasStarted = false;
  return {
    start: async (signal) => {
      if (source === undefined) return;
      const from = source;
      source = undefined;
      hasStarted = true;
      await addStartContext(from, session, deps, signal).catch((error: unknown) => {
        // The turn itself sees the signal, and keeps what the user said.
        if (!(error instanceof AbortedError)) throw error;
      });
    },
    renew: (nextSource) => {
      source = nextSource;
    },
    end: async (reason) => {
      if (hasStarted) await deps.person.runHooks?.('SessionEnd', { reason }, new AbortController().signal);
    },
  };
}

/** It is there for hooks, as long as the session is open. */
export const removeTranscript = (home: string, sessionId: string): void => unlinkIfExists(pathsOf(home).transcript(sessionId));
