import { AbortedError, SanbotError } from '../../domain/errors.ts';
import { localize } from '../../domain/language.ts';
import { isSet } from '../../model/http/choose-endpoint.ts';
import type { HomeOptions } from '../../runtime/home.ts';
import { storeEnvironmentOf } from '../../runtime/open-store.ts';
import { readSettings, type Settings } from '../../runtime/settings.ts';
import { configPaths, editUserConfig, readConfigFiles } from '../../store/config-file.ts';
import { canAsk } from '../answer.ts';
import type { CommandContext } from '../command.ts';
import { type ModelChoice, withChoice } from './model-choice.ts';
import {
  noTerminal,
  noTerminalHint,
  offlineSavedText,
  overriddenText,
  setupTexts,
  trialFailedText,
  trialPassedText,
  tryingText,
} from './setup-text.ts';
import { overridingVariables, settingsWith, tryModel } from './try-model.ts';

/** Nothing is written before a choice has worked. Throws usage where there is no terminal. */
export async function runSetup(options: HomeOptions, context: CommandContext): Promise<void> {
  const { environment } = context;
  if (!canAsk(environment)) throw new SanbotError('usage', noTerminal, noTerminalHint);
  await chooseModel(readSettings(environment, options), context);
}

export async function offerSetup(settings: Settings, context: CommandContext): Promise<boolean> {
  context.io.out(localize(setupTexts.firstStart));
  return chooseModel(settings, context);
}

async function chooseModel(settings: Settings, context: CommandContext): Promise<boolean> {
  const saved = await chooseUntilSaved(settings, context).catch((error: unknown) => {
    if (error instanceof AbortedError) return false;
    throw error;
  });
  if (!saved) context.io.out(localize(setupTexts.cancelled));
  return saved;
}

async function chooseUntilSaved(settings: Settings, { environment, io }: CommandContext): Promise<boolean> {
  const { askChoice } = await import('./ask-choice.ts');
  const terminal = { input: environment.stdin, output: environment.stdout };
  const path = configPaths(settings.home, settings.home).user;
  for (;;) {
    const choice = await askChoice({ environment, settings, io: terminal, show: io.out });
    if (choice === undefined) return false;
    if (choice.kind === 'offline') {
      save(choice, settings, { environment, io });
      io.out(offlineSavedText(path));
    } else {
      io.out(tryingText(choice.model));
      const candidate = settingsWith(withChoice(userText(settings.home), choice), environment, settings);
      const trial = await tryModel(environment, candidate);
      if (trial.kind === 'failed') {
        io.out(trialFailedText(trial.error));
        continue;
      }
      save(choice, settings, { environment, io });
      io.out(trialPassedText(trial, path));
    }
    const overriding = overridingVariables.filter((name) => isSet(environment.env[name]));
    if (overriding.length > 0) io.out(overriddenText(overriding));
    return true;
  }
}

const userText = (home: string): string => {
  const text = readConfigFiles(home, home).user?.text ?? '';
  return text.trim() === '' ? '{}\n' : text;
};

function save(choice: ModelChoice, settings: Settings, { environment, io }: CommandContext): void {
  editUserConfig({ ...storeEnvironmentOf(environment, settings.home), warn: io.warn }, settings.home, (text) => {
    const edited = withChoice(text, choice);
    settingsWith(edited, environment, settings);
    return edited;
  });
}
