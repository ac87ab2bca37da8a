import type { CommandSpec } from '../command.ts';

export const demoCommand: CommandSpec = {
  name: 'demo',
  summary: 'see on a made-up job, in a temporary folder, what SanBot does when the context fills up',
  options: [{ flags: '--keep', description: 'keep the folder, to look around in it' }],
  examples: [['sanbot demo', 'no key, no network, nothing of yours touched']],
  run: async (given, actions) => (await actions()).demo({ keep: given.flag('keep') }),
};
