import { SanbotError } from '../../domain/errors.ts';
import { isSet } from '../../model/http/choose-endpoint.ts';
import { storeEnvironmentOf } from '../../runtime/open-store.ts';
import { readSettings, type Settings } from '../../runtime/settings.ts';
import { noteSetupOffered, wasSetupOffered } from '../../store/config-file.ts';
import { type ChatOptions, isPlainTerminal } from '../chat/chat-options.ts';
import type { CommandContext } from '../command.ts';

/** The first time that nothing says which model to work with, the person is asked, once. Whatever the answer, the conversation begins. */
export async function settingsAfterOffer(settings: Settings, options: ChatOptions, context: CommandContext): Promise<Settings> {
  if (!isFirstStart(settings, options, context)) return settings;
  const { environment, io } = context;
  const { offerSetup } = await import('./setup.ts');
  const isSaved = await offerSetup(settings, context);
  try {
    noteSetupOffered({ ...storeEnvironmentOf(environment, settings.home), warn: io.warn }, settings.home);
  } catch (error) {
    if (!(error instanceof SanbotError)) throw error;
    io.warn({
      en: `You will be asked again: ${error.shown.message.en}.`,
      zh: `下次还会询问：${error.shown.message.zh}。`,
    });
  }
  return isSaved ? readSettings(environment, options) : settings;
}

/** Programs that start others set CI; a terminal without cursor keys can show no list. */
function isFirstStart({ config, origins, home }: Settings, options: ChatOptions, { environment }: CommandContext): boolean {
  const { env, stdout } = environment;
  if (isPlainTerminal(options, environment)) return false;
  const isNothingSet = origins['model.provider'] === 'default' && config.model.name === null;
  const isContinued = options.continueNewest || options.resume !== undefined;
  return isNothingSet && !isContinued && stdout.isTTY === true && !isSet(env.CI) && !wasSetupOffered(home);
}
