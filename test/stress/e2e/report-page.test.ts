import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { copySync } from 'fs-extra/esm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Browser, browserPath, noBrowser, openBrowser, type Page, paperWidths, printed } from '../../support/browser.ts';
import { binary, createSandbox } from '../../support/sanbot.ts';

const sandbox = createSandbox({ SANBOT_PROVIDER: 'offline', SANBOT_CONTEXT_WINDOW: '10000' });
const chromium = browserPath();
const SECRET = 'sk-ant-api03-abcdefghijklmnopqrstuvwxyz0123456789';
const HOSTILE = `你好 <script>alert(1)</script> \u001b[31m\u202e${SECRET}\nthe second line`;

let sessionId = '';
let browser: Browser;

type Event = Record<string, unknown> & { type: string; at: string };
const events = (): readonly Event[] => sandbox.records('context/events.jsonl') as readonly Event[];
const eventsOf = (type: string): readonly Event[] => events().filter((event) => event.type === type);
const requests = () => eventsOf('request').filter(({ purpose }) => purpose === 'turn');

const report = async (file: string, home = sandbox.home) => {
  const ran = await sandbox.run(['report', '--home', home, '--session', sessionId, '--html', file]);
  expect({ code: ran.code, err: ran.err }).toEqual({ code: 0, err: '' });
};

/** The home again, changed, with a report of it under the same name. */
async function reportOfOther(name: string, alter: (home: string) => void): Promise<string> {
  const home = join(sandbox.cwd, '..', name);
  copySync(sandbox.home, home);
  alter(home);
  await report(`${name}.html`, home);
  return `${name}.html`;
}

type Lines = readonly Record<string, unknown>[];
function rewrite(path: string, change: (lines: Lines) => Lines): void {
  const lines: Lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      // What is written anew here would not match the checksum.
      const { crc: _, ...record } = JSON.parse(line);
      return record;
    });
  writeFileSync(
    path,
    change(lines)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
}

async function opened(
  file: string,
  { width = 1_000, colorScheme = 'light' as 'light' | 'dark' } = {},
): Promise<{ page: Page; wrong: string[] }> {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme, reducedMotion: 'reduce', offline: true });
  const page = await context.newPage();
  const wrong: string[] = [];
  const address = pathToFileURL(join(sandbox.cwd, file)).href;
  page.on('console', (message) => wrong.push(message.text()));
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('request', (request) => {
    if (request.url() !== address) wrong.push(request.url());
  });
  await page.goto(address);
  return { page, wrong };
}

// Run by the page's browser, which is none of the types here.

type Drawn = { caption: string; lines: Record<string, number[]>; high: number; marks: number[] };
/** Each plot's lines as values again, by the places of the axis' own numbers. */
const READ_PLOTS = `[...document.querySelectorAll('figure:has(polyline[data-series])')].map((figure) => {
  const ticks = [...figure.querySelectorAll('[data-y]')].map((tick) => [Number(tick.getAttribute('data-y')), Number(tick.getAttribute('y'))]);
  const [[low, lowY], [high, highY]] = [ticks[0], ticks.at(-1)];
  const value = (y) => low + ((y - lowY) / (highY - lowY)) * (high - low);
  const lines = Object.fromEntries([...figure.querySelectorAll('polyline[data-series], polyline[data-limit]')].map((line) => [
    line.getAttribute('data-series') ?? line.getAttribute('data-limit'),
    line.getAttribute('points').split(' ').map((point) => value(Number(point.split(',')[1]))),
  ]));
  const marks = [0, 1, 2].map((kind) => figure.querySelectorAll('.wide > svg [data-mark="' + kind + '"]').length);
  return { caption: figure.querySelector('figcaption').textContent, lines, high, marks };
})`;

/** The rows of the first table below a heading, as text. */
const rowsBelow = (page: Page, heading: string): Promise<string[][]> =>
  page.evaluate<
    string[][]
  >(`[...[...document.querySelectorAll('section')].find((part) => part.querySelector('h2').textContent === ${JSON.stringify(heading)})
    .querySelector('table').tBodies[0].rows].map((row) => [...row.cells].map((cell) => cell.textContent))`);

const READ_LAYOUT = `({
  page: document.documentElement.scrollWidth,
  unreachable: [...document.querySelectorAll('.wide')].filter((box) => box.getAttribute('tabindex') !== '0').length,
  paper: getComputedStyle(document.body).backgroundColor,
})`;

const figure = (n: unknown): string => Number(n).toLocaleString('en-US');

describe.skipIf(chromium === undefined)(`the page of sanbot report (skipped where ${noBrowser})`, () => {
  beforeAll(async () => {
    const lines = Array.from({ length: 120 }, (_, i) => `const value${i} = compute(${i}, 'of line ${i}');`).join('\n');
    for (const part of [1, 2, 3, 4, 5, 6, 7, 8]) writeFileSync(join(sandbox.cwd, `part${part}.ts`), `// 第${part}\n${lines}\n`);
    const asked = [
      'read part1.ts',
      'read part2.ts',
      '写入 笔记.txt：好',
      'read part3.ts',
      'read part4.ts',
      HOSTILE,
      'run false',
      'read part5.ts',
      'read part6.ts',
      'read part7.ts',
      'read part8.ts',
    ];
    for (const [at, line] of asked.entries()) {
      const again = at === 0 ? [] : ['--continue'];
      const { code } = await sandbox.run([...again, '-p', line, '--allow', 'write_file,run_command']);
      expect(code).toBe(0);
    }
    sessionId = sandbox.names('sessions')[0] ?? '';
    const [compacted] = eventsOf('compacted');
    expect((await sandbox.run(['rollback', '--snapshot', String(compacted?.snapshotId), '--yes'])).code).toBe(0);
    await report('page.html');
    browser = await openBrowser(chromium ?? '');
  });
  afterAll(async () => browser?.close());

  test('opens without network, script or any complaint of the browser, and is private [S-24]', async () => {
    const { page, wrong } = await opened('page.html');
    expect(wrong).toEqual([]);
    expect(await page.locator('script').count()).toBe(0);
    expect(await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content')).toContain("default-src 'none'");
    expect(statSync(join(sandbox.cwd, 'page.html')).mode & 0o777).toBe(0o600);
  });

  test('draws the context of each request at the height that the audit log tells, and a mark for each change', async () => {
    const { page } = await opened('page.html');
    const [plot] = await page.evaluate<Drawn[]>(READ_PLOTS);
    const drawn = plot?.lines['in all'] ?? [];
    const told = requests().map(({ tokens }) => Number(tokens));
    expect(told.length).toBeGreaterThan(10);
    expect(drawn).toHaveLength(told.length + 1);
    for (const [at, tokens] of told.entries()) expect(Math.abs((drawn[at] ?? 0) - tokens)).toBeLessThanOrEqual((plot?.high ?? 0) * 0.002);
    expect(plot?.lines.window?.map(Math.round)).toEqual(drawn.map(() => 10_000));
    expect(plot?.marks).toEqual([eventsOf('compacted').length, eventsOf('offloaded').length, 1]);
  });

  test('tells every compaction with its figures, its facts and the command that undoes it, and the rollback', async () => {
    const { page } = await opened('page.html');
    const rows = await rowsBelow(page, 'Compactions');
    const happened = await rowsBelow(page, 'What happened');
    const compacted = eventsOf('compacted');
    expect(compacted.length).toBeGreaterThan(0);
    for (const [at, event] of compacted.entries()) {
      const row = rows[at] ?? [];
      const change = `${figure(event.tokensBefore)} -> ${figure(event.tokensAfter)}`;
      const checked = eventsOf('compaction_checked')[at];
      expect(row).toContain('the context was full (tokens)');
      expect(row).toContain('by rule');
      expect(row).toContain(change);
      expect(row).toContain(`${checked?.inContext} in context, ${checked?.oneLookUp} one look-up away, ${checked?.lost} lost`);
      expect(
        happened.filter(
          ([, what, , tokens, undo]) =>
            what === 'compacted' && tokens === change && undo === `sanbot rollback --snapshot ${event.snapshotId}`,
        ),
      ).toHaveLength(1);
    }
    const [back] = eventsOf('rolled_back');
    expect(happened.find(([, what]) => what === 'rolled back')?.at(-1)).toBe(`sanbot rollback --snapshot ${back?.undoId}`);
  });

  test('lists turns, tools and files, with what failed and what changed', async () => {
    const { page } = await opened('page.html');
    const turns = await rowsBelow(page, 'Turns');
    expect(turns.map(([n, , asked]) => [n, asked]).slice(0, 3)).toEqual([
      ['1', 'read part1.ts'],
      ['2', 'read part2.ts'],
      ['3', '写入 笔记.txt：好'],
    ]);
    expect(turns.map((row) => row[6])).toEqual(turns.map(() => 'by the model'));
    expect(turns[6]?.[4]).toBe('1, 1 failed');
    const tools = await rowsBelow(page, 'Tools');
    expect(tools.map((row) => row.slice(0, 3))).toEqual([
      ['read_file', '8', '0'],
      ['run_command', '1', '1'],
      ['write_file', '1', '0'],
    ]);
    const files = await rowsBelow(page, 'Files');
    expect(files[0]).toEqual([join(sandbox.cwd, '笔记.txt'), '0', '1', 'new, 3 B']);
    expect(files).toHaveLength(9);
  });

  test('shows what was asked by its first line, with nothing in it obeyed and no secret [S-24]', async () => {
    const { page } = await opened('page.html');
    const asked = (await rowsBelow(page, 'Turns'))[5]?.[2] ?? '';
    expect(asked).toMatch(/^你好 <script>alert\(1\)<\/script> \ufffd\[31m\ufffd.*\[redacted/);
    const text = readFileSync(join(sandbox.cwd, 'page.html'), 'utf8');
    expect(text).not.toContain('abcdefghijklmnop');
    expect(text).not.toContain('the second line');
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/);
  });

  test.each(['light', 'dark'] as const)(
    'has no overflow on a narrow screen, in %s, and the keyboard reaches every wide box',
    async (colorScheme) => {
      const { page, wrong } = await opened('page.html', { width: 400, colorScheme });
      expect(await page.evaluate(READ_LAYOUT)).toEqual({
        page: 400,
        unreachable: 0,
        paper: colorScheme === 'dark' ? 'rgb(22, 22, 22)' : 'rgb(255, 255, 255)',
      });
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.tagName')).toBe('A');
      expect(wrong).toEqual([]);
    },
  );

  test.each(paperWidths)(
    'is printed on paper of %i pixels with nothing cut, black on white, also where the screen is dark',
    async (width) => {
      const { page } = await opened('page.html', { colorScheme: 'dark' });
      expect(await printed(page, width)).toEqual({ paper: 'rgb(255, 255, 255)', cut: [], scrolling: 0, breakable: 0 });
    },
  );

  test('has the sums that the provider reported, and what they cost, where it reported any', async () => {
    const usage = { inputTokens: 1_000, cacheReadTokens: 3_000, cacheWriteTokens: 500, outputTokens: 70 };
    const file = await reportOfOther('paid', (home) => {
      rewrite(join(home, 'sessions', sessionId, 'log.jsonl'), (lines) =>
        lines.map((line) => {
          const message = line.message as { origin?: string } | undefined;
          return message?.origin === 'model' ? { ...line, message: { ...message, usage } } : line;
        }),
      );
      rewrite(join(home, 'context', 'events.jsonl'), (lines) =>
        lines.map((line) => (line.type === 'reply' ? { ...line, usage, costUsd: 0.01 } : line)),
      );
    });
    const { page } = await opened(file);
    const plots = await page.evaluate<Drawn[]>(READ_PLOTS);
    const replies = eventsOf('reply').length;
    const drawn = plots[0]?.lines['in all']?.slice(0, -1) ?? [];
    expect(drawn).toHaveLength(replies);
    for (const tokens of drawn) expect(Math.abs(tokens - 4_500)).toBeLessThanOrEqual((plots[0]?.high ?? 0) * 0.002);
    expect(plots[1]?.lines['read from the cache']?.map(Math.round)).toEqual(Array.from({ length: replies }, () => 3_000));
    const paid = plots[2]?.lines.cost ?? [];
    expect(paid).toHaveLength(replies);
    expect(paid.at(-1)).toBeCloseTo(replies * 0.01, 3);
  });

  test('without the audit log tells the life from the session alone, and what is missing', async () => {
    const file = await reportOfOther('no-events', (home) => rmSync(join(home, 'context'), { recursive: true }));
    const { page } = await opened(file);
    expect(await page.locator('section').first().innerText()).toContain('The audit log has no event of this session');
    const rows = await rowsBelow(page, 'Compactions');
    expect(rows.map((row) => row[3])).toEqual(
      eventsOf('compacted').map(({ tokensBefore, tokensAfter }) => `${figure(tokensBefore)} -> ${figure(tokensAfter)}`),
    );
    expect(await rowsBelow(page, 'Turns')).toHaveLength(11);
    const [plot] = await page.evaluate<Drawn[]>(READ_PLOTS);
    expect(plot?.marks).toEqual([rows.length, eventsOf('offloaded').length, 1]);
  });

  test('of a session in which nothing was said says so', async () => {
    const file = await reportOfOther('empty', (home) => {
      rewrite(join(home, 'sessions', sessionId, 'log.jsonl'), (lines) => lines.slice(0, 1));
      rmSync(join(home, 'context'), { recursive: true });
    });
    const { page, wrong } = await opened(file);
    expect(wrong).toEqual([]);
    expect(await page.locator('section').first().innerText()).toContain('Nothing has been said in this session yet.');
    expect(await page.locator('figure').count()).toBe(0);
  });

  test('never takes the place of another file', async () => {
    const before = readFileSync(join(sandbox.cwd, 'part1.ts'));
    const ran = await sandbox.run(['report', '--session', sessionId, '--html', 'part1.ts']);
    expect(ran.code).toBe(9);
    expect(ran.err).toContain('part1.ts already exists');
    expect(readFileSync(join(sandbox.cwd, 'part1.ts'))).toEqual(before);
    for (const end of ['.html', '-2.html']) {
      const { out } = await sandbox.run(['report', '--session', sessionId]);
      expect(out).toContain(`sanbot-report-${sessionId}${end} (`);
      expect(existsSync(join(sandbox.cwd, `sanbot-report-${sessionId}${end}`))).toBe(true);
    }
  });

  test('of a session in use is made while it runs, and shows the turn that is under way', async () => {
    const command = `run ${JSON.stringify(process.execPath)} ${JSON.stringify(binary)} report --session ${sessionId} --html live.html`;
    const ran = await sandbox.run(['--continue', '-p', command, '--allow', 'run_command']);
    expect(ran.code).toBe(0);
    expect(readdirSync(sandbox.cwd)).toContain('live.html');
    const { page } = await opened('live.html');
    expect((await rowsBelow(page, 'Turns')).at(-1)?.[6]).toBe('under way');
    expect(await page.locator('section').first().innerText()).toContain('A process has the session open');
  });
});
