import { type Message, textOf } from '../../domain/session/message.ts';
import { type InstructionsTold, instructionsBlock, instructionsIn, type ProjectContext, systemParts } from './system-prompt.ts';

export type NowKnown = {
  readonly project: ProjectContext;
  /** The chosen lines of memory, those of the session itself left out. */
  readonly memory: string;
  /** Every line of memory that could be chosen. */
  readonly allMemory: string;
};

const INSTRUCTIONS_NOW = 'The instruction files of the project have changed. They now say:';
const NO_INSTRUCTIONS = 'The project has no instruction files any more; those above no longer hold.';
const NO_LONGER = 'No longer remembered, so do not go by it:';
const SINCE = 'Remembered since, as a record:';

/**
 * What of a frozen system prompt is no longer so, as texts for a notice: instruction files that changed, memories that were taken back or
 * came from elsewhere. What a notice has told already is not told again.
 */
export function promptChanges(system: string, messages: readonly Message[], now: NowKnown): readonly string[] {
  const told = messages.filter(({ origin }) => origin === 'notice').map(({ content }) => textOf(content));
  return [...instructionChanges(system, told, now.project), ...memoryChanges(system, told, now)];
}

function instructionChanges(system: string, told: readonly string[], project: ProjectContext): readonly string[] {
  const block = instructionsBlock(project.instructions);
  const lastTold = told.findLast((text) => text.includes(INSTRUCTIONS_NOW) || text.includes(NO_INSTRUCTIONS));
  const known = lastTold ?? partOf(system, 'project instructions');
  if (block === '') return known === '' || known.includes(NO_INSTRUCTIONS) ? [] : [NO_INSTRUCTIONS];
  return saysTheSame(instructionsIn(known), instructionsIn(block)) ? [] : [`${INSTRUCTIONS_NOW}\n${block}`];
}

/** Of a file that one of the two gives only in part, that part decides: how much is given depends on the model's window. */
const saysTheSame = (known: readonly InstructionsTold[], now: readonly InstructionsTold[]): boolean =>
  known.length === now.length &&
  known.every((told, at) => {
    const file = now[at];
    if (file === undefined || told.path !== file.path) return false;
    if (told.cut && file.text.startsWith(told.text)) return true;
    return file.cut ? told.text.startsWith(file.text) : !told.cut && told.text === file.text;
  });

function memoryChanges(system: string, told: readonly string[], { memory, allMemory }: NowKnown): readonly string[] {
  const block = partOf(system, 'memory');
  const frozen = itemsIn(/<memory>\n([\s\S]*)\n<\/memory>/.exec(block)?.[1] ?? '');
  const noted = new Set(told.flatMap(itemsIn));
  const all = new Set(itemsIn(allMemory));
  const gone = frozen.filter((line) => !all.has(line) && !told.some((text) => text.includes(NO_LONGER) && text.includes(line)));
  const fresh = itemsIn(memory).filter((line) => !frozen.includes(line) && !noted.has(line));
  return [...(gone.length === 0 ? [] : [[NO_LONGER, ...gone].join('\n')]), ...(fresh.length === 0 ? [] : [[SINCE, ...fresh].join('\n')])];
}

const partOf = (system: string, wanted: string): string => systemParts(system).find(({ name }) => name === wanted)?.text ?? '';
const itemsIn = (text: string): readonly string[] => text.split('\n').filter((line) => line.startsWith('- '));
