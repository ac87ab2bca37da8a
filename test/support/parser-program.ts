import { join } from 'node:path';
import type { ParserProgram } from '../../src/tools/parse/parser-process.ts';
import { root } from './source.ts';

/** The real process that parses. */
export const parserProgram: ParserProgram = {
  node: process.execPath,
  file: join(root, 'dist', 'bundle', 'parser.js'),
  threadFile: join(root, 'dist', 'bundle', 'parser-thread.js'),
};
