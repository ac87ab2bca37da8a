import type { IncomingMessage } from 'node:http';
import type { Readable, Transform } from 'node:stream';
import { ReasonError } from '../domain/errors.ts';

/** How many bytes are taken: as they come, and as they are once they are decoded. */
export type Bounds = { readonly received: number; readonly decoded: number };

/** The body is longer than its bounds; what was read before is as it came. */
export class TooManyBytes extends ReasonError {
  constructor(bytes: number) {
    super({ en: `it answered with more than ${bytes} bytes`, zh: `它的应答超过 ${bytes} 字节` });
  }
}

/**
 * The body of an answer, decoded, within its bounds. Where there are none, nothing compressed was asked for; some servers send it all the
 * same, and an encoding that nobody knows is left as it is. Within bounds it is refused.
 */
export async function openBody(response: IncomingMessage, bounds: Bounds | undefined): Promise<Readable> {
  const encoding = (response.headers['content-encoding'] ?? '').trim().toLowerCase();
  const decoder = encoding === '' || encoding === 'identity' ? undefined : await decoderFor(encoding);
  if (decoder === undefined && encoding !== '' && encoding !== 'identity' && bounds !== undefined) {
    response.destroy();
    const name = encoding.replace(/[^\w.,+-]/g, '?').slice(0, 40);
    throw new ReasonError({ en: `its encoding ${name} is not known`, zh: `不认识其编码 ${name}` });
  }
  if (decoder === undefined && bounds === undefined) return response;
  const { pipeline, Transform } = await import('node:stream');
  const counter = (limit: number): Transform => {
    let bytes = 0;
    return new Transform({
      transform: (chunk: Buffer, _, done) => {
        bytes += chunk.length;
        if (bytes > limit) done(new TooManyBytes(limit));
        else done(null, chunk);
      },
    });
  };
  let body: Readable = response;
  // A failure of one is a failure of what is read from it; an end before the end is one too.
  const through = (next: Transform): void => {
    body = pipeline(body, next, () => undefined);
  };
  if (bounds !== undefined) through(counter(bounds.received));
  if (decoder !== undefined) through(decoder);
  if (bounds !== undefined && decoder !== undefined) through(counter(bounds.decoded));
  return body;
}

const decoders: Readonly<Record<string, 'createGunzip' | 'createInflate' | 'createBrotliDecompress'>> = {
  ...{ gzip: 'createGunzip', 'x-gzip': 'createGunzip', deflate: 'createInflate', br: 'createBrotliDecompress' },
};

async function decoderFor(encoding: string): Promise<Transform | undefined> {
  const make = Object.hasOwn(decoders, encoding) ? decoders[encoding] : undefined;
  return make && (await import('node:zlib'))[make]();
}

export async function bodyText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) text += decoder.decode(chunk, { stream: true });
  return text + decoder.decode();
}
