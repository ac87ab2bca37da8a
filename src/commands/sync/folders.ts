import { resolve } from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { SanbotError } from '../../domain/errors.ts';
import type { HomeOptions } from '../../runtime/home.ts';
import { printablePath } from '../../store/files/paths.ts';
import {
  changeTargets,
  knownPaths,
  readSyncKey,
  readTargets,
  type SyncTargets,
  withSyncLock,
  writeSyncKey,
} from '../../store/replica/targets.ts';
import { plainFiles } from '../../sync/folder/files.ts';
import { createFolderTarget } from '../../sync/folder/folder-target.ts';
import { markFolder, markIn, requireKey } from '../../sync/folder/mark.ts';
import type { SyncTarget } from '../../sync/port.ts';
import { formatCount, pluralize } from '../../terminal/text/format.ts';
import { say } from '../answer.ts';
import type { CommandContext } from '../command.ts';
import { openHome } from '../open-home.ts';

type Home = Pick<ReturnType<typeof openHome>, 'disk' | 'paths'>;
type FolderOptions = HomeOptions & { readonly folder: string };

/** Loaded when a folder is encrypted. */
const loadSealing = () => import('../../sync/folder/sealed-files.ts');

export async function addFolder(options: FolderOptions & { readonly encrypt?: boolean }, context: CommandContext): Promise<void> {
  const { environment, io } = context;
  // It may hold a password, which nothing may show.
  if (/^postgres(?:ql)?:/.test(options.folder)) throw isHub();
  const { disk, paths } = openHome(options, context);
  const folder = resolve(environment.cwd(), options.folder);
  const recipient = await withSyncLock(disk, paths, async () => {
    const mark = markIn(disk, folder, environment.uid);
    const before = readTargets(paths)?.targets.find((each) => each.folder === folder || each.id === mark?.id);
    // Whoever carries the folder can write another mark.
    if (before !== undefined && mark !== undefined) requireKey(folder, mark.recipient, before.recipient);
    const isEncrypted = mark === undefined ? options.encrypt === true || before?.recipient !== undefined : mark.recipient !== undefined;
    if (options.encrypt && !isEncrypted) requireKey(folder, undefined, 'another');
    const own = isEncrypted ? await ownRecipient({ disk, paths }, mark === undefined) : undefined;
    const id = markFolder(disk, folder, environment.uid, own);
    const added = { id, folder, recipient: own };
    changeTargets(disk, paths, (all) => ({ ...all, targets: [...all.targets.filter((each) => each.id !== id), added] }));
    return own;
  });
  const name = printablePath(folder);
  const next = {
    en: 'Nothing has been sent yet: sanbot sync --dry-run lists what would leave, sanbot sync exchanges.',
    zh: '尚未发送任何内容：sanbot sync --dry-run 列出将离开的内容，sanbot sync 进行交换。',
  };
  if (recipient === undefined)
    return say(io, { en: `${name} was added. It is not encrypted. ${next.en}`, zh: `已添加 ${name}。它未加密。${next.zh}` });
  say(io, {
    en: `${name} was added, encrypted to ${recipient}. Your other machines need the key: sanbot sync key shows it. ${next.en}`,
    zh: `已添加 ${name}，加密给 ${recipient}。你的其他机器需要密钥：用 sanbot sync key 显示。${next.zh}`,
  });
}

/** The public half of the key of this machine; undefined where there is none and none is to be made. */
async function ownRecipient({ disk, paths }: Home, mayMake: boolean): Promise<string | undefined> {
  const { makeKey, recipientOf } = await loadSealing();
  const key = readSyncKey(paths) ?? (mayMake ? await makeKey() : undefined);
  if (key === undefined) return undefined;
  const recipient = await recipientOf(key);
  if (recipient === undefined) throw damagedKey(paths.syncKey);
  if (readSyncKey(paths) === undefined) writeSyncKey(disk, paths, key);
  return recipient;
}

const damagedKey = (path: string): SanbotError =>
  new SanbotError(
    'store_damaged',
    { en: `${printablePath(path)} holds no key`, zh: `${printablePath(path)} 中没有密钥` },
    {
      en: 'Nothing was exchanged. Delete it, then import the key of another machine: sanbot sync key --import.',
      zh: '没有交换任何内容。请删除它，然后导入另一台机器的密钥：sanbot sync key --import。',
    },
  );

/** Throws when it is encrypted to a key that is not here. */
export async function openFolder({ disk, paths }: Home, { id, folder, recipient }: SyncTargets['targets'][number]): Promise<SyncTarget> {
  const files = plainFiles(disk, folder);
  if (recipient === undefined) return createFolderTarget(folder, { id }, files);
  requireKey(folder, recipient, await ownRecipient({ disk, paths }, false));
  const { sealedFiles } = await loadSealing();
  const onUnopened = (count: number): void =>
    disk.warn({
      en: `${pluralize(count, 'file')} in ${printablePath(folder)} cannot be opened: not all there yet, or not written with your key. The next exchange tries again.`,
      zh: `${printablePath(folder)} 中有 ${formatCount(count)} 个文件无法打开：尚未全部到达，或不是用你的密钥写的。下次交换会重试。`,
    });
  const sealing = { key: readSyncKey(paths) ?? '', id, known: knownPaths(disk, paths, id), onUnopened };
  return createFolderTarget(folder, { id, recipient }, sealedFiles(files, sealing));
}

export async function removeFolder(options: FolderOptions, context: CommandContext): Promise<void> {
  if (/^postgres(?:ql)?:/.test(options.folder)) throw isHub();
  const { disk, paths } = openHome(options, context);
  const folder = resolve(context.environment.cwd(), options.folder);
  await withSyncLock(disk, paths, async () =>
    changeTargets(disk, paths, (all) => {
      const targets = all.targets.filter((each) => each.folder !== folder);
      if (targets.length === all.targets.length) throw notAdded(folder);
      return { ...all, targets };
    }),
  );
  say(context.io, {
    en: `No longer exchanging with ${printablePath(folder)}. What is in it stays, for your other machines.`,
    zh: `不再与 ${printablePath(folder)} 交换。其中的内容保留，供你的其他机器使用。`,
  });
}

const isHub = (): SanbotError =>
  new SanbotError(
    'usage',
    { en: 'This is the address of a hub, not a folder', zh: '这是 hub 的地址，不是文件夹' },
    { en: 'Join it: sanbot hub join ADDRESS. Leave it: sanbot hub leave.', zh: '加入：sanbot hub join ADDRESS。离开：sanbot hub leave。' },
  );

const notAdded = (folder: string): SanbotError =>
  new SanbotError(
    'not_found',
    { en: `${printablePath(folder)} was not added`, zh: `没有添加过 ${printablePath(folder)}` },
    { en: 'See sanbot sync status.', zh: '参见 sanbot sync status。' },
  );

export async function showKey(options: HomeOptions & { readonly import?: boolean }, context: CommandContext): Promise<void> {
  const { disk, paths } = openHome(options, context);
  if (options.import) return importKey({ disk, paths }, context);
  const recipient = await ownRecipient({ disk, paths }, false);
  if (recipient === undefined)
    throw new SanbotError(
      'not_found',
      { en: 'This machine has no key for encrypted folders', zh: '本机没有用于加密文件夹的密钥' },
      {
        en: 'sanbot sync add FOLDER --encrypt makes one; sanbot sync key --import takes that of another machine from stdin.',
        zh: 'sanbot sync add FOLDER --encrypt 会生成一个；sanbot sync key --import 从标准输入读取另一台机器的密钥。',
      },
    );
  context.io.out(`# public key: ${recipient}\n${readSyncKey(paths)}\n`);
}

async function importKey({ disk, paths }: Home, { environment, io }: CommandContext): Promise<void> {
  const given = (await readAll(environment.stdin)).split(/\r?\n/).map((line) => line.trim());
  const key = given.find((line) => line !== '' && !line.startsWith('#')) ?? '';
  const recipient = await (await loadSealing()).recipientOf(key);
  if (recipient === undefined)
    throw new SanbotError(
      'usage',
      { en: 'What came on stdin is no key', zh: '标准输入中没有密钥' },
      {
        en: 'Nothing was changed. Give it what sanbot sync key prints on the other machine.',
        zh: '没有做任何更改。请提供另一台机器上 sanbot sync key 的输出。',
      },
    );
  await withSyncLock(disk, paths, async () => {
    if ((readSyncKey(paths) ?? key) !== key) throw otherKey(paths.syncKey);
    writeSyncKey(disk, paths, key);
  });
  say(io, {
    en: `The key of ${recipient} is on this machine now.`,
    zh: `${recipient} 的密钥现已在本机。`,
  });
}

const otherKey = (path: string): SanbotError =>
  new SanbotError(
    'refused',
    { en: 'This machine has another key', zh: '本机已有另一个密钥' },
    {
      en: `Nothing was changed. If no folder needs it any more, delete ${printablePath(path)} first.`,
      zh: `没有做任何更改。如果没有文件夹再需要它，请先删除 ${printablePath(path)}。`,
    },
  );
