import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { SanbotError } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { type HomeOptions, homeOf } from '../../runtime/home.ts';
import { type FolderTrust, folderTrust, trustEntry, trustedFolders } from '../../runtime/trust/trust.ts';
import { answer, isAgreed, requireYes } from '../answer.ts';
import type { CommandContext } from '../command.ts';
import { trustedFoldersText, trustRequestText } from './trust-text.ts';

export type TrustOptions = HomeOptions & { readonly yes?: boolean; readonly json?: boolean };

export async function addTrust(options: TrustOptions, folder: string | undefined, context: CommandContext): Promise<void> {
  const { environment, io } = context;
  const home = homeOf(environment, options);
  const path = resolve(environment.cwd(), folder ?? '.');
  requireFolder(path);
  const trust = folderTrust({ ...environment, cwd: () => path }, home);
  if (trust.problem !== undefined) throw new SanbotError('store_damaged', trust.problem);
  if (trust.state === 'trusted')
    return answerTrusted(trust, { en: `${trust.folder} is trusted already.`, zh: `${trust.folder} 已受信任。` }, options, io);
  if (!options.json) io.out(trustRequestText(trust));
  requireYes(options, environment, {
    what: { en: 'Trusting a folder', zh: '信任文件夹' },
    hint: { en: 'Nothing was changed. Add --yes to confirm.', zh: '没有做任何更改。加 --yes 确认。' },
  });
  if (!options.yes && !(await isAgreed({ en: 'Trust this folder?', zh: '信任此文件夹？' }, context))) return;
  trustedFolders(environment, home).add(trustEntry(trust, environment));
  const text = {
    en: `${trust.folder} is trusted. sanbot trust remove takes that back.`,
    zh: `已信任 ${trust.folder}。用 sanbot trust remove 撤销。`,
  };
  answerTrusted(trust, text, options, io);
}

function requireFolder(path: string): void {
  if (orUndefined(() => statSync(path))?.isDirectory() === true) return;
  throw new SanbotError(
    'not_found',
    { en: `There is no folder ${path}`, zh: `没有文件夹 ${path}` },
    { en: 'Give the path of a folder, or nothing for the current one.', zh: '请给出文件夹的路径；省略则为当前文件夹。' },
  );
}

export async function listTrust(options: TrustOptions, { environment, io }: CommandContext): Promise<void> {
  const folders = trustedFolders(environment, homeOf(environment, options)).list();
  io.out(options.json ? `${JSON.stringify(folders, null, 2)}\n` : trustedFoldersText(folders, io.columns));
}

export async function removeTrust(options: TrustOptions, folder: string | undefined, { environment, io }: CommandContext): Promise<void> {
  const home = homeOf(environment, options);
  const trusted = trustedFolders(environment, home);
  const named = resolve(environment.cwd(), folder ?? '.');
  // A folder that is gone can still be named by its path.
  const { folder: found } = folderTrust({ ...environment, cwd: () => named }, home);
  const removed = [named, found].find((each) => trusted.remove(each));
  if (removed === undefined)
    throw new SanbotError(
      'not_found',
      { en: `${named} is not trusted`, zh: `${named} 未受信任` },
      { en: 'sanbot trust list shows those that are trusted.', zh: 'sanbot trust list 显示受信任的文件夹。' },
    );
  answer(io, options, { removed }, { en: `${removed} is no longer trusted.`, zh: `已不再信任 ${removed}。` });
}

function answerTrusted(trust: FolderTrust, text: Bilingual, options: TrustOptions, io: CommandContext['io']): void {
  const { settings, hooks, servers, instructions, skills, commands } = trust.request;
  const asked = { settings, hooks, servers, instructions, skills, commands };
  answer(io, options, { trusted: trust.folder, repository: trust.repository, ...asked }, text);
}
