/**
 * Chats of many days in one JSON object, and questions about them. One conversation for each person.
 *
 * | in the file | becomes |
 * | --- | --- |
 * | `{ name: { history: { date: [{ query, response }] } } }` | for each date a notice, then what was asked and replied |
 * | `{ name: [question] }` on each line | what was asked, without replies |
 * | an exchange or a line that is no object | damage |
 */

import { collectSteps } from '../../../context/history/collect-steps.ts';
import type { Transcript } from '../../../domain/session/transcript.ts';
import { type Fields, isObject, parseJson } from '../../../domain/value/json.ts';
import { arrayAt, linesOf, objectAt, type Recording, stringAt, textBlock } from './recorded-content.ts';

export function importChineseChat(file: Fields): readonly Transcript[] {
  return Object.entries(file).map(([name, person]) => {
    const collector = collectSteps();
    for (const [date, exchanges] of Object.entries(objectAt(person, 'history'))) {
      collector.notice(date);
      for (const [index, exchange] of (Array.isArray(exchanges) ? exchanges : []).entries()) {
        if (!isObject(exchange)) {
          collector.damage({ en: `${date}, exchange ${index + 1} is not an object`, zh: `${date}，第 ${index + 1} 次交流不是对象` });
          continue;
        }
        collector.user(stringAt(exchange, 'query'));
        collector.reply([textBlock(stringAt(exchange, 'response'))], `${date} ${index}`);
      }
    }
    return collector.finish('chinese-chat', name);
  });
}

export function importQuestions(recording: Recording): readonly Transcript[] {
  const transcripts: Transcript[] = [];
  for (const { number, text: line } of linesOf(recording)) {
    const entry = parseJson(line);
    const [name] = isObject(entry) ? Object.keys(entry) : [];
    const collector = collectSteps();
    if (name === undefined) collector.damage({ en: `line ${number} is not a JSON object`, zh: `第 ${number} 行不是 JSON 对象` });
    for (const question of arrayAt(entry, name ?? '')) if (typeof question === 'string') collector.user(question);
    transcripts.push(collector.finish('chinese-chat', name ?? `line ${number}`));
  }
  return transcripts;
}
