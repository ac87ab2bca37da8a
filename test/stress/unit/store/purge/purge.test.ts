import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { SanbotError } from '../../../../../src/domain/errors.ts';
import { diagnose } from '../../../../../src/store/doctor/doctor.ts';
import { purge } from '../../../../../src/store/purge/purge.ts';
import { bytesLeft, expectPurged, filesBelow, leakedHome, SECRET } from '../../../../support/purge.ts';

import { runs, sampleOf } from '../../../../support/runs.ts';

describe('a purge', () => {
  test('interrupted at its steps can be done again, and every file is whole meanwhile [D-02]', () => {
    const points: string[] = [];
    const first = leakedHome((point) => void points.push(point));
    purge(first.failing, first.paths, SECRET);
    expect(points.length).toBeGreaterThan(30);
    for (const k of sampleOf([...points.keys()].filter((at) => at % 3 === 0))) {
      let n = 0;
      const home = leakedHome((point) => {
        if (n++ === k) throw Object.assign(new Error(`EIO: ${point}`), { code: 'EIO' });
        return undefined;
      });
      try {
        purge(home.failing, home.paths, SECRET);
      } catch (error) {
        expect(error).toBeInstanceOf(SanbotError);
      }
      purge(home.disk, home.paths, SECRET);
      expectPurged(home);
    }
  });

  test('stopped at its steps leaves the home as it was, or is finished by the doctor, who does not know the secret [D-02]', () => {
    const points: string[] = [];
    const first = leakedHome((point) => void points.push(point));
    purge(first.failing, first.paths, SECRET);
    let untouched = 0;
    const steps = sampleOf([...points.keys()].filter((at) => at % 2 === 1));
    for (const k of steps) {
      let n = 0;
      const home = leakedHome((point) => {
        if (n++ >= k) throw Object.assign(new Error(`ENOSPC: ${point}`), { code: 'ENOSPC' });
        return undefined;
      });
      const all = () => filesBelow(home.world.home).map((path) => [path, readFileSync(path, 'latin1')]);
      const before = all();
      try {
        purge(home.failing, home.paths, SECRET);
      } catch (error) {
        expect(error).toBeInstanceOf(SanbotError);
      }
      const hasBegun = existsSync(home.paths.purgeJournal);
      const later = { ...home.world, now: () => new Date(home.world.now().getTime() + 7_200_000) };
      const found = diagnose(later, { sessionId: undefined, repair: true });
      expect(found.findings).toEqual([]);
      if (bytesLeft(home.world.home).length === 0) expectPurged(home);
      else {
        expect(hasBegun).toBe(false);
        expect(all()).toEqual(before);
        untouched += 1;
      }
    }
    expect(untouched).toBeGreaterThan(runs(5));
    expect(untouched).toBeLessThan(steps.length - runs(5));
  });
});
