import type { SanbotError } from '../../domain/errors.ts';
import { formatCount, pluralize } from '../../terminal/text/format.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import type { Trial } from './try-model.ts';

export const NO_TERMINAL = 'sanbot setup asks at a terminal, and there is none here';
export const NO_TERMINAL_HINT =
  'Set the model in the environment (ANTHROPIC_API_KEY; or SANBOT_PROVIDER, SANBOT_MODEL and a key) or in config.json: docs/models.md has a line for each service.';

export const FIRST_START = 'No model is set up yet. Choose one now, or later with: sanbot setup\n';
export const LOOKING = 'Looking for servers on this machine...\n';
export const WHICH_MODEL_SERVICE = 'Which model do you want to work with?';
export const ADDRESS_QUESTION = 'Address (it ends in /v1 at most servers):';
export const OPTIONAL_KEY_QUESTION = 'Key (none: Enter):';
export const WHICH_MODEL = 'Which model?';
export const NAME_QUESTION = 'Name of the model:';
export const NO_LIST = 'No models are listed there.\n';
export const CANCELLED = 'Nothing was changed.\n';
export const CHOOSE_TIP = 'arrow keys and Enter to choose; Ctrl-C to leave everything as it is';

export const choiceNames = {
  claudeKeyFound: (variable: string) => `Claude, with the key in ${variable}`,
  claudeKeyTyped: 'Claude, with a key that you type',
  openaiKeyFound: (host: string) => `${safeLine(host)}, with the key in OPENAI_API_KEY`,
  localServer: (title: string, port: number, models: number) => `${title} on this machine (port ${port}, ${pluralize(models, 'model')})`,
  otherEndpoint: 'Another server that speaks the API of OpenAI',
  offline: 'Offline: no language model',
  leave: 'Leave everything as it is',
  otherModel: 'another: type its name',
} as const;

export const keyQuestion = (host: string): string => `Key for ${safeLine(host)}:`;
export const badAddress = (address: string): string => `That is no http(s) address: ${safeLine(address)}\n`;
export const tryingText = (model: string): string => `Asking ${safeLine(model)} one small thing...\n`;

export const trialFailedText = ({ message, hint }: SanbotError): string =>
  `It does not work: ${safeLine(message)}\n${safeLine(hint)}\nNothing was changed. Choose again:\n`;

export function trialPassedText(trial: Extract<Trial, { kind: 'answered' }>, path: string): string {
  const { windowTokens, assumed } = trial.facts;
  const windowText = `window ${formatCount(windowTokens)} tokens${assumed ? ', assumed: set contextWindow if you know it' : ''}`;
  const warnings = [...trial.aboutWindow, ...trial.aboutTools].map((line) => `${safeLine(line)}\n`).join('');
  return `It answers: ${safeLine(trial.model)}, ${windowText}.\n${warnings}Saved in ${safeLine(path)}.\n`;
}

export const offlineSavedText = (path: string): string => `SanBot works offline. Saved in ${safeLine(path)}.\n`;

export const overriddenText = (variables: readonly string[]): string =>
  `${variables.join(' and ')} ${variables.length === 1 ? 'is' : 'are'} set in the environment, and wins over the file.\n`;
