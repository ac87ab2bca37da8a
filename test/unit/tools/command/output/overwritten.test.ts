import xterm from '@xterm/headless';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { withoutOverwritten } from '../../../../../src/tools/command/output/overwritten.ts';
import { createWorld } from '../../world.ts';

/** What an emulator has on its rows in the end. */
function onScreen(text: string): Promise<string> {
  const terminal = new xterm.Terminal({ cols: 200, rows: 20, convertEol: true, allowProposedApi: true });
  return new Promise((resolve) =>
    terminal.write(text, () => {
      const { active } = terminal.buffer;
      const rows = Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString(true) ?? '');
      resolve(rows.join('\n').trimEnd());
    }),
  );
}

describe('what a program wrote over', () => {
  test.each([
    ['10 %\r55 %\r100 %\ndone\n', '100 %\ndone\n', 2],
    ['a long state\rshort\n', 'shortg state\n', 1],
    ['a long state\r\u001b[Kshort\n', 'short\n', 1],
    ['a long state\u001b[K\rshort\u001b[K\n', 'short\n', 1],
    ['one\r\ntwo\r\n', 'one\r\ntwo\r\n', 0],
    ['50 %\r100 %\r', '100 %', 1],
    ['下载 10%\r下载 100%', '下载 100%', 1],
  ])('%j is %j', (text, shown, states) => {
    expect(withoutOverwritten(text)).toEqual({ text: shown, states });
  });

  test('is what a terminal does not show in the end', async () => {
    const state = fc.string({ unit: fc.constantFrom('a', 'b', '7', '%', '.'), minLength: 1, maxLength: 12 });
    const wiped = fc
      .tuple(fc.constantFrom('', '\u001b[K', '\u001b[2K'), state, fc.constantFrom('', '\u001b[K'))
      .map((parts) => parts.join(''));
    const line = fc.array(wiped, { minLength: 1, maxLength: 5 }).map((states) => states.join('\r'));
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 4 }), async (lines) => {
        const text = lines.join('\n');
        expect((await onScreen(withoutOverwritten(text).text)).trimEnd()).toBe(await onScreen(text));
      }),
    );
  });
});

test('a model gets the last state of a command’s progress, and is told of those before', async () => {
  const world = createWorld();
  const { content } = await world.call('run_command', { command: "for n in $(seq 200); do printf '\\r%s %%' $n; done; echo; echo done" });
  expect(content).toMatch(
    /^exit 0\n\[of lines that it wrote over \(\\r\) the last state is below; 199 earlier ones left out\]\n200 %\ndone\n$/,
  );
});
