import type { Ledger, Progress } from '../../../domain/session/ledger.ts';
import { openTasks } from '../../history/todo-list.ts';
import type { SummaryWords } from '../../rules/rule-summary-words.ts';
import type { FitLine, FitSection } from '../../summary/fit-sections.ts';
import { quoteLine } from '../../text/quote.ts';

const WORTH = 79;
const FILES_CHARS = 300;
const COMMANDS_CHARS = 500;

type Heading = Pick<FitSection, 'heading' | 'none'>;

/**
 * What is left of the newest request, told by what was done for it, where a summary beside it has the request as unfinished. What is told
 * elsewhere in the same message is not said to be nothing.
 */
export function pendingTasks(
  heading: Heading,
  { todo, progress }: Ledger,
  { words, adjacentText }: { readonly words: SummaryWords; readonly adjacentText: string },
): { readonly heading: Heading; readonly lines: readonly FitLine[] } {
  const isOpen = heading.none !== undefined && adjacentText.includes(`" (${words.unfinished})`);
  const lines = isOpen && progress !== undefined ? progressLines(progress, words) : [];
  const elsewhere = [...(isOpen && lines.length === 0 ? [words.latestOpen] : []), ...(openTasks(todo).length > 0 ? [words.tasksOpen] : [])];
  if (heading.none === undefined || elsewhere.length === 0) return { heading, lines };
  if (lines.length === 0) return { heading: { ...heading, none: elsewhere.join(' ') }, lines };
  return { heading, lines: [...lines, ...elsewhere.map((text) => ({ text: `- ${text}`, worth: WORTH }))] };
}

function progressLines({ files, worked, failed, next }: Progress, { progress: words }: SummaryWords): readonly FitLine[] {
  const quoted = (commands: readonly string[]): string => commands.map((command) => `\`${command}\``).join(', ');
  const parts = [
    [words.files, quoteLine(files.map((path) => path.split('/').slice(-2).join('/')).join(', '), FILES_CHARS)],
    [words.worked, quoteLine(quoted(worked), COMMANDS_CHARS)],
    [words.failed, quoteLine(quoted(failed), COMMANDS_CHARS)],
    [words.next, next === undefined ? '' : `"${next}"`],
  ].filter(([, text]) => text !== '');
  const isNothing = parts.length === 0;
  return [
    { text: `- ${isNothing ? words.nothing : words.soFar}`, worth: WORTH },
    ...parts.map(([label, text]) => ({ text: `  ${label}: ${text}`, worth: WORTH })),
  ];
}
