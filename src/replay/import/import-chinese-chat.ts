import { localize } from '../../domain/language.ts';
import { collectSteps } from './collect-steps.ts';
import { arrayAt, isJsonObject, type JsonObject, linesOf, objectAt, type Recording, stringAt, tryParseJson } from './json.ts';
import { textBlock } from './recorded-content.ts';
import type { Transcript } from './transcript.ts';

/** Imports chats of many days, one conversation per person: `{ name: { history: { date: [{ query, response }] } } }`. */
export function importChineseChat(file: JsonObject): readonly Transcript[] {
  return Object.entries(file).map(([name, person]) => {
    const collector = collectSteps();
    for (const [date, exchanges] of Object.entries(objectAt(person, 'history'))) {
      collector.notice(date);
      for (const [index, exchange] of (Array.isArray(exchanges) ? exchanges : []).entries()) {
        if (!isJsonObject(exchange)) {
          collector.damage(localize({ en: `${date}, exchange ${index + 1} is no object`, zh: `${date}，第 ${index + 1} 次交流不是对象` }));
          continue;
        }
        collector.user(stringAt(exchange, 'query'));
        collector.reply([textBlock(stringAt(exchange, 'response'))], `${date} ${index}`);
      }
    }
    return collector.finish('chinese-chat', name);
  });
}

/** Imports questions about such chats, one person per line: `{ name: [question] }`. They contain no answers. */
export function importQuestions(recording: Recording): readonly Transcript[] {
  const transcripts: Transcript[] = [];
  for (const { number, text: line } of linesOf(recording)) {
    const entry = tryParseJson(line);
    const [name] = isJsonObject(entry) ? Object.keys(entry) : [];
    const collector = collectSteps();
    if (name === undefined) collector.damage(localize({ en: `line ${number} is no JSON object`, zh: `第 ${number} 行不是 JSON 对象` }));
    for (const question of arrayAt(entry, name ?? '')) if (typeof question === 'string') collector.user(question);
    transcripts.push(collector.finish('chinese-chat', name ?? `line ${number}`));
  }
  return transcripts;
}
