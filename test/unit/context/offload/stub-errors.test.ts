import { describe, expect, test } from 'vitest';
import { limitsFor } from '../../../../src/context/measure/limits.ts';
import { stubText } from '../../../../src/context/offload/stub.ts';
import { configSchema } from '../../../../src/domain/config/config.ts';

const limits = limitsFor(configSchema.parse({}), 64_000);
const passed = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => `ok ${from + at} - the lamp of quay ${from + at} is lit\n`).join('');
const failure = '--- FAIL: TestLampOfQuay (0.01s)\n    lamp_test.go:17: expected lit, got dark\n';
const output = `${passed(0, 150)}${failure}${passed(150, 300)}# 299 passed, 1 failed\n`;
const stub = (body: string, tool = 'run_command', ok = true): string =>
  stubText({ path: '/b/1.txt', tool, ok, ref: { sha256: 'ab'.repeat(32), bytes: body.length, lines: 302 }, body }, limits) ?? '';

describe('the stub of a long output', () => {
  test('has the error from its middle beside its end, also where the command ended well', () => {
    const text = stub(output);
    expect(text).toContain('Errors in it:\n--- FAIL: TestLampOfQuay (0.01s)\nlamp_test.go:17: expected lit, got dark\n');
    expect(text).toContain('# 299 passed, 1 failed');
  });

  test('keeps its end when there are more errors than room', () => {
    const text = stub(
      `${passed(0, 100)}${'fatal: the lamp of a quay with a long name is dark again\n'.repeat(1)}${Array.from({ length: 400 }, (_, at) => `fatal: the lamp of quay ${at} is dark, and so is all that is near it\n`).join('')}${passed(100, 200)}the end of it\n`,
    );
    expect(text.match(/^fatal: /gm)?.length).toBeLessThanOrEqual(6);
    expect(text).toContain('the end of it');
  });

  test('has none for a file that was read, and none that head or tail show', () => {
    expect(stub(output, 'read_file')).not.toContain('Errors in it');
    expect(stub(`${passed(0, 300)}fatal: no lamp\n`)).not.toContain('Errors in it');
  });
});
