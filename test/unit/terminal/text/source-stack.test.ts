import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript-syntax';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sourceStack } from '../../../../src/terminal/text/error-text.ts';

const source = 'type Point = { x: number };\n\nexport const fault = (point: Point): never => {\n  throw new Error(String(point.x));\n};\n';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sanbot-test-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const errorWith = (...frames: readonly string[]): Error => {
  const error = new Error('a fault');
  error.stack = ['Error: a fault', ...frames.map((frame) => `    at ${frame}`)].join('\n');
  return error;
};

test('a stack names the places of the source, as the map beside the compiled file says', () => {
  const { outputText, sourceMapText = '' } = ts.transpileModule(source, {
    fileName: '../src/agent/fault.ts',
    compilerOptions: { sourceMap: true, target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext },
  });
  const file = join(folder, 'fault.js');
  writeFileSync(file, outputText);
  writeFileSync(`${file}.map`, JSON.stringify({ ...JSON.parse(sourceMapText), sources: ['../../src/agent/fault.ts'] }));
  const lines = outputText.split('\n');
  const line = lines.findIndex((text) => text.includes('throw'));
  const place = `${pathToFileURL(file).href}:${line + 1}:${(lines[line] ?? '').indexOf('throw') + 1}`;
  expect(sourceStack(errorWith(`fault (${place})`, place))).toEqual(['at fault (src/agent/fault.ts:4:3)', 'at src/agent/fault.ts:4:3']);
});

test('a stack without a map that can be read stays as it is', () => {
  const missing = `run (${pathToFileURL(join(folder, 'none.js')).href}:1:2)`;
  writeFileSync(join(folder, 'torn.js.map'), '{"version":3,');
  const torn = `run (${pathToFileURL(join(folder, 'torn.js')).href}:1:2)`;
  expect(sourceStack(errorWith(missing, torn, 'node:internal/process:1:1'))).toEqual([
    `at ${missing}`,
    `at ${torn}`,
    'at node:internal/process:1:1',
  ]);
});

test('only the first frames of a stack are shown, and a value that is no error has none', () => {
  expect(sourceStack(errorWith(...Array.from({ length: 30 }, (_, i) => `f${i} (a.ts:1:1)`)))).toHaveLength(8);
  expect(sourceStack('thrown text')).toEqual([]);
});
