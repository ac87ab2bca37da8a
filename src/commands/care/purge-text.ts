import { pluralize } from '../../terminal/text/format.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';

export type PurgeReport = {
  readonly text: string;
  readonly files: readonly { readonly name: string; readonly count: number }[];
  /** How often it stands in config.json, which is the user's own. */
  readonly inSettings: number;
  readonly unfinished: boolean;
};

const MIN_UNMASKED_CHARS = 16;

/** Enough of a secret to know it by, and never more. */
export function maskSecret(text: string): string {
  const characters = [...text];
  const size = pluralize(characters.length, 'character');
  return characters.length < MIN_UNMASKED_CHARS
    ? `(${size})`
    : `${safeLine(characters.slice(0, 3).join(''))}…${safeLine(characters.slice(-2).join(''))} (${size})`;
}

const totalOf = ({ files }: PurgeReport): number => files.reduce((sum, { count }) => sum + count, 0);

/** Where it stands. Ends with a newline. */
export function purgePlanText(report: PurgeReport): string {
  const { text, files, unfinished } = report;
  const lines = files.map(({ name, count }) => `  ${String(count).padStart(6)}  ${safeLine(name)}\n`);
  const head =
    files.length === 0
      ? `The text ${maskSecret(text)} stands nowhere in what SanBot has kept.\n`
      : `The text ${maskSecret(text)} stands ${pluralize(totalOf(report), 'time')} in ${pluralize(files.length, 'file')}:\n`;
  return `${head}${lines.join('')}${unfinished ? 'An earlier purge was interrupted; it will be finished.\n' : ''}${settingsText(report)}`;
}

export const purgeResultText = (report: PurgeReport): string =>
  `Put [purged] in its place ${pluralize(totalOf(report), 'time')} in ${pluralize(report.files.length, 'file')}. A secret that has leaked should be replaced all the same.\n`;

const settingsText = ({ inSettings }: PurgeReport): string =>
  inSettings === 0 ? '' : `It also stands in config.json (${pluralize(inSettings, 'time')}), which is yours: it is not changed.\n`;

export const purgeJson = (report: PurgeReport, { purged }: { readonly purged: boolean }): string =>
  `${JSON.stringify({ match: maskSecret(report.text), purged, total: totalOf(report), files: report.files, inSettings: report.inSettings }, null, 2)}\n`;
