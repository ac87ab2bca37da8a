import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { canTrace, lostByPowerCut, traceDriver } from './power-cut.ts';

test('whatever is acknowledged is safe from a power cut: bytes, names and folders, in the right order [D-24, D-25, D-26, D-27]', (context) => {
  if (!canTrace) context.skip('strace is not there, or may not trace');
  const folder = mkdtempSync(join(tmpdir(), 'sanbot-life-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { code, err, calls } = traceDriver(['work', JSON.stringify({ home: join(folder, 'home'), script: 'life' })], { folder });
  expect([code, err]).toEqual([0, '']);
  const { wrong, acknowledged } = lostByPowerCut(calls);
  expect(wrong.map((line) => line.replaceAll(folder, ''))).toEqual([]);
  expect(acknowledged).toBeGreaterThan(10);
});
