import { join } from 'node:path';
import type { PdfReader } from '../../src/tools/files/media/read-pdf.ts';
import { root } from './source.ts';

/** The real process that reads PDFs, as single files of dist. */
export const pdfReader: PdfReader = {
  node: process.execPath,
  file: join(root, 'dist', 'commands', 'sessions', 'processes', 'pdf-reader.js'),
  workerFile: join(root, 'dist', 'tools', 'files', 'media', 'pdf-worker.js'),
};
