import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from 'playwright-core';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** A browser of this machine; undefined when there is none. */
export const browserPath = (): string | undefined =>
  (process.env.PATH ?? '')
    .split(':')
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(isProgram);

export const noBrowser = 'there is no Chromium on the PATH';

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const ARGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const openBrowser = (executablePath: string): Promise<Browser> => chromium.launch({ executablePath, args: ARGS });

/** How a page comes out on paper of this width in CSS pixels: its ground, what is cut at an edge or would scroll, and what a page's end would cut in two. */
export async function printed(page: Page, width: number): Promise<unknown> {
  await page.setViewportSize({ width, height: 1_000 });
  await page.emulateMedia({ media: 'print' });
  return page.evaluate(`(() => {
    const all = (selector) => [...document.querySelectorAll(selector)];
    const outside = (part) => part.getBoundingClientRect().left < -1 || part.getBoundingClientRect().right > innerWidth + 1;
    return {
      paper: getComputedStyle(document.body).backgroundColor,
      cut: all('svg, table, td, th, p, h1, h2').filter(outside).map((part) => part.tagName + ' ' + part.textContent.slice(0, 60)),
      scrolling: all('.wide').filter((box) => getComputedStyle(box).overflowX !== 'visible').length,
      breakable: all('figure, tr').filter((part) => getComputedStyle(part).breakInside !== 'avoid').length,
    };
  })()`);
}

/** A4 and Letter, upright, between margins of 1 cm. */
export const paperWidths: readonly number[] = [718, 740];
