import type { Actions } from './commands/actions.ts';
import type { Environment } from './runtime/environment.ts';
import type { IoStreams } from './runtime/io-streams.ts';

/** What the commands do, each loaded when it is asked for: `history` needs no model, no key and no tokenizer. */
export const createActions = (world: Environment, screen: IoStreams): Actions => ({
  chat: async (options) => {
    const headless = options.print !== undefined || world.stdin.isTTY !== true;
    if (headless) return (await import('./commands/chat/headless.ts')).runHeadless(world, options, screen);
    return (await import('./commands/chat/interactive.ts')).runInteractive(world, options, screen);
  },
  compact: async (options) => (await import('./commands/context/compact.ts')).compactSession(world, options, screen),
  history: async (options) => (await import('./commands/history/history.ts')).showHistory(world, options, screen),
  sessions: async (options) => (await import('./commands/history/history.ts')).showSessions(world, options, screen),
  showSession: async (options) => (await import('./commands/sessions/sessions.ts')).showSession(world, options, screen),
  renameSession: async (options) => (await import('./commands/sessions/sessions.ts')).retitleSession(world, options, screen),
  deleteSession: async (options) => (await import('./commands/sessions/sessions.ts')).removeSession(world, options, screen),
  searchSessions: async (options) => (await import('./commands/sessions/sessions.ts')).searchAllSessions(world, options, screen),
  search: async (options) => (await import('./commands/search/search.ts')).showHits(world, options, screen),
  show: async (options) => (await import('./commands/search/search.ts')).showOriginal(world, options, screen),
  events: async (options) => (await import('./commands/history/events.ts')).showEvents(world, options, screen),
  metrics: async (options) => (await import('./commands/history/metrics.ts')).showMetrics(world, options, screen),
  report: async (options) => (await import('./commands/history/report.ts')).writeReport(world, options, screen),
  demo: async (options) => (await import('./commands/demo/demo.ts')).runDemo(world, options, screen),
  rollback: async (options) => (await import('./commands/context/rollback.ts')).rollBackTo(world, options, screen),
  listMessages: async (options) => (await import('./commands/context/rollback.ts')).listMessages(world, options, screen),
  doctor: async (options) => (await import('./commands/care/doctor.ts')).examineHome(world, options, screen),
  exportSession: async (options) => (await import('./commands/sessions/export-session.ts')).exportSession(world, options, screen),
  importSession: async (options) => (await import('./commands/sessions/import-session.ts')).importSession(world, options, screen),
  clean: async (options) => (await import('./commands/care/clean.ts')).cleanHome(world, options, screen),
  purge: async (options) => (await import('./commands/care/purge.ts')).purgeHome(world, options, screen),
  replay: async (options) => (await import('./commands/replay/replay.ts')).replayFiles(world, options, screen),
  memoryList: async (options) => (await import('./commands/memory/memory.ts')).listMemories(world, options, screen),
  memoryShow: async (options) => (await import('./commands/memory/memory.ts')).showMemory(world, options, screen),
  memoryAdd: async (options) => (await import('./commands/memory/memory.ts')).addMemory(world, options, screen),
  memoryForget: async (options) => (await import('./commands/memory/memory.ts')).forgetMemories(world, options, screen),
  memoryEdit: async (options) => (await import('./commands/memory/edit-memory.ts')).editMemory(world, options, screen),
  memoryReview: async (options) => (await import('./commands/memory/review-memories.ts')).reviewMemories(world, options, screen),
  memoryUndo: async (options) => (await import('./commands/memory/consolidate.ts')).undoConsolidation(world, options, screen),
  consolidate: async (options) => (await import('./commands/memory/consolidate.ts')).consolidate(world, options, screen),
  config: async (options) => (await import('./commands/config/show-config.ts')).showConfig(world, options, screen),
});
