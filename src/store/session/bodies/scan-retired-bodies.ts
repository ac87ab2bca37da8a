import { fstatSync } from 'node:fs';
import { isObject, isString } from '../../../domain/value/json.ts';
import { readAt, withOwnFile } from '../../files/disk.ts';
import type { LineLocation } from '../../files/json-line.ts';
import { lineSpans } from '../../files/json-line.ts';
import { readLine, readRecord } from '../../files/record-line.ts';
import { tailState } from '../../files/repair-tail.ts';
import { encodeBody, sha256Of } from './body-text.ts';

/** What is damaged in a bodies.jsonl. */
export type RetiredBodiesScan = { readonly damagedLines: readonly LineLocation[]; readonly tailBytes: number };

/** Verifies every line against its hash; undefined when there is no such file. Throws the system's error when it cannot be read. */
export function scanRetiredBodies(path: string): RetiredBodiesScan | undefined {
  return withOwnFile(path, (file) => {
    const damagedLines: LineLocation[] = [];
    let end = 0;
    let line = 0;
    const read = (at: number, count: number) => readAt(file, at, count);
    for (const { position, length } of lineSpans(read, 0, 0)) {
      line += 1;
      end = position + length + 1;
      if (length > 0 && !isBodyLine(readLine(read, { position, length }))) damagedLines.push({ line, position, length });
    }
    const tailBytes = fstatSync(file).size - end;
    if (tailState(readLine(read, { position: end, length: tailBytes })) === 'damaged')
      damagedLines.push({ line: line + 1, position: end, length: tailBytes });
    return { damagedLines, tailBytes };
  });
}

function isBodyLine(bytes: Buffer | undefined): boolean {
  const line = bytes === undefined ? undefined : readRecord(bytes);
  return isObject(line) && isString(line.sha256) && isString(line.text) && sha256Of(encodeBody(line.text)) === line.sha256;
}
