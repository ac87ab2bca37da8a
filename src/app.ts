import type { Screen } from './app/screen.ts';
import type { World } from './app/world.ts';
import type { Actions } from './cli/actions.ts';

/** What the commands do, each loaded when it is asked for: `history` needs no model, no key and no tokenizer. */
export const createActions = (world: World, screen: Screen): Actions => ({
  chat: async (options) => {
    const headless = options.print !== undefined || world.stdin.isTTY !== true;
    if (headless) return (await import('./app/print.ts')).printAnswer(world, options, screen);
    return (await import('./app/talk.ts')).talk(world, options, screen);
  },
  history: async (options) => (await import('./app/history.ts')).showHistory(world, options, screen),
  sessions: async (options) => (await import('./app/history.ts')).showSessions(world, options, screen),
  search: async (options) => (await import('./app/search.ts')).showHits(world, options, screen),
  show: async (options) => (await import('./app/search.ts')).showOriginal(world, options, screen),
  events: async (options) => (await import('./app/events.ts')).showEvents(world, options, screen),
  rollback: async (options) => (await import('./app/roll-back.ts')).rollBackTo(world, options, screen),
  config: async (options) => (await import('./app/show-config.ts')).showConfig(world, options, screen),
});
