import type { Ledger } from '../../../domain/session/ledger.ts';
import type { SummaryWords } from '../../rules/rule-summary-words.ts';
import { cutAt } from '../../text/sentences.ts';
import { commandKey, parseSuccess } from '../outcomes.ts';

/** A line, and the text by which it is known to be said already beside the ledger. */
export type RankItem = { readonly text: string; readonly key: string };

export const plainItem = (item: string): RankItem => ({ text: `- ${item}`, key: item });

/**
 * What failed, whether or not it worked in the end, oldest first; and what was done without ever failing. Of what failed again nothing is said
 * to have worked, and where another command showed that a failure is past, it is named.
 */
export function outcomeItems(
  { failedCommands, done }: Ledger,
  { failureStates, shownBy }: SummaryWords,
): { readonly failures: readonly RankItem[]; readonly done: readonly RankItem[] } {
  const successes = done.map((text) => ({ text, success: parseSuccess(text) }));
  const failing = failedCommands.map(({ command }) => commandKey(command).slice(0, CAUSE_CHARS));
  const repaired = successes.flatMap(({ success }) => {
    const command = shorten(success?.command ?? '', COMMAND_CHARS);
    return (success?.after ?? []).flatMap((cause): readonly RankItem[] => {
      const [, other, error = cause] = /^`([^`]{1,100})`: ([\s\S]*)$/.exec(cause) ?? [];
      if (other === undefined) return [{ text: `- \`${command}\`: ${cause} (${failureStates.worked})`, key: cause }];
      const key = commandKey(other).slice(0, CAUSE_CHARS);
      return failing.includes(key) ? [] : [{ text: `- ${cause} (${shownBy(`\`${command}\``)})`, key: error }];
    });
  });
  return {
    failures: [...repaired, ...failedCommands.map(failureItem)],
    done: successes.filter(({ success }) => (success?.after ?? []).length === 0).map(({ text }) => doneItem(text)),
  };
}

/** So much of another command stands before its error. */
const CAUSE_CHARS = 60;

const failureItem = ({ command, error }: Ledger['failedCommands'][number]): RankItem => ({
  text: `- \`${shorten(command, COMMAND_CHARS)}\`: ${error}`,
  key: error,
});

/** Longer commands are cut: recall finds the whole, and the room goes to other facts. */
const COMMAND_CHARS = 100;

/** Shows a long command by its beginning, followed by the text of its success. */
function doneItem(text: string): RankItem {
  const end = text.startsWith('`') ? text.lastIndexOf('` succeeded') : -1;
  return end < 0 ? plainItem(text) : { text: `- \`${shorten(text.slice(1, end), COMMAND_CHARS)}${text.slice(end)}`, key: text };
}

const shorten = (text: string, chars: number): string => (text.length <= chars ? text : `${cutAt(text, chars - 1).trimEnd()}…`);
