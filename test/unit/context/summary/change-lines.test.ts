import { describe, expect, it } from 'vitest';
import type { ToolCall } from '../../../../src/context/ledger/types.ts';
import { changeLines, mergeChanges } from '../../../../src/context/summary/change-lines.ts';
import { english } from '../../../../src/context/summary/fit-sections.ts';

const call = (path: string, input: object, failed = false): ToolCall => ({
  ...{ tool: 'edit', kind: 'write', paths: [path], command: undefined, title: `edit ${path}`, input, result: 'ok', failed },
  ...{ denied: false, stopped: undefined, error: undefined, body: undefined, messageId: 'm', at: '', index: 0 },
});
const edit = (path: string, before: string, after: string): ToolCall => call(path, { path, old_string: before, new_string: after });
const merged = (carried: readonly string[], own: readonly string[]): readonly string[] => {
  const lines = (texts: readonly string[]) => texts.map((text) => ({ text, worth: 1 }));
  return mergeChanges(lines(carried), lines(own), english).map(({ text }) => text);
};
const told = (...calls: readonly ToolCall[]): readonly string[] => changeLines(calls, english).map(({ text }) => text);

describe('what edits changed', () => {
  it('names what an edit defines, what it stands in, and what it takes away', () => {
    expect(told(edit('src/a.go', 'func Old() {}', 'func Fresh() {}'))).toEqual(['- src/a.go: new Fresh; removed Old']);
    expect(told(edit('src/a.go', 'func Same() { return 1 }', 'func Same() { return 2 }'))).toEqual(['- src/a.go: in Same']);
  });

  it('tells in the end only what is left of several edits', () => {
    const lines = told(edit('a.py', 'x', 'def helper(): pass'), edit('a.py', 'def helper(): pass', 'x'));
    expect(lines.join()).not.toContain('helper');
  });

  it('quotes the first new line where no name is defined, and never an import', () => {
    expect(told(edit('a.ts', 'retry(3);', "import x from 'x';\nretry(5);"))).toEqual(['- a.ts: `retry(5);`']);
    expect(told(edit('a.ts', 'one();\ntwo();', 'one();'))).toEqual(['- a.ts: `-two();`']);
    expect(told(edit('a.go', 'x', 'import (\n\t"os"\n)'))).toEqual(['- a.go: once']);
    expect(told(edit('a.go', 'x', '// function never runs\nrun(1)'))).toEqual(['- a.go: `run(1)`']);
  });

  it('quotes no line that a later edit took out, and tells how long a file is by now', () => {
    expect(told(edit('a.ts', 'wait(1);', 'retry(3);'), edit('a.ts', 'retry(3);\nstop();', 'retry(5);\nstop();'))).toEqual([
      '- a.ts: `retry(5);`',
    ]);
    expect(told(edit('a.ts', 'x', 'retry(3);'), call('a.ts', { content: 'stop();\n' }))).toEqual(['- a.ts: written whole, 2 lines']);
    expect(told(call('a.ts', { content: 'one();\ntwo();' }), edit('a.ts', 'one();', 'one();\nonce();\nmore();'))).toEqual([
      '- a.ts: written whole, 4 lines; `once();`',
    ]);
  });

  it('says nothing of a file that was deleted since, and of one that was made anew what is in it now', () => {
    const rm = { ...call('src/a.ts', { command: 'rm src/a.ts' }), kind: 'run', command: 'rm src/a.ts' } as const;
    const made = edit('src/a.ts', 'x', 'function one() {}');
    expect(told(made, rm)).toEqual([]);
    expect(told(made, rm, edit('src/a.ts', 'x', 'function two() {}'))).toEqual(['- src/a.ts: new two']);
  });

  it('tells of a file that was written whole by its lines and names, of a page by its titles', () => {
    expect(told(call('src/b.ts', { path: 'src/b.ts', content: 'export const limit = 3;\n  const inner = 1;\nclass Box {}' }))).toEqual([
      '- src/b.ts: written whole, 3 lines; new limit, Box',
    ]);
    expect(told(call('docs/b.md', { path: 'docs/b.md', content: '# How it works\ntext' }))).toEqual([
      '- docs/b.md: written whole, 2 lines; new "How it works"',
    ]);
  });

  it('reads lists of edits and patches, each file its own part', () => {
    expect(
      told(
        call('a.ts', {
          edits: [
            { old_string: 'a', new_string: 'function alpha() {}' },
            { old_string: 'b', new_string: 'function beta() {}' },
          ],
        }),
      ),
    ).toEqual(['- a.ts: new alpha, beta']);
    const patch =
      '*** Begin Patch\n*** Update File: a.ts\n@@\n-function one() {}\n+function two() {}\n*** Update File: b.ts\n+function three() {}\n*** End Patch';
    expect(told(call('a.ts', { patch }))).toEqual(['- a.ts: new two; removed one']);
  });

  it('says how often where the call does not tell, and nothing of what failed', () => {
    expect(told(call('a.ts', {}), call('a.ts', {}))).toEqual(['- a.ts: 2 times']);
    expect(told(call('a.ts', { content: 'x' }, true))).toEqual([]);
  });

  it('gives each file one line over several summaries, the newer details last and the oldest left out for room', () => {
    expect(merged(['- a.ts: new one', '- b.ts: new x'], ['- a.ts: new two; in three'])).toEqual([
      '- b.ts: new x',
      '- a.ts: new one, two; in three',
    ]);
    expect(merged([`- a.ts: ${'o'.repeat(400)}`], ['- a.ts: new two, and three, and four'])).toEqual([
      '- a.ts: new two, and three, and four',
    ]);
    expect(merged(['- a.ts: `run(1); stop(2);`; `x, y`'], ['- a.ts: `run(1); stop(2);`'])).toEqual(['- a.ts: `x, y`; `run(1); stop(2);`']);
  });

  it('says one thing of a name over several summaries: the later word, and nothing of what was made and removed', () => {
    expect(merged(['- a.ts: new one, two'], ['- a.ts: removed two'])).toEqual(['- a.ts: new one']);
    expect(merged(['- a.ts: new one; in three'], ['- a.ts: in one; removed three'])).toEqual(['- a.ts: new one; removed three']);
    expect(merged(['- a.ts: removed one'], ['- a.ts: new one'])).toEqual(['- a.ts: new one']);
    expect(merged(['- a.ts: 新增 one, two'], ['- a.ts: removed two'])).toEqual(['- a.ts: new one']);
    expect(merged(['- a.md: new "Ports, and tides", "Quay"'], ['- a.md: removed "Ports, and tides"'])).toEqual(['- a.md: new "Quay"']);
    expect(merged(['- a.ts: written whole, 3 lines; new one'], ['- a.ts: written whole, 5 lines'])).toEqual([
      '- a.ts: new one; written whole, 5 lines',
    ]);
  });

  it('still has a line for a file of which nothing is left to tell but that it was edited', () => {
    expect(merged(['- a.ts: new one'], ['- a.ts: removed one'])).toEqual(['- a.ts: 2 times']);
    expect(merged(['- a.ts: 2 times'], ['- a.ts: once'])).toEqual(['- a.ts: 3 times']);
    expect(merged(['- a.ts: 2 times'], ['- a.ts: new one'])).toEqual(['- a.ts: new one']);
  });

  it('does not name what an edit stood in and a later one took away as both', () => {
    expect(told(edit('a.go', 'func Old() { return 1 }', 'func Old() { return 2 }'), edit('a.go', 'func Old() { return 2 }', ''))).toEqual([
      '- a.go: removed Old',
    ]);
  });
});
