import { changeModel } from '../../agent/turn/change-model.ts';
import { runTurn } from '../../agent/turn/turn.ts';
import { AbortedError, SanbotError } from '../../domain/errors.ts';
import { buildSetting } from '../../runtime/build-setting.ts';
import { resumeConversation, startConversation } from '../../runtime/conversation/conversation.ts';
import { groupOf } from '../../runtime/home.ts';
import type { Screen } from '../../runtime/screen.ts';
import { readSettings } from '../../runtime/settings.ts';
import type { World } from '../../runtime/world.ts';
import { createJsonOutput } from '../../terminal/screen/json-output.ts';
import { createTextOutput } from '../../terminal/screen/text-output.ts';
import { exitCodeOf } from '../../terminal/text/error-text.ts';
import type { ChatOptions } from '../actions.ts';
import { consolidateDaily } from '../memory/consolidate-daily.ts';
import { promptOf } from './prompt.ts';
import { tellChanges } from './tell-changes.ts';
import { sessionToGoOnWith } from './which-session.ts';

/** One turn without a person: the answer on stdout, all else on stderr. Resolves with the exit code. */
export async function printAnswer(world: World, options: ChatOptions, screen: Screen): Promise<number> {
  let begun = false;
  try {
    return await answered(world, options, {
      screen,
      begins: () => {
        begun = true;
      },
    });
  } catch (error) {
    // A program that reads JSON gets its object also when there was no turn, and so no session.
    if (!begun && options.outputFormat !== 'text') outputOf(options, '', screen).finish(error);
    throw error;
  }
}

type Printing = { readonly screen: Screen; readonly begins: () => void };

async function answered(world: World, options: ChatOptions, { screen, begins }: Printing): Promise<number> {
  const settings = readSettings(world, options);
  for (const notice of settings.notices) screen.err(`sanbot: ${notice}\n`);
  const text = await promptOf(world, { given: options.print?.prompt, tell: (line) => screen.err(`sanbot: ${line}\n`) });
  if (text.trim() === '') throw new SanbotError('usage', 'There is no prompt: it is empty, and so is stdin');
  let onEvent: Output['onEvent'] = () => undefined;
  const setting = await buildSetting(world, {
    settings,
    mode: options.permissionMode,
    allowed: options.allow,
    askPermission: async () => 'nobody',
    confirm: async () => true,
    show: (event) => onEvent(event),
    tell: (line) => screen.err(`sanbot: ${line}\n`),
  });
  await setting.ready();
  await consolidateDaily(setting, groupOf(world, options));
  const resume = sessionToGoOnWith(setting, options, (line) => screen.err(`sanbot: ${line}\n`));
  let early: Parameters<Output['onEvent']>[0][] = [];
  onEvent = (event) => void early.push(event);
  const conversation =
    resume === undefined
      ? startConversation(setting, groupOf(world, options))
      : resumeConversation(setting, resume, { model: setting.offline ? undefined : options.model });
  const { session, deps } = conversation;
  const output = outputOf(options, session.id, screen);
  begins();
  onEvent = output.onEvent;
  for (const event of early) onEvent(event);
  early = [];
  const stop = new AbortController();
  const stopped = untilStoppedTwice(world, stop);
  try {
    await Promise.race([conversation.start(stop.signal), stopped]);
    if (conversation.moveTo !== undefined) await changeModel(conversation.moveTo, session, deps, stop.signal);
    tellChanges(conversation, setting);
    const turn = runTurn(text, session, deps, { signal: stop.signal, maxSteps: settings.config.agent.maxSteps });
    const end = await Promise.race([turn, stopped]);
    await Promise.race([conversation.reflect(), stopped]);
    await conversation.end('other');
    output.finish();
    return end.stopReason === 'interrupted' ? exitCodeOf(new SanbotError('interrupted', '')) : 0;
  } catch (error) {
    await conversation.end('other');
    output.finish(error);
    throw error;
  }
}

/** The first signal ends the turn in order; a second one does not wait for that. */
const untilStoppedTwice = (world: World, stop: AbortController): Promise<never> =>
  new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      world.onSignal(signal, () => (stop.signal.aborted ? reject(new AbortedError(`ended by ${signal}`)) : stop.abort()));
    }
  });

type Output = { readonly onEvent: ReturnType<typeof createJsonOutput>['onEvent']; readonly finish: (error?: unknown) => void };

function outputOf({ outputFormat }: ChatOptions, sessionId: string, screen: Screen): Output {
  if (outputFormat === 'text') return createTextOutput({ out: screen.out, err: screen.err });
  return createJsonOutput({ sessionId, streaming: outputFormat === 'stream-json', write: screen.out });
}
