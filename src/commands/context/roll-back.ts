import { addedSince, findMessage, lastChange, rewind } from '../../agent/rollback/rewind.ts';
import { findSnapshot, rollBack, type VerifiedSnapshot } from '../../agent/rollback/rollback.ts';
import type { Session } from '../../agent/session/session.ts';
import { pastMessages, type StateBeforeMessage, stateOfSnapshot } from '../../context/history/past.ts';
import { SanbotError } from '../../domain/errors.ts';
import { buildSetting } from '../../runtime/build-setting.ts';
import { openConversation } from '../../runtime/conversation/conversation.ts';
import type { Conversation } from '../../runtime/conversation/types.ts';
import { homeOf } from '../../runtime/home.ts';
import type { Screen } from '../../runtime/screen.ts';
import type { Setting } from '../../runtime/setting.ts';
import { readSettings } from '../../runtime/settings.ts';
import type { World } from '../../runtime/world.ts';
import { pathsOf } from '../../store/files/paths.ts';
import { allRecords } from '../../store/session/peek-session.ts';
import { confirmOnTerminal } from '../../terminal/input/confirm.ts';
import { filesPreviewText, restoreFiles } from '../../terminal/views/file-restore.ts';
import { messagesJson, messagesText, rewindPreview, rewindPreviewText } from '../../terminal/views/rewind-text.ts';
import { rollbackDifference } from '../../terminal/views/rollback-difference.ts';
import { rollbackDoneText, rollbackJson, rollbackPreviewText } from '../../terminal/views/rollback-text.ts';
import type { ListMessagesOptions, RollbackOptions } from '../actions.ts';
import { filesThen } from '../chat/files-then.ts';

/** The messages of a session to go back to, by number. Reads the log only. */
export async function listMessages(world: World, options: ListMessagesOptions, screen: Screen): Promise<number> {
  const said = pastMessages(allRecords(pathsOf(homeOf(world, options)), options.session));
  screen.out(options.json ? messagesJson(said) : messagesText(said, { sessionId: options.session, columns: screen.columns }));
  return 0;
}

/** Where to go back to, found and verified before a session is opened or anything asked. */
type Aim =
  | { readonly kind: 'snapshot'; readonly sessionId: string; readonly snapshot: VerifiedSnapshot }
  | { readonly kind: 'last'; readonly sessionId: string }
  | { readonly kind: 'message'; readonly sessionId: string; readonly wish: string };

/** Shows what a rollback would change, and does it when told to: --yes, or a yes at the terminal. */
export async function rollBackTo(world: World, options: RollbackOptions, screen: Screen): Promise<number> {
  const setting = await settingFor(world, options, screen);
  const aim = aimOf(options, setting);
  const interactive = world.stdin.isTTY === true && world.stdout.isTTY === true && !options.json;
  if (!options.dryRun && !options.yes && !interactive) {
    throw new SanbotError('refused', 'A rollback needs a yes, and there is no terminal to ask at', {
      hint: 'Add --yes, or --dry-run to see what would change.',
    });
  }
  const conversation = openConversation(setting, aim.sessionId);
  try {
    const target = targetOf(aim, conversation, setting);
    const ask = (question: string) => confirmOnTerminal(question, { input: world.stdin, output: world.stdout });
    if (!options.json) screen.out(previewText(target, conversation, { columns: screen.columns, now: world.now() }));
    if (options.dryRun) return await showOnly(target, { conversation, setting, options, screen });
    if (!options.yes && !(await ask('Roll back?'))) {
      screen.out('Nothing was changed.\n');
      return 0;
    }
    const { n, ...done } = perform(target, conversation);
    if (!options.json) screen.out(rollbackDoneText(done));
    const talk = talkFor({ interactive: interactive && !options.yes, quiet: options.json, ask, screen });
    const files = options.files ? await restoreFiles(await filesThen(conversation, setting, n), talk) : undefined;
    if (options.json) screen.out(rollbackJson({ ...done, ...(files === undefined ? {} : { files }) }));
    return 0;
  } finally {
    conversation.close();
  }
}

function settingFor(world: World, options: RollbackOptions, screen: Screen): Promise<Setting> {
  return buildSetting(world, {
    settings: readSettings(world, options),
    mode: 'read-only',
    allowed: [],
    askPermission: async () => 'nobody',
    confirm: async () => true,
    show: (event) => {
      if (event.type === 'warning') screen.err(`sanbot: ${event.message}\n`);
    },
    tell: (line) => screen.err(`sanbot: ${line}\n`),
  }).then(async (setting) => {
    await setting.ready();
    return setting;
  });
}

function aimOf({ to }: RollbackOptions, setting: Setting): Aim {
  if ('message' in to) {
    findMessage(to.message, { id: to.session }, { past: (id) => allRecords(pathsOf(setting.home), id) });
    return { kind: 'message', sessionId: to.session, wish: to.message };
  }
  if ('lastOf' in to) return { kind: 'last', sessionId: to.lastOf };
  const snapshot = findSnapshot(to.snapshot, setting.store.snapshots);
  return { kind: 'snapshot', sessionId: snapshot.meta.sessionId, snapshot };
}

type Target =
  | { readonly kind: 'snapshot'; readonly snapshot: VerifiedSnapshot; readonly isLast: boolean }
  | { readonly kind: 'message'; readonly before: StateBeforeMessage };

function targetOf(aim: Aim, { session, deps }: Conversation, setting: Setting): Target {
  switch (aim.kind) {
    case 'message':
      return { kind: 'message', before: findMessage(aim.wish, session, deps) };
    case 'last':
      return { kind: 'snapshot', snapshot: lastOf(session, setting), isLast: true };
    case 'snapshot':
      return { kind: 'snapshot', snapshot: aim.snapshot, isLast: false };
  }
}

function previewText(target: Target, { session }: Conversation, view: { readonly columns: number; readonly now: Date }): string {
  const { messages } = session.context;
  if (target.kind === 'message')
    return rewindPreviewText(rewindPreview(messages, { message: target.before.message, messages: target.before.context.messages }), view);
  const { meta, context } = target.snapshot;
  const since = target.isLast ? { since: addedSince(meta, messages) } : {};
  const figures = { snapshot: meta, messagesNow: messages.length, tokensNow: session.count().tokens };
  return rollbackPreviewText({ ...figures, ...since, ...rollbackDifference(messages, context.messages) }, view);
}

type Showing = {
  readonly conversation: Conversation;
  readonly setting: Setting;
  readonly options: RollbackOptions;
  readonly screen: Screen;
};

async function showOnly(target: Target, { conversation, setting, options, screen }: Showing): Promise<number> {
  const then = options.files ? await filesThen(conversation, setting, placeOf(target, conversation)) : undefined;
  if (!options.json) {
    if (then !== undefined) screen.out(filesPreviewText(then));
    return 0;
  }
  const would =
    target.kind === 'snapshot'
      ? { wouldRestore: target.snapshot.meta.id, messages: target.snapshot.meta.messages, tokens: target.snapshot.meta.tokens }
      : { wouldRestore: target.before.message.id, messages: target.before.context.messages.length };
  const files = then?.files.map(({ path, name, does, changedSince }) => ({ path, name, does, changedSince }));
  screen.out(
    `${JSON.stringify({ ...would, ...(files === undefined ? {} : { files, cannot: then?.cannot.map(({ path, name, why }) => ({ path, name, why })) }) })}\n`,
  );
  return 0;
}

/** The log's record with which the state ended. */
const placeOf = (target: Target, { session, deps }: Conversation): number =>
  target.kind === 'message'
    ? target.before.n
    : stateOfSnapshot(deps.past(session.id), { ...target.snapshot.meta, context: target.snapshot.context }).n;

function perform(target: Target, conversation: Conversation) {
  const { session, deps } = conversation;
  const n = placeOf(target, conversation);
  const done = target.kind === 'message' ? rewind(target.before, session, deps) : rollBack(target.snapshot, session, deps);
  return { ...done, n };
}

type Talking = {
  readonly interactive: boolean;
  readonly quiet: boolean;
  readonly ask: (question: string) => Promise<boolean>;
  readonly screen: Screen;
};

/** Where nobody is asked, what only SanBot's file tools changed comes back; nothing is removed, and nothing else is touched. */
function talkFor({ interactive, quiet, ask, screen }: Talking) {
  const show = quiet ? () => undefined : screen.out;
  return { show, ask: interactive ? ask : async (_question: string, own: boolean) => own };
}

function lastOf(session: Session, { store: { snapshots } }: Setting): VerifiedSnapshot {
  const last = lastChange(snapshots.list(session.id), session);
  if (last !== undefined) return findSnapshot(last.id, snapshots);
  throw new SanbotError(
    'not_found',
    `There is nothing to undo in session ${JSON.stringify(session.id)}: no compaction, rollback or clear`,
    {
      hint: 'Nothing was changed.',
    },
  );
}
