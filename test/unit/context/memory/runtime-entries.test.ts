import { describe, expect, test } from 'vitest';
import { failureEntries, noCalls, sessionRuntime, tallyCalls } from '../../../../src/context/memory/runtime-entries.ts';
import type { Message } from '../../../../src/domain/session/message.ts';
import { answers, calls } from '../../../support/build.ts';

let serial = 0;
function ran(command: string, error?: string): readonly Message[] {
  const id = `c${++serial}`;
  return [
    calls({ id, name: 'run_command', input: { command } }),
    answers({ id, content: error ?? 'ok', ...(error === undefined ? {} : { isError: true }) }),
  ];
}
function wrote(path: string): readonly Message[] {
  const id = `c${++serial}`;
  return [calls({ id, name: 'write_file', input: { path } }), answers({ id })];
}
const failures = (...messages: readonly (readonly Message[])[]): readonly string[] =>
  failureEntries(messages.flat(), { sessionId: 's1' }).map(({ text }) => text);

describe('a command that failed', () => {
  test('is kept with its error, and with what made it work', () => {
    expect(failures(ran('npm test', 'Error: no module x'))).toEqual(['npm test: failed: Error: no module x']);
    expect(failures(ran('npm test', 'Error: no module x'), wrote('a.ts'), ran('npm install x'), ran('ls'), ran('npm test'))).toEqual([
      'npm test: failed: Error: no module x; worked after write_file a.ts, npm install x',
    ]);
    expect(failures(ran('npm test', 'Error: port in use'), ran('npm test'))).toEqual([
      'npm test: failed: Error: port in use; worked when run again',
    ]);
  });

  test('is kept without the passwords that it was given, and so is what made it work', () => {
    const kept = JSON.stringify([
      failures(ran('mysql -pHeron-4711 shop', 'ERROR 1045'), ran('mysqlsh -pHeron-4711 shop')),
      failures(ran('npm test', 'Error: x'), ran('docker login -u me -p Heron-4711'), ran('npm test')),
      sessionRuntime(tallyCalls(noCalls, [], ran('curl -u me:Heron-4711 https://example.com')), { sessionId: 's1' }),
    ]);
    expect(kept).toContain('[redacted password]');
    expect(kept).not.toContain('4711');
  });

  test('is kept with the spelling that worked', () => {
    expect(failures(ran('python tools/run.py', 'python: not found'), ran('python3 tools/run.py'))).toEqual([
      'python tools/run.py: failed: python: not found; worked as python3 tools/run.py',
    ]);
    expect(failures(ran('npm run biuld', 'Error: missing script'), ran('cargo check'))).toEqual([
      'npm run biuld: failed: Error: missing script',
    ]);
  });

  test.each([
    ['git push origin main', 'git status'],
    ['node bad.js', 'node --version'],
    ['npm run lint', 'npm run test'],
    ['pytest', 'pytest tests/unit'],
    ['pip install heron', 'pip install crane'],
    ['deploy host-1', 'deploy host-2'],
    ['make', 'make clean'],
    ['docker build .', 'docker ps'],
  ])('is not repaired by other work: %s, then %s', (failed, then) => {
    expect(failures(ran(failed, 'Error: a'), ran(then))).toEqual([`${failed}: failed: Error: a`]);
  });

  test.each([
    ['npm run biuld', 'npm run build'],
    ['git push', 'git push -u origin main'],
    ['pip install heron', 'pip install --user heron'],
    ['python3 -m pier', 'python3.12 -m pier'],
  ])('is repaired by the same program at the same work: %s, then %s', (failed, then) => {
    expect(failures(ran(failed, 'Error: a'), ran(then))).toEqual([`${failed}: failed: Error: a; worked as ${then}`]);
  });

  test('is kept once, by its last error', () => {
    expect(failures(ran('make', 'Error: a'), ran('make', 'Error: b'))).toEqual(['make: failed: Error: b']);
  });
});

describe('what worked', () => {
  test('leaves no line for itself, but one for the whole session', () => {
    const messages = [...ran('npm test'), ...ran('npm test'), ...wrote('a.ts'), ...ran('git status'), ...ran('npm run build')];
    const entries = sessionRuntime(tallyCalls(noCalls, [], messages), { sessionId: 's1', cwd: '/w' });
    expect(entries.map(({ text }) => text)).toEqual([
      'calls in this session: run_command 4, write_file 1; worked: npm test (2 times), npm run build',
    ]);
    expect(entries[0]).toMatchObject({ kind: 'runtime', sessionId: 's1', cwd: '/w' });
  });

  test('leaves nothing when nothing was called', () => {
    expect(sessionRuntime(noCalls, { sessionId: 's1' })).toEqual([]);
  });

  test('is one line within bounds, without secrets, however much was run', () => {
    const key = `ghp_${'q1W2'.repeat(10)}`;
    const messages = Array.from({ length: 300 }, (_, n) =>
      ran(`deploy --token=${key} host-${n}`, n % 2 === 0 ? `bad ${key}` : undefined),
    ).flat();
    const entries = sessionRuntime(tallyCalls(noCalls, [], messages), { sessionId: 's1' });
    expect(entries.length).toBeLessThanOrEqual(21);
    for (const { text } of entries) {
      expect(text.length).toBeLessThanOrEqual(300);
      expect(text).not.toContain('q1W2');
    }
  });
});
