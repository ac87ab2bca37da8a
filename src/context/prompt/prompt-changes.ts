import { type Message, textOf } from '../../domain/session/message.ts';
import { type Instructions, instructionsBlock, instructionsIn, type ProjectContext, systemParts } from './system-prompt.ts';

export type PromptSources = {
  readonly project: ProjectContext;
  /** The chosen lines of memory, without those of this session. */
  readonly memory: string;
  /** Every line of memory that could be chosen. */
  readonly allMemory: string;
};

const INSTRUCTIONS_NOW = 'The instruction files of the project have changed. They now say:';
const NO_INSTRUCTIONS = 'The project has no instruction files any more; those above no longer hold.';
const NO_LONGER = 'No longer remembered, so do not go by it:';
const SINCE = 'Remembered since, as a record:';

/**
 * Returns what is out of date in a frozen system prompt, as texts for a notice: instruction files that changed, memories that were
 * withdrawn or that came from elsewhere. What an earlier notice said is not repeated.
 */
export function promptChanges(system: string, messages: readonly Message[], sources: PromptSources): readonly string[] {
  const noticeTexts = messages.filter(({ origin }) => origin === 'notice').map(({ content }) => textOf(content));
  return [...instructionChanges(system, noticeTexts, sources.project), ...memoryChanges(system, noticeTexts, sources)];
}

function instructionChanges(system: string, noticeTexts: readonly string[], project: ProjectContext): readonly string[] {
  const block = instructionsBlock(project.instructions);
  const lastNotice = noticeTexts.findLast((text) => text.includes(INSTRUCTIONS_NOW) || text.includes(NO_INSTRUCTIONS));
  const knownBlock = lastNotice ?? partOf(system, 'project instructions');
  if (block === '') return knownBlock === '' || knownBlock.includes(NO_INSTRUCTIONS) ? [] : [NO_INSTRUCTIONS];
  return isSameInstructions(instructionsIn(knownBlock), instructionsIn(block)) ? [] : [`${INSTRUCTIONS_NOW}\n${block}`];
}

/** When one of the two shows only part of a file, that part decides: how much is shown depends on the model's window. */
const isSameInstructions = (known: readonly Instructions[], now: readonly Instructions[]): boolean =>
  known.length === now.length &&
  known.every((knownFile, at) => {
    const file = now[at];
    if (file === undefined || knownFile.path !== file.path) return false;
    if (knownFile.cut && file.text.startsWith(knownFile.text)) return true;
    return file.cut ? knownFile.text.startsWith(file.text) : !knownFile.cut && knownFile.text === file.text;
  });

function memoryChanges(system: string, noticeTexts: readonly string[], { memory, allMemory }: PromptSources): readonly string[] {
  const block = partOf(system, 'memory');
  const frozenLines = itemsIn(/<memory>\n([\s\S]*)\n<\/memory>/.exec(block)?.[1] ?? '');
  const noticeLines = new Set(noticeTexts.flatMap(itemsIn));
  const all = new Set(itemsIn(allMemory));
  const removedLines = frozenLines.filter(
    (line) => !all.has(line) && !noticeTexts.some((text) => text.includes(NO_LONGER) && text.includes(line)),
  );
  const newLines = itemsIn(memory).filter((line) => !frozenLines.includes(line) && !noticeLines.has(line));
  return [
    ...(removedLines.length === 0 ? [] : [[NO_LONGER, ...removedLines].join('\n')]),
    ...(newLines.length === 0 ? [] : [[SINCE, ...newLines].join('\n')]),
  ];
}

const partOf = (system: string, partName: string): string => systemParts(system).find(({ name }) => name === partName)?.text ?? '';
const itemsIn = (text: string): readonly string[] => text.split('\n').filter((line) => line.startsWith('- '));
