import { warn } from '../../../agent/deps.ts';
import type { RunHooks } from '../../../agent/ports/tools.ts';
import { endAct, orWarnLater } from '../../../agent/turn/record-changes.ts';
import { changedFilesText } from '../../../context/history/changes-text.ts';
import { environmentRules } from '../../../domain/config/command-environment.ts';
import { AbortedError } from '../../../domain/errors.ts';
import { commandsIn, type HookCommand, type HookEvent, matchedField, matches } from '../../../domain/hook/hook.ts';
import { type HookOutput, type HookResult, mergeAnswers, readHookRun } from '../../../domain/hook/hook-answer.ts';
import { type HookCall, namesOfTool, ownInput, sdkInput, sdkModes, sdkNameOf } from '../../../domain/hook/sdk-tools.ts';
import { type Bilingual, isBilingual, sameInBoth } from '../../../domain/language.ts';
import { isObject, isString, mapStrings } from '../../../domain/value/json.ts';
import { cutOutsideSecrets, redact } from '../../../domain/value/redact.ts';
import { scrubEnv } from '../../../tools/command/scrub-env.ts';
import type { Runtime } from '../../runtime.ts';
import { createHookTranscript, type HookOwner, type HookSession } from './hook-transcript.ts';

/** So much of what all hooks of one moment say goes to the model. */
const MAX_TEXT_CHARS = 10_000;
/** So much of a reason is shown to a person. */
const MAX_REASON_CHARS = 500;
/** Where the model works with the reason of an objection. */
const OBJECTS_TO_MODEL: ReadonlySet<HookEvent> = new Set(['PreToolUse', 'PostToolUse', 'Stop']);
const CAN_BLOCK: ReadonlySet<HookEvent> = new Set([...OBJECTS_TO_MODEL, 'PreCompact', 'UserPromptSubmit']);

type Payload = Readonly<Record<string, unknown>>;

/** The hooks of the settings for one session; undefined when there are none. */
export function createHookRunner(session: HookOwner, runtime: Runtime): RunHooks | undefined {
  const { hooks } = runtime.config;
  if (Object.values(hooks).every((commands) => commands.length === 0)) return undefined;
  const writeTranscript = createHookTranscript(session, runtime);
  // Nobody waits for a notification, but the session does not end before it is out.
  let notifications: Promise<unknown> = Promise.resolve();
  const run: RunHooks = async (event, payload, signal) => {
    const names = matchedNames(event, payload);
    const commands: HookCommand[] = [];
    for (const command of commandsIn(hooks[event], event)) if (await matches(command.matcher, names)) commands.push(command);
    if (commands.length === 0) return {};
    const answer = (): Promise<HookResult> => runAll({ event, commands, payload, transcript: writeTranscript() }, session, runtime, signal);
    return recordHooks({ event, commands }, session, runtime, answer);
  };
  return async (event, payload, signal) => {
    if (event === 'SessionEnd') await notifications;
    const running = run(event, payload, signal);
    if (event === 'Notification') notifications = Promise.allSettled([notifications, running]);
    return running;
  };
}

type Moment = {
  readonly event: HookEvent;
  readonly commands: readonly HookCommand[];
  readonly payload: Payload;
  readonly transcript: string;
};

/** Where what the hooks say goes to the model beside the result of a call. */
const AROUND_CALLS: ReadonlySet<HookEvent> = new Set(['PreToolUse', 'PostToolUse']);

/**
 * Runs the hooks of one moment so that what they change can be undone, as one act; those that only read, by their settings, as they are.
 * What they changed is shown to the person and, around a call, to the model.
 */
async function recordHooks(
  { event, commands }: Pick<Moment, 'event' | 'commands'>,
  { acts, emit, cwd }: HookOwner,
  { environment }: Runtime,
  run: () => Promise<HookResult>,
): Promise<HookResult> {
  const changing = commands.filter(({ onlyReads }) => !onlyReads);
  if (changing.length === 0) return run();
  const deps = { disk: { acts }, report: { emit } };
  const id = `hook-${environment.newId()}`;
  const title = `${event}: ${changing.map(({ command }) => command).join('; ')}`;
  const begun = await orWarnLater(() => acts.begin({ cwd, id, title, names: () => [] }), deps);
  let result: HookResult | undefined;
  try {
    result = await run();
  } finally {
    const set = endAct(begun, undefined, cwd, deps);
    const changed = set && changedFilesText([set], cwd, set);
    if (changed !== undefined) {
      emit({ type: 'files_changed', note: { en: `${event} hook: ${changed.note.en}`, zh: `${event} 钩子：${changed.note.zh}` } });
      if (result !== undefined && AROUND_CALLS.has(event))
        result = { ...result, text: [...(result.text === undefined ? [] : [result.text]), changed.text].join('\n') };
    }
  }
  return result;
}

/** One after the other: a hook is told of the call as those before it have changed it. */
async function runAll({ event, commands, payload, transcript }: Moment, session: HookSession, runtime: Runtime, signal: AbortSignal) {
  const answers: HookOutput[] = [];
  let call = callIn(payload);
  for (const command of commands) {
    const input = hookInput(event, { payload, call, transcript }, session, runtime);
    const answer = await runOne({ event, command, input, signal }, session, runtime);
    if (answer === undefined) continue;
    if (call !== undefined && answer.input !== undefined) call = { ...call, input: ownInput(answer.input, call, cwdOf(runtime)) };
    answers.push(answer.input === undefined || call === undefined ? answer : { ...answer, input: call.input });
  }
  return bounded(redacted(mergeAnswers(answers, event), runtime.config.agent.redactSecrets), event, session);
}

const cwdOf = ({ environment }: Runtime): string => environment.cwd();

/** What the matchers of this event are compared with: of a tool, both names. */
function matchedNames(event: HookEvent, payload: Payload): readonly string[] {
  const field = matchedField(event);
  const value = field === undefined ? undefined : payload[field];
  if (!isString(value)) return [];
  return field === 'tool_name' ? namesOfTool(value) : [value];
}

const callIn = ({ tool_name, tool_input }: Payload): HookCall | undefined =>
  isString(tool_name) ? { tool: tool_name, input: isObject(tool_input) ? tool_input : {} } : undefined;

type Told = { readonly payload: Payload; readonly call: HookCall | undefined; readonly transcript: string };

/** A tool has its own name in a field of ours, beside the one that hooks for the SDK know. */
const hookInput = (event: HookEvent, { payload, call, transcript }: Told, { sessionId }: HookSession, runtime: Runtime): Payload => ({
  session_id: sessionId,
  transcript_path: transcript,
  cwd: cwdOf(runtime),
  permission_mode: sdkModes[runtime.modes.current()],
  hook_event_name: event,
  ...payload,
  ...(call !== undefined && {
    tool_name: sdkNameOf(call.tool),
    sanbot_tool_name: call.tool,
    tool_input: sdkInput(call, cwdOf(runtime)),
  }),
});

type OneRun = {
  readonly event: HookEvent;
  readonly command: HookCommand;
  readonly input: Payload;
  readonly signal: AbortSignal;
};

/** What one command answered; undefined, and told, when it failed. */
async function runOne({ event, command: { command, timeoutMs }, input, signal }: OneRun, { emit }: HookSession, runtime: Runtime) {
  const { environment } = runtime;
  const { runHook } = await import('../../../tools/command/run-hook.ts');
  environment.hide?.(scrubEnv(environment.env, environmentRules(runtime.config)).withheld);
  const shell = {
    cwd: environment.cwd(),
    env: environment.env,
    environmentRules: environmentRules(runtime.config),
    platform: environment.platform,
    newId: environment.newId,
    kill: environment.kill,
  };
  const started = environment.now().getTime();
  const outcome = await runHook(command, { context: shell, input, timeoutMs, signal });
  if (outcome === 'aborted') throw new AbortedError('stopped');
  const answer = isBilingual(outcome) ? outcome : readHookRun(outcome, event);
  const failure = isBilingual(answer) ? answer : undefined;
  emit({
    type: 'hook_ran',
    hook: event,
    command: cut(redact(command), 200),
    ok: failure === undefined,
    note: failure === undefined ? sameInBoth('') : { en: cut(failure.en, MAX_REASON_CHARS), zh: cut(failure.zh, MAX_REASON_CHARS) },
    ms: Math.max(0, environment.now().getTime() - started),
  });
  if (isBilingual(answer)) return undefined;
  if (answer.message !== undefined) warn(emit, hookSays(event, cut(answer.message, MAX_REASON_CHARS)));
  return answer;
}

const hookSays = (event: HookEvent, message: string): Bilingual => ({ en: `${event} hook: ${message}`, zh: `${event} 钩子：${message}` });

const cut = (text: string, chars: number): string => text.slice(0, cutOutsideSecrets(text, chars)).toWellFormed();

/** As much of what hooks say as goes on; what is cut or has no effect is told. */
function bounded(result: HookResult, event: HookEvent, { emit }: HookSession): HookResult {
  const { text, blocked, reason, ends, ...rest } = result;
  if (text !== undefined && text.length > MAX_TEXT_CHARS)
    warn(emit, {
      en: `The output of the ${event} hooks was cut to ${MAX_TEXT_CHARS} of ${text.length} characters.`,
      zh: `${event} 钩子的输出从 ${text.length} 个字符截断为 ${MAX_TEXT_CHARS} 个。`,
    });
  const why = blocked === undefined ? undefined : cut(blocked, OBJECTS_TO_MODEL.has(event) ? MAX_TEXT_CHARS : MAX_REASON_CHARS);
  if (why !== undefined && !CAN_BLOCK.has(event))
    warn(emit, {
      en: `A ${event} hook tried to block, which has no effect at that point: ${cut(why, MAX_REASON_CHARS)}`,
      zh: `一个 ${event} 钩子试图阻止，但此时阻止不起作用：${cut(why, MAX_REASON_CHARS)}`,
    });
  return {
    ...rest,
    ...(text !== undefined && { text: cut(text, MAX_TEXT_CHARS) }),
    ...(why !== undefined && { blocked: why }),
    ...(reason !== undefined && { reason: cut(reason, MAX_REASON_CHARS) }),
    ...(ends !== undefined && { ends: cut(ends, MAX_REASON_CHARS) }),
  };
}

/** What a hook printed goes to the model, to the disk and to the screen, like the result of a tool. An input that it gives is run as it is. */
function redacted(result: HookResult, redactSecrets: boolean): HookResult {
  if (!redactSecrets) return result;
  const { input, ...rest } = result;
  return { ...mapStrings(rest, redact), input };
}
