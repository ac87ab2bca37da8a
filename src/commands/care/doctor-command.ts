import { Command, defineCommand, examples, homeOption, jsonOption } from '../command.ts';

export const doctorCommand = defineCommand({
  grammar: () =>
    new Command('doctor')
      .description(
        'check every log, reference, hash, snapshot, index, lock and permission (exit code 8 if something is wrong), then the endpoint of the model with one small request (exit code 4)',
      )
      .option('--session <id>', 'check only this session')
      .option('--repair', 'repair what can be repaired; nothing is deleted')
      .option('--no-endpoint', 'do not ask the model anything')
      .addOption(jsonOption())
      .addOption(homeOption())
      .addHelpText(
        'after',
        examples(
          ['sanbot doctor', 'see what is wrong, and what a repair would do about it'],
          ['sanbot doctor --repair', 'repair it, then check again'],
        ),
      ),
  load: () => import('./doctor.ts'),
  run: async (options, context, load) => (await load()).examineHome(options, context),
});
