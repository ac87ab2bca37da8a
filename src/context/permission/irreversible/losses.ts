/**
 * What a command would delete, overwrite or change elsewhere, read off its words, so that it can be said before it runs.
 *
 * A parsed command comes in; out come the paths that it is about to destroy and the things elsewhere that it changes. Whether a path exists,
 * how large it is and whether it could be brought back is found by whoever can look at the disk.
 *
 * Only what stands there is read: what a script, a variable or another program would do is not guessed. `deleting-programs.ts` has the
 * programs that destroy files, `remote-programs.ts` those that change what is on no disk of ours.
 */

import type { Loss, ParsedCommand } from '../../../domain/permission.ts';
import { calledProgram } from './called-program.ts';
import { lostPaths } from './deleting-programs.ts';
import { remoteAct } from './remote-programs.ts';

export function lossesOf({ commands, emptied = [] }: ParsedCommand): readonly Loss[] {
  const redirected = emptied.map(({ pattern, ...placed }): Loss => {
    return { ...placed, command: undefined, kind: 'paths', act: 'overwrite', patterns: [pattern] };
  });
  const told = commands.flatMap((command, at): readonly Loss[] => {
    const called = calledProgram(command);
    if (called === undefined) return [];
    const text = remoteAct(called, commands[at - 1]);
    const placed = command.folder === undefined ? {} : { folder: command.folder };
    const paths = command.isElsewhere === true ? [] : lostPaths(called);
    return [
      ...paths.map((each): Loss => ({ ...placed, ...each, command })),
      ...(text === undefined ? [] : [{ kind: 'remote', command, text } as const]),
    ];
  });
  return [...told, ...redirected];
}
