import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isObject, isString, parseJson } from '../src/domain/value/json.ts';

/** A message of a conversation; `id` is what the labels of a question name. */
export type SetMessage = { readonly id: string; readonly role: 'user' | 'assistant'; readonly at: string; readonly text: string };
/** `anywhere`: asked in all conversations of its set. */
export type SetQuestion = { readonly question: string; readonly evidence: readonly string[]; readonly anywhere?: boolean };
export type Conversation = { readonly messages: readonly SetMessage[]; readonly questions: readonly SetQuestion[] };
export type QuestionSet = { readonly name: string; readonly conversations: readonly Conversation[] };

/** Reads the question sets in a folder: files of LoCoMo (locomo10.json), and folders of BEAM (SIZE/N/chat.json with its probing questions). */
export function readQuestionSets(folder: string): readonly QuestionSet[] {
  if (!statSync(folder).isDirectory()) return [];
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => join(folder, name));
  const sets = new Map<string, Conversation[]>();
  for (const file of files) {
    const probing = join(dirname(file), 'probing_questions', 'probing_questions.json');
    const isBeam = basename(file) === 'chat.json' && existsSync(probing);
    const found = isBeam ? [beamConversation(jsonIn(file), jsonIn(probing))] : locomoConversations(file);
    const name = isBeam ? `BEAM ${basename(dirname(dirname(file)))}` : nameOf(file);
    if (found.length > 0) sets.set(name, [...(sets.get(name) ?? []), ...found]);
  }
  return [...sets].map(([name, conversations]) => ({ name, conversations }));
}

/** Of the public set, whatever its number; of others in its form, the name of the file. */
const nameOf = (file: string): string =>
  /^locomo\d*\.json$/i.test(basename(file))
    ? 'LoCoMo'
    : basename(file, '.json')
        .replace(/[.-]?locomo/i, '')
        .replaceAll('-', ' ');

const jsonIn = (file: string): unknown => parseJson(readFileSync(file, 'utf8'));
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textIn = (value: unknown): string => (isString(value) ? value : typeof value === 'number' ? String(value) : '');
const START = Date.UTC(2024, 0, 1);
const MINUTE_MS = 60_000;

function locomoConversations(file: string): readonly Conversation[] {
  if (!/locomo/i.test(basename(file))) return [];
  return listIn(jsonIn(file)).flatMap((sample) => {
    if (!isObject(sample) || !isObject(sample.conversation)) return [];
    const { conversation } = sample;
    const names = Object.keys(conversation)
      .filter((key) => /^session_\d+$/.test(key))
      .sort((a, b) => Number(a.slice(8)) - Number(b.slice(8)));
    const messages = names.flatMap((name) => locomoMessages(conversation, name));
    const questions = listIn(sample.qa)
      .filter(isObject)
      .map(({ question, evidence }) => ({
        question: textIn(question),
        evidence: listIn(evidence).flatMap((id) => textIn(id).split(/[;,\s]+/)),
      }));
    return [{ messages, questions }];
  });
}

function locomoMessages(conversation: Readonly<Record<string, unknown>>, name: string): readonly SetMessage[] {
  const start = locomoTime(textIn(conversation[`${name}_date_time`]));
  return listIn(conversation[name])
    .filter(isObject)
    .map(({ dia_id: id, speaker, text, blip_caption: caption }, i) => ({
      id: textIn(id),
      role: speaker === conversation.speaker_a ? 'user' : 'assistant',
      at: new Date(start + i * MINUTE_MS).toISOString(),
      text: `${textIn(speaker)}: ${textIn(text)}${caption === undefined ? '' : ` (shares a picture: ${textIn(caption)})`}`,
    }));
}

/** "1:56 pm on 8 May, 2023". */
function locomoTime(text: string): number {
  const [, hour = '0', minute = '0', half, date = ''] = /^(\d+):(\d+) (am|pm) on (.+)$/.exec(text) ?? [];
  const day = Date.parse(`${date} UTC`);
  return (Number.isNaN(day) ? START : day) + ((Number(hour) % 12) + (half === 'pm' ? 12 : 0)) * 60 * MINUTE_MS + Number(minute) * MINUTE_MS;
}

function beamConversation(chat: unknown, probing: unknown): Conversation {
  const messages: SetMessage[] = [];
  let day = START;
  const turns = listIn(chat).flatMap((batch) => (isObject(batch) ? listIn(batch.turns).flatMap(listIn) : []));
  for (const turn of turns.filter(isObject)) {
    const anchor = Date.parse(`${textIn(turn.time_anchor).replaceAll('-', ' ')} UTC`);
    if (!Number.isNaN(anchor)) day = anchor;
    const role = turn.role === 'user' ? 'user' : 'assistant';
    messages.push({ id: textIn(turn.id), role, at: new Date(day + messages.length * 1_000).toISOString(), text: textIn(turn.content) });
  }
  const questions = Object.values(isObject(probing) ? probing : {})
    .flatMap(listIn)
    .filter(isObject)
    .map(({ question, source_chat_ids: ids }) => ({ question: textIn(question), evidence: idsIn(ids) }));
  return { messages, questions };
}

/** A list of ids, or lists of them by name. */
const idsIn = (value: unknown): readonly string[] =>
  Array.isArray(value)
    ? value.flatMap(idsIn)
    : isObject(value)
      ? Object.values(value).flatMap(idsIn)
      : [textIn(value)].filter((id) => id !== '');

/** Writes a conversation as a session of a home, one message a record. Returns the reference of each message by its id. */
export function writeConversation(home: string, sessionId: string, { messages }: Conversation): ReadonlyMap<string, string> {
  const context = { system: '', shortTermSummary: '', tools: [], messages: [], anchorFloor: 0 };
  const at = messages[0]?.at ?? new Date(START).toISOString();
  const header = { type: 'header', v: 1, sessionId, group: 'main', cwd: '/srv/project', model: 'bench', context, n: 0, at };
  const lines = messages.map(({ id, role, at: time, text }, i) => {
    const origin = role === 'user' ? 'user' : 'model';
    return {
      type: 'message',
      message: { id: `${sessionId}-${id}`, at: time, role, origin, content: [{ type: 'text', text }] },
      n: i + 1,
      at: time,
    };
  });
  const folder = join(home, 'sessions', sessionId);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, 'log.jsonl'), [header, ...lines].map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 });
  return new Map(messages.map(({ id }, i) => [id, `${sessionId}:${i + 1}`]));
}
