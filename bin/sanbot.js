#!/usr/bin/env node
'use strict';
/**
 * Where the program begins. --version and help are answered without loading the program (docs/start.md). It runs for all else, and where
 * something here is not as expected: it says what is wrong. CommonJS, because one ES module costs a third of an empty start.
 */
const { fstatSync, readFileSync, statSync, writeSync } = require('node:fs');
const { isAbsolute, join } = require('node:path');

const root = join(__dirname, '..');
const argv = process.argv.slice(2);

/** The text that answers the command line; undefined where the program has to. */
function answer() {
  try {
    if (argv.length === 1 && ['-v', '--version'].includes(argv[0]))
      return `${JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version}\n`;
    const command = commandToExplain();
    return command === undefined ? undefined : helpOf(command);
  } catch {
    return undefined;
  }
}

/** "memory add" of `sanbot memory add --help`, "" of `sanbot --help`. */
function commandToExplain() {
  const words = argv[0] === 'help' ? argv.slice(1, 2) : argv.slice(0, -1);
  const isAsked = argv[0] === 'help' ? argv.length <= 2 : ['-h', '--help'].includes(argv.at(-1));
  return isAsked && words.every((word) => /^[a-z]/.test(word)) ? words.join(' ') : undefined;
}

/** As in src/runtime/io-streams.ts. */
const COLUMNS_WITHOUT_TERMINAL = 120;

/** As the build has laid it out (build/help-pages.mjs), for some widths. */
function helpOf(command) {
  const isTerminal = isTerminalAt(1);
  const name = `help-${languageOf(isTerminal)}-${isTerminal ? process.stdout.columns : COLUMNS_WITHOUT_TERMINAL}.json`;
  return JSON.parse(readFileSync(join(root, 'dist', 'bundle', name), 'utf8'))[command];
}

/** Asks the module for terminals, which takes 2 ms to load, only where it may be one. */
function isTerminalAt(descriptor) {
  const stats = fstatSync(descriptor);
  if (!stats.isCharacterDevice()) return false;
  return stats.rdev !== statSync('/dev/null', { throwIfNoEntry: false })?.rdev && require('node:tty').isatty(descriptor);
}

/** By the rules of `interfaceLanguage` (src/runtime); undefined, which no page is named for, where the settings may name one. */
function languageOf(isTerminal) {
  const { SANBOT_LANGUAGE: set, LC_ALL, LC_MESSAGES, LANG } = process.env;
  if (set === 'en' || set === 'zh') return set;
  if (!set && settingsNameLanguage()) return undefined;
  return isTerminal && /^zh(?:[^a-z]|$)/i.test(LC_ALL || LC_MESSAGES || LANG || '') ? 'zh' : 'en';
}

function settingsNameLanguage() {
  const home = process.env.SANBOT_HOME || join(require('node:os').homedir(), '.sanbot');
  try {
    return !isAbsolute(home) || readFileSync(join(home, 'config.json'), 'utf8').includes('"ui"');
  } catch (error) {
    return error.code !== 'ENOENT';
  }
}

/** False where it cannot be written: then the program tries, and says why. */
function print(text) {
  const bytes = Buffer.from(text);
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(1, bytes, written);
  } catch (error) {
    // A reader that is slow, and one that went away.
    if (error.code === 'EAGAIN') process.stdout.write(bytes.subarray(written));
    return error.code === 'EAGAIN' || error.code === 'EPIPE';
  }
  return true;
}

/** package.json asks for it too: what loads the program uses what an older one has not. */
const LEAST_NODE = [20, 19];

function isTooOld() {
  const [major, minor] = process.versions.node.split('.');
  return major < LEAST_NODE[0] || (+major === LEAST_NODE[0] && minor < LEAST_NODE[1]);
}

const tooOld = {
  en: 'sanbot needs Node 20.19 or newer, and this is',
  zh: 'sanbot 需要 Node 20.19 或更新版本，当前为',
};

function finish(text) {
  if (text !== undefined && print(text)) return;
  if (isTooOld()) {
    process.stderr.write(`${tooOld[languageOf(isTerminalAt(2)) ?? 'en']} ${process.version}. https://nodejs.org\n`);
    process.exitCode = 1;
  } else require('./load-program.js').loadProgram(join(root, 'dist', 'bundle'), argv);
}

finish(answer());
