import type { ToolSpec } from '../../domain/session/context.ts';
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

const promptChangeKinds = ['instructions', 'forgotten', 'remembered'] as const;
type PromptChangeKind = (typeof promptChangeKinds)[number];

export type PromptChange = { readonly notice: PromptChangeKind; readonly text: string };

/** Until 0.1.0 all three had this kind, and only their openings tell them apart. */
const FORMER_KIND = 'known';
const OPENINGS: Readonly<Record<PromptChangeKind, readonly string[]>> = {
  instructions: [INSTRUCTIONS_NOW, NO_INSTRUCTIONS],
  forgotten: [NO_LONGER],
  remembered: [SINCE],
};

/** What is out of date in a frozen system prompt, for notices; what an earlier notice of the same kind said is not repeated. */
export function promptChanges(system: string, messages: readonly Message[], sources: PromptSources): readonly PromptChange[] {
  const saidOf = (kind: PromptChangeKind): readonly string[] =>
    messages.filter((message) => isOfKind(message, kind)).map(({ content }) => textOf(content));
  return [...instructionChanges(system, saidOf('instructions'), sources.project), ...memoryChanges(system, saidOf, sources)];
}

const isOfKind = ({ origin, notice, content }: Message, kind: PromptChangeKind): boolean =>
  origin === 'notice' &&
  (notice === kind || (notice === FORMER_KIND && OPENINGS[kind].some((opening) => textOf(content).startsWith(opening))));

function instructionChanges(system: string, said: readonly string[], project: ProjectContext): readonly PromptChange[] {
  const block = instructionsBlock(project.instructions);
  const knownBlock = said.at(-1) ?? partOf(system, 'project instructions');
  if (block === '') return instructionsIn(knownBlock).length === 0 ? [] : [{ notice: 'instructions', text: NO_INSTRUCTIONS }];
  const isSame = isSameInstructions(instructionsIn(knownBlock), instructionsIn(block));
  return isSame ? [] : [{ notice: 'instructions', text: `${INSTRUCTIONS_NOW}\n${block}` }];
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

function memoryChanges(
  system: string,
  saidOf: (kind: PromptChangeKind) => readonly string[],
  { memory, allMemory }: PromptSources,
): readonly PromptChange[] {
  const block = partOf(system, 'memory');
  const frozenLines = itemsIn(/<memory>\n([\s\S]*)\n<\/memory>/.exec(block)?.[1] ?? '');
  const [forgotten, remembered] = [new Set(saidOf('forgotten').flatMap(itemsIn)), new Set(saidOf('remembered').flatMap(itemsIn))];
  const all = new Set(itemsIn(allMemory));
  const removedLines = [...new Set([...frozenLines, ...remembered])].filter((line) => !all.has(line) && !forgotten.has(line));
  const newLines = itemsIn(memory).filter((line) => !frozenLines.includes(line) && !remembered.has(line));
  return [
    ...(removedLines.length === 0 ? [] : [{ notice: 'forgotten', text: [NO_LONGER, ...removedLines].join('\n') } as const]),
    ...(newLines.length === 0 ? [] : [{ notice: 'remembered', text: [SINCE, ...newLines].join('\n') } as const]),
  ];
}

const partOf = (system: string, partName: string): string => systemParts(system).find(({ name }) => name === partName)?.text ?? '';
const itemsIn = (text: string): readonly string[] => text.split('\n').filter((line) => line.startsWith('- '));

/** The kind of the notice that a conversation has other tools than it began with. */
export const TOOLS_NOTICE = 'tools';

/** What the model is told when its list of tools becomes another one; undefined when both are the same. */
export function toolChanges(before: readonly ToolSpec[], now: readonly ToolSpec[]): string | undefined {
  if (JSON.stringify(before) === JSON.stringify(now)) return undefined;
  const added = now.filter(({ name }) => !before.some((tool) => tool.name === name));
  const gone = before.filter(({ name }) => !now.some((tool) => tool.name === name));
  const others = now.filter((tool) => before.some((old) => old.name === tool.name && argumentsOf(old) !== argumentsOf(tool)));
  const parts = [
    { what: 'New', tools: added },
    { what: 'No longer there', tools: gone },
    { what: 'With other arguments', tools: others },
  ].flatMap(({ what, tools }) => (tools.length === 0 ? [] : [`${what}: ${tools.map(({ name }) => name).join(', ')}.`]));
  return ['Your list of tools has been renewed, and holds from here on.', ...parts].join(' ');
}

const argumentsOf = ({ inputSchema }: ToolSpec): string => JSON.stringify(Object.keys(Object(inputSchema.properties)).sort());
