import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserPath, noBrowser, openBrowser, paperWidths, printed } from '../support/browser.ts';
import { asAnthropic, asClaudeCode, longSession } from '../support/recorded.ts';
import { createSandbox } from '../support/sanbot.ts';

const sandbox = createSandbox();
const chromium = browserPath();
const title = '会话 <b>&\u202e"一".jsonl';

let report: {
  totals: { policy: string; cost: number; kinds: Record<string, Record<string, number>> }[];
  runs: { file: string; policy: string; perRequest: { tokens: number; replaced: number; offloaded: number }[] }[];
};
let browser: Browser;

// Run by the page's browser, which is none of the types here.

type Drawn = { lines: { policy: string; values: number[] }[]; high: number; replaced: number; moved: number };
/** Each chart's lines as values again, by the places of the axis' own numbers. */
const READ_LINES = `[...document.querySelectorAll('svg:has(polyline[data-series])')].map((svg) => {
  const ticks = [...svg.querySelectorAll('[data-y]')].map((tick) => [Number(tick.getAttribute('data-y')), Number(tick.getAttribute('y'))]);
  const [[low, lowY], [high, highY]] = [ticks[0], ticks.at(-1)];
  const value = (y) => low + ((y - lowY) / (highY - lowY)) * (high - low);
  const lines = [...svg.querySelectorAll('polyline[data-series]')].map((line) => ({
    policy: line.getAttribute('data-series'),
    values: line.getAttribute('points').split(' ').map((point) => value(Number(point.split(',')[1]))),
  }));
  return { lines, high, replaced: svg.querySelectorAll('[data-mark="0"]').length, moved: svg.querySelectorAll('[data-mark="1"]').length };
})`;

type Bars = { caption: string; widths: number[]; says: string[] };
const READ_BARS = `[...document.querySelectorAll('figure')].map((figure) => ({
  caption: figure.querySelector('figcaption').textContent,
  widths: [...figure.querySelectorAll('rect[data-value]')].map((bar) => Number(bar.getAttribute('width'))),
  says: [...figure.querySelectorAll('g > title')].map((told) => told.textContent),
}))`;

const READ_LAYOUT = `({
  page: document.documentElement.scrollWidth,
  unreachable: [...document.querySelectorAll('.wide')].filter((box) => box.getAttribute('tabindex') !== '0').length,
  paper: getComputedStyle(document.body).backgroundColor,
})`;

async function opened(wish: { readonly width: number; readonly colorScheme?: 'dark' | 'light' }): Promise<{ page: Page; wrong: string[] }> {
  const context = await browser.newContext({
    viewport: { width: wish.width, height: 900 },
    colorScheme: wish.colorScheme ?? 'light',
    reducedMotion: 'reduce',
    offline: true,
  });
  const page = await context.newPage();
  const wrong: string[] = [];
  const address = pathToFileURL(join(sandbox.cwd, 'page.html')).href;
  page.on('console', (message) => wrong.push(message.text()));
  page.on('pageerror', (error) => wrong.push(error.message));
  page.on('request', (request) => {
    if (request.url() !== address) wrong.push(request.url());
  });
  await page.goto(address);
  return { page, wrong };
}

describe.skipIf(chromium === undefined)(`the page of sanbot replay (skipped where ${noBrowser})`, () => {
  beforeAll(async () => {
    writeFileSync(join(sandbox.cwd, title), asClaudeCode(longSession({ turns: 25, bodyLines: 150 })));
    writeFileSync(join(sandbox.cwd, 'b.json'), asAnthropic(longSession({ turns: 12, bodyLines: 90 })));
    const argv = ['replay', title, 'b.json', '--window', '16k', '--policy', 'sanbot', '--policy', 'none,truncate'];
    const ran = await sandbox.run([...argv, '--json', '--html', 'page.html']);
    expect({ code: ran.code, err: ran.err }).toEqual({ code: 0, err: '' });
    report = JSON.parse(ran.out);
    browser = await openBrowser(chromium ?? '');
  });
  afterAll(async () => browser?.close());

  test('opens without network, script or any complaint of the browser, and is private', async () => {
    const { page, wrong } = await opened({ width: 1_000 });
    expect(wrong).toEqual([]);
    expect(await page.locator('script').count()).toBe(0);
    expect(statSync(join(sandbox.cwd, 'page.html')).mode & 0o777).toBe(0o600);
    const shot = await page.screenshot({ fullPage: true });
    expect(shot.length).toBeGreaterThan(10_000);
  });

  test('draws the context of each request at its height, with a mark for each compaction and offload', async () => {
    const { page } = await opened({ width: 1_000 });
    const drawn = await page.evaluate<Drawn[]>(READ_LINES);
    const [first] = drawn;
    const runs = report.runs.filter(({ file }) => file === title);
    expect(first?.lines.map(({ policy }) => policy)).toEqual(['sanbot', 'none', 'truncate']);
    for (const [at, run] of runs.entries()) {
      const { perRequest } = run;
      const values = first?.lines[at]?.values ?? [];
      expect(values).toHaveLength(perRequest.length);
      for (const [step, { tokens }] of perRequest.entries())
        expect(Math.abs((values[step] ?? 0) - tokens)).toBeLessThanOrEqual((first?.high ?? 0) * 0.001);
      if (at > 0) continue;
      expect(first?.replaced).toBe(perRequest.filter(({ replaced }) => replaced > 0).length);
      expect(first?.moved).toBe(perRequest.filter(({ offloaded }) => offloaded > 0).length);
    }
  });

  test('draws cost by policy and what stayed known by kind in the measure of the figures', async () => {
    const { page } = await opened({ width: 1_000 });
    const bars = await page.evaluate<Bars[]>(READ_BARS);
    const cost = bars.find(({ caption }) => caption.startsWith('Cost by policy'));
    const most = Math.max(...report.totals.map(({ cost: each }) => each));
    const widest = Math.max(...(cost?.widths ?? []));
    for (const [at, total] of report.totals.entries()) expect(cost?.widths[at]).toBeCloseTo((total.cost / most) * widest, 0);
    const known = bars.find(({ caption }) => caption.endsWith('tokens, sanbot') && caption.startsWith('What stayed known'));
    const { file } = report.totals[0]?.kinds ?? {};
    expect(known?.says).toContain(`file: ${file?.inContext} in context`);
  });

  test.each(['light', 'dark'] as const)(
    'has no overflow on a narrow screen, in %s, and every wide box is reached by the keyboard',
    async (colorScheme) => {
      const { page, wrong } = await opened({ width: 400, colorScheme });
      const layout = await page.evaluate(READ_LAYOUT);
      expect(layout).toEqual({ page: 400, unreachable: 0, paper: colorScheme === 'dark' ? 'rgb(22, 22, 22)' : 'rgb(255, 255, 255)' });
      await page.keyboard.press('Tab');
      expect(await page.evaluate('document.activeElement.tagName')).toBe('A');
      expect(wrong).toEqual([]);
    },
  );

  test.each(paperWidths)(
    'is printed on paper of %i pixels with nothing cut, black on white, also where the screen is dark',
    async (width) => {
      const { page } = await opened({ width: 1_000, colorScheme: 'dark' });
      expect(await printed(page, width)).toEqual({ paper: 'rgb(255, 255, 255)', cut: [], scrolling: 0, breakable: 0 });
    },
  );

  test('shows names of files in any script, with nothing in them obeyed', async () => {
    const { page } = await opened({ width: 1_000 });
    const captions = await page.locator('figcaption').allTextContents();
    expect(captions).toContain('会话 <b>&\ufffd"一".jsonl at 16,000 tokens');
    expect(await page.locator('figcaption b').count()).toBe(0);
  });
});
