// Loaded with `node --import`: writes to the file in SENDING, one a line, what comes first: that a request has left, or that the vocabulary is read.
import { subscribe } from 'node:diagnostics_channel';
import fs, { appendFileSync } from 'node:fs';

const note = (line) => appendFileSync(process.env.SENDING, `${line}\n`);

subscribe('http.client.request.start', ({ request }) => request.prependOnceListener('finish', () => note('sent')));

const { readFileSync } = fs;
fs.readFileSync = (path, ...more) => {
  if (String(path).endsWith('o200k.ranks')) note('vocabulary');
  return readFileSync(path, ...more);
};
