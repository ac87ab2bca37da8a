import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../../domain/config/config.ts';
import type { ServerSetting } from '../../domain/config/mcp-server.ts';
import { commandsIn, type HookEvent } from '../../domain/hook/hook.ts';
import { isWithin } from '../../domain/value/is-within.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';

/**
 * The files of the working folder that hooks and MCP servers of the settings name: they run outside of the sandbox, and nobody is asked
 * each time. Read widely: a word that only looks like a path makes a change of that file ask. Both as written and with links resolved.
 */
export function namedFiles({ hooks }: Pick<Config, 'hooks'>, servers: readonly ServerSetting[], cwd: string): readonly string[] {
  const events = Object.keys(hooks) as readonly HookEvent[];
  const words = [
    ...events
      .flatMap((event) => commandsIn(hooks[event], event))
      .flatMap(({ command }) => wordsOf(command).map((word) => resolve(cwd, word))),
    ...servers.flatMap(({ config: { command = '', args = [], cwd: folder = '.' } }) =>
      [command, ...args].flatMap(wordsOf).map((word) => resolve(cwd, folder, word)),
    ),
  ];
  const real = orUndefined(() => realpathSync(cwd)) ?? cwd;
  const paths = words.filter((path) => isWithin(path, cwd) && orUndefined(() => statSync(path).isDirectory()) !== true);
  return [...new Set(paths.flatMap((path) => [resolve(real, path.slice(cwd.length + 1)), orUndefined(() => realpathSync(path)) ?? path]))];
}

/** A variable before the first slash stands for the working folder, as hooks write it. What is in quotes may have blanks in it. */
const wordsOf = (command: string): readonly string[] =>
  [
    ...command.replace(/["']/g, '').split(/[\s;&|()<>`=]+/),
    ...(command.match(/"[^"]+"|'[^']+'/g) ?? []).map((quoted) => quoted.slice(1, -1)),
  ]
    .map((word) => word.replace(/^\$\{?\w{1,100}\}?\//, ''))
    .filter((word) => word !== '' && !word.startsWith('-') && !word.includes('$') && /[./]/.test(word) && !/^\.+$/.test(word));
