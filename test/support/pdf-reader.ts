import { join } from 'node:path';
import type { PdfReader } from '../../src/tools/files/media/read-pdf.ts';
import { root } from './source.ts';

/** The real process that reads PDFs. */
export const pdfReader: PdfReader = {
  node: process.execPath,
  file: join(root, 'dist', 'bundle', 'pdf-reader.js'),
  workerFile: join(root, 'dist', 'bundle', 'pdf-worker.js'),
};
