import { lstatSync } from 'node:fs';
import { addStartContext, type StartSource } from '../../agent/hooks.ts';
import type { Emit, RunHooks } from '../../agent/ports.ts';
import { type SdkSession, sdkLine } from '../../context/history/sdk-transcript.ts';
import { AbortedError } from '../../domain/errors.ts';
import { type HookEvent, type HookOutput, type HookResult, type HookSetting, readHookRun } from '../../domain/hook.ts';
import { encodeLine } from '../../store/files/json-line.ts';
import { pathsOf, type StorePaths } from '../../store/files/paths.ts';
import { unlinkIfExists } from '../../store/files/replace-file.ts';
import { rewriteLines } from '../../store/files/rewrite-lines.ts';
import { allRecords } from '../../store/session/peek-session.ts';
import { versionOf } from '../home.ts';
import { storeWorldOf } from '../open-store.ts';
import type { Setting } from '../setting.ts';
import type { Conversation } from './types.ts';

/** Unless the setting says otherwise. Leaving must not take long. */
const DEFAULT_TIMEOUT_MS: Readonly<Record<HookEvent, number>> = {
  PreCompact: 60_000,
  PostCompact: 30_000,
  SessionStart: 30_000,
  SessionEnd: 5_000,
};

/** So much of what all hooks of one moment say goes to the model. */
const MOST_TEXT = 10_000;

export type HookedSession = { readonly sessionId: string; readonly cwd: string; readonly emit: Emit };

/** The hooks of the settings for one session; undefined when there are none. */
export function hooksOf(session: HookedSession, setting: Setting): RunHooks | undefined {
  const { hooks } = setting.config;
  if (Object.values(hooks).every((commands) => commands.length === 0)) return undefined;
  return async (event, about, signal) => {
    const commands = hooks[event];
    if (commands.length === 0) return {};
    const { runHook } = await import('../../tools/command/run-hook.ts');
    const transcript = writeTranscript(session, setting);
    const { sessionId } = session;
    const { world, mode } = setting;
    const input = {
      session_id: sessionId,
      transcript_path: transcript,
      cwd: world.cwd(),
      permission_mode: mode,
      hook_event_name: event,
      ...about,
    };
    const shell = { cwd: world.cwd(), env: world.env, platform: world.platform, newId: world.newId, kill: world.kill };
    const answers: HookOutput[] = [];
    for (const given of commands) {
      const { command, timeoutMs } = settled(given, event);
      const started = world.now().getTime();
      const ran = await runHook(command, { context: shell, input, timeoutMs, signal });
      if (ran === 'aborted') throw new AbortedError('stopped');
      const answer = typeof ran === 'string' ? ran : readHookRun(ran);
      const note = typeof answer === 'string' ? answer.slice(0, 500).toWellFormed() : '';
      const ms = Math.max(0, world.now().getTime() - started);
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
    return together(answers, event, session.emit);
  };
}

const settled = (given: HookSetting, event: HookEvent): { readonly command: string; readonly timeoutMs: number } =>
  typeof given === 'string'
    ? { command: given, timeoutMs: DEFAULT_TIMEOUT_MS[event] }
    : { command: given.command, timeoutMs: given.timeoutMs ?? DEFAULT_TIMEOUT_MS[event] };

/** The first objection counts, and the last summary; texts stand behind each other. */
function together(answers: readonly HookOutput[], event: HookEvent, emit: Emit): HookResult {
  const all = answers.flatMap(({ text }) => text ?? []).join('\n\n');
  if (all.length > MOST_TEXT)
    emit({ type: 'warning', message: `What the ${event} hooks said is cut to ${MOST_TEXT} of ${all.length} characters.` });
  const blocked = answers.find((answer) => answer.blocked !== undefined)?.blocked?.slice(0, 500);
  const summary = answers.findLast((answer) => answer.summary !== undefined)?.summary;
  if (blocked !== undefined && event !== 'PreCompact')
    emit({ type: 'warning', message: `A ${event} hook objects, which has no effect then: ${blocked}` });
  return {
    ...(blocked !== undefined && { blocked }),
    ...(all !== '' && { text: all.slice(0, MOST_TEXT) }),
    ...(summary !== undefined && { summary }),
  };
}

/** The whole conversation, from the log; returns where it is. A session that is not on disk yet has none, and what fails is told. */
function writeTranscript({ sessionId, cwd, emit }: HookedSession, { world, home, store }: Setting): string {
  const paths = pathsOf(home);
  const path = paths.transcript(sessionId);
  if (lstatSync(paths.log(sessionId), { throwIfNoEntry: false }) === undefined) return path;
  try {
    const place = { sessionId, cwd, version: versionOf(world), bodyOf: store.bodies(sessionId).read };
    const disk = { ...storeWorldOf(world, home), warn: (message: string) => emit({ type: 'warning', message }) };
    rewriteLines(disk, path, transcriptLines(paths, place));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    emit({ type: 'warning', message: `The transcript for the hooks was not written: ${why}` });
  }
  return path;
}

function* transcriptLines(paths: StorePaths, place: SdkSession): Generator<Uint8Array> {
  let parent: string | null = null;
  const done = new Set<string>();
  for (const record of allRecords(paths, place.sessionId)) {
    const messages = record.type === 'message' ? [record.message] : record.type === 'header' ? record.context.messages : [];
    for (const message of messages) {
      if (done.has(message.id)) continue;
      done.add(message.id);
      yield encodeLine(sdkLine(message, parent, place));
      parent = message.id;
    }
  }
}

export type EndReason = 'prompt_input_exit' | 'clear' | 'other';

export type HookedLife = {
  /** Before each turn: runs the SessionStart hooks once, and once more after `renew`. Rejects only with store_failed. */
  readonly start: (signal: AbortSignal) => Promise<void>;
  readonly renew: (source: StartSource) => void;
  /** Runs the SessionEnd hooks of a session that was begun. Never rejects. */
  readonly end: (reason: EndReason) => Promise<void>;
};

/** When the hooks of one session run. Looking at a session and leaving again runs none. */
export function hookedLife({ session, deps }: Pick<Conversation, 'session' | 'deps'>, first: StartSource): HookedLife {
  let source: StartSource | undefined = first;
  let isBegun = false;
  return {
    start: async (signal) => {
      if (source === undefined) return;
      const from = source;
      source = undefined;
      isBegun = true;
      await addStartContext(from, session, deps, signal).catch((error: unknown) => {
        // The turn itself sees the signal, and keeps what the user said.
        if (!(error instanceof AbortedError)) throw error;
      });
    },
    renew: (again) => {
      source = again;
    },
    end: async (reason) => {
      if (isBegun) await deps.runHooks?.('SessionEnd', { reason }, new AbortController().signal);
    },
  };
}

/** It is there for hooks, as long as the session is open. */
export const removeTranscript = (home: string, sessionId: string): void => unlinkIfExists(pathsOf(home).transcript(sessionId));
