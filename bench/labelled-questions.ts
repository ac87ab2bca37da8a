import type { Conversation, QuestionSet, SetMessage, SetQuestion } from './question-sets.ts';
import { randomFrom } from './seeded-random.ts';

/** One thing of which there are several statements in the course of a session; `$` is whose it is and `#` the value, which no question has. */
type Thing = {
  readonly said: readonly string[];
  /** In other words: what holds now, what held first, and what held in the month `@`. */
  readonly now: string;
  readonly first: string;
  readonly month: string;
  /** Said once in each session, of one of them; asked for in all sessions. */
  readonly once: string;
  readonly all: string;
};

const THINGS: readonly Thing[] = [
  {
    said: ['The workers of $ may take # megabytes of memory.', 'The memory was too little for $, so it has # megabytes.'],
    now: 'How much memory do $ workers get these days?',
    first: 'How much memory was $ given to begin with?',
    month: 'How much memory were $ workers allowed in @?',
    once: 'The kernel killed $ over night, it was out of memory.',
    all: 'Which services were killed in the night?',
  },
  {
    said: ['Mira looks after $ and sits in room #.', 'Tomas has taken over $ from Mira; his room is #.'],
    now: 'In which room does the one sit who looks after $ now?',
    first: 'In whose room was $ looked after before anybody else took over?',
    month: 'Which room was that of the one who looked after $ in @?',
    once: 'Tomas leaves in summer, so $ needs somebody new.',
    all: 'What needs a new person when Tomas has left?',
  },
  {
    said: ['Results of $ are kept for # minutes.', 'The board was stale again: results of $ are kept for # minutes from here on.'],
    now: 'How long does $ keep its results nowadays?',
    first: 'How long were the results of $ kept to start with?',
    month: 'For how long was a result of $ being kept in @?',
    once: 'The board showed the numbers of last Friday for $.',
    all: 'Where did boards show old numbers?',
  },
  {
    said: ['Records of $ are written to the database #.', 'With a second writer $ had to move to the database #.'],
    now: 'Which database does $ write to today?',
    first: 'Which database was the first one of $?',
    month: 'Which database were $ records written to in @?',
    once: 'Somebody restored $ from the copy of the night before.',
    all: 'What had to be restored from a copy?',
  },
  {
    said: ['$ 现在每 # 分钟执行一次。', '日志太吵了，$ 改成每 # 分钟执行一次。'],
    now: '$ 如今多久执行一次？',
    first: '$ 起先多久执行一次？',
    month: '@ $ 多久执行一次？',
    once: '$ 昨晚没执行成，磁盘满了。',
    all: '哪些任务因为磁盘失败过？',
  },
  {
    said: ['$ 先交给小林负责，她在 # 会议室。', '小林休假了，$ 由阿强负责，他在 # 会议室。'],
    now: '$ 眼下由谁负责？',
    first: '$ 头一个负责人是谁？',
    month: '@ 谁负责 $？',
    once: '$ 的密码泄露了，已经全部换掉。',
    all: '哪些地方的密码出过事？',
  },
];
const SUBJECTS = ['billing', 'login', 'search', 'report', 'upload', 'mail', 'backup', 'import'];
const TOPICS = ['memory', 'the room', 'results', 'the database', 'records', 'the board', '日志', '会议室', 'a writer', 'the night job'];
const CHATTER = [
  'Let me look at that again before we go on.',
  'Could you explain the last step once more?',
  'I asked who is in charge, and nobody was sure.',
  'There was a meeting about the database today, nothing came of it.',
  'These days everything takes longer, I find.',
  'The first version was easier to read.',
  '好的，继续。',
  '谁负责这块？先放一放。',
];
const SYLLABLES = ['bar', 'cor', 'dal', 'fen', 'gol', 'har', 'jun', 'kel', 'lum', 'mor', 'nev', 'pol', 'rim', 'sol', 'tav', 'ven'];
const MONTHS = ['January', 'February', 'March', 'April', 'May', 'June'];
const SESSIONS = 4;
const MESSAGES_BETWEEN = 5;
const DAY_MS = 86_400_000;

type Told = { readonly subject: string; readonly thing: Thing; readonly day: number; readonly isOnce?: true };

/** Things that change in the course of half a year, among talk about the same ones; the same each time. Each kind of question is a set. */
export function labelledQuestions(): readonly QuestionSet[] {
  const random = randomFrom(11);
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  const asked: Record<'now' | 'first' | 'month', SetQuestion[][]> = { now: [], first: [], month: [] };
  const everywhere = new Map<Thing, string[]>();
  const conversation = (session: number): Conversation => {
    const messages: SetMessage[] = [];
    const say = (role: SetMessage['role'], text: string, day: number): string => {
      const id = `${session}-${messages.length}`;
      messages.push({ id, role, at: new Date(Date.UTC(2024, 0, 1) + day * DAY_MS + messages.length * 1_000).toISOString(), text });
      return id;
    };
    const of: Record<'now' | 'first' | 'month', SetQuestion[]> = { now: [], first: [], month: [] };
    const evidence = new Map<string, string[]>();
    const days = SUBJECTS.flatMap((subject) => THINGS.map((thing) => ({ subject, thing }))).flatMap(
      ({ subject, thing }): readonly Told[] => {
        const start = Math.floor(random() * 3) * 30;
        return [0, 30, 60].map((after) => ({ subject, thing, day: start + after + Math.floor(random() * 25) }));
      },
    );
    const once = THINGS.map((thing): Told => ({ subject: pick(SUBJECTS) ?? '', thing, day: Math.floor(random() * 140), isOnce: true }));
    for (const { subject, thing, day, isOnce } of [...days, ...once].toSorted((a, b) => a.day - b.day)) {
      for (let i = 0; i < MESSAGES_BETWEEN; i++) {
        const about = random() < 0.5 ? ` (${pick(SUBJECTS)}, ${pick(TOPICS)})` : '';
        say(i % 2 === 0 ? 'user' : 'assistant', `${pick(CHATTER)}${about}`, day);
      }
      if (isOnce === true) {
        everywhere.set(thing, [...(everywhere.get(thing) ?? []), say('user', thing.once.replace('$', subject), day)]);
        continue;
      }
      const key = `${subject} ${THINGS.indexOf(thing)}`;
      const before = evidence.get(key) ?? [];
      const text = (before.length === 0 ? thing.said[0] : thing.said[1]) ?? '';
      const value = `${pick(SYLLABLES)}${pick(SYLLABLES)}${pick(SYLLABLES)}`;
      const id = say(random() < 0.5 ? 'user' : 'assistant', text.replaceAll('$', subject).replace('#', value), day);
      evidence.set(key, [...before, id]);
      const month = new Date(Date.UTC(2024, 0, 1) + day * DAY_MS).getUTCMonth();
      const name = /\p{Script=Han}/u.test(thing.month) ? `2024年${month + 1}月` : `${MONTHS[month]} 2024`;
      of.month.push({ question: thing.month.replaceAll('$', subject).replace('@', name), evidence: [id] });
    }
    for (const [key, ids] of evidence) {
      const [subject = '', at] = key.split(' ');
      const thing = THINGS[Number(at)];
      of.now.push({ question: thing?.now.replaceAll('$', subject) ?? '', evidence: ids.slice(-1) });
      of.first.push({ question: thing?.first.replaceAll('$', subject) ?? '', evidence: ids.slice(0, 1) });
    }
    for (const kind of ['now', 'first', 'month'] as const) asked[kind].push(of[kind]);
    return { messages, questions: [] };
  };
  const conversations = Array.from({ length: SESSIONS }, (_, session) => conversation(session));
  const setOf = (name: string, questions: readonly (readonly SetQuestion[])[]): QuestionSet => ({
    name,
    conversations: conversations.map((each, session) => ({ ...each, questions: questions[session] ?? [] })),
  });
  const several = THINGS.map((thing) => ({ question: thing.all, evidence: everywhere.get(thing) ?? [], anywhere: true }));
  return [
    setOf('what holds now, in other words', asked.now),
    setOf('what held first, in other words', asked.first),
    setOf('what held in a month, in other words', asked.month),
    setOf('of several sessions', [several]),
  ];
}
