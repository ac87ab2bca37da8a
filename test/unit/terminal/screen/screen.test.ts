import { describe, expect, test } from 'vitest';
import type { SanbotEvent } from '../../../../src/domain/event.ts';
import { sameInBoth } from '../../../../src/domain/language.ts';
import type { TodoItem } from '../../../../src/domain/session/ledger.ts';
import { noUsage } from '../../../../src/domain/session/message.ts';
import { planShownOn } from '../../../../src/terminal/input/plan-prompt.ts';
import { createScreen } from '../../../../src/terminal/screen/screen.ts';
import { noSpinner } from '../../../../src/terminal/screen/spinner.ts';
import { createPaint } from '../../../../src/terminal/text/paint.ts';

/** What a screen shows; `{text}` is a spinner that started, `{}` one that stopped. */
function shown(...steps: readonly (SanbotEvent | string)[]): string {
  let text = '';
  let turning = false;
  const screen = createScreen({
    output: {
      write: (piece) => {
        expect(turning).toBe(false);
        text += piece;
      },
    },
    paint: createPaint(false),
    spinner: {
      start: (label, waitMs) => {
        text += `{${label}${waitMs === undefined ? '' : ` ${waitMs}`}}`;
        turning = true;
      },
      stop: () => {
        text += turning ? '{}' : '';
        turning = false;
      },
    },
  });
  for (const step of steps) {
    if (typeof step === 'string') screen.line(step);
    else screen.onEvent(step);
  }
  screen.settle();
  return text;
}

const request: SanbotEvent = { type: 'request', purpose: 'turn', tokens: 10, windowTokens: 100 };
const said = (text: string): SanbotEvent => ({ type: 'text', text });
const replied = (text: string): SanbotEvent => ({ type: 'reply', text, stopReason: 'end_turn', usage: undefined, costUsd: undefined });

describe('the screen', () => {
  test('streams what is said, and starts a line where something else has to be told', () => {
    expect(shown(request, said('Hel'), said('lo'), replied('Hello'), 'a line', said('more'))).toBe('{Thinking}{}Hello\na line\n\nmore\n');
  });

  test('never writes while a spinner turns, and goes on turning after a line', () => {
    expect(shown(request, { type: 'warning', message: sameInBoth('w') }, said('x'))).toBe('{Thinking}{}Warning: w\n{Thinking}{}\nx\n');
  });

  test('shows a sequence inert that comes in two chunks [S-23]', () => {
    expect(shown(request, said('a\u001b'), said('[2Jb\r'), said('\nc'))).toBe('{Thinking}{}a␛[2Jb\nc\n');
  });

  test('shows the whole of a reply that was not streamed, and the streamed one only once', () => {
    expect(shown(request, replied('all at once'))).toBe('{Thinking}{}all at once\n');
    expect(shown(request, replied(''))).toBe('{Thinking}{}');
  });

  test('never shows a summary as an answer [C89, C122]', () => {
    const summary: SanbotEvent = { type: 'request', purpose: 'summary', tokens: 10, windowTokens: 100 };
    expect(shown(summary, said('## Technical Context'), replied('## Technical Context'))).toBe('{Summarising}{}');
  });

  test('tells a tool in one line when it is done', () => {
    const started: SanbotEvent = { type: 'tool_started', toolUseId: 't', tool: 'run_command', title: 'run_command npm test' };
    const ended: SanbotEvent = {
      type: 'tool_ended',
      toolUseId: 't',
      tool: 'run_command',
      ok: true,
      denied: false,
      bytes: 1,
      ms: 5,
      note: sameInBoth('exit 0'),
    };
    expect(shown(started, ended)).toBe('{$ npm test}{}✓ $ npm test\n');
  });

  const looks = (id: string, tool: string, title: string, ok = true): readonly SanbotEvent[] => [
    { type: 'tool_started', toolUseId: id, tool, title },
    { type: 'tool_ended', toolUseId: id, tool, ok, denied: false, bytes: 1, ms: 5, note: sameInBoth(ok ? '2 lines' : 'failed') },
    { type: 'tool_output', toolUseId: id, lines: [`found by ${id}`], omitted: 0, from: 'start' },
  ];
  const quietly = (...steps: readonly (SanbotEvent | string)[]): string => shown(...steps).replaceAll(/\{[^}]*\}/g, '');

  test('tells calls that only look in one row, as long as nothing else comes between, and a single one with what it found', () => {
    const [one, two, three] = [
      looks('a', 'read_file', 'read_file a.js'),
      looks('b', 'read_file', 'read_file b.js'),
      looks('c', 'search', 'search x in .'),
    ];
    expect(quietly(...one, ...two, ...three)).toBe('✓ Read a.js, b.js · Search "x"\n');
    expect(quietly(...three)).toBe('✓ Search "x"  2 lines\n    found by c\n');
    expect(quietly(...one, 'a line', ...two)).toBe(
      '✓ Read a.js  2 lines\n    found by a\na line\n\n✓ Read b.js  2 lines\n    found by b\n',
    );
    expect(quietly(...one, ...looks('d', 'read_file', 'read_file d.js', false), ...two)).toBe(
      '✓ Read a.js  2 lines\n    found by a\n✗ Read d.js  failed\n    found by d\n✓ Read b.js  2 lines\n    found by b\n',
    );
  });

  test('what waits for more of its kind is told row by row, as the live area draws it', () => {
    const screen = createScreen({
      ...{ output: { write: () => undefined }, paint: createPaint(false), spinner: noSpinner },
      ...{ columns: () => 40, showWaiting: () => undefined },
    });
    for (const event of looks('a', 'search', 'search x in .'))
      screen.onEvent(event.type === 'tool_output' ? { ...event, lines: ['one', 'two'], omitted: 3 } : event);
    expect(screen.waiting().rows).toEqual(['✓ Search "x"  2 lines', '    one', '    two', '    … 3 more']);
  });

  test('one blank row stands before an answer and before a group of calls', () => {
    const [command] = [looks('a', 'run_command', 'run_command ls')];
    expect(quietly(request, said('First.'), ...command, ...command, request, said('Then.'))).toBe(
      'First.\n\n✓ $ ls  2 lines\n    found by a\n✓ $ ls  2 lines\n    found by a\n\nThen.\n',
    );
  });

  test('shows what an edit changed below its row, asked about or not', () => {
    const diff = { path: 'a.js', added: 1, removed: 1, text: '@@ -1,2 +1,2 @@\n a\n-b\n+c' };
    const ended: SanbotEvent = {
      type: 'tool_ended',
      toolUseId: 't',
      tool: 'edit_file',
      ok: true,
      denied: false,
      bytes: 1,
      ms: 5,
      note: sameInBoth('+1 -1'),
      diff,
    };
    expect(quietly({ type: 'tool_started', toolUseId: 't', tool: 'edit_file', title: 'edit_file a.js' }, ended)).toBe(
      '✓ Edit a.js  +1 -1\n    1   a\n    2 - b\n    2 + c\n',
    );
  });

  test('draws the task list at the call, and after that only what changed in it', () => {
    const noted = (...todo: readonly TodoItem[]): readonly SanbotEvent[] => [
      { type: 'tool_started', toolUseId: 't', tool: 'todo', title: 'todo find it' },
      { type: 'tool_ended', toolUseId: 't', tool: 'todo', ok: true, denied: false, bytes: 1, ms: 5, note: sameInBoth('1 of 2'), todo },
    ];
    const first = noted({ text: 'find \u001b[31mit', status: 'in_progress' }, { text: 'mend it', status: 'pending' });
    const then = noted(
      { text: 'find \u001b[31mit', status: 'done' },
      { text: 'mend it', status: 'in_progress' },
      { text: 'test it', status: 'pending' },
    );
    expect(quietly(...first)).toBe('✓ Tasks  1 of 2\n    ▸ find ␛[31mit\n    · mend it\n');
    expect(quietly(...first, ...then, ...then)).toBe(
      `${quietly(...first)}✓ Tasks  1 of 2\n    ✓ find ␛[31mit\n    ▸ mend it\n    · test it\n✓ Tasks  1 of 2\n`,
    );
  });

  const retrying: SanbotEvent = { type: 'retrying', why: sameInBoth('overloaded'), attempt: 1, waitMs: 4_000 };
  const helperStarted: SanbotEvent = { type: 'helper_started', helper: 'h1', task: 'find it', continued: false };

  test('shows a plan apart from what the model says', () => {
    const rows: string[] = [];
    const screen = createScreen({ output: { write: (text) => rows.push(text) }, paint: createPaint(false), spinner: noSpinner });
    screen.onEvent(replied('I looked.'));
    planShownOn(screen).show('1. Go on');
    expect(rows.join('')).toBe('I looked.\n\n1. Go on\n');
  });

  test('counts down until the next try beside the spinner, where no row of it stays', () => {
    expect(shown(request, retrying, { ...retrying, attempt: 2 })).toBe('{Thinking}{Retry 1: overloaded 4000}{Retry 2: overloaded 4000}{}');
    expect(shown(helperStarted)).toBe('');
  });

  test('tells of a try and of a helper in a row where nothing turns', () => {
    const rows: string[] = [];
    const screen = createScreen({ output: { write: (text) => rows.push(text) }, paint: createPaint(false), spinner: noSpinner });
    for (const event of [retrying, helperStarted]) screen.onEvent(event);
    expect(rows.join('')).toBe('Trying again in 4.0 s (attempt 1): overloaded\n\nHelper h1: find it\n');
  });

  test('breaks a line that begins further in as far in as it begins', () => {
    const rows: string[] = [];
    const output = { write: (text: string) => rows.push(text) };
    const screen = createScreen({ output, paint: createPaint(false), spinner: noSpinner, columns: () => 30 });
    screen.line('  Nothing is lost, but read it over.');
    expect(rows.join('')).toBe('  Nothing is lost, but read it\n  over.\n');
  });

  test('says what a compaction is doing and how to stop it, and ends with one line [C121]', () => {
    const text = shown(
      { type: 'compaction_started', trigger: 'auto', reasons: ['tokens'], tokens: 182_340, messages: 310 },
      { type: 'compaction_step', step: 'summary', part: 2, parts: 3 },
      { type: 'compaction_cancelled', trigger: 'auto' },
    );
    expect(text).toBe(
      '{Compacting 310 messages, 182,340 tokens}{Compacting: summary 2 of 3}{}Compaction before this request cancelled; the history is unchanged.\n',
    );
  });

  test('keeps thinking apart from the answer', () => {
    expect(shown(request, { type: 'thinking', text: 'hmm' }, said('answer'))).toBe('{Thinking}{}hmm\n\nanswer\n');
  });

  test('says at the end of a turn how it went', () => {
    const ended: SanbotEvent = { type: 'turn_ended', stopReason: 'end_turn', steps: 1, usage: noUsage, costUsd: 0, ms: 1_500 };
    expect(shown(request, said('x'), ended)).toBe('{Thinking}{}x\n1.5 s · 1 step\n');
  });
});
