import { setValue } from '../../domain/config/config-text.ts';
import type { ThemeName } from '../../domain/config/settings/program.ts';
import { AbortedError } from '../../domain/errors.ts';
import type { Warn } from '../../domain/language.ts';
import { openRuntime } from '../../runtime/conversation/open-runtime.ts';
import { appendedPrompt } from '../../runtime/conversation/structured-answer.ts';
import type { Environment, ProcessControl } from '../../runtime/environment.ts';
import { groupOf, versionOf } from '../../runtime/home.ts';
import { NO_CAP, openStore, storeEnvironmentOf } from '../../runtime/open-store.ts';
import { createIdleTime, type Runtime } from '../../runtime/runtime.ts';
import type { Settings } from '../../runtime/settings.ts';
import { editUserConfig } from '../../store/config-file.ts';
import type { InputHistory } from '../../store/store.ts';
import { createRepl } from '../../terminal/repl/repl.ts';
import type { ReplIo } from '../../terminal/repl/types.ts';
import { createTheme } from '../../terminal/text/theme.ts';
import { learnedText } from '../../terminal/views/memory-text.ts';
import type { CommandContext } from '../command.ts';
import { settingsAfterSandbox } from '../config/ask-sandbox.ts';
import { readSettingsWithTrust } from '../config/ask-trust.ts';
import { settingsAfterOffer } from '../models/first-start.ts';
import { type Syncing, startSync } from './auto-sync.ts';
import { type Chat, type ChatStart, openChat } from './chat.ts';
import { type ChatOptions, isPlainTerminal } from './chat-options.ts';
import { inputHistoryLine, parseInputHistory } from './input-history.ts';
import { resolveSession, waitForSession } from './resolve-session.ts';

/** A conversation with a person at a terminal. Resolves with the exit code. */
export async function runInteractive(options: ChatOptions, context: CommandContext): Promise<number> {
  const { environment, io } = context;
  const settings = await settingsAfterQuestions(options, context);
  // What is printed beside the drawn rows is drawn over: all that comes later goes through them.
  let tell: Warn = io.warn;
  const warn: Warn = (message) => tell(message);
  const { inputHistory } = openStore(environment, settings.home, { maxSessionBytes: NO_CAP, warn });
  const isPlain = isPlainTerminal(options, environment);
  const idle = createIdleTime(environment.now);
  const repl = createRepl({
    ...{ input: environment.stdin, output: environment.stdout },
    colour: io.colour && options.plain !== true,
    theme: createTheme(settings.config.ui.theme, environment.env, keepTheme(settings, environment, warn)),
    ...{ dumb: isPlain, version: versionOf(environment), first: options.message, history: typedHistory(inputHistory) },
    edit: async (text) => (await import('./editor.ts')).editText(environment, text),
    clipboardImage: async () => (await import('./clipboard.ts')).clipboardImage(environment, runtime.givenFiles),
    suspend: () => idle.during(() => suspend(environment)),
    ...{ now: environment.now, retentionDays: settings.config.compaction.snapshotRetentionDays },
  });
  tell = (message) => repl.onEvent({ type: 'warning', message });
  let hasLeft = false;
  const group = groupOf(environment, options);
  const sync = await startSync(settings, environment, { warn, repeats: true });
  const runtime = sync.over(
    await openRuntime(environment, {
      ...{ settings, group, onlyTrustedInstructions: true, interactive: true },
      ...{ mode: options.permissionMode, allowed: options.allowed, rules: options.rules },
      addFolders: options.addDir ?? [],
      appendSystem: appendedPrompt(options, environment),
      fallbackModel: options.fallbackModel,
      maxCostUsd: options.maxCost,
      maxTurnSeconds: options.maxTurnSeconds,
      idle,
      ...{ askPermission: repl.askPermission, confirm: repl.confirm, askPerson: repl.askPerson, askPlan: repl.askPlan },
      show: (event) => {
        // Whoever leaves has been told before of the commands that are ended then.
        if (!(hasLeft && event.type === 'jobs_ended')) repl.onEvent(event);
      },
      warn,
    }),
  );
  const chat = await openFoundChat(runtime, { ...options, plain: isPlain }, { sync, settings, group, warn });
  environment.onSignal('SIGINT', repl.interrupt);
  // However the program ends, the terminal is given back as it was.
  environment.onExit(repl.restore);
  const [killed, leaving] = [untilKilled(environment), new AbortController()];
  void prepareBehindPrompt(runtime, chat, leaving.signal);
  try {
    const code = await unlessKilled(repl.run(chat), killed, (work) => stopFirst(work, repl.end, environment));
    hasLeft = true;
    await unlessKilled(chat.reflect(), killed, async () => undefined);
    return code;
  } finally {
    leaving.abort();
    repl.restore();
    await chat.close('prompt_input_exit');
    io.out(learnedText(chat.memory.learned(), io.columns));
    await runtime.mcp.close().finally(sync.end);
  }
}

type Opening = Pick<ChatStart, 'settings' | 'group'> & { readonly sync: Syncing; readonly warn: Warn };

async function openFoundChat(runtime: Runtime, options: ChatOptions, { sync, settings, group, warn }: Opening): Promise<Chat> {
  const { model, effort, name, sessionId: newId } = options;
  const { chat, resume } = await waitForSession(options, runtime, async () => {
    const found = await resolveSession(runtime, await sync.find(options, runtime), warn);
    return { chat: openChat(runtime, { ...{ group, resume: found, newId, model, effort, settings } }), resume: found };
  }).catch(sync.failed);
  if (name !== undefined && resume === undefined) chat.sessions.rename(name);
  return chat;
}

const keepTheme =
  ({ home }: Settings, environment: CommandContext['environment'], warn: Warn) =>
  (name: ThemeName): void =>
    editUserConfig({ ...storeEnvironmentOf(environment, home), warn }, home, (text) => setValue(text, 'ui.theme', name));

/** What a start may have to ask: whether to trust the folder, which model to work with, and whether commands in the sandbox need a yes. */
async function settingsAfterQuestions(options: ChatOptions, context: CommandContext): Promise<Settings> {
  const offered = await settingsAfterOffer(await readSettingsWithTrust(options, context), options, context);
  return settingsAfterSandbox(offered, options, context);
}

/** Until then the prompt stands, and nobody has typed a message yet. */
const BEHIND_PROMPT_MS = 50;

/** What the first message needs is made ready while it is typed: what is to be told of the window, and the sandbox. */
async function prepareBehindPrompt(
  { environment, sandbox }: Runtime,
  { checkWindow }: Pick<Chat, 'checkWindow'>,
  leaving: AbortSignal,
): Promise<void> {
  await environment.sleep(BEHIND_PROMPT_MS, leaving).catch(() => undefined);
  if (leaving.aborted) return;
  checkWindow();
  void sandbox();
}

/** What was typed in earlier conversations, and what is typed in this one. */
const typedHistory = (inputLog: InputHistory): ReplIo['history'] => ({
  load: () => parseInputHistory(inputLog.load()),
  save: (message) => {
    const line = inputHistoryLine(message);
    if (line !== undefined) inputLog.append(line);
  },
});

/**
 * Ctrl-Z: stops the whole group of processes, since the shell waits for the first of them, which may be npm. Goes on when the shell says so;
 * also at once where there is no shell that could.
 */
async function suspend({ kill, sleep }: Environment): Promise<void> {
  kill(0, 'SIGTSTP');
  await sleep(0, new AbortController().signal);
}

/** A closed terminal or a kill ends the program like leaving it: everything is on disk already. */
const untilKilled = ({ onSignal }: ProcessControl): Promise<NodeJS.Signals> =>
  new Promise((resolve) => {
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) onSignal(signal, () => resolve(signal));
  });

/** Settles as the work does. After a kill it rejects with AbortedError once `stop` has resolved, which is given the work. */
async function unlessKilled<T>(
  work: Promise<T>,
  killed: Promise<NodeJS.Signals>,
  stop: (work: Promise<unknown>) => Promise<void>,
): Promise<T> {
  const first = await Promise.race([work.then((value) => ({ value })), killed]);
  if (typeof first !== 'string') return first.value;
  await stop(work);
  throw new AbortedError(`ended by ${first}`);
}

/** Commands get two seconds between the two signals that end them. */
const MOST_STOP_MS = 4_000;

/** A command that is stopped cleans up what its sandbox laid over the folder. */
async function stopFirst(work: Promise<unknown>, end: () => void, { sleep }: Environment): Promise<void> {
  const waiting = new AbortController();
  end();
  await Promise.race([work.catch(() => undefined), sleep(MOST_STOP_MS, waiting.signal)]);
  waiting.abort();
}
