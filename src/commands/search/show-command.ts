import { type CommandSpec, homeOption, jsonOption } from '../command.ts';

export const showCommand: CommandSpec = {
  name: 'show',
  operands: [['<ref>', 'a reference, as sanbot search prints it']],
  summary: 'the whole text that a hit of search refers to',
  options: [jsonOption, homeOption],
  examples: [['sanbot show REF', 'the text, and what stands before and after it']],
  run: async (given, actions) =>
    (await actions()).show({ home: given.text('home'), ref: given.operands[0] ?? '', json: given.flag('json') }),
};
