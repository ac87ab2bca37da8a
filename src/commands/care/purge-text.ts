import { counted } from '../../terminal/text/figures.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';

export type Purging = {
  readonly text: string;
  readonly files: readonly { readonly name: string; readonly count: number }[];
  /** How often it stands in config.json, which is the user's own. */
  readonly inSettings: number;
  readonly unfinished: boolean;
};

const LEAST_SHOWN = 16;

/** Enough of a secret to know it by, and never more. */
export function maskedSecret(text: string): string {
  const characters = [...text];
  const size = counted(characters.length, 'character');
  return characters.length < LEAST_SHOWN
    ? `(${size})`
    : `${safeLine(characters.slice(0, 3).join(''))}…${safeLine(characters.slice(-2).join(''))} (${size})`;
}

const totalOf = ({ files }: Purging): number => files.reduce((sum, { count }) => sum + count, 0);

/** Where it stands. Ends with a newline. */
export function purgePlanText(purging: Purging): string {
  const { text, files, unfinished } = purging;
  const lines = files.map(({ name, count }) => `  ${String(count).padStart(6)}  ${safeLine(name)}\n`);
  const head =
    files.length === 0
      ? `The text ${maskedSecret(text)} stands nowhere in what SanBot has kept.\n`
      : `The text ${maskedSecret(text)} stands ${counted(totalOf(purging), 'time')} in ${counted(files.length, 'file')}:\n`;
  return `${head}${lines.join('')}${unfinished ? 'An earlier purge was interrupted; it will be finished.\n' : ''}${settingsText(purging)}`;
}

export const purgeDoneText = (purging: Purging): string =>
  `Put [purged] in its place ${counted(totalOf(purging), 'time')} in ${counted(purging.files.length, 'file')}. A secret that has leaked should be replaced all the same.\n`;

const settingsText = ({ inSettings }: Purging): string =>
  inSettings === 0 ? '' : `It also stands in config.json (${counted(inSettings, 'time')}), which is yours: it is not changed.\n`;

export const purgeJson = (purging: Purging, { purged }: { readonly purged: boolean }): string =>
  `${JSON.stringify({ match: maskedSecret(purging.text), purged, total: totalOf(purging), files: purging.files, inSettings: purging.inSettings }, null, 2)}\n`;
