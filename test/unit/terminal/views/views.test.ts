import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { configJson, configTable } from '../../../../src/commands/config/config-table.ts';
import { resolveConfig } from '../../../../src/domain/config/config-layers.ts';
import { parseMemoryPage } from '../../../../src/domain/memory/memory-line.ts';
import type { PermissionRequest } from '../../../../src/domain/permission.ts';
import { noUsage } from '../../../../src/domain/session/message.ts';
import type { SessionListEntry } from '../../../../src/domain/session/session-list-entry.ts';
import type { ContextView } from '../../../../src/terminal/chat/context-port.ts';
import { permissionRows } from '../../../../src/terminal/input/permission-prompt.ts';
import { resumedText, welcomeText } from '../../../../src/terminal/repl/session-text.ts';
import { parseCommand } from '../../../../src/terminal/slash/command.ts';
import { createPaint } from '../../../../src/terminal/text/paint.ts';
import { textWidth } from '../../../../src/terminal/text/text-width.ts';
import { eventsJson, eventsText } from '../../../../src/terminal/views/history-table.ts';
import { memoryFilesText } from '../../../../src/terminal/views/memory-text.ts';
import { rollbackDifference, rollbackJson, rollbackPreviewText, rollbackResultText } from '../../../../src/terminal/views/rollback-text.ts';
import { sessionsJson, sessionsTable } from '../../../../src/terminal/views/sessions-table.ts';
import { contextText, sessionCostText } from '../../../../src/terminal/views/views.ts';
import { answers, calls, says, user } from '../../../support/build.ts';
import { aSnapshot } from '../../../support/repl-world.ts';

const now = new Date('2026-02-01T12:00:00.000Z');
const model = { name: 'claude-x', offline: false, windowTokens: 200_000, windowAssumed: false };
const evil = 'x\u001b]0;pwned\u0007\r\u202e';
const control = /[\u001b\u0007\r\u202e]/;

describe('the sessions', () => {
  const row: SessionListEntry = {
    sessionId: 'a1',
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-02-01T09:00:00Z',
    cwd: '/home/dev',
    model: 'm',
    group: 'main',
    title: '修复登录',
    bytes: 5_200,
    open: false,
  };

  test('are a table of when, where and what about, with those that cannot be opened [D-10]', () => {
    const rows = [
      row,
      { ...row, sessionId: 'b2', open: true, title: evil },
      { ...row, sessionId: 'c3', problem: { en: 'the header is damaged', zh: '文件头已损坏' } },
    ];
    const shown = sessionsTable(rows, { now, columns: 100 });
    expect(shown.split('\n').slice(0, 4)).toEqual([
      'id  last used    size  folder     title',
      'a1  3 h ago    5.2 KB  /home/dev  修复登录',
      'b2  open now   5.2 KB  /home/dev  x␛]0;pwned␇␍\\u202e',
      'c3  3 h ago    5.2 KB  /home/dev  cannot be opened: the header is damaged',
    ]);
    expect(shown).toContain('3 sessions. 1 cannot be opened. Continue one: sanbot --resume ID');
    expect(sessionsTable(rows, { now, columns: 100, resume: '/resume ID' })).toContain('Continue one: /resume ID');
    expect(shown).not.toMatch(control);
    expect(JSON.parse(sessionsJson(rows))).toEqual([...rows.slice(0, 2), { ...rows[2], problem: 'the header is damaged' }]);
  });
});

describe('a rollback', () => {
  const [said, answered, later] = [user('add 登录'), says('done'), user('now undo it')];
  const called = calls({ id: 't1' });
  const result = answers({ id: 't1', content: 'file body' });

  test('tells what comes back and what leaves, by the ids of messages', () => {
    expect(rollbackDifference([said, later], [said, called, result, answered])).toEqual({
      returning: [
        { who: 'assistant', text: 'Read a.txt' },
        { who: 'tools', text: 'file body' },
        { who: 'assistant', text: 'done' },
      ],
      leaving: [{ who: 'you', text: 'now undo it' }],
    });
    expect(rollbackDifference([said], [said])).toEqual({ returning: [], leaving: [] });
  });

  test('is previewed as a difference with figures; long lists keep their ends', () => {
    const many = Array.from({ length: 9 }, (_, i) => ({ who: 'you', text: `message ${i} ${evil}` }));
    const shown = rollbackPreviewText(
      { snapshot: aSnapshot, messagesNow: 24, tokensNow: 24_112, returning: many, leaving: [{ who: 'you', text: 'later' }] },
      { columns: 60, now },
    );
    expect(shown).toContain('messages  24 -> 310');
    expect(shown).toContain('tokens    24,112 -> 182,340');
    expect(shown).toContain('  - you: later\n');
    expect(
      shown
        .split('\n')
        .filter((line) => line.startsWith('  +'))
        .map((line) => line.split(' x')[0]),
    ).toEqual([
      '  + you: message 0',
      '  + you: message 1',
      '  + you: message 2',
      '  + … 3 messages more',
      '  + you: message 6',
      '  + you: message 7',
      '  + you: message 8',
    ]);
    expect(shown).not.toMatch(control);
  });

  test('says how to undo it, for people and for programs', () => {
    const done = { restored: 'a', undo: 'b', messages: 310, tokens: 182_340 };
    expect(rollbackResultText(done)).toBe('Restored a: 310 messages, 182,340 tokens. Undo: sanbot rollback --snapshot b\n');
    expect(JSON.parse(rollbackJson(done))).toEqual(done);
  });
});

describe('the audit log', () => {
  const record = {
    v: 1,
    at: '2026-02-01T12:00:00.000Z',
    sessionId: 's1',
    type: 'compacted',
    tokensBefore: 9,
    why: 'two words',
    results: [{ a: 1 }],
    note: evil,
    none: null,
  } as const;

  test('is one line for each record, what is long or technical last', () => {
    expect(eventsText(record, { columns: 200, singleSession: false })).toBe(
      '2026-02-01T12:00:00.000Z s1 compacted tokensBefore=9 why="two words" note="x\\u001b]0;pwned\\u0007\\r\\u202e" results=[1]\n',
    );
    const ended = {
      v: 1,
      at: '2026-02-01T12:00:00.000Z',
      sessionId: 's1',
      type: 'tool_ended',
      toolUseId: 'toolu_1',
      tool: 'search',
      ok: true,
    } as const;
    expect(eventsText(ended, { columns: 80, singleSession: true })).toBe(
      '2026-02-01T12:00:00.000Z tool_ended tool=search ok=true toolUseId=toolu_1\n',
    );
    expect(eventsText(record, { columns: 40, singleSession: false }).length).toBe(41);
    expect(JSON.parse(eventsJson(record))).toEqual(record);
  });
});

describe('the settings', () => {
  const resolved = resolveConfig([
    { kind: 'file', path: '/h/config.json', trust: 'user', text: '{"model": {"apiKey": "sk-ant-0123456789abcdefWXYZ"}}' },
  ]);
  if (resolved.kind === 'bad') throw new Error('The settings are right');

  test('are shown each with its value and origin, the key masked', () => {
    const shown = configTable(resolved, { columns: 120 });
    expect(shown).toMatch(/^compaction\.maxMessages +80 +default$/m);
    expect(shown).toMatch(/^model\.apiKey +"sk-…WXYZ" +\/h\/config\.json$/m);
    expect(shown + configJson(resolved)).not.toContain('0123456789');
    expect(JSON.parse(configJson(resolved))).toContainEqual({ key: 'model.provider', value: 'anthropic', origin: '/h/config.json' });
  });

  test('are shown by the beginning of their keys, and one alone with what it does', () => {
    const several = configTable(resolved, { columns: 120, keyPrefix: 'Compaction.s' });
    expect(
      several
        .trimEnd()
        .split('\n')
        .slice(2)
        .every((row) => row.startsWith('compaction.s')),
    ).toBe(true);
    const alone = configTable(resolved, { columns: 60, keyPrefix: 'recall.embeddings' });
    expect(alone).toMatch(/^recall\.embeddings +null +default\nWhere what was said is turned into vectors, /m);
    expect(alone).not.toMatch(/[`[\]]|.{61}/);
    expect(configTable(resolved, { columns: 60, keyPrefix: 'nothing' })).toBe('');
    expect(JSON.parse(configJson(resolved, 'ui.lang'))).toEqual([{ key: 'ui.language', value: 'auto', origin: 'default' }]);
  });

  test('say of a key in the environment only that it is set', () => {
    const ofEnv = resolveConfig([{ kind: 'env', env: { ANTHROPIC_API_KEY: 'sk-ant-0123456789abcdef' } }]);
    expect(ofEnv.kind === 'ok' && JSON.parse(configJson(ofEnv))).toContainEqual({
      key: 'model.apiKey',
      value: '(set)',
      origin: 'env ANTHROPIC_API_KEY',
    });
  });
});

describe('the views of a session', () => {
  const context: ContextView = {
    ...model,
    tokens: 50_000,
    softTokens: 140_000,
    hardTokens: 160_000,
    messages: 12,
    parts: [
      { name: 'system prompt', tokens: 2_000 },
      { name: 'tool results', tokens: 40_000 },
      { name: 'summary', tokens: 0 },
    ],
    freeable: [{ by: '/compact', tokens: 30_000 }],
  };

  test.each([20, 40, 60])('no row of it is wider than a window of %i columns', (columns) => {
    const freeable = [{ by: 'tool results to files', tokens: 123_456, costUsd: 1.2345 }] as const;
    for (const view of [
      { ...context, freeable },
      { ...context, freeable: [] },
    ])
      expect(
        contextText(view, { columns, paint: createPaint(false) })
          .split('\n')
          .filter((row) => textWidth(row) > columns),
      ).toEqual([]);
  });

  test('show where the window goes and what would be freed', () => {
    const plain = { columns: 60, paint: createPaint(false) };
    const shown = contextText(context, plain);
    expect(shown).toContain('Context: 50,000 of 160,000 tokens (31 %), 12 messages');
    expect(shown).toMatch(/^tool results +40,000 +25 %$/m);
    expect(shown).toMatch(/^free +110,000 +69 %$/m);
    expect(shown).not.toContain('summary');
    expect(shown).toContain('/compact: about 30,000 tokens');
    const bar = shown.split('\n')[1] ?? '';
    expect([bar.length, bar.split('█').length - 1, bar.indexOf('|') - 1]).toEqual([58, 18, 49]);
    expect(contextText({ ...context, tokens: 900_000, freeable: [] }, plain)).toContain('Nothing worth freeing.');
    expect(shown).not.toContain('Pruned');
    expect(contextText({ ...context, pruned: { results: 3, tokens: 9_000 } }, plain).replaceAll('\n', ' ')).toContain(
      'Pruned: 3 old tool results sent only in part until the next compaction, about 9,000 tokens less',
    );
  });

  test('give each kind of the context its colour, in the bar and in its row', () => {
    const shown = contextText(context, { columns: 60, paint: createPaint(true) });
    expect(stripVTControlCharacters(shown)).toBe(contextText(context, { columns: 60, paint: createPaint(false) }));
    const colourOf = (line: RegExp) => line.exec(shown)?.[1];
    const rows = [colourOf(/(\u001b\[\d+m)system prompt/), colourOf(/(\u001b\[\d+m)tool results/)];
    expect(new Set(rows).size).toBe(2);
    for (const colour of rows) expect(shown.split('\n')[1]).toContain(`${colour}█`);
  });

  test('say what making room would cost where a price is known', () => {
    const freeable = [{ by: '/compact', tokens: 30_000, costUsd: 0.0812 }];
    const shown = contextText({ ...context, freeable }, { columns: 80, paint: createPaint(false) });
    expect(shown).toContain('  /compact: about 30,000 tokens; with the next request about $0.0812\n');
    const free = contextText(
      { ...context, freeable: [{ by: '/compact', tokens: 30_000, costUsd: 0 }] },
      { columns: 80, paint: createPaint(false) },
    );
    expect(free).toContain('  /compact: about 30,000 tokens\n');
  });

  test('keep what was used apart from what the context holds [C42]', () => {
    const usage = { ...noUsage, inputTokens: 1_100_000, outputTokens: 5 };
    const shown = sessionCostText(
      { requests: 7, usage, costUsd: undefined, compactions: 1, compactionUsage: noUsage, compactionCostUsd: 0.02 },
      100,
    );
    expect(shown).toMatch(/^session +1,100,000 +0 +0 +5 +unknown$/m);
    expect(shown).toMatch(/^of which summaries .*\$0\.02$/m);
    expect(shown).toContain('1,100,005 tokens in all');
  });

  test('show what a summary cost that was discarded', () => {
    const compactionUsage = { ...noUsage, inputTokens: 4_000 };
    const view = { requests: 1, usage: compactionUsage, costUsd: 0.02, compactions: 0, compactionUsage, compactionCostUsd: 0.02 };
    expect(sessionCostText(view, 100)).toMatch(/^of which summaries +4,000 .*\$0\.02$/m);
    expect(sessionCostText({ ...view, compactionUsage: noUsage }, 100)).not.toContain('summaries');
  });

  test('say what was missed in the cache and why, what was meant apart', () => {
    const view = { requests: 1, usage: noUsage, costUsd: 0, compactions: 0, compactionUsage: noUsage, compactionCostUsd: 0 };
    const misses = [
      { changed: 'tools', missedTokens: 98_000, planned: false },
      { changed: 'messages', missedTokens: 1_200, planned: false },
      { changed: 'messages', missedTokens: 40_000, planned: true },
    ];
    const shown = sessionCostText({ ...view, misses }, 120);
    expect(shown).toContain('98,000 tokens missed: tools changed, 1,200: messages changed.\n');
    expect(shown).toContain('After a compaction or another planned change: 40,000 tokens missed: messages changed.\n');
    expect(sessionCostText(view, 120)).not.toContain('missed');
  });

  test('show the newest memories and where they are', () => {
    const text = `# Facts\n\n${Array.from({ length: 7 }, (_, i) => `- fact ${i} ${evil}`).join('\n')}\n`;
    const shown = memoryFilesText(
      { on: true, files: [{ kind: 'facts', path: '/h/facts.md', entries: parseMemoryPage(text, 'facts') }] },
      80,
    );
    expect(shown.split('\n')[0]).toBe('facts: 7 entries  /h/facts.md');
    expect(shown).toContain('fact 6');
    expect(shown).not.toContain('fact 1');
    expect(shown).toContain('  and 2 earlier: sanbot memory list shows all\n');
    expect(shown).not.toMatch(control);
    const none = (['decisions', 'facts'] as const).map((kind) => ({ kind, path: `/h/${kind}.md`, entries: [] }));
    expect(memoryFilesText({ on: true, files: none }, 80)).toBe('Nothing is remembered yet. /remember TEXT adds something.\n');
    const few = parseMemoryPage('# Facts\n\n- one\n', 'facts');
    expect(memoryFilesText({ on: true, files: [{ kind: 'facts', path: '/h/facts.md', entries: few }] }, 80)).not.toContain('earlier');
  });

  test('begin with who answers, the window and one hint', () => {
    const about = { version: '1.0', model, session: { sessionId: 's1', cwd: '/project', resumed: true, messages: 12 } };
    expect(welcomeText({ ...about, columns: 60 })).toMatch(
      /^SanBot 1\.0 · model claude-x · window 200,000 tokens\nsession s1, continued with 12 messages\n/,
    );
    expect(welcomeText({ ...about, columns: 120 })).toBe(
      'SanBot 1.0 · model claude-x · window 200,000 tokens · session s1, continued with 12 messages\n/help lists the commands. Ctrl-C stops a turn, Ctrl-D exits.\n',
    );
    expect(welcomeText({ ...about, model: { ...model, offline: true, windowAssumed: true }, columns: 120 })).toContain(
      'offline: not a language model · window 200,000 tokens (assumed)',
    );
    expect(welcomeText({ ...about, model: { ...model, offline: true }, columns: 120 })).toContain(
      ': read, list, search, run, write, edit, remember, recall, status.',
    );
  });
});

describe('what a person is asked to allow', () => {
  const request: PermissionRequest = {
    tool: 'edit_file',
    access: 'write',
    title: 'edit_file a.ts',
    preview: '@@\n-old\n+new \u202e\n',
    outside: true,
    offers: [],
  };

  test('is shown whole: title, where, and the exact change [S-14]', () => {
    expect(permissionRows(request, { paint: createPaint(false), columns: 80 })).toEqual([
      '● Edit a.ts  +1 -1 (outside the working folder)',
      '    @@',
      '    - old',
      '    + new \\u202e',
    ]);
  });

  test('is shown once where its title says no more than what stands below it', () => {
    const url = 'https://pages.example/a';
    const page = { ...request, tool: 'fetch_url', access: 'read', title: `fetch_url ${url}`, preview: url, outside: false } as const;
    expect(permissionRows(page, { paint: createPaint(false), columns: 80 })).toEqual([`● Fetch ${url}`]);
  });

  test('never runs off the screen [S-14]', () => {
    const long = { ...request, access: 'run', preview: `echo ${'a'.repeat(300)}; rm -rf /` } as const;
    const lines = permissionRows(long, { paint: createPaint(false), columns: 40 });
    expect(lines.every((line) => line.length <= 60)).toBe(true);
    expect(
      lines
        .slice(1)
        .map((line) => line.trim())
        .join(''),
    ).toContain('rm');
  });

  test('has a title that is whole in a narrow window too [S-14]', () => {
    const path = 'src/a/folder/of/many/names/'.repeat(10);
    const rows = permissionRows({ ...request, title: `edit_file ${path}` }, { paint: createPaint(false), columns: 40 });
    expect(rows.filter((row) => row.length > 40)).toEqual([]);
    expect(rows.join('').replaceAll(' ', '')).toContain(`${path}+1-1(outsidetheworkingfolder)`);
  });

  test('has coloured changes where there are colours', () => {
    expect(permissionRows(request, { paint: createPaint(true), columns: 80 }).join('\n')).toContain(
      '\u001b[31m- \u001b[39m\u001b[31mold\u001b[39m',
    );
  });

  test('what a command left is shown before the sentence that says why it is asked about, which stands above the question', () => {
    const left = {
      ...request,
      preview: 'New: .envrc\n+x',
      outside: false,
      keeps: { en: 'This command left .envrc.', zh: '此命令留下了 .envrc。' },
    };
    expect(permissionRows(left, { paint: createPaint(false), columns: 80 })).toEqual([
      '    New: .envrc',
      '    + x',
      'This command left .envrc.',
    ]);
  });
});

test.each([
  ['/compact keep\nthe names ', { name: 'compact', argument: 'keep\nthe names' }],
  ['/HELP', { name: 'help', argument: '' }],
  ['/etc/hosts', undefined],
  ['/ compact', undefined],
  ['say /help', undefined],
  ['/', { name: 'help', argument: '' }],
  ['quit', { name: 'quit', argument: '' }],
  ['# we use tabs', { name: 'remember', argument: 'we use tabs' }],
  ['#1 is open', undefined],
])('%j is the command %j', (line, command) => {
  expect(parseCommand(line)).toEqual(command);
});

test('a session that is continued says where it stood, in whole words and without the marks around code', () => {
  const answer = `Some words before.\n\n\`\`\`js\n${'const total = 0;\n'.repeat(6)}\`\`\`\n\nNext: **the** \`tests\`, 2 ** 3.`;
  const view = { sessionId: 's1', cwd: '/p', resumed: true, messages: 4, last: { said: 'fix it', answer } } as const;
  const rows = resumedText({ ...view, isCutShort: true, openTasks: ['mend the total', 'run everything'] }, 40).split('\n');
  expect(rows).toEqual([
    ...['> fix it', '', '…', ...Array.from({ length: 6 }, () => 'const total = 0;'), '', 'Next: the tests, 2 ** 3.'],
    ...['The last turn was not finished. Say how', 'to go on.', '2 tasks open: mend the total; run', 'everything', ''],
  ]);
  expect(resumedText({ ...view, last: { said: 'fix it', answer: '' } }, 40)).toBe('> fix it\n');
});
