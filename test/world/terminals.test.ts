import { EventEmitter } from 'node:events';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { applyKey } from '../../src/terminal/editor/apply-key.ts';
import { emptyEditor, insert, type } from '../../src/terminal/editor/editor.ts';
import { createLayouter } from '../../src/terminal/editor/layout.ts';
import { keyName, typedText } from '../../src/terminal/input/key-name.ts';
import { createKeyboard } from '../../src/terminal/input/keyboard.ts';
import { createKeyDecoder, type KeyEvent, PASTE_START, splitKeys } from '../../src/terminal/input/keys.ts';
import { textWidth } from '../../src/terminal/text/text-width.ts';
import { worldRuns } from '../support/runs.ts';
import { inReads, type Sent, terminals } from './terminals.ts';

function startKeyboard() {
  const input = Object.assign(new EventEmitter(), { resume: () => undefined, pause: () => undefined });
  const keyboard = createKeyboard({ input, write: () => undefined, onEnd: () => undefined });
  keyboard.read(() => undefined);
  return { input, keyboard };
}

/** What the keyboard says came, until the keys that it holds are pressed. */
async function heardOf(reads: readonly Buffer[]): Promise<readonly KeyEvent[]> {
  const { input, keyboard } = startKeyboard();
  await keyboard.start();
  const events: KeyEvent[] = [];
  keyboard.read((event) => void events.push(event));
  for (const read of reads) input.emit('data', read);
  return events;
}

/** In one list: texts, names of keys in braces, pastes in brackets. What means nothing is not in it. */
const heard = (events: readonly KeyEvent[]): string =>
  events.flatMap(({ type: kind, text }) => (kind === 'paste' ? [`<${text}>`] : splitKeys(text).map(meaningOf))).join('');
function meaningOf(key: string): string {
  const name = keyName(key);
  const text = typedText(name, key);
  if (text !== '') return text;
  return name !== undefined && applyKey(emptyEditor, name) !== undefined ? `{${name}}` : name === 'escape' ? '{escape}' : '';
}
const meant = (sent: readonly Sent[]): string =>
  sent
    .map(({ text, key, isPaste }) => {
      if (key !== undefined) return key !== '' && applyKey(emptyEditor, key) !== undefined ? `{${key}}` : '';
      return isPaste === true ? `<${text}>` : (text ?? '');
    })
    .join('');

test('what is typed and pasted comes as it was meant, wherever reads end, and what a terminal says of itself is no text and no key [B-49]', async () => {
  await fc.assert(
    fc.asyncProperty(terminals, async ({ sent, cuts }) => {
      expect(heard(await heardOf(inReads(sent, cuts)))).toBe(meant(sent));
    }),
    worldRuns(1_000),
  );
});

test('bytes that are no text at all stop nothing: what is typed behind them comes [B-49]', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 6 }), async (noise) => {
      const reads = noise.map((bytes) => Buffer.from(bytes)).filter((bytes) => !bytes.toString('latin1').includes(PASTE_START));
      const events = await heardOf([...reads, Buffer.from('\u0018\u0018 done\r')]);
      expect(heard(events)).toContain('done');
    }),
    worldRuns(500),
  );
});

test('a paste of which the end never comes does not swallow what is typed: Ctrl-C after a pause has it as it is [B-49]', () => {
  for (const stop of ['\u0003', '\u001b[99;5u']) {
    const decoder = createKeyDecoder();
    decoder.write(`${PASTE_START}half a`);
    decoder.write(' paste');
    expect(decoder.write(stop)).toEqual([]);
    decoder.flush();
    expect(decoder.write(stop)).toEqual([{ type: 'paste', text: `half a paste${stop}` }]);
    expect(decoder.write('typed')).toEqual([{ type: 'keys', text: 'typed' }]);
  }
});

test('the rows of a message fit into any width, also of one that changes while it is typed, and the cursor stands on one [B-49]', async () => {
  await fc.assert(
    fc.asyncProperty(terminals, async ({ sent, cuts, columns }) => {
      const layout = createLayouter(() => undefined);
      let editor = emptyEditor;
      for (const [at, event] of (await heardOf(inReads(sent, cuts))).entries()) {
        if (event.type === 'paste') editor = insert(editor, event.text);
        else
          for (const key of splitKeys(event.text)) {
            const name = keyName(key);
            const typed = typedText(name, key);
            editor = (name === undefined ? undefined : applyKey(editor, name)) ?? (typed === '' ? editor : type(editor, typed));
          }
        const width = columns[at % columns.length] ?? 80;
        const { rows, row, column } = layout(editor, width);
        for (const { text } of rows) expect(textWidth(text)).toBeLessThanOrEqual(Math.max(2, width));
        expect(rows[row]).toBeDefined();
        expect(column).toBeLessThanOrEqual(Math.max(2, width));
      }
    }),
    worldRuns(500),
  );
});
