import { localize } from '../../domain/language.ts';
import { type Flags, readSettings, type Settings } from '../../runtime/settings.ts';
import { asksForSomething, trustEntry, trustedFolders } from '../../runtime/trust/trust.ts';
import { pickOnTerminal } from '../../terminal/input/confirm.ts';
import { NO, YES } from '../../terminal/input/questions.ts';
import { say } from '../answer.ts';
import type { CommandContext } from '../command.ts';
import { settingsOf } from '../open-home.ts';
import { trustRequestText } from './trust-text.ts';

/** Without a yes nothing of an untrusted folder is used, and after a never nobody asks again. */
export async function readSettingsWithTrust(flags: Flags, { environment, io }: CommandContext): Promise<Settings> {
  const settings = readSettings(environment, flags);
  const { trust, home } = settings;
  const isAsked =
    trust.state !== 'trusted' && trust.isRefused !== true && asksForSomething(trust.request) && environment.stdout.isTTY === true;
  if (!isAsked) {
    for (const notice of settings.notices) io.warn(notice);
    return settings;
  }
  io.out(trustRequestText(trust));
  const question = {
    en: 'Trust this folder? What its files ask for is then used, now and later.',
    zh: '信任此文件夹？其文件要求的内容将从现在起一直使用。',
  };
  const choices = [
    { name: localize({ en: '1 Yes, trust it', zh: '1 是，信任' }), value: 'yes', words: [...YES, '1'] },
    { name: localize({ en: '3 Not now', zh: '3 暂不' }), value: 'not_now', words: [...NO, '3'] },
    { name: localize({ en: '4 Never here, and do not ask again', zh: '4 在此从不信任，不再询问' }), value: 'never', words: ['4'] },
  ] as const;
  const answer = await pickOnTerminal(localize(question), choices, environment, 1);
  const folders = trustedFolders(environment, home);
  if (answer === 'yes') {
    folders.add(trustEntry(trust, environment));
    return settingsOf(flags, { environment, io });
  }
  const { folder, repository } = trust;
  if (answer === 'never') folders.refuse({ folder, repository, at: environment.now().toISOString() });
  say(io, {
    en: 'Not trusted: nothing of it is used. sanbot trust add asks again.',
    zh: '未信任：其内容都不会使用。sanbot trust add 可再次询问。',
  });
  return settings;
}
