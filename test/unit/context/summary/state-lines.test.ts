import { describe, expect, it } from 'vitest';
import type { ToolCall } from '../../../../src/context/ledger/types.ts';
import { chinese, english } from '../../../../src/context/summary/fit-sections.ts';
import { isReplaced, isStateLine, stateLines } from '../../../../src/context/summary/state-lines.ts';

const base = { failed: false, denied: false, stopped: undefined, error: undefined, body: undefined, messageId: 'm', at: '', index: 0 };
const ran = (command: string, result: string, error?: string): ToolCall => ({
  ...{ ...base, tool: 'bash', kind: 'run', paths: [], command, title: `bash ${command}`, input: { command }, result },
  failed: error !== undefined,
  error,
});
const edited = (path: string): ToolCall => ({
  ...{ ...base, tool: 'edit', kind: 'write', paths: [path], command: undefined, title: `edit ${path}`, input: { path }, result: 'ok' },
});
const told = (...calls: readonly ToolCall[]): readonly string[] => stateLines(calls, english).map(({ text }) => text);

describe('where the work stands', () => {
  it('names branch, last commit, and that it was pushed', () => {
    expect(
      told(
        edited('/p/a.ts'),
        ran('git commit -m "Mend a"', '[mend 1a2b3c4] Mend a\n 1 file changed'),
        ran('git push', 'To origin\n   x..y  mend -> mend'),
      ),
    ).toEqual([
      '- Branch: mend',
      '- Last commit: 1a2b3c4 Mend a',
      '- Pushed since that commit: yes',
      '- Last edit: p/a.ts',
      '- Run since the last edit: not seen',
    ]);
  });

  it('never calls pushed what was pushed before the last commit, nor committed what was edited after it', () => {
    const lines = told(ran('git push', 'done'), ran('git commit -m "One"', '[main 1a2b3c4] One'), edited('/p/b.ts'), edited('/p/c.ts'));
    expect(lines).toContain('- Pushed since that commit: not seen');
    expect(lines).toContain('- Edited and not seen committed: b.ts, c.ts');
  });

  it('tells of a test only when it ran after the last edit, with its newest result', () => {
    const passed = ran('npm test', 'Tests  3 passed');
    const broken = ran('npm test', 'no', 'FAIL a.test.ts');
    expect(told(passed, edited('a.ts'))).toContain('- Run since the last edit: not seen');
    expect(told(edited('a.ts'), passed, broken)).toContain('- Run since the last edit: `npm test` failed: FAIL a.test.ts');
    expect(told(edited('a.ts'), broken, passed)).toContain('- Run since the last edit: `npm test` worked');
    expect(told(edited('a.ts'), ran('ls -la', 'a.ts'))).toContain('- Run since the last edit: not seen');
  });

  it('counts a command that writes a file as an edit, and no test that prints into one', () => {
    const sed = { ...ran('sed -i s/a/b/ src/a.ts', '(no output)'), paths: ['src/a.ts'] };
    const log = { ...ran('npm test > run.log', '(no output)'), paths: ['run.log'] };
    expect(told(edited('b.ts'), sed)).toContain('- Last edit: src/a.ts');
    expect(told(edited('b.ts'), log)).toContain('- Last edit: b.ts');
    expect(told(edited('b.ts'), edited('/tmp/probe.ts'))).toContain('- Last edit: b.ts');
  });

  it('goes on with what an earlier summary called not committed, until a commit', () => {
    const earlier = '## Current Status\n\n- Edited and not seen committed: a.ts, b.ts';
    const linesOf = (...calls: readonly ToolCall[]) => stateLines(calls, english, earlier).map(({ text }) => text);
    expect(linesOf(edited('c.ts'))).toContain('- Edited and not seen committed: a.ts, b.ts, c.ts');
    expect(linesOf(ran('git commit -m x', '[main 1a2b3c4] x'), edited('c.ts'))).toContain('- Edited and not seen committed: c.ts');
  });

  it('says nothing where nothing was edited, run or committed, and nothing of commits where git is not used', () => {
    expect(told()).toEqual([]);
    expect(told({ ...edited('a.ts'), failed: true })).toEqual([]);
    expect(told(edited('a.ts'))).toEqual(['- Last edit: a.ts', '- Run since the last edit: not seen']);
    expect(told({ ...ran('git commit -m x', '[main 1a2b3c4] x'), denied: true })).toEqual([]);
  });

  it('is known again in both languages, and a newer line takes its place', () => {
    const older = stateLines([edited('a.ts')], chinese);
    const newer = stateLines([edited('b.ts')], chinese);
    expect(older.every(({ text }) => isStateLine(text) && isReplaced(text, newer))).toBe(true);
    expect(older.some(({ text }) => isReplaced(text, []))).toBe(false);
    expect(isStateLine('- Branches are named after tickets')).toBe(false);
  });
});
