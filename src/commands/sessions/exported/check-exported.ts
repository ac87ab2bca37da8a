import { applyRecord } from '../../../context/history/apply-record.ts';
import { pairingProblems, repairPairs, toWire } from '../../../context/history/pairing.ts';
import type { Bilingual } from '../../../domain/language.ts';
import type { SessionContext } from '../../../domain/session/context.ts';
import { isToolResult, isToolUse, type Message } from '../../../domain/session/message.ts';
import type { LogRecord } from '../../../domain/session/record.ts';
import { inspectText } from '../../../domain/text.ts';
import { isDeeperThan } from '../../../domain/value/json.ts';

/** No log is as long: numbers that come after it stay whole numbers. */
const MAX_RECORD_NUMBER = 2 ** 40;
const MAX_PROBLEMS = 5;
/** More than a reply may have. */
const MAX_LEVELS = 250;

/** Why the records of an export cannot be taken over as they are. What `repairPairs` mends at an opening is no problem. */
export function exportProblems(records: Iterable<LogRecord>): readonly Bilingual[] {
  const problems: Bilingual[] = [];
  const ids = createIdCheck(problems);
  let context: SessionContext | undefined;
  for (const record of records) {
    // Whatever walks down it would end.
    if (isDeeperThan(record, MAX_LEVELS)) return [DEEP];
    if (record.n > MAX_RECORD_NUMBER) problems.push(NUMBERS);
    if (!isTime(record.at)) problems.push(TIMES);
    if (record.type === 'message') ids.add(record.message);
    if (record.type === 'header') for (const message of record.context.messages) ids.add(message);
    if (record.type === 'checkpoint') {
      const own = createIdCheck(problems);
      for (const message of record.context.messages) own.add(message);
    }
    context = context === undefined ? (record.type === 'header' ? record.context : undefined) : applyRecord(context, record);
  }
  if (problems.length === 0 && context !== undefined) problems.push(...unsendable(context.messages));
  return [...new Map(problems.map((each) => [each.en, each])).values()].slice(0, MAX_PROBLEMS);
}

export function contextProblems({ messages }: SessionContext): readonly Bilingual[] {
  const problems: Bilingual[] = [];
  const ids = createIdCheck(problems);
  for (const message of messages) ids.add(message);
  return problems.length > 0 ? problems : unsendable(messages);
}

const NUMBERS = { en: 'its records have numbers that no log reaches', zh: '记录的编号大到任何日志都不会有' };
const DEEP = { en: `a record in it is nested more than ${MAX_LEVELS} levels deep`, zh: `其中有嵌套超过 ${MAX_LEVELS} 层的记录` };
const TIMES = { en: 'a time in it is not valid', zh: '其中有无效的时间' };

function createIdCheck(problems: Bilingual[]) {
  const messageIds = new Set<string>();
  const callIds = new Set<string>();
  const check = (id: string, used: Set<string>, problem: (id: string) => Bilingual): void => {
    if (used.has(id)) problems.push(problem(inspectText(id.slice(0, MAX_SHOWN))));
    used.add(id);
  };
  return {
    add: ({ id, at, content }: Message): void => {
      check(id, messageIds, (shown) => ({ en: `two messages are called ${shown}`, zh: `有两条消息都叫 ${shown}` }));
      if (!isTime(at)) problems.push(TIMES);
      for (const call of content.filter(isToolUse))
        check(call.id, callIds, (shown) => ({ en: `two calls are called ${shown}`, zh: `有两次调用都叫 ${shown}` }));
    },
  };
}

const MAX_SHOWN = 100;

const isTime = (text: string): boolean => /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text));

/** Judged as an opening would leave it, with an answer to its last calls and a next request. */
function unsendable(messages: readonly Message[]): readonly Bilingual[] {
  const repaired = repairPairs(messages);
  const [at, role] = ['1970-01-01T00:00:00.000Z', 'user' as const];
  const calls = repaired.findLast((message) => message.role === 'assistant')?.content.filter(isToolUse) ?? [];
  const answered = new Set(repaired.flatMap(({ content }) => content.filter(isToolResult).map(({ tool_use_id: id }) => id)));
  const open = calls.filter(({ id }) => !answered.has(id));
  const rest: readonly Message[] = [
    {
      id: 'open',
      at,
      role,
      origin: 'interrupted',
      content: open.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: '-' })),
    },
    { id: 'next', at, role, origin: 'user', content: [{ type: 'text', text: 'next' }] },
  ];
  return pairingProblems(toWire([...repaired, ...rest])).map((problem) => ({
    en: `no model takes it as it is: ${inspectText(problem)}`,
    zh: `没有模型会接受它：${inspectText(problem)}`,
  }));
}
