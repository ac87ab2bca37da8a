import { errorReason, SanbotError } from '../../domain/errors.ts';
import { because, type Warn } from '../../domain/language.ts';
import { decodeLoosely, decodeText } from '../../domain/value/text-bytes.ts';
import type { Environment } from '../../runtime/environment.ts';

type Input = Pick<Environment, 'stdin' | 'hasInput' | 'sleep'>;
type PromptSource = { readonly argument: string | undefined; readonly warn: Warn };

/**
 * What is asked without a person: the prompt that was given, and after a blank line what comes from a file or a pipe. Without a prompt,
 * all of stdin, whenever it ends. With one, a stdin that nobody writes to or ends holds nothing up for long, and that is told.
 * Throws usage when there is nothing to read, or more than a prompt can be.
 */
export async function resolvePrompt(environment: Input, { argument, warn }: PromptSource): Promise<string> {
  if (argument !== undefined && !environment.hasInput()) return argument;
  const { stdin } = environment;
  if (argument === undefined) {
    if (stdin.isTTY)
      throw new SanbotError('usage', {
        en: 'There is no prompt: give one after --print, or pipe it in',
        zh: '没有提示词：请在 --print 后给出，或通过管道输入',
      });
    return textIn((await readChunks(stdin[Symbol.asyncIterator](), async (next) => next)).bytes, warn);
  }
  if (stdin.isTTY) return argument;
  const pipedText = await readWithTimeout(environment, warn);
  if (pipedText.trim() === '') return argument;
  return argument.trim() === '' ? pipedText : `${argument}\n\n${pipedText}`;
}

/** A parent that gives no input often leaves the pipe open: cron, CI, a program that starts another. */
const FIRST_WAIT_MS = 3_000;
/** What began to write may work for a while between two pieces: a build, a test run. */
const NEXT_WAIT_MS = 60_000;
/** Far more than any window holds; a stdin without an end (/dev/zero) meets it. */
const MAX_BYTES = 100_000_000;

async function readWithTimeout({ stdin, sleep }: Input, warn: PromptSource['warn']): Promise<string> {
  try {
    const { bytes, timedOut } = await readChunks(stdin[Symbol.asyncIterator](), (next, hasData) =>
      withTimeout(next, (signal) => sleep(hasData ? NEXT_WAIT_MS : FIRST_WAIT_MS, signal)),
    );
    const text = textIn(bytes, warn);
    if (timedOut && text === '')
      warn({
        en: `stdin was not read: nothing arrived within ${FIRST_WAIT_MS / 1_000} s (if there is no input, add < /dev/null)`,
        zh: `未读取标准输入：${FIRST_WAIT_MS / 1_000} 秒内没有数据（如果没有输入，请加 < /dev/null）`,
      });
    else if (timedOut)
      warn({
        en: `stdin did not end: the prompt has what arrived before a pause of ${NEXT_WAIT_MS / 1_000} s`,
        zh: `标准输入没有结束：提示词只包含停顿 ${NEXT_WAIT_MS / 1_000} 秒之前到达的内容`,
      });
    return text;
  } catch (error) {
    if (error instanceof SanbotError) throw error;
    warn(because({ en: 'stdin was not read', zh: '未读取标准输入' }, errorReason(error)));
    return '';
  } finally {
    stdin.destroy();
  }
}

/** In UTF-8, or in UTF-16 with a mark. What is neither is taken as UTF-8, and that is told. */
function textIn(bytes: Buffer, warn: Warn): string {
  const text = decodeLoosely(bytes);
  if (decodeText(bytes) === undefined || text.includes('\0'))
    warn({
      en: 'stdin is not UTF-8 text: what is not valid in it is replaced or stays as it is',
      zh: '标准输入不是 UTF-8 文本：其中不合法的部分已被替换或保持原样',
    });
  return text;
}

type Next = IteratorResult<unknown>;
type Wait = (next: Promise<Next>, hasData: boolean) => Promise<Next | undefined>;

/** All that comes until the end, or until `wait` gives up on the next piece. */
async function readChunks(source: AsyncIterator<unknown>, wait: Wait): Promise<{ readonly bytes: Buffer; readonly timedOut: boolean }> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for (;;) {
    const next = await wait(source.next(), chunks.length > 0);
    if (next === undefined || next.done === true) return { bytes: Buffer.concat(chunks), timedOut: next === undefined };
    const chunk = Buffer.isBuffer(next.value) ? next.value : Buffer.from(String(next.value));
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > MAX_BYTES)
      throw new SanbotError(
        'usage',
        {
          en: `stdin has more than ${MAX_BYTES / 1_000_000} MB: no prompt can hold that`,
          zh: `标准输入超过 ${MAX_BYTES / 1_000_000} MB：没有提示词能容纳`,
        },
        { en: 'Write it to a file, and name the file in the prompt.', zh: '请写入文件，并在提示词中给出文件名。' },
      );
  }
}

async function withTimeout(next: Promise<Next>, pause: (signal: AbortSignal) => Promise<void>): Promise<Next | undefined> {
  const timer = new AbortController();
  const timeout = pause(timer.signal).then(
    () => undefined,
    () => undefined,
  );
  try {
    return await Promise.race([next, timeout]);
  } finally {
    timer.abort();
  }
}
