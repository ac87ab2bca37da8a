import type { Conversation, QuestionSet, SetMessage, SetQuestion } from './question-sets.ts';
import { type Random, randomFrom } from './seeded-random.ts';

/** What a user tells among requests for help, and a question after it in other words. `$` is a part of the project, `#` a value. */
const TOLD: readonly (readonly [told: string, question: string])[] = [
  ["I'm aiming for the first rollout of the $ by #, so keep the plan tight.", 'By when did I plan the first rollout of the $?'],
  ["My $ takes # ms under load, which is way above what I'd like.", 'How many ms did my $ take under load?'],
  ['I decided on # for the $ after comparing three options last night.', 'What did I decide on for the $ when I compared the options?'],
  ['My teammate Carla suggested # for the $ and I agreed with her.', 'What did my teammate Carla suggest for the $?'],
  ["I've never written a single test for the $, to be honest.", 'Have I ever written a test for the $?'],
  ['Always show me a diagram when I ask about the $.', 'What should be shown to me when I ask about the $?'],
  ['I set the budget of the $ at # dollars a month with my manager.', 'What monthly budget did I agree with my manager for the $?'],
  ['The $ now keeps # entries instead of what I told you before.', 'How many entries does my $ keep?'],
  ['I\'m getting "Error: # is not allowed" from the $, can you help me figure that out?', 'Which error did I get from the $?'],
  ['I finished the $ on # and it passed the review by Tom.', 'When did I finish the $ and have it reviewed?'],
  ['I prefer plain functions over classes in the $, they are easier for me to read.', 'What do I prefer for the functions of the $?'],
  ['We moved the $ to # because our old host went down twice.', 'Where did we move the $ when our old host was down?'],
];
const PARTS = [
  'login page',
  'message queue',
  'image upload',
  'search box',
  'billing report',
  'session cache',
  'nightly import',
  'mail sender',
  'audit log',
  'rate limiter',
];
const SYLLABLES = ['bar', 'cor', 'dal', 'fen', 'gol', 'har', 'kel', 'lum', 'mor', 'nev', 'pol', 'rim', 'sol', 'tav'];
const FOLLOW_UPS = [
  'hmm, what if two users do that at the same time? Does that change anything?',
  'Got it, thanks. Can you show me the code once more with comments?',
  'Okay, and how would I measure whether that helped?',
  'Is there a simpler way to do that? I find this a bit long.',
];
const REPLIES = [
  'Setting a deadline for the $ helps you to plan the rollout in small steps.',
  'To see how slow the $ is under load, measure its response time with a load test before and after each change.',
  'There are several options to choose from for the $; each has advantages and disadvantages.',
  'Your teammate may also propose a review of the $, which is good practice.',
  'Testing the $ thoroughly is important: write unit tests, integration tests and load tests.',
  'Explain the structure of the $ to new colleagues with a short page in the repository.',
  'Keep an eye on how much the $ costs monthly, since money spent on idle resources adds up.',
  'Limit how many entries the $ may hold, and remove the oldest ones first.',
  'If the $ reports an error, log the error with its stack and show a friendly message to the user.',
  'Once the work on the $ is complete, ask for a review and then deploy it.',
  'A consistent style makes the $ easier to read and to maintain over time.',
  'Check where the $ runs, and whether the host has enough memory and disk space.',
];
const CODE =
  '```javascript\nasync function handle(request) {\n  const entry = await store.find(request.id);\n  if (!entry) throw new Error("not found");\n  return { ...entry, updated: Date.now() };\n}\n```';
const CONVERSATIONS = 1;
const EXCHANGES = 300;
const SENTENCES = 12;

/** Long talks of one person with an assistant whose long replies repeat the words of every question; the same ones each time. */
export function generatedHelpChat(): QuestionSet {
  const random = randomFrom(23);
  return { name: 'generated talks with long replies', conversations: Array.from({ length: CONVERSATIONS }, () => talk(random)) };
}

function talk(random: Random): Conversation {
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  const messages: SetMessage[] = [];
  const questions: SetQuestion[] = [];
  const say = (role: SetMessage['role'], text: string): string => {
    const id = String(messages.length);
    messages.push({ id, role, at: new Date(Date.UTC(2024, 0, 1) + messages.length * 600_000).toISOString(), text });
    return id;
  };
  const told = PARTS.flatMap((part) => TOLD.map((fact) => ({ part, fact, rank: random() }))).sort((a, b) => a.rank - b.rank);
  for (let i = 0; i < EXCHANGES; i++) {
    const next = i % 3 === 0 ? told.pop() : undefined;
    const part = next?.part ?? pick(PARTS) ?? '';
    if (next === undefined) say('user', i % 3 === 1 ? (pick(FOLLOW_UPS) ?? '') : `Can you review this part of the ${part}?\n${CODE}`);
    else {
      const [said, question] = next.fact;
      const value = `${pick(SYLLABLES)}${pick(SYLLABLES)}${pick(SYLLABLES)}`;
      questions.push({ question: question.replaceAll('$', part), evidence: [say('user', said.replaceAll('$', part).replace('#', value))] });
    }
    const sentences = Array.from({ length: SENTENCES }, () =>
      pick(REPLIES)?.replaceAll('$', random() < 0.5 ? part : (pick(PARTS) ?? part)),
    );
    say('assistant', `${sentences.slice(0, 8).join(' ')}\n\n### Steps\n\n${CODE}\n\n${sentences.slice(8).join('\n- ')}`);
  }
  return { messages, questions };
}
