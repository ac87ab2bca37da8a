import { processEnvironment } from '../../../runtime/environment.ts';
import { servePdf } from '../../../tools/files/media/serve-pdf.ts';

/** A process that is given a PDF on its standard input, answers with its text on its standard output, and ends. */
void servePdf(processEnvironment());
