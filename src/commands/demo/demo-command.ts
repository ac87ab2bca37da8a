import { Command, defineCommand, examples } from '../command.ts';

export const demoCommand = defineCommand({
  grammar: () =>
    new Command('demo')
      .description('see on a made-up job, in a temporary folder, what SanBot does when the context fills up')
      .option('--keep', 'keep the folder, to look around in it')
      .addHelpText('after', examples(['sanbot demo', 'no key, no network, nothing of yours touched'])),
  load: () => import('./demo.ts'),
  run: async (options, context, load) => (await load()).runDemo(options, context),
});
