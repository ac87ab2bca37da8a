import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

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
