import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';

import { EXPORT_ENV, exportedSession } from '../../support/exported-session.ts';
import { createSandbox, type Sandbox } from '../../support/sanbot.ts';
import { unsealed } from '../../support/unsealed.ts';

let sandbox: Sandbox;
let id: string;
let file: string;
beforeAll(async () => {
  ({ sandbox, id, file } = await exportedSession());
});

/** The file with its lines changed, and the hash at its end made right again: what a forger would send. */
function forged(change: (lines: string[]) => string[]): string {
  const lines = change(unsealed(readFileSync(file, 'utf8')).split('\n').slice(0, -2));
  const body = lines.map((each) => `${each}\n`).join('');
  return `${body}${JSON.stringify({ type: 'end', lines: lines.length, sha256: createHash('sha256').update(body).digest('hex') })}\n`;
}

describe('a file that is not what sanbot export wrote', () => {
  test('holds a record, a body and a snapshot twice, and one line of 20 MB: each is there once, and the session goes on [S-39, D-39]', async () => {
    const other = createSandbox(EXPORT_ENV);
    const twice = (lines: readonly string[]) =>
      ['"type":"body"', '"type":"snapshot"'].flatMap((kind) => lines.filter((each) => each.startsWith(`{${kind}`)));
    const giant = { type: 'record', record: { type: 'title', n: 9_999, at: '2026-01-02T03:04:05.000Z', title: '长'.repeat(7_000_000) } };
    writeFileSync(
      join(other.cwd, 'x.jsonl'),
      forged((lines) => [...lines, ...twice(lines), JSON.stringify(giant)]),
    );
    const { code, out, err } = await other.run(['import', 'x.jsonl']);
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('with 2 snapshots.') });
    expect(err).toMatch(/There is already a snapshot \S+; it was not replaced/);
    expect(other.names(`sessions/${id}/offloaded`)).toEqual(sandbox.names(`sessions/${id}/offloaded`));
    expect(await other.run(['--resume', id, '-p', 'status'])).toMatchObject({ code: 0 });
  });
});
