import { expect, test } from 'vitest';
import { twoAtATime } from '../../crash/kills.ts';
import { folders } from '../../support/destructive.ts';
import { commands } from '../../support/destructive-commands.ts';
import { differences, factsOf } from '../../support/folder-facts.ts';
import { isDrawn, isWhole } from '../../support/share.ts';
import { undoWorld } from '../../support/undoing.ts';

const cases = Object.keys(folders).flatMap((kind) => commands.map((command) => ({ kind, command })));

test('what a command of the model destroys comes back: bytes, permission bits, links, empty folders, and all that git knows', async () => {
  const chosen = cases.filter((_, at) => isDrawn(at));
  const found = await twoAtATime(chosen, async ({ kind, command }) => {
    // The real binary takes three times as long.
    const { all, asks, undoes } = undoWorld(kind, isWhole ? 'binary' : 'here');
    const before = factsOf(all);
    const ran = await asks(command);
    const undone = await undoes();
    const failed = /^exit \d+$/m.test(ran.out) && undone.code === 0 ? [] : [`${ran.out}${ran.err}\n${undone.out}${undone.err}`];
    return [...failed, ...differences(before, factsOf(all))].map((why) => `${kind}, ${command}: ${why}`);
  });
  console.log(`commands undone: ${found.filter((wrong) => wrong.length === 0).length} of ${chosen.length}`);
  expect(found.flat()).toEqual([]);
}, 7_200_000);
