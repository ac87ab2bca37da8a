import { Command, defineCommand, examples, homeOption, jsonOption } from '../command.ts';

export const doctorCommand = defineCommand({
  grammar: () =>
    new Command('doctor')
      .description('check every log, reference, hash, snapshot, index, lock and permission; exit code 8 when something is wrong')
      .option('--session <id>', 'only this session')
      .option('--repair', 'salvage what can be; nothing is deleted')
      .addOption(jsonOption())
      .addOption(homeOption())
      .addHelpText(
        'after',
        examples(
          ['sanbot doctor', 'what is wrong, and what a repair would do about it'],
          ['sanbot doctor --repair', 'repair it, and look again'],
        ),
      ),
  load: () => import('./doctor.ts'),
  run: async (options, context, load) => (await load()).examineHome(options, context),
});
