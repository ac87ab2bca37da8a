import type { Conversation, QuestionSet, SetMessage, SetQuestion } from './question-sets.ts';
import { randomFrom } from './seeded-random.ts';

/** What was said, who said it, and a question in other words. `$` is the subject and `#` the value, which the question does not have. */
const FACTS: readonly (readonly [said: string, role: SetMessage['role'], question: string])[] = [
  ['We chose # for the $ queue after the outage.', 'user', 'Which choice did we make for the queue of $?'],
  ['The $ job ran out of memory, so I raised its limit to # megabytes.', 'assistant', 'What memory limit do $ jobs run with?'],
  ['Deploying $ failed because port # was taken.', 'assistant', 'Why did the deployments of $ fail?'],
  ['Anna wrote the parser of $, mostly in #.', 'user', 'What did Anna write the $ parsers in?'],
  ['Retries of $ are spaced by # seconds now.', 'assistant', 'What spacing does the retrying of $ use?'],
  ['I bought the domain for $ at #.', 'user', 'Where did we buy the domains for $?'],
  ['The configuration of $ lives in /etc/#.conf on the staging host.', 'assistant', 'Where is $ configured on staging?'],
  ['Tom has taken over $; his desk is in room #.', 'user', 'In which room does the one sit who takes care of $?'],
  ['The migration of $ dropped column # by mistake.', 'assistant', 'Which column was lost while migrating $?'],
  ['Please keep the caches of $ for # hours at most.', 'user', 'How long may $ cached entries be kept?'],
  ['$ 的缓存保留 # 小时。', 'user', '$ 的缓存保留多久？'],
  ['我们决定 $ 用 # 做数据库。', 'user', '$ 的数据库决定用什么？'],
];
const CHATTER = [
  'Thanks, that looks good to me.',
  'Let me look at the logs again before we go on.',
  'The tests of the other service are still running.',
  'Could you explain the last step in more detail?',
  'I will push the branch in the evening.',
  'There was a meeting about the release, nothing was decided.',
  'The retry delay, the cache and the queue are all documented on the wiki.',
  '好的，继续。',
  '测试还在跑。',
];
/** Ordinary words, of which there is talk all the time: a name that is rare would give every answer away. */
const SUBJECTS = ['billing', 'login', 'search', 'report', 'upload', 'mail', 'backup', 'import'];
const SYLLABLES = ['bar', 'cor', 'dal', 'fen', 'gol', 'har', 'jun', 'kel', 'lum', 'mor', 'nev', 'pol', 'rim', 'sol', 'tav', 'ven'];
const TOPICS = [
  'queue',
  'memory limit',
  'deployment',
  'parser',
  'retries',
  'domain',
  'configuration',
  'migration',
  'cache',
  '缓存',
  '数据库',
];
const CONVERSATIONS = 6;
const MESSAGES_BETWEEN = 6;

/** Conversations in which each kind of fact is told of several subjects, among talk about the same things; the same ones each time. */
export function labelledQuestions(): QuestionSet {
  const random = randomFrom(11);
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  const name = (): string => `${pick(SYLLABLES)}${pick(SYLLABLES)}${pick(SYLLABLES)}`;
  const conversation = (): Conversation => {
    const messages: SetMessage[] = [];
    const questions: SetQuestion[] = [];
    const say = (role: SetMessage['role'], text: string): string => {
      const id = String(messages.length);
      messages.push({ id, role, at: new Date(Date.UTC(2024, 0, 1) + messages.length * 60_000).toISOString(), text });
      return id;
    };
    const told = SUBJECTS.flatMap((subject) => FACTS.map((fact) => ({ subject, fact, rank: random() }))).sort((a, b) => a.rank - b.rank);
    for (const {
      subject,
      fact: [said, role, question],
    } of told) {
      for (let i = 0; i < MESSAGES_BETWEEN; i++) {
        const about = random() < 0.7 ? ` (${pick(SUBJECTS)}, ${pick(TOPICS)})` : '';
        say(i % 2 === 0 ? 'user' : 'assistant', `${pick(CHATTER)}${about}`);
      }
      const id = say(role, said.replace('$', subject).replace('#', name()));
      questions.push({ question: question.replace('$', subject), evidence: [id] });
    }
    return { messages, questions };
  };
  return { name: 'generated questions', conversations: Array.from({ length: CONVERSATIONS }, conversation) };
}
