import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { smallStubText, unitsOf } from '../../../../src/context/offload/stub.ts';
import { anyText, anyUtf16 } from '../../../support/arbitrary.ts';
import { runs } from '../../../support/runs.ts';

const refOf = (body: string) => ({
  sha256: createHash('sha256').update(body).digest('hex'),
  bytes: Buffer.byteLength(body),
  lines: body.split('\n').length,
});

const PATH = '/home/me/.sanbot/sessions/s1/offloaded/ab.txt';
type More = { readonly tool?: string; readonly ok?: boolean; readonly source?: string };
const stub = (body: string, tokens = 250, more: More = {}, shownNames?: Set<string>) =>
  smallStubText({ path: PATH, tool: 'read_file', ok: true, ref: refOf(body), body, ...more }, body, {
    tokens,
    ...(shownNames !== undefined && { shownNames }),
  });
const module = (name: string, length = 60): string =>
  Array.from({ length }, (_, n) => `export function ${name}Part${n % 9}(request) { return open(request.${name}Field); }`).join('\n');

describe('a small stub', () => {
  test('says where the body is, what it is, how it begins, and the names in it', () => {
    const body = `\n// Retries.\n${module('retry')}`;
    const [path, facts, begins, names, ...rest] = (stub(body, 250, { source: '/srv/a\nb.ts' }) ?? '').split('\n');
    expect(path).toBe(`Tool result is at: ${PATH}`);
    expect(facts).toBe(`read_file, ok, ${body.length} bytes, 62 lines, source /srv/a b.ts`);
    expect(begins).toBe('It begins: // Retries.');
    expect(names).toMatch(/^Names in it: .*retryPart3/);
    expect(rest).toEqual(['']);
  });

  test('states the errors of a command', () => {
    const body = `${'compiled a part\n'.repeat(90)}src/net/retry.ts(14,3): error TS2304: Cannot find name 'Policy'.\n${'more\n'.repeat(90)}`;
    expect(stub(body, 250, { tool: 'run_command', ok: false })).toMatch(/Errors in it:\n.*error TS2304/);
  });

  test('repeats no name that another stub of the batch shows', () => {
    const shown = new Set<string>();
    const first = stub(module('retry'), 250, {}, shown) ?? '';
    const second = stub(`// More.\n${module('retry')}\n${module('parse')}`, 250, {}, shown) ?? '';
    expect(first).toContain('retryField');
    expect(second).toContain('parseField');
    expect(/^Names in it: .*$/m.exec(second)?.[0]).not.toContain('retryField');
    expect(stub(module('retry'))).toContain('retryField');
  });

  test('without room is its first two lines', () => {
    expect(stub(module('retry'), 0)?.split('\n')).toHaveLength(3);
  });

  test('is never larger than what stands there, shows at most its tokens below its first two lines, and is the same for the same input', () => {
    const bodies = fc.oneof(
      anyText,
      anyUtf16,
      fc
        .tuple(
          fc.constantFrom('Error: no such file src/a.ts\n', '中文输出，', '😀', 'parseHeader(x) ', '\r\n'),
          fc.integer({ min: 1, max: 2_000 }),
        )
        .map(([unit, times]) => unit.repeat(times)),
    );
    fc.assert(
      fc.property(bodies, fc.constantFrom(0, 20, 250), fc.boolean(), (body, tokens, ok) => {
        const text = stub(body, tokens, { ok, tool: 'run_command' });
        expect(stub(body, tokens, { ok, tool: 'run_command' })).toBe(text);
        if (text === undefined) return;
        expect(text.length).toBeLessThan(body.length);
        expect(text.isWellFormed()).toBe(true);
        expect(unitsOf(text.split('\n').slice(2).join('\n'))).toBeLessThanOrEqual(tokens * 2);
      }),
      { numRuns: runs(100) },
    );
  });
});
