import { parentPort, workerData } from 'node:worker_threads';
import type { PdfOrder } from './pdf-limits.ts';

/** A thread that is given a PDF, answers with its text, and ends. What its library says on the way is for nobody. */
const order: PdfOrder = workerData;
void import('./pdf-text.ts').then(async ({ textOfPdf }) => parentPort?.postMessage(await textOfPdf(order)));
