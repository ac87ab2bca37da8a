import { nextRead } from './keyboard.ts';

type Input = NodeJS.ReadableStream & { readonly setRawMode?: (raw: boolean) => unknown };

/** Asks without what was typed before, which is no answer: whoever reads next has it, at a start the prompt. */
export async function asideTyped<T>(input: Input, ask: () => Promise<T>): Promise<T> {
  const early = await takeTyped(input);
  try {
    return await ask();
  } finally {
    if (early.length > 0) input.unshift(early);
  }
}

async function takeTyped(input: Input): Promise<Buffer> {
  const typed: Buffer[] = [];
  const onData = (chunk: Buffer | string): void => void typed.push(Buffer.from(chunk));
  input.setRawMode?.(true);
  input.on('data', onData);
  await nextRead();
  input.off('data', onData);
  input.pause();
  input.setRawMode?.(false);
  return Buffer.concat(typed);
}
