import { compact, prepareCompaction } from '../../agent/compaction/compact.ts';
import type { PreparedCompaction } from '../../agent/compaction/types.ts';
import { limitsOf } from '../../agent/deps.ts';
import { AbortedError, SanbotError } from '../../domain/errors.ts';
import type { CompactedEvent, SanbotEvent } from '../../domain/event.ts';
import { OFFLINE_MODEL } from '../../model/catalog.ts';
import { buildSetting } from '../../runtime/build-setting.ts';
import { openConversation } from '../../runtime/conversation/conversation.ts';
import type { Conversation } from '../../runtime/conversation/types.ts';
import type { Screen } from '../../runtime/screen.ts';
import type { Setting } from '../../runtime/setting.ts';
import { readSettings } from '../../runtime/settings.ts';
import type { World } from '../../runtime/world.ts';
import { pickOnTerminal } from '../../terminal/input/confirm.ts';
import { eventLine, noEvents } from '../../terminal/screen/event-line.ts';
import { compactionPreviewText, reviewChoices, reviewCompaction } from '../../terminal/slash/compaction-preview.ts';
import { count, counted } from '../../terminal/text/figures.ts';
import type { CompactOptions } from '../actions.ts';
import { editText } from '../chat/edit-text.ts';
import { shownCompaction } from '../chat/show-compaction.ts';
import { compactionJson, previewJson } from './compaction-json.ts';

/** Compacts a session that is not open elsewhere; with a preview, only when told to: --yes, or a yes at the terminal. */
export async function compactSession(world: World, options: CompactOptions, screen: Screen): Promise<number> {
  const settings = readSettings(world, options);
  const stop = new AbortController();
  let compacted: CompactedEvent | undefined;
  const show = (event: SanbotEvent): void => {
    if (event.type === 'compacted') compacted = event;
    tellEvent(event, options, screen);
  };
  const setting = await buildSetting(world, {
    settings,
    mode: 'read-only',
    allowed: [],
    askPermission: async () => 'nobody',
    confirm: async () => true,
    show,
    tell: (line) => screen.err(`sanbot: ${line}\n`),
  });
  await setting.ready();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) world.onSignal(signal, () => stop.abort());
  const conversation = openConversation(setting, options.session);
  try {
    const done = await perform(world, options, { screen, conversation: summarisedBy(conversation, setting), signal: stop.signal });
    if (done === 'done' && options.json) screen.out(compactionJson(compacted));
    return 0;
  } catch (error) {
    if (error instanceof AbortedError) throw new SanbotError('interrupted', 'Stopped; the session is as it was', { cause: error });
    throw error;
  } finally {
    conversation.close();
  }
}

type Performing = { readonly screen: Screen; readonly conversation: Conversation; readonly signal: AbortSignal };

async function perform(world: World, options: CompactOptions, { screen, conversation, signal }: Performing): Promise<'shown' | 'done'> {
  const { session, deps } = conversation;
  const { instructions } = options;
  const wish = { trigger: 'manual' as const, reasons: [], instructions, limits: limitsOf(session, deps), signal };
  if (!options.preview) {
    refuseFailure(await compact(wish, session, deps));
    return 'done';
  }
  const prepared = await prepareCompaction(wish, session, deps);
  refuseFailure(prepared);
  return prepared.kind === 'prepared' ? review(world, options, { screen, conversation, signal, prepared }) : 'done';
}

function refuseFailure(outcome: { readonly kind: string; readonly why?: string }): void {
  if (outcome.kind === 'blocked') throw new SanbotError('refused', `Nothing was compacted: ${outcome.why ?? ''}`);
  if (outcome.kind === 'failed') throw new SanbotError('model_failed', `Nothing was compacted: ${outcome.why ?? ''}`);
}

async function review(
  world: World,
  options: CompactOptions,
  { screen, conversation, prepared }: Performing & { readonly prepared: PreparedCompaction },
): Promise<'shown' | 'done'> {
  const shown = shownCompaction(prepared, conversation.session, conversation.deps);
  const isInteractive = world.stdin.isTTY === true && world.stdout.isTTY === true && !options.json;
  if (isInteractive && !options.yes) {
    const ask = (question: string) =>
      pickOnTerminal(question, reviewChoices, { input: world.stdin, output: world.stdout }).then((answer) => answer ?? 'discard');
    await reviewCompaction(shown, { show: screen.out, columns: () => screen.columns, ask, edit: (text) => editText(world, text) });
    return 'shown';
  }
  if (options.json && !options.yes) screen.out(previewJson(shown.view()));
  if (!options.json) screen.out(compactionPreviewText(shown.view(), screen.columns));
  if (options.yes) {
    await shown.commit();
    return 'done';
  }
  shown.discard();
  screen.err('sanbot: It was only shown. To commit it where nobody can be asked: --preview --yes\n');
  return 'shown';
}

/** With JSON, standard output is the object's alone. */
function tellEvent(event: SanbotEvent, { json }: CompactOptions, screen: Screen): void {
  if (event.type === 'compaction_started')
    screen.err(`sanbot: compacting ${counted(event.messages, 'message')}, ${count(event.tokens)} tokens (Ctrl-C cancels)\n`);
  const line = eventLine(noEvents, event);
  if (line === undefined || (json && event.type !== 'warning')) return;
  (event.type === 'warning' ? screen.err : screen.out)(`${line.text}\n`);
}

/** A session that was held offline, compacted where there is a model: the session's own could not summarise. */
function summarisedBy(conversation: Conversation, setting: Setting): Conversation {
  const { session, deps } = conversation;
  if (setting.offline || session.model !== OFFLINE_MODEL) return conversation;
  const compaction = { ...deps.config.compaction, model: deps.config.compaction.model ?? setting.modelName };
  return { ...conversation, deps: { ...deps, config: { ...deps.config, compaction } } };
}
