import { spawnSync } from 'node:child_process';
import { appendFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { firstOf } from '../support/runs.ts';
import { driver } from '../support/sanbot.ts';
import { headerOf, said, storeOf } from '../unit/store/files/world.ts';

const MB = 1024 * 1024;
/** A hole in the file: it takes no room on the disk, and is read as so many NULs. */
const hole = (path: string, bytes: number) => truncateSync(path, statSync(path).size + bytes);

function homeWith(damage: (log: string) => void): string {
  const { store, paths, world } = storeOf();
  const { log } = store.sessions.create(headerOf('s1'));
  log.append(said('before'));
  log.append(said('after'));
  log.close();
  const [header, before, after] = readFileSync(paths.log('s1'), 'utf8').split('\n');
  writeFileSync(paths.log('s1'), `${header}\n${before}\n`);
  damage(paths.log('s1'));
  appendFileSync(paths.log('s1'), `${after}\n`);
  return world.home;
}

type Found = {
  readonly records: number;
  readonly warnings: number;
  readonly findings: readonly string[];
  readonly memoryMb: number;
};

function opened(home: string): Found {
  const { status, stdout, stderr } = spawnSync(process.execPath, [driver, 'opening', home], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
}

describe('a damaged line of 600 MB', () => {
  let found: Found | undefined;
  const usual = (): Found => {
    found ??= opened(homeWith(() => undefined));
    return found;
  };

  const damages: readonly (readonly [string, (log: string) => void])[] = [
    [
      'that begins and ends like a record',
      (log) => {
        appendFileSync(log, '{"type":"message","n":3,"text":"');
        hole(log, 600 * MB);
        appendFileSync(log, '","crc":"01234567"}\n');
      },
    ],
    [
      'of NULs',
      (log) => {
        hole(log, 600 * MB);
        appendFileSync(log, '\n');
      },
    ],
    [
      'that is short enough for a string, with a checksum that is wrong',
      (log) => {
        appendFileSync(log, '{"type":"message","n":3,"text":"');
        hole(log, 400 * MB);
        appendFileSync(log, '","crc":"01234567"}\n');
      },
    ],
  ];

  test.each(firstOf(damages))('%s is skipped and told, and takes no more memory than the lines that are held [D-09]', (_, damage) => {
    const found = opened(homeWith(damage));
    expect({ ...found, memoryMb: 0 }).toEqual({ records: 2, warnings: 1, findings: ['log_lines'], memoryMb: 0 });
    console.log(`a long damaged line: ${found.memoryMb.toFixed(0)} MB of memory, ${usual().memoryMb.toFixed(0)} MB without it`);
    expect(found.memoryMb - usual().memoryMb).toBeLessThan(200);
  });

  test('at the end is set aside piece by piece', () => {
    const home = homeWith(() => undefined);
    const log = `${home}/sessions/s1/log.jsonl`;
    appendFileSync(log, '{"type":"message"');
    hole(log, 100 * MB);
    const found = opened(home);
    expect({ ...found, memoryMb: 0 }).toEqual({ records: 2, warnings: 1, findings: [], memoryMb: 0 });
    expect(found.memoryMb - usual().memoryMb).toBeLessThan(200);
  });
});
