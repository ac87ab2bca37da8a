import { execFileSync } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { benchPackage, noBenchPackages } from './bench-package.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** What is used here of playwright-core. */
type Locator = {
  readonly count: () => Promise<number>;
  readonly first: () => Locator;
  readonly innerText: () => Promise<string>;
  readonly allTextContents: () => Promise<string[]>;
  readonly getAttribute: (name: string) => Promise<string | null>;
};
export type Page = {
  readonly goto: (address: string) => Promise<unknown>;
  readonly on: ((event: 'console', listener: (message: { readonly text: () => string }) => void) => unknown) &
    ((event: 'pageerror', listener: (error: Error) => void) => unknown) &
    ((event: 'request', listener: (request: { readonly url: () => string }) => void) => unknown);
  readonly evaluate: <T>(script: string) => Promise<T>;
  readonly locator: (selector: string) => Locator;
  readonly keyboard: { readonly press: (key: string) => Promise<void> };
  readonly setViewportSize: (size: { readonly width: number; readonly height: number }) => Promise<void>;
  readonly emulateMedia: (media: object) => Promise<void>;
};
export type Browser = {
  readonly newContext: (options: object) => Promise<{ readonly newPage: () => Promise<Page> }>;
  readonly close: () => Promise<void>;
};
type Playwright = { readonly chromium: { readonly launch: (options: object) => Promise<Browser> } };

const driver = benchPackage('playwright-core');

/** A Chromium of this machine; undefined when there is none. */
export const chromiumPath = (): string | undefined =>
  (process.env.PATH ?? '')
    .split(':')
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find(isProgram);

/** One that can be driven. */
export const browserPath = (): string | undefined => (driver === undefined ? undefined : chromiumPath());

export const noBrowser = `there is no Chromium on the PATH, or ${noBenchPackages}`;

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

/** The page as it is once its scripts have run, in a home of its own. */
export const shownPage = (executablePath: string, path: string, home: string): string =>
  execFileSync(executablePath, [...ARGS, `--user-data-dir=${home}`, '--dump-dom', pathToFileURL(path).href], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: home },
    stdio: ['ignore', 'pipe', 'ignore'],
  });

export async function openBrowser(executablePath: string): Promise<Browser> {
  const { chromium }: Playwright = await import(driver ?? '');
  return chromium.launch({ executablePath, args: ARGS });
}

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
