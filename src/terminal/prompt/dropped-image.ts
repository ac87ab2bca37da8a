import { orUndefined } from '../../domain/value/or-undefined.ts';

/** A file as a message names what goes with it. */
export const attached = (path: string): string => `@${/[\s"]/.test(path) ? `"${path}"` : path} `;

/** What a terminal pastes for an image that is dropped on it, as an attachment: its full path, plain, quoted, with backslashes, or as an address. */
export function droppedImage(pasted: string): string | undefined {
  const text = pasted.trim().replace(/^'([^'\n]*)'$|^"([^"\n]*)"$/, '$1$2');
  const address = /^file:\/\/(?:localhost)?(\/\S+)$/.exec(text)?.[1];
  const path = address === undefined ? text.replace(/\\(.)/g, '$1') : (orUndefined(() => decodeURIComponent(address)) ?? '');
  return /^\/[^\n"]{1,1000}\.(?:png|jpe?g|gif|webp)$/i.test(path) ? attached(path) : undefined;
}
