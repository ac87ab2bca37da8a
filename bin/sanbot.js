#!/usr/bin/env node
import { readFileSync, writeSync } from 'node:fs';

// The version alone is told without loading the program, which takes over where it cannot be written.
const toldVersion = () => {
  const [option, ...more] = process.argv.slice(2);
  if (more.length > 0 || (option !== '--version' && option !== '-v')) return false;
  try {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    writeSync(1, `${version}\n`);
    return true;
  } catch {
    return false;
  }
};

if (!toldVersion()) await import('../dist/bundle/main.js');
