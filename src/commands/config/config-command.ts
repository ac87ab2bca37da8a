import type { ConfigOptions } from '../actions.ts';
import { type CommandSpec, homeOption, jsonOption } from '../command.ts';

const configCommand = (what: ConfigOptions['what'], summary: string): CommandSpec => ({
  name: `config ${what}`,
  summary,
  options: [jsonOption, homeOption],
  examples: [],
  run: async (given, actions) => (await actions()).config({ home: given.text('home'), what, json: given.flag('json') }),
});

export const configCommands: readonly CommandSpec[] = [
  configCommand('show', 'every setting in force, and where it comes from'),
  configCommand('path', 'the files that settings come from'),
  configCommand('validate', 'whether the settings are right; exit code 2 when not'),
];
