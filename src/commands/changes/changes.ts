/**
 * What changed files in a session: `sanbot changes` lists it, and undoes one change or all from it on.
 *
 * In come a session, the number of a change and a path. Out go a table, the differences or JSON; with --restore, what was done to each path.
 *
 * Listing takes no lock, so that a session in use can be looked at; only what a killed process left unfinished is written down first. A restore shows what it would do, touches nothing of somebody else's
 * without a yes to just that, and is a change of its own that can be undone. Both are what /changes does on a screen.
 *
 * It refuses a number that no act of the session has, and what others changed between two acts: that is theirs.
 */

import { resolve } from 'node:path';
import { SanbotError } from '../../domain/errors.ts';
import { openConversation, viewConversation } from '../../runtime/conversation/conversation.ts';
import type { Conversation } from '../../runtime/conversation/types.ts';
import type { HomeOptions } from '../../runtime/home.ts';
import { buildUnattendedRuntime, type Runtime } from '../../runtime/runtime.ts';
import { readModelessSettings } from '../../runtime/settings.ts';
import type { ActRow } from '../../terminal/chat/history-port.ts';
import { actHeading, actsJson, actsTable, differencesText, noChangesText } from '../../terminal/views/changes-text.ts';
import { filesPreviewText, restoreFiles } from '../../terminal/views/file-restore.ts';
import { requireRestored } from '../../terminal/views/file-restore-text.ts';
import type { RestorableFiles } from '../../terminal/views/restorable-file.ts';
import { canAsk, requireYes } from '../answer.ts';
import { restorableFiles } from '../chat/restorable-files.ts';
import type { CommandContext } from '../command.ts';
import { chooseSession } from '../sessions/choose-session.ts';
import { actsFrom } from './acts.ts';
import { pastChanges } from './past-changes.ts';
import { drawingOn, restoreDialog } from './restore-dialog.ts';

type Selection = HomeOptions & { readonly session?: string; readonly file?: string; readonly json?: boolean };

export type ListChangesOptions = Selection & { readonly diff?: boolean | undefined };

export type RestoreChangeOptions = Selection & {
  readonly number: number;
  /** Everything since as well. */
  readonly andLater?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly yes?: boolean | undefined;
};

/** The newest first; it may be open elsewhere. */
export async function listChanges(options: ListChangesOptions, context: CommandContext): Promise<void> {
  const { environment, io } = context;
  const runtime = await runtimeFor(options, context);
  const conversation = viewConversation(runtime, chooseSession(options.session, runtime.store, context));
  await settleKilled(conversation, runtime);
  const { rows, differences } = await pastChanges(conversation, runtime);
  const isMeant = meantBy(options, context);
  const meant = rows.toReversed().filter(({ files }) => files.some(({ path }) => isMeant(path)));
  if (options.json) return io.out(actsJson(meant));
  if (!options.diff) return io.out(actsTable(meant, { now: environment.now(), columns: io.columns }));
  if (meant.length === 0) return io.out(`${noChangesText()}\n`);
  for (const row of meant) {
    io.out(`${actHeading(row, environment.now())}\n`);
    io.out(
      await differencesText(
        differences(row.n).filter(({ path }) => isMeant(path)),
        drawingOn(io),
      ),
    );
  }
}

/** What a killed process has not seen the end of is looked at now, unless another process has the session: it may be at work on just that. */
async function settleKilled({ session, changes }: Conversation, runtime: Runtime): Promise<void> {
  if (!(await changes()).hasLeft()) return;
  try {
    const conversation = openConversation(runtime, session.id);
    try {
      (await conversation.changes()).settleLeft();
    } finally {
      conversation.close();
    }
  } catch (error) {
    if (!(error instanceof SanbotError && error.code === 'session_locked')) throw error;
  }
}

/** Shows what undoing a change would do, and does it when told to: --yes, or a yes at the terminal. */
export async function restoreChange(options: RestoreChangeOptions, context: CommandContext): Promise<void> {
  const { environment, io } = context;
  const { number, andLater = false, dryRun } = options;
  if (options.session === undefined && !dryRun && (options.yes || !canAsk(environment, options))) throw unnamedError();
  const runtime = await runtimeFor(options, context);
  const conversation = openConversation(runtime, chooseSession(options.session, runtime.store, context));
  try {
    (await conversation.changes()).settleLeft();
    const { rows } = await pastChanges(conversation, runtime);
    requireAct(rows, number);
    if (!dryRun) requireYes(options, environment, RESTORE);
    const path = options.file === undefined ? undefined : resolve(environment.cwd(), options.file);
    const restorable = await restorableFiles(conversation, runtime, actsFrom({ number, andLater, path }));
    if (dryRun) return io.out(options.json ? planJson(restorable) : await filesPreviewText(restorable, drawingOn(io)));
    const files = await restoreFiles(restorable, restoreDialog(options, context));
    if (options.json) io.out(`${JSON.stringify({ undone: number, andLater, files })}\n`);
    requireRestored(files);
  } finally {
    conversation.close();
  }
}

const runtimeFor = (options: HomeOptions, { environment, io }: CommandContext): Promise<Runtime> =>
  buildUnattendedRuntime(environment, {
    settings: readModelessSettings(environment, options),
    show: (event) => {
      if (event.type === 'warning') io.warn(event.message);
    },
    warn: io.warn,
  });

function meantBy({ file }: Selection, { environment }: CommandContext): (path: string) => boolean {
  if (file === undefined) return () => true;
  const meant = resolve(environment.cwd(), file);
  return (path) => path === meant || path.startsWith(`${meant}/`);
}

const planJson = ({ files, unrestorable }: RestorableFiles): string =>
  `${JSON.stringify({
    files: files.map(({ path, name, does, changedSince }) => ({ path, name, does, changedSince })),
    cannot: unrestorable.map(({ path, name, why }) => ({ path, name, why })),
  })}\n`;

const RESTORE = {
  what: { en: 'A restore', zh: '恢复' },
  hint: { en: 'Add --yes to confirm, or --dry-run to see what would change.', zh: '加 --yes 确认，或用 --dry-run 查看将发生的更改。' },
};

/** Where nobody sees which session it would be, nothing is restored. */
const unnamedError = (): SanbotError =>
  new SanbotError(
    'usage',
    { en: 'Without a question, a restore needs the name of its session', zh: '不经询问的恢复需要指定会话' },
    {
      en: 'Add --session ID; sanbot sessions lists them. --dry-run shows what would change.',
      zh: '加 --session ID；sanbot sessions 列出会话。--dry-run 显示将发生的更改。',
    },
  );

function requireAct(rows: readonly ActRow[], number: number): void {
  const row = rows[number - 1];
  if (row?.title !== undefined) return;
  throw new SanbotError(
    'not_found',
    row === undefined
      ? { en: `There is no change ${number} in this session`, zh: `本会话没有编号为 ${number} 的更改` }
      : { en: `Change ${number} was not made by SanBot, so it cannot undo it`, zh: `第 ${number} 项更改不是 SanBot 所为，无法由它撤销` },
    { en: 'sanbot changes lists them.', zh: 'sanbot changes 列出全部更改。' },
  );
}
