import { AbortedError } from '../../domain/errors.ts';
import { buildSetting } from '../../runtime/build-setting.ts';
import { groupOf, versionOf } from '../../runtime/home.ts';
import { NO_CAP, openStore } from '../../runtime/open-store.ts';
import type { Screen } from '../../runtime/screen.ts';
import { readSettings } from '../../runtime/settings.ts';
import type { World } from '../../runtime/world.ts';
import { createRepl } from '../../terminal/repl/repl.ts';
import type { ChatOptions } from '../actions.ts';
import { consolidateDaily } from '../memory/consolidate-daily.ts';
import { openChat } from './chat.ts';
import { inputHistoryLine, parseInputHistory } from './input-history.ts';
import { sessionToGoOnWith } from './which-session.ts';

/** A conversation with a person at a terminal. Resolves with the exit code. */
export async function talk(world: World, options: ChatOptions, screen: Screen): Promise<number> {
  const settings = readSettings(world, options);
  for (const notice of settings.notices) screen.err(`sanbot: ${notice}\n`);
  const { inputHistory: typed } = openStore(world, settings.home, {
    maxSessionBytes: NO_CAP,
    tell: (line) => screen.err(`sanbot: ${line}\n`),
  });
  const repl = createRepl({
    input: world.stdin,
    output: world.stdout,
    colour: screen.colour,
    dumb: world.env.TERM === 'dumb',
    version: versionOf(world),
    history: {
      load: () => parseInputHistory(typed.load()),
      save: (message) => {
        const line = inputHistoryLine(message);
        if (line !== undefined) typed.append(line);
      },
    },
    edit: async (text) => (await import('./edit-text.ts')).editText(world, text),
    now: world.now,
    retentionDays: settings.config.compaction.snapshotRetentionDays,
  });
  const setting = await buildSetting(world, {
    settings,
    mode: options.permissionMode,
    allowed: options.allow,
    askPermission: repl.askPermission,
    confirm: repl.confirm,
    show: repl.onEvent,
    tell: (message) => repl.onEvent({ type: 'warning', message }),
  });
  await consolidateDaily(setting, groupOf(world, options));
  const resume = sessionToGoOnWith(setting, options, (message) => repl.onEvent({ type: 'warning', message }));
  const chat = openChat(setting, { group: groupOf(world, options), resume, model: options.model });
  world.onSignal('SIGINT', repl.interrupt);
  // However the program ends, the terminal is given back as it was.
  world.onExit(repl.restore);
  const killed = untilKilled(world);
  // The prompt is there first; what counts tokens loads behind it.
  setImmediate(() => void setting.ready().then(chat.checkWindow));
  try {
    const code = await Promise.race([repl.run(chat), killed]);
    await Promise.race([chat.reflect(), killed]);
    return code;
  } finally {
    repl.restore();
    await chat.close('prompt_input_exit');
  }
}

/** A closed terminal or a kill ends the program like leaving it: everything is on disk already. */
const untilKilled = (world: World): Promise<never> =>
  new Promise((_, reject) => {
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) world.onSignal(signal, () => reject(new AbortedError(`ended by ${signal}`)));
  });
