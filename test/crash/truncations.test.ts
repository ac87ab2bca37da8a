import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { orUndefined } from '../../src/domain/value/or-undefined.ts';
import { diagnose } from '../../src/store/doctor/doctor.ts';
import { bodyRefOf } from '../../src/store/session/bodies/body-text.ts';
import { openExportedFile } from '../../src/store/snapshot/export-file.ts';
import { isDrawn } from '../support/share.ts';
import { said } from '../unit/store/files/world.ts';
import { CODE, smallHome } from './small-home.ts';

/** The lengths that a file is cut to: every thirtieth, all around the ends of lines, and those that are drawn. */
const lengthsIn = (bytes: Buffer): readonly number[] =>
  [...bytes.keys()].filter(
    (length) => isDrawn(length) || length % 30 === 0 || [-2, -1, 0, 1].some((near) => bytes[length + near] === 0x0a),
  );

test('a log that was cut off anywhere keeps each whole record, is written on behind them, and one without a whole header stays as it is [D-05, D-06, D-07, P20, X2]', () => {
  const { paths, store } = smallHome();
  const path = paths.log('s1');
  const intact = readFileSync(path);
  const open = () => orUndefined(() => store.sessions.open('s1'));
  const wrong: string[] = [];
  const lengths = lengthsIn(intact);
  const headerEnd = intact.indexOf(0x0a);
  for (const length of lengths) {
    const cut = intact.subarray(0, length);
    writeFileSync(path, cut);
    const opened = open();
    if (length < headerEnd) {
      if (opened !== undefined || !readFileSync(path).equals(cut)) wrong.push(`${length}: half a header was opened or changed`);
      continue;
    }
    const isWhole = length === headerEnd || cut.at(-1) === 0x0a;
    // A record that lacks only its line end is a whole one.
    const ends = cut.filter((byte) => byte === 0x0a).length + (intact[length] === 0x0a ? 1 : 0);
    const added = opened?.log.append(said('goes on'));
    opened?.log.close();
    const again = open();
    again?.log.close();
    if (added?.n !== ends) wrong.push(`${length}: ${ends} records were whole, and the next is number ${added?.n}`);
    if (!isWhole && opened?.warnings.length === 0) wrong.push(`${length}: nothing is said`);
    if (again === undefined || again.warnings.length > 0 || again.records.at(-1)?.n !== ends)
      wrong.push(`${length}: what was written then is not read again`);
  }
  console.log(`truncations of a log: ${lengths.length - wrong.length} of ${lengths.length}, problems: ${wrong.length}`);
  expect(wrong).toEqual([]);
}, 600_000);

test('any other file of a session that was cut off is noticed by the doctor, and an export is not imported [B15, D-05, D-09]', () => {
  const home = smallHome();
  const { paths, world } = home;
  const found = () => diagnose(world, { sessionId: undefined, repair: false }).findings.map(({ kind, path }) => `${kind} ${path}`);
  const before = found();
  const isNoticed = () => found().some((finding) => !before.includes(finding));
  const files = [
    paths.retiredBodies('s1'),
    paths.body('s1', home.kept),
    paths.version('s1', bodyRefOf(Buffer.from(CODE)).sha256),
    paths.snapshot('main', home.snapshot.id),
    paths.snapshotMeta('main', home.snapshot.id),
  ].map((path) => ({ path, isNoticed }));
  const targets = [...files, { path: home.exported, isNoticed: () => orUndefined(() => openExportedFile(home.exported)) === undefined }];
  const wrong: string[] = [];
  let tried = 0;
  for (const { path, isNoticed } of targets) {
    const intact = readFileSync(path);
    for (const length of lengthsIn(intact)) {
      writeFileSync(path, intact.subarray(0, length));
      tried += 1;
      if (!isNoticed()) wrong.push(`${path} of ${intact.length} bytes, cut to ${length}`);
    }
    writeFileSync(path, intact);
  }
  console.log(`truncations of other files: ${tried - wrong.length} of ${tried}, problems: ${wrong.length}`);
  expect(wrong).toEqual([]);
}, 600_000);
