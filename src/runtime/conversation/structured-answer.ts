import { openSync, readSync } from 'node:fs';
import { resolve } from 'node:path';
import { Script } from 'node:vm';
import type { TurnResult } from '../../agent/turn/turn.ts';
import { protoProblem } from '../../domain/config/layer.ts';
import { errorReason, ReasonError, SanbotError } from '../../domain/errors.ts';
import { type Bilingual, quotedText } from '../../domain/language.ts';
import { inspectText } from '../../domain/text.ts';
import { errnoOf, errnoReason } from '../../domain/value/errno.ts';
import { isObject, parseJson } from '../../domain/value/json.ts';
import { decodeLoosely, isValidText, NO_TEXT } from '../../domain/value/text-bytes.ts';
import { useAndClose } from '../../store/files/disk.ts';

/** What an answer has to be. */
export type AnswerSchema = {
  /** The schema as one line. */
  readonly text: string;
  /** The value that an answer is, or what is wrong with it, in words for the model. */
  readonly check: (answer: string) => { readonly value: unknown } | { readonly problem: string };
};

const MAX_BYTES = 256 * 1024;

/**
 * The text of an option that is one itself or stands in a file. Throws usage in one line, with what can be given instead, where there is no
 * such file, or a longer one than any that fits into a request.
 */
export function textOrFile(option: string, { path, cwd }: { readonly path: string; readonly cwd: string }): string {
  const file = resolve(cwd, path);
  try {
    const bytes = useAndClose(openSync(file, 'r'), firstBytes);
    if (bytes.length <= MAX_BYTES && isValidText(bytes)) return decodeLoosely(bytes);
    if (bytes.length <= MAX_BYTES) throw new ReasonError(NO_TEXT);
  } catch (error) {
    throw wrong(option, path, errnoReason(error) ?? errorReason(error), { en: 'give a file that can be read', zh: '请给出可读取的文件' });
  }
  throw wrong(option, path, { en: 'it has more than 256 KB', zh: '它超过 256 KB' }, { en: 'give a shorter one', zh: '请给出更短的文件' });
}

/** One byte more than it may have says that it is too long: a device has no length, and no end, and a pipe is one too. */
function firstBytes(file: number): Buffer {
  const bytes = Buffer.alloc(MAX_BYTES + 1);
  let length = 0;
  for (let read = -1; read !== 0 && length < bytes.length; length += read)
    read = readSync(file, bytes, length, bytes.length - length, null);
  return bytes.subarray(0, length);
}

/** What --append-system-prompt says, or the file that it names behind an @. */
export const appendedPrompt = (
  { appendSystemPrompt: text }: { readonly appendSystemPrompt?: string },
  { cwd }: { readonly cwd: () => string },
): string | undefined => (text?.startsWith('@') ? textOrFile('--append-system-prompt', { path: text.slice(1), cwd: cwd() }) : text);

const wrong = (option: string, name: string, why: Bilingual, advice: Bilingual): SanbotError =>
  new SanbotError('usage', {
    en: `${option} ${inspectText(name)}: ${why.en}; ${advice.en}`,
    zh: `${option} ${inspectText(name)}：${why.zh}；${advice.zh}`,
  });

/** Reads what --json-schema names: a file, or the schema itself. Rejects with usage for what is no JSON Schema. */
export async function readAnswerSchema(given: string, cwd: string): Promise<AnswerSchema> {
  const text = given.trimStart().startsWith('{') ? given : textOrFile('--json-schema', { path: given, cwd });
  const schema = parseJson(text);
  const noSchema = (why: Bilingual): SanbotError =>
    wrong('--json-schema', given, why, {
      en: 'give a JSON Schema, an object as {"type": "object"}',
      zh: '请给出 JSON Schema，即 {"type": "object"} 这样的对象',
    });
  if (!isObject(schema)) throw noSchema({ en: 'that is not a JSON object', zh: '这不是 JSON 对象' });
  const proto = protoProblem(schema);
  if (proto !== undefined) throw noSchema(proto);
  const { createSchemaCheck } = await import('../../tools/mcp/connection/client.ts');
  try {
    const check = inTime(() => createSchemaCheck(schema));
    return { text: JSON.stringify(schema), check: (answer) => checkAnswer(answer, (value) => problemInTime(value, check)) };
  } catch (error) {
    throw noSchema(schemaProblem(error));
  }
}

/** What the library says of a schema, without the types of its own. */
function schemaProblem(error: unknown): Bilingual {
  if (error instanceof TypeError) return { en: 'a part of it is no schema', zh: '它的一部分不是 schema' };
  if (error instanceof RangeError) return { en: 'it is nested too deeply', zh: '它嵌套过深' };
  const said = errorReason(error).en;
  const [, type] = /^type must be JSONType\b.*: (.*)$/.exec(said) ?? [];
  if (type?.includes('[object')) return { en: 'type has to be a word or a list of words', zh: 'type 应为一个词或词的列表' };
  if (type !== undefined) return { en: `there is no type ${type}`, zh: `没有类型 ${type}` };
  const [, key, kind] = /^(\S+) value must be \["(\w+)"\]$/.exec(said) ?? [];
  if (key !== undefined) return { en: `${key} has to be an ${kind}`, zh: `${key} 应为 ${kind}` };
  const [, target] = /^can't resolve reference (\S+)/.exec(said) ?? [];
  return target === undefined ? quotedText(said) : { en: `$ref points to nothing here: ${target}`, zh: `$ref 没有目标：${target}` };
}

function checkAnswer(answer: string, problemOf: (value: unknown) => string | undefined): ReturnType<AnswerSchema['check']> {
  const value = parseJson(jsonIn(answer));
  if (value === undefined) return { problem: 'it is not JSON and nothing else' };
  const problem = problemOf(value);
  return problem === undefined ? { value } : { problem };
}

const MOST_SECONDS = 5;

/** A pattern of the schema, or parts of it that name each other, can take for ever. */
function inTime<T>(work: () => T): T {
  try {
    return new Script('work()').runInNewContext({ work }, { timeout: MOST_SECONDS * 1_000 });
  } catch (error) {
    if (errnoOf(error) !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new ReasonError({ en: `checking it takes more than ${MOST_SECONDS} s`, zh: `检查它需要 ${MOST_SECONDS} 秒以上` });
  }
}

function problemInTime(value: unknown, problemOf: (value: unknown) => string | undefined): string | undefined {
  try {
    return inTime(() => problemOf(value));
  } catch (error) {
    return errorReason(error).en;
  }
}

/** What stands in a block of code, where the answer is one, or ends with one. */
function jsonIn(answer: string): string {
  const lines = answer.trim().split('\n');
  const isBlock = lines.length > 1 && lines.at(-1)?.trim() === '```';
  const from = isBlock ? lines.findLastIndex((line, at) => at < lines.length - 1 && /```(?:json)?$/.test(line.trimEnd())) : -1;
  return from < 0 ? answer.trim() : lines.slice(from + 1, -1).join('\n');
}

type Say = (text: string) => Promise<TurnResult>;

/**
 * Says a text that asks for an answer of the schema, and asks once more where the answer is none. Rejects with schema_unmet where it still is
 * none; `onValue` hears what the answer is.
 */
export async function sayStructured(
  text: string,
  schema: AnswerSchema,
  { say, onValue }: { readonly say: Say; readonly onValue: (value: unknown) => void },
): Promise<TurnResult> {
  let problem = '';
  let prompt = `${text}\n\n${ASKED}\n${schema.text}`;
  for (let times = 0; times < MOST_TIMES; times++) {
    const turn = await say(prompt);
    if (turn.stopReason === 'interrupted') return turn;
    const checked = schema.check(turn.text);
    if ('value' in checked) {
      onValue(checked.value);
      return turn;
    }
    problem = checked.problem;
    prompt = `${AGAIN}: ${problem}. ${ONCE_MORE}\n${schema.text}`;
  }
  throw new SanbotError('schema_unmet', {
    en: `The answer does not match --json-schema: ${problem}`,
    zh: `答案不符合 --json-schema：${problem}`,
  });
}

const MOST_TIMES = 2;
const ASKED = 'End with an answer that is nothing but one JSON value, as this JSON Schema has it:';
const AGAIN = 'Your answer does not match the JSON Schema';
const ONCE_MORE = 'Answer again with nothing but the JSON value, as the schema has it:';
