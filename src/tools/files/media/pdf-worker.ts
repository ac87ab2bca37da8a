import { parentPort, workerData } from 'node:worker_threads';
import type { PdfOrder } from './read-pdf.ts';

/** A thread that is given a PDF, answers with its text, and ends. What its library says on the way is for nobody. */
const order: PdfOrder = workerData;
const { textOfPdf } = await import('./pdf-text.ts');
parentPort?.postMessage(await textOfPdf(order));
