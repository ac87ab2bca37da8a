import { type CommandSpec, homeOption, jsonOption } from '../command.ts';

export const doctorCommand: CommandSpec = {
  name: 'doctor',
  summary: 'check every log, reference, hash, snapshot, index, lock and permission; exit code 8 when something is wrong',
  options: [
    { flags: '--session <id>', description: 'only this session' },
    { flags: '--repair', description: 'salvage what can be; nothing is deleted' },
    jsonOption,
    homeOption,
  ],
  examples: [
    ['sanbot doctor', 'what is wrong, and what a repair would do about it'],
    ['sanbot doctor --repair', 'repair it, and look again'],
  ],
  run: async (given, actions) => {
    const { doctor } = await actions();
    return doctor({ home: given.text('home'), session: given.text('session'), repair: given.flag('repair'), json: given.flag('json') });
  },
};
