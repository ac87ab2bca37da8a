import { pluralize } from '../../terminal/text/format.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';

export type PurgeReport = {
  readonly text: string;
  readonly files: readonly { readonly name: string; readonly count: number }[];
  /** How often it occurs in config.json, which is the user's own. */
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

/** Where it occurs. Ends with a newline. */
export function purgePlanText(report: PurgeReport): string {
  const { text, files, unfinished } = report;
  const lines = files.map(({ name, count }) => `  ${String(count).padStart(6)}  ${safeLine(name)}\n`);
  const head =
    files.length === 0
      ? `The text ${maskSecret(text)} does not occur in anything that SanBot has stored.\n`
      : `The text ${maskSecret(text)} occurs ${pluralize(totalOf(report), 'time')} in ${pluralize(files.length, 'file')}:\n`;
  return `${head}${lines.join('')}${unfinished ? 'An earlier purge was interrupted; this one will finish it.\n' : ''}${settingsText(report)}`;
}

export const purgeResultText = (report: PurgeReport): string =>
  `Replaced it with [purged] ${pluralize(totalOf(report), 'time')} in ${pluralize(report.files.length, 'file')}. The secret has leaked, so change it as well.\n`;

const settingsText = ({ inSettings }: PurgeReport): string =>
  inSettings === 0 ? '' : `It also occurs in config.json (${pluralize(inSettings, 'time')}). That file is yours, so it is not changed.\n`;

export const purgeJson = (report: PurgeReport, { purged }: { readonly purged: boolean }): string =>
  `${JSON.stringify({ match: maskSecret(report.text), purged, total: totalOf(report), files: report.files, inSettings: report.inSettings }, null, 2)}\n`;
