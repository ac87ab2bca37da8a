import { Command, defineCommand, examples } from '../command.ts';

export const demoCommand = defineCommand({
  grammar: () =>
    new Command('demo')
      .description('watch what SanBot does when the context fills up, on a made-up job in a temporary folder')
      .option('--keep', 'keep the folder, so that you can look around in it')
      .addHelpText('after', examples(['sanbot demo', 'needs no key and no network, and touches none of your files'])),
  load: () => import('./demo.ts'),
  run: async (options, context, load) => (await load()).runDemo(options, context),
});
