import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSandbox } from '../../support/sanbot.ts';

// Where its rows break depends on how long the path of the folder is that the program makes.
beforeEach(() => void vi.stubEnv('TMPDIR', '/tmp'));
afterEach(() => void vi.unstubAllEnvs());

test('the demo shows an edit, a result that goes to a file, a full context, a summary and its undo, and leaves nothing behind', async () => {
  const sandbox = createSandbox();
  const { code, out } = await sandbox.run(['demo', '--fast']);
  expect(code).toBe(0);
  const shown = [
    '> total([]) throws. Fix it.',
    '✓ Edit src/cart.js  +1 -1',
    'item.price, 0);',
    /Offloaded 1 result \(\d+ KB\) to a file/,
    '> /context',
    /\(9\d %\)/,
    '> /compact',
    /Compacted 1[\d,]+ -> \d,\d+ tokens/,
    '> /undo',
    /\d,\d+ -> 1[\d,]+ tokens\. Undo: /,
    'Remembered 1 thing: "Never change anything in vendor/."',
    'The folder is removed.',
  ];
  const places = shown.map((what) => out.search(typeof what === 'string' ? literal(what) : what));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places[0]).toBeGreaterThan(0);
  expect(out).not.toMatch(/warning|degraded|nothing to undo/i);
  const folder = /A made-up job in (\S+)\. /.exec(out)?.[1] ?? '';
  expect(folder).toMatch(/sanbot-demo-/);
  expect(existsSync(folder)).toBe(false);
  expect(existsSync(sandbox.home)).toBe(false);
  expect(readdirSync(sandbox.cwd)).toEqual([]);
});

test('--keep keeps the folder of the demo, whose session is one like any other', async () => {
  const sandbox = createSandbox();
  // A process of its own takes its folder for temporary files from the environment.
  const { out } = await sandbox.runBinary(['demo', '--fast', '--keep'], { env: { TMPDIR: sandbox.cwd } });
  const folder = /The folder is kept: (\S+)\.\s/.exec(out)?.[1] ?? '';
  expect(readFileSync(join(folder, 'shop', 'src', 'cart.js'), 'utf8')).toContain('item.price, 0)');
  const doctor = await sandbox.run(['doctor', '--home', join(folder, 'home')]);
  expect(doctor).toMatchObject({ code: 0 });
  const found = await sandbox.run(['search', '--home', join(folder, 'home'), 'gateway']);
  expect(found.out).toContain('gateway timeout');
});

test('the demo at a terminal asks before the edit, and breaks rows between words', async () => {
  const sandbox = createSandbox();
  const terminal = await sandbox.runAtTerminal(['demo', '--fast'], { columns: 50, rows: 40 });
  expect(await terminal.exit).toEqual({ exitCode: 0 });
  const shown = await terminal.waitFor('To begin, run');
  expect(shown).toContain('Make this change?');
  const opening = shown.slice(shown.indexOf('A made-up job'), shown.search(/SanBot \d/)).split(/\r?\n/);
  expect(opening.filter((row) => row.length > 50)).toEqual([]);
});

test('Ctrl-C ends the demo at once', async () => {
  const terminal = await createSandbox().runAtTerminal(['demo'], { columns: 80, rows: 24 });
  await terminal.waitFor('Ctrl-C ends it.');
  await terminal.waitFor('> ');
  terminal.send('\u0003');
  expect(await terminal.exit).toEqual({ exitCode: 0 });
  expect(await terminal.waitFor('The folder is removed.')).not.toContain('/context');
});

const literal = (text: string): RegExp => new RegExp(text.replace(/[^\w ]/g, '\\$&'));
