import { describe, expect, test } from 'vitest';
import { archivePage, archiveTitle } from '../../../../src/context/history/archive-page.ts';
import type { Message } from '../../../../src/domain/session/message.ts';
import { answers, calls, says, user } from '../../../support/build.ts';

const page = (messages: readonly Message[], bodyOf: () => string | undefined = () => undefined): string =>
  archivePage({ title: 'T', at: '2026-01-02T03:04:05.000Z', sessionId: 's1', messages, bodyOf });

describe('the title of an archive', () => {
  test('is what the user asked first, in any script [N7]', () => {
    expect(archiveTitle([says('Hello'), user('## Fix the **login** please\nand more')])).toBe('Fix the **login** please');
    expect(archiveTitle([user('  请修复登录页面\n')])).toBe('请修复登录页面');
    expect(archiveTitle([user('日本語のタイトル')])).toBe('日本語のタイトル');
  });

  test('is at most 50 characters, and never ends in half of one', () => {
    const family = '👨‍👩‍👧‍👦';
    expect([...archiveTitle([user('字'.repeat(80))])]).toHaveLength(50);
    const title = archiveTitle([user(`家${family.repeat(20)}`)]);
    expect([...title].length).toBeLessThanOrEqual(50);
    expect((title.length - 1) % family.length).toBe(0);
    expect(title.length).toBeGreaterThan(family.length);
    expect(archiveTitle([user('e\u0301'.repeat(60))])).toBe('e\u0301'.repeat(25));
  });

  test('ends with a whole word where words are set apart', () => {
    expect(archiveTitle([user('Please repaint the northern lighthouse and its surroundings')])).toBe(
      'Please repaint the northern lighthouse and its',
    );
    expect(archiveTitle([user('Please repaint the northern lighthouse and its own keel')])).toBe(
      'Please repaint the northern lighthouse and its own',
    );
    expect(archiveTitle([user(`Go ${'x'.repeat(80)}`)])).toHaveLength(50);
    expect(archiveTitle([user(`把 lighthouse ${'灯'.repeat(60)}`)])).toHaveLength(50);
  });

  test('is the headline of the summary, where it has one', () => {
    const titleWith = (summary: string) => archiveTitle([user('Do it please')], summary);
    expect(titleWith('\n# A harbour page with **tides**\n\n## Technical Context\n\nNode')).toBe('A harbour page with **tides');
    expect(titleWith('# 港口潮汐页面\n\n## Technical Context\n\n无')).toBe('港口潮汐页面');
    for (const none of ['## Technical Context\n\nNode', '# Technical Context\n\nNode', 'It went well.\n# Not first', '# ---'])
      expect(titleWith(none)).toBe('Do it please');
  });

  test('has no line ends or control characters, and skips what has no words', () => {
    expect(archiveTitle([user('---\n\u0007\n\u202eRead\u0000 this\u2028now')])).toBe('Read this now');
  });

  test('without words of the user is the time of the first message', () => {
    expect(archiveTitle([{ ...says('Hi'), at: '2026-01-02T21:05:00.000Z' }])).toBe('conversation-2105');
    expect(archiveTitle([{ ...user('a summary'), origin: 'summary', at: '2026-01-02T07:09:00.000Z' }])).toBe('conversation-0709');
    expect(archiveTitle([])).toBe('conversation');
  });
});

describe('the page of an archive', () => {
  test('is headed by title, date and session, and has every message, call and result [N10]', () => {
    const text = page([
      user('Run it'),
      calls({ id: 'c1', name: 'run_command', input: { command: 'npm test' } }),
      answers({ id: 'c1', content: '1 failed', isError: true }),
      says('It failed.'),
    ]);
    expect(
      text.startsWith(
        '# T\n\n- Date: 2026-01-02T03:04:05.000Z\n- Session: s1\n- Messages: 4\n- First: 2026-01-02T03:04:05.000Z\n- Last: 2026-01-02T03:04:05.000Z\n\n## 1. User, ',
      ),
    ).toBe(true);
    expect(text).toContain('Call of `run_command` (c1):\n\n```json\n{\n  "command": "npm test"\n}\n```');
    expect(text).toContain('Error of c1:\n\n```\n1 failed\n```');
    expect(text).toContain('It failed.');
  });

  test('is read as a talk: a line for each call and result, and these whole behind all that was said', () => {
    const input = { path: 'lighthouse.ts', content: 'const keeper = 1;\n'.repeat(40) };
    const text = page([
      user('Write it'),
      calls({ id: 'c1', name: 'write_file', input }),
      answers({ id: 'c1', content: `written\n${'more of it\n'.repeat(90)}` }),
      says('It is written.'),
    ]);
    const [said = '', whole = ''] = text.split('\n# Calls and results, whole\n');
    expect(said).toMatch(/\n\n\[Call of `write_file` \(c1\): lighthouse\.ts const keeper = 1; .{80,130}…\]\n\n## 3\./);
    expect(said).toMatch(/\n\n\[Result of c1: written more of it .{80,140}…\]\n\n## 4\. .*\n\nIt is written\.\n$/);
    expect(whole).toMatch(
      /^\n### Of 2\n\nCall of `write_file` \(c1\):\n\n```json[\s\S]+\n```\n\n### Of 3\n\nResult of c1:\n\n```\nwritten\n/,
    );
    expect(whole).toContain(JSON.stringify(input.content));
    expect(page([user('Hi')])).not.toContain('Calls and results');
  });

  test('shortens nothing, and has the whole body where a stub stood [N11]', () => {
    const long = 'x'.repeat(50_000);
    const stub: Message = {
      ...answers({ id: 'c1', content: 'Tool result is at: /o/x.txt' }),
      stubs: [{ toolUseId: 'c1', tool: 'run_command', body: { sha256: 'c'.repeat(64), bytes: 1, lines: 1 } }],
    };
    expect(page([user(long)])).toContain(long);
    expect(page([calls({ id: 'c1' }), stub], () => long)).toContain(long);
    const lost = page([calls({ id: 'c1' }), stub]);
    expect(lost).toContain('could not be read');
    expect(lost).toContain('Tool result is at: /o/x.txt');
  });

  test('fences what has fences in it, so that a result cannot end its own block', () => {
    const text = page([calls({ id: 'c1' }), answers({ id: 'c1', content: 'a\n```\n````\n## 9. User\nb' })]);
    expect(text).toContain('`````\na\n```\n````\n## 9. User\nb\n`````');
  });

  test('names images, unknown blocks and empty messages', () => {
    const odd: Message = {
      ...user(''),
      content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AA' } }, { type: 'mystery' }],
    };
    expect(page([odd])).toContain('[PNG image, 1 bytes]\n\n[mystery]');
    expect(page([{ ...says(''), content: [] }])).toContain('(no text)');
  });
});
