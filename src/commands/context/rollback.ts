import { addedSince, findMessage, lastChange, rewind } from '../../agent/rollback/rewind.ts';
import { findSnapshot, rollBack, type VerifiedSnapshot } from '../../agent/rollback/rollback.ts';
import type { Session } from '../../agent/session/session.ts';
import { pastMessages, type StateBeforeMessage, stateOfSnapshot } from '../../context/history/past.ts';
import { SanbotError } from '../../domain/errors.ts';
import { openConversation } from '../../runtime/conversation/conversation.ts';
import type { Conversation } from '../../runtime/conversation/types.ts';
import type { HomeOptions } from '../../runtime/home.ts';
import type { IoStreams } from '../../runtime/io-streams.ts';
import { buildUnattendedRuntime, type Runtime } from '../../runtime/runtime.ts';
import { readModelessSettings } from '../../runtime/settings.ts';
import { pathsOf } from '../../store/files/paths.ts';
import { allRecords, requireLogPath } from '../../store/session/peek-session.ts';
import type { Store } from '../../store/store.ts';
import { filesPreviewText, restoreFiles } from '../../terminal/views/file-restore.ts';
import { requireRestored } from '../../terminal/views/file-restore-text.ts';
import {
  messagesJson,
  messagesText,
  type PreviewView,
  rewindPreview,
  rewindPreviewText,
  rollbackDifference,
  rollbackJson,
  rollbackPreviewText,
  rollbackResultText,
} from '../../terminal/views/rollback-text.ts';
import { canAsk, isAgreed, requireYes } from '../answer.ts';
import { actsSince } from '../changes/acts.ts';
import { drawingOn, restoreDialog } from '../changes/restore-dialog.ts';
import { restorableFiles } from '../chat/restorable-files.ts';
import type { CommandContext } from '../command.ts';
import { openHome } from '../open-home.ts';
import { chooseSession } from '../sessions/choose-session.ts';

/** A session is its id or a part of it, or undefined for the last one used in the working folder; a message its number from 1 or its id. */
export type RollbackTarget =
  | { readonly snapshot: string }
  | { readonly lastOf: string | undefined }
  | { readonly session: string | undefined; readonly message: string };

export type RollbackOptions = HomeOptions & {
  readonly to: RollbackTarget;
  readonly files?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly json?: boolean;
};

export type ListMessagesOptions = HomeOptions & { readonly session: string | undefined; readonly json?: boolean };

export async function listMessages(options: ListMessagesOptions, { environment, io }: CommandContext): Promise<void> {
  const { store, paths } = openHome(options, { environment, io });
  const sessionId = chooseSession(options.session, store, { environment, io });
  const messages = pastMessages(allRecords(paths, sessionId));
  io.out(options.json ? messagesJson(messages) : messagesText(messages, { sessionId, columns: io.columns, now: environment.now() }));
}

export async function rollBackTo(options: RollbackOptions, { environment, io }: CommandContext): Promise<void> {
  const memories: MemoryChange[] = [];
  const runtime = await openRuntime(options, { environment, io }, (change) => memories.push(change));
  const isInteractive = canAsk(environment, options);
  if (!isNamed(options.to) && !options.dryRun && (options.yes || !isInteractive)) throw unnamedError();
  const { sessionId, find } = selectTarget(options, runtime, io);
  const conversation = openConversation(runtime, sessionId);
  try {
    const target = find(conversation);
    if (!options.dryRun) requireYes(options, environment, ROLLBACK);
    if (!options.json)
      io.out(previewText(target, conversation, { columns: io.columns, now: environment.now(), files: options.files === true }));
    if (options.dryRun) return await showDryRun(target, { conversation, runtime, options, io });
    if (!options.yes && !(await isAgreed({ en: 'Roll back?', zh: '确认回滚？' }, { environment, io }))) return;
    const since = { ...actsSince(recordNumberOf(target, conversation)), isBeforeRewind: true };
    const dialog = restoreDialog(options, { environment, io });
    // Before the session goes back: where this process is killed meanwhile, the same command does the rest.
    const files = options.files ? await restoreFiles(await restorableFiles(conversation, runtime, since), dialog) : undefined;
    const result = { ...perform(target, conversation), memories: memories.at(-1) };
    io.out(options.json ? rollbackJson({ ...result, ...(files === undefined ? {} : { files }) }) : rollbackResultText(result));
    requireRestored(files ?? []);
  } finally {
    conversation.close();
  }
}

type MemoryChange = { readonly superseded: number; readonly restored: number };

function openRuntime(
  options: RollbackOptions,
  { environment, io }: CommandContext,
  onMemories: (change: MemoryChange) => void,
): Promise<Runtime> {
  return buildUnattendedRuntime(environment, {
    settings: readModelessSettings(environment, options),
    show: (event) => {
      if (event.type === 'warning') io.warn(event.message);
      if (event.type === 'memory_superseded') onMemories({ superseded: event.superseded, restored: event.restored });
    },
    warn: io.warn,
  });
}

/** What --last undoes can be done again, so that the session used last in the folder is named by it. */
const isNamed = (to: RollbackTarget): boolean => !('message' in to) || to.session !== undefined;

const ROLLBACK = {
  what: { en: 'A rollback', zh: '回滚' },
  hint: { en: 'Add --yes to confirm, or --dry-run to see what would change.', zh: '加 --yes 确认，或用 --dry-run 查看将发生的更改。' },
};

/** Where nobody sees which session it would be, nothing is rolled back. */
const unnamedError = (): SanbotError =>
  new SanbotError(
    'usage',
    { en: 'Without a question, a rollback needs the name of its session', zh: '不经询问的回滚需要指定会话' },
    {
      en: 'Add --session ID; sanbot sessions lists them. --dry-run shows what would change.',
      zh: '加 --session ID；sanbot sessions 列出会话。--dry-run 显示将发生的更改。',
    },
  );

type Target =
  | { readonly kind: 'snapshot'; readonly snapshot: VerifiedSnapshot; readonly isLast: boolean }
  | { readonly kind: 'message'; readonly before: StateBeforeMessage };

type Selection = { readonly sessionId: string; readonly find: (conversation: Conversation) => Target };

/** Where to go back to, looked for and verified before a session is opened or anything asked. */
function selectTarget({ to }: RollbackOptions, { environment, store, home }: Runtime, io: IoStreams): Selection {
  const choose = (named: string | undefined): string => chooseSession(named, store, { environment, io });
  if ('message' in to) {
    const id = choose(to.session);
    findMessage(to.message, { id }, { disk: { past: (sessionId) => allRecords(pathsOf(home), sessionId) } });
    return { sessionId: id, find: ({ session, deps }) => ({ kind: 'message', before: findMessage(to.message, session, deps) }) };
  }
  if ('lastOf' in to) {
    const id = choose(to.lastOf);
    requireLogPath(pathsOf(home), id);
    return { sessionId: id, find: ({ session }) => ({ kind: 'snapshot', snapshot: findLastSnapshot(session, store), isLast: true }) };
  }
  const ending = store.snapshots.list().filter(({ id }) => id.endsWith(`T${to.snapshot}`));
  const snapshot = findSnapshot((ending.length === 1 ? ending[0]?.id : undefined) ?? to.snapshot, store.snapshots);
  return { sessionId: snapshot.meta.sessionId, find: () => ({ kind: 'snapshot', snapshot, isLast: false }) };
}

function previewText(target: Target, { session }: Conversation, view: PreviewView): string {
  const { messages } = session.context;
  if (target.kind === 'message')
    return rewindPreviewText(rewindPreview(messages, { message: target.before.message, messages: target.before.context.messages }), view);
  const { meta, context } = target.snapshot;
  const since = target.isLast ? { since: addedSince(meta, messages) } : {};
  const figures = { snapshot: meta, messagesNow: messages.length, tokensNow: session.estimate.count().tokens };
  return rollbackPreviewText({ ...figures, ...since, ...rollbackDifference(messages, context.messages) }, view);
}

type DryRunContext = {
  readonly conversation: Conversation;
  readonly runtime: Runtime;
  readonly options: RollbackOptions;
  readonly io: IoStreams;
};

async function showDryRun(target: Target, { conversation, runtime, options, io }: DryRunContext): Promise<void> {
  const restorable = options.files
    ? await restorableFiles(conversation, runtime, actsSince(recordNumberOf(target, conversation)))
    : undefined;
  if (!options.json) {
    if (restorable !== undefined) io.out(await filesPreviewText(restorable, drawingOn(io)));
    return;
  }
  const plan =
    target.kind === 'snapshot'
      ? { wouldRestore: target.snapshot.meta.id, messages: target.snapshot.meta.messages, tokens: target.snapshot.meta.tokens }
      : { wouldRestore: target.before.message.id, messages: target.before.context.messages.length };
  const files = restorable?.files.map(({ path, name, does, changedSince }) => ({ path, name, does, changedSince }));
  io.out(
    `${JSON.stringify({ ...plan, ...(files === undefined ? {} : { files, cannot: restorable?.unrestorable.map(({ path, name, why }) => ({ path, name, why })) }) })}\n`,
  );
}

const recordNumberOf = (target: Target, { session, deps }: Conversation): number =>
  target.kind === 'message'
    ? target.before.n
    : stateOfSnapshot(deps.disk.past(session.id), { ...target.snapshot.meta, context: target.snapshot.context }).n;

const perform = (target: Target, { session, deps }: Conversation) =>
  target.kind === 'message' ? rewind(target.before, session, deps) : rollBack(target.snapshot, session, deps);

function findLastSnapshot(session: Session, { snapshots }: Store): VerifiedSnapshot {
  const last = lastChange(snapshots.list(session.id), session);
  if (last !== undefined) return findSnapshot(last.id, snapshots);
  throw new SanbotError(
    'not_found',
    {
      en: `There is nothing to undo in session ${JSON.stringify(session.id)}: no compaction, rollback or clear`,
      zh: `会话 ${JSON.stringify(session.id)} 没有可撤销的内容：没有压缩、回滚或清空`,
    },
    { en: 'Nothing was changed.', zh: '没有做任何更改。' },
  );
}
