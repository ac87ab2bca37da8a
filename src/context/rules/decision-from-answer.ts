import { chosenOption } from '../memory/chosen-option.ts';
import { isQuestion, offersChoice, proposesDesign, recommends } from '../sentence/asks.ts';
import { saysOne } from '../sentence/form.ts';
import { passagesOf } from '../text/passages.ts';
import { isChinese, quoteLine, sentencesOf } from '../text/sentences.ts';
import { sharesTopic } from './supersede.ts';

/**
 * What the user settled by answering a reply: its question or recommendation, with the answer; only together do they say what was decided.
 * Undefined when nothing was: an order to go on with the work settles nothing.
 */
export function decisionFromAnswer(reply: string, answer: string): string | undefined {
  const text = answer.trim();
  if (reply === '' || !isAnswer(text)) return undefined;
  const plain = reply.slice(-MAX_REPLY_CHARS).replace(/\*\*|__/g, '');
  const asked = closingAsk(plain);
  const option = chosenOption(plain, text)?.parts[0] ?? optionNamed(plain, text);
  if (option !== undefined && (asked !== undefined || recommends(plain)))
    return withAnswer(asked ?? recommendationIn(plain) ?? headOf(option), text, option);
  const [first = text] = sentencesOf(text);
  if (isQuestion(first)) return undefined;
  if (asked !== undefined && offersChoice(asked) && takesOne(asked, text)) return withAnswer(asked, text);
  if ((!accepts(text) && !rejects(text)) || THANKS.test(text)) return undefined;
  if (asked !== undefined && proposesDesign(asked)) return withAnswer(`${asked}${reasonBehind(plain, asked)}`, text);
  const proposal = asked === undefined || goesOn(asked) ? recommendationIn(before(plain, asked)) : undefined;
  return proposal === undefined || rejects(text) ? undefined : withAnswer(proposal, text);
}

const MAX_REPLY_CHARS = 12_000;
const ASKED_CHARS = 220;
const PROPOSAL_CHARS = 300;

const isAnswer = (text: string): boolean => text !== '' && !text.startsWith('/') && text.length <= (isChinese(text) ? 80 : 260);

/** One line that says what was settled: the question, and the answer in the user's words. */
export function withAnswer(asked: string, answer: string, option?: string): string {
  const isNew = option !== undefined && !answer.includes(option) && !asked.includes(option);
  const quoted = `${quoteLine(answer, 200)}${isNew ? ` (${quoteLine(option, 160)})` : ''}`;
  return isChinese(answer) || (isChinese(asked) && !/[a-z]{3}/i.test(answer))
    ? `问：${quoteLine(asked, PROPOSAL_CHARS)} 答：${quoted}`
    : `Asked: ${quoteLine(asked, PROPOSAL_CHARS)} Answer: ${quoted}`;
}

const takesOne = (asked: string, text: string): boolean => {
  if (takes(text)) return true;
  if (declines(text) || THANKS.test(text)) return false;
  if (picks(text)) return true;
  // Who asks back has not chosen yet.
  return !/[?？]/.test(text) && (chooses(text) || (text.length <= MAX_UNMARKED && sharesTopic(asked, text)));
};

/** Who settles something in other words than those of choosing is short. */
const MAX_UNMARKED = 120;
const THANKS = /谢|试试|听起来|感觉|电影|故事/;

const headOf = (option: string): string => option.slice(0, ASKED_CHARS);

const picks = saysOne(
  () => String.raw`
picks: ^{PICKS}|^\S{1,24}[.!]?$|^(?!{HESITATES},)[\w.-]{2,24}, \S
  + Redis, it is faster - well, it is hard to say
picks: ^{PICKS}
  + 用第一个 - 不知道
`,
);
const chooses = saysOne(
  () => String.raw`
chooses: \b(?:use|take|go (?:with|for)|prefer|choose)\b|\blet's (?:have|do|make|keep|put|use|go|take)\b
  + let's keep it small - it is small
`,
);
/** "No" to a choice that names what is wanted in its place. */
const takes = saysOne(
  () => String.raw`
takes: ^no,? (?:use|take|the|keep|let's)\b
  + no, use the queue - no
takes: ^不[，,]?(?:用|选|还是)
  + 不，用队列 - 不
`,
);
const declines = saysOne(
  () => String.raw`
declines: ^(?:{DECLINES}|both\?)
  + you decide - the queue
declines: ^{DECLINES}
  + 随便 - 用队列
`,
);
const accepts = saysOne(
  () => String.raw`
accepts: ^{OPENER}(?:{ACCEPTS}|let's (?:do|go with|add|apply|take|use) (?:it|this|that))\b
  + ok, go ahead - the queue
accepts: ^{ACCEPTS}(?!了)
  + 可以 - 队列
`,
);
const rejects = saysOne(
  () => String.raw`
rejects: ^(?:no|nope|nah)\b(?! (?:idea|problem|worr|clue))|^(?:don't|do not|not now|leave it|skip (?:it|that))\b
  + no, leave it - no idea
rejects: ^(?:不用|不要|别|算了|先不)
  + 算了 - 好
`,
);
/** A question that only asks whether to begin with what was said before it. */
const goesOn = saysOne(
  () => String.raw`
goes on: {GOES_ON}(?! (?:with|and) \w+ing\b)
  + Shall I go ahead? - Shall I use a queue?
goes on: {GOES_ON}|要我?(?:开始|动手|实现|这么做)
  + 怎么样？ - 用队列吗？
`,
);

/** The last question in the last sentences: what follows it says why. One that begins with "or" belongs to what stands before it. */
function closingAsk(plain: string): string | undefined {
  const sentences = sentencesOf(plain);
  const at = sentences.findLastIndex(isQuestion);
  if (at === -1 || at < sentences.length - LAST_SENTENCES) return undefined;
  const question = sentences[at] ?? '';
  const before = sentences[at - 1] ?? '';
  return /^(?:or\b|还是|或者)/i.test(question)
    ? sentences
        .slice(Math.max(0, at - 2), at + 1)
        .join(' ')
        .slice(-PROPOSAL_CHARS)
    : joined(before, question);
}

const LAST_SENTENCES = 3;

const joined = (before: string, question: string): string =>
  isQuestion(before) && question.length < 25 ? `${before} ${question}` : question;

/** "Do you want X? It is cheap and keeps the folder tidy." */
function reasonBehind(plain: string, asked: string): string {
  const sentences = sentencesOf(plain);
  const next = sentences[sentences.findLastIndex((sentence) => asked.endsWith(sentence)) + 1];
  return next !== undefined && next.length <= 160 && !isQuestion(next) ? ` ${next}` : '';
}

function before(plain: string, asked: string | undefined): string {
  const at = asked === undefined ? -1 : plain.lastIndexOf(asked.slice(0, 40));
  return at <= 0 ? plain : plain.slice(0, at);
}

/** The newest passage of the end that recommends something, not one that asks. */
const recommendationIn = (plain: string): string | undefined =>
  passagesOf(plain)
    .slice(-LAST_PASSAGES)
    .findLast(({ text }) => recommends(text) && !isQuestion(text) && !/^(?:那?我)?(?:推荐|建议)你|你可以/.test(text))?.text;

const LAST_PASSAGES = 8;

function optionNamed(plain: string, answer: string): string | undefined {
  const said = answer.toLowerCase();
  const options = plain.split('\n').flatMap((line) => {
    const option = /^\s*(?:[-*•]|\(?(?:[a-h]|\d{1,2})[.)、:：])\s+(\S.*)$/i.exec(line.slice(0, 400))?.[1];
    const name = option?.split(/[:：(（]| [–—-] /, 1)[0]?.trim() ?? '';
    return option !== undefined && name.length >= MIN_NAME_CHARS && said.includes(name.toLowerCase()) ? [option] : [];
  });
  return options.length === 1 ? options[0] : undefined;
}

const MIN_NAME_CHARS = 12;
