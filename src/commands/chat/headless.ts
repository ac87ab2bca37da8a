import { warnOfWindow } from '../../agent/deps.ts';
import { AbortedError, errorKinds, SanbotError } from '../../domain/errors.ts';
import { holdEvents, openLiveConversation, openRuntime } from '../../runtime/conversation/open-runtime.ts';
import { type AnswerSchema, appendedPrompt, readAnswerSchema, sayStructured } from '../../runtime/conversation/structured-answer.ts';
import type { LiveConversation } from '../../runtime/conversation/types.ts';
import type { Environment, ProcessControl } from '../../runtime/environment.ts';
import { groupOf } from '../../runtime/home.ts';
import type { IoStreams } from '../../runtime/io-streams.ts';
import type { Runtime } from '../../runtime/runtime.ts';
import { readSettings } from '../../runtime/settings.ts';
import { createJsonOutput } from '../../terminal/screen/json-output.ts';
import { createStreamedOutput, createTextOutput } from '../../terminal/screen/text-output.ts';
import { exitCodeOf } from '../../terminal/text/error-text.ts';
import type { CommandContext } from '../command.ts';
import { instructionsNotice } from '../config/trust-text.ts';
import { startSync } from './auto-sync.ts';
import type { ChatOptions } from './chat-options.ts';
import { resolveSession, waitForSession } from './resolve-session.ts';
import { resolvePrompt } from './stdin-prompt.ts';
import { readStreamInput, type StreamInput } from './stream-input.ts';
import { flagFor } from './tool-flags.ts';
import { expandTyped } from './typed-command.ts';

/** One turn without a person: the answer on stdout, all else on stderr. Resolves with the exit code. */
export async function runHeadless(options: ChatOptions, { environment, io }: CommandContext): Promise<number> {
  let hasStarted = false;
  try {
    return await runHeadlessTurn(environment, options, {
      io,
      onStart: () => {
        hasStarted = true;
      },
    });
  } catch (error) {
    // A program that reads JSON gets its object also when there was no turn, and so no session.
    if (!hasStarted && options.outputFormat !== 'text') createOutput(environment, { ...options, sessionId: '', io }).finish(error);
    throw error;
  }
}

type HeadlessOptions = { readonly io: IoStreams; readonly onStart: () => void };

async function runHeadlessTurn(environment: Environment, options: ChatOptions, { io, onStart }: HeadlessOptions): Promise<number> {
  const settings = readSettings(environment, options);
  const onlyTrustedInstructions = options.permissionMode === 'bypass';
  for (const notice of [...settings.notices, ...instructionsNotice(settings.trust, { areRead: !onlyTrustedInstructions })]) io.warn(notice);
  const isStream = options.inputFormat === 'stream-json';
  const schema = options.jsonSchema === undefined ? undefined : await readAnswerSchema(options.jsonSchema, environment.cwd());
  const prompt = isStream ? '' : await resolvePrompt(environment, { argument: options.message, warn: io.warn });
  if (!isStream && prompt.trim() === '')
    throw new SanbotError('usage', { en: 'The prompt is empty, and so is stdin', zh: '提示词为空，标准输入也为空' });
  let onEvent: TurnOutput['onEvent'] = () => undefined;
  let onDenied: NonNullable<TurnOutput['onDenied']> = () => undefined;
  const group = groupOf(environment, options);
  const sync = await startSync(settings, environment, io);
  const opened = await openRuntime(environment, {
    ...{ settings, group },
    onlyTrustedInstructions,
    mode: options.permissionMode,
    allowed: options.allowed,
    rules: options.rules,
    addFolders: options.addDir ?? [],
    appendSystem: appendedPrompt(options, environment),
    fallbackModel: options.fallbackModel,
    maxCostUsd: options.maxCost,
    maxTurnSeconds: options.maxTurnSeconds,
    askPermission: async ({ tool, title, offers }) => {
      onDenied({ title, allow: flagFor(tool, offers) });
      return 'nobody';
    },
    confirm: async () => true,
    show: (event) => onEvent(event),
    warn: io.warn,
  });
  const runtime = sync.over(opened);
  const said = await expandTyped(prompt, runtime);
  const { model, effort } = options;
  const events = holdEvents();
  onEvent = events.show;
  const conversation = await waitForSession(options, runtime, async () => {
    const resume = await resolveSession(runtime, await sync.find(options, runtime), io.warn);
    return openLiveConversation(runtime, { group, resume, newId: options.sessionId, model, effort });
  }).catch(sync.failed);
  if (options.name !== undefined && !conversation.resumed)
    (await import('./name-session.ts')).nameSession(conversation, runtime, options.name);
  const output = createOutput(environment, { ...options, sessionId: conversation.session.id, io });
  onStart();
  onDenied = output.onDenied ?? onDenied;
  events.release(output.onEvent);
  try {
    // A session that is continued has been told.
    if (!conversation.resumed) warnOfWindow(conversation.session, conversation.deps);
    const asked = withSchema(conversation, schema, output);
    return await (isStream ? runStream(withTyped(asked, runtime), output, environment) : runOnce(said, asked, output, environment));
  } finally {
    await runtime.mcp.close();
    await sync.end();
  }
}

/** The same conversation, in which each answer is to be of the schema. */
const withSchema = (conversation: LiveConversation, schema: AnswerSchema | undefined, { onStructured }: TurnOutput): LiveConversation =>
  schema === undefined
    ? conversation
    : {
        ...conversation,
        say: (text, signal, nextQueued, media) =>
          sayStructured(text, schema, {
            say: (each) => conversation.say(each, signal, nextQueued, media),
            onValue: (value) => onStructured?.(value),
          }),
      };

/** The same conversation, in which a message may be the name of a command. */
const withTyped = (conversation: LiveConversation, runtime: Runtime): LiveConversation => ({
  ...conversation,
  say: async (text, signal, nextQueued, media) => conversation.say(await expandTyped(text, runtime), signal, nextQueued, media),
});

async function runOnce(prompt: string, conversation: LiveConversation, output: TurnOutput, environment: Environment): Promise<number> {
  const stop = new AbortController();
  const secondSignal = rejectOnSecondSignal(environment, stop);
  try {
    const turn = await Promise.race([conversation.say(prompt, stop.signal), secondSignal]);
    await Promise.race([conversation.reflect(), secondSignal]);
    await conversation.end('other');
    output.finish();
    return turn.stopReason === 'interrupted' ? INTERRUPTED : 0;
  } catch (error) {
    await conversation.end('other');
    output.finish(error);
    throw error;
  }
}

/** Turn after turn, each with its own result, until the input ends or a signal comes. Resolves with the exit code of the last. */
async function runStream(conversation: LiveConversation, output: TurnOutput, environment: Environment): Promise<number> {
  const ended = new AbortController();
  const secondSignal = rejectOnSecondSignal(environment, ended);
  let stop = new AbortController();
  const input = readStreamInput(environment.stdin, () => stop.abort());
  ended.signal.addEventListener('abort', () => {
    input.stop();
    stop.abort();
  });
  let code = 0;
  try {
    for (let text = await input.next(); text !== undefined; text = await Promise.race([input.next(), secondSignal])) {
      stop = new AbortController();
      code = await Promise.race([runStreamed(text, { conversation, output, input, signal: stop.signal }), secondSignal]);
    }
    await Promise.race([conversation.reflect(), secondSignal]);
  } catch (error) {
    output.finish(error);
    throw error;
  } finally {
    await conversation.end('other');
  }
  return ended.signal.aborted ? INTERRUPTED : code;
}

type Streamed = {
  readonly conversation: LiveConversation;
  readonly output: TurnOutput;
  readonly input: StreamInput;
  readonly signal: AbortSignal;
};

/** What fails is in the result, and the next message tries again. */
async function runStreamed(text: string, { conversation, output, input, signal }: Streamed): Promise<number> {
  try {
    const turn = await conversation.say(text, signal, input.nextQueued);
    output.finish();
    return turn.stopReason === 'interrupted' ? INTERRUPTED : 0;
  } catch (error) {
    output.finish(error);
    return exitCodeOf(error);
  }
}

const INTERRUPTED = errorKinds.interrupted.exitCode;

/** The first signal ends the turn in order; a second one does not wait for that. */
const rejectOnSecondSignal = ({ onSignal }: ProcessControl, stop: AbortController): Promise<never> =>
  new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      onSignal(signal, () => (stop.signal.aborted ? reject(new AbortedError(`ended by ${signal}`)) : stop.abort()));
    }
  });

type JsonOutput = ReturnType<typeof createJsonOutput>;
type TurnOutput = Pick<JsonOutput, 'onEvent' | 'finish'> & Partial<Pick<JsonOutput, 'onDenied' | 'onStructured'>>;

type OutputOptions = Pick<ChatOptions, 'outputFormat'> & { readonly sessionId: string; readonly io: IoStreams };

function createOutput({ stdout, stderr }: Environment, { outputFormat, sessionId, io }: OutputOptions): TurnOutput {
  if (outputFormat === 'text' && stdout.isTTY === true)
    return createStreamedOutput({ out: io.out, err: io.err, colour: io.colour, columns: () => (stdout.columns || 80) - 1, stderr });
  if (outputFormat === 'text') return createTextOutput({ out: io.out, err: io.err });
  return createJsonOutput({ sessionId, streaming: outputFormat === 'stream-json', write: io.out });
}
