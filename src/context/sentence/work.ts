/** What a sentence tells of the work: done, found, guessed, about to be done, or nothing that anybody needs later. */
import { anyOf } from '../../domain/value/word-list.ts';
import { namesOne, saysOne } from './form.ts';

export const statesOutcome = namesOne('OUTCOME');

export const tellsFault = namesOne('WHAT_FAILS');

export const statesDone = saysOne(
  () => String.raw`
done: ^{DONE}|\b(?:i|we)(?:'ve| have)? (?:now |also |just )?{DONE} ~ ^(?:put|made|replaced|refactored|in place)\b ~ ^(?:i|we) (?:done|in place)
  + I added the flag. - Let me add the flag.
was done: \b(?:is|are|was|were|has been|have been) (?:now )?{DONE}|\b(?:all|every) (?:\w+ )?tests? (?:still |now )?pass
  + The flag was added. - The flag is red.
done: 已经?{DONE}|{DONE}好?了
  + 已添加开关 - 添加开关
`,
);

/** True when the sentence only announces the next step: "Let me read the file." */
export const isAnnouncement = saysOne(
  () => String.raw`
about to: ^{OPENER}(?:let me|let's {LOOK}|i'll (?:now )?{LOOK}|i need to {LOOK}|i will {LOOK}|now (?:let me|i'll|i will|i need))\b
  + Good. Now I'll check the tests. - The file was read.
about to: ^(?:好的?[，,。]?)?(?:让我|我(?:先|来|将|会)|现在(?:让我|我))
  + 让我先看看代码 - 代码看完了
`,
);

/** True for a guess at what is the case. Said between two steps, it is confirmed or refuted by what comes next. */
export const isGuess = saysOne(
  () => String.raw`
guess: {GUESS}|^likely\b
  + It might be the cache. - It is the cache.
guess: {GUESS}
  + 可能是缓存 - 是缓存
`,
);

/** True for what an agent says to itself between two steps: what it is about to do, or wonders about. */
export const isSelfTalk = saysOne(
  () => String.raw`
self talk: ^{THOUGHT}(?:i (?:need|should|want|have|think i could|can) (?:to|now|also)?\b|i(?:'ll| will|'m going to| am going to)\b)
  + So I need to look. - It needs a look.
let me: ^{THOUGHT}(?:let me|let's|looking at|we (?:need|should) |maybe|perhaps|so i |this needs|that needs)
  + Hm, maybe the cache. - The cache.
self talk: ^(?:好的?[，,])?(?:现在|接下来|下面|首先|然后|让)?我(?:需要|要|得|应该|来|先|再|想)
  + 我先看一下 - 先看一下
`,
);

/** True for what an agent says between its steps and heads with ("Now I see the issue.", "Here is the updated version:"). */
export const saysNothing = (sentence: string): boolean =>
  /[:：]["”*_)]{0,3}$/.test(sentence) || HEADING.test(sentence) || isEmptyTalk(sentence);

/** Two or three words in title case without a verb, or a file name alone: what stood above a block. */
const HEADS = anyOf('Summary, Conclusion, Overview, Changes, Fixes, Result, Results, Analysis, Verdict');
const HEADING = new RegExp(`^(?:\\*\\*)?(?:[A-Z][a-z]+ ){0,3}${HEADS}(?:\\*\\*)?[.:]?$|^[\\w./-]+\\.\\w{1,8}~?$`, 'i');

/** The text without the cheer and the thinking aloud before what it says, and without bold marks that the cut left unpaired. */
export const withoutCheer = (text: string): string => {
  const plain = withoutFirstFiller(text.replace(CHEER, '').replace(/^Now(?: we have)?: (?=\S)/, ''))
    .replace(THINKING_ALOUD, '')
    .replace(THINKING_ALOUD_ZH, '');
  return plain.split('**').length % 2 === 0 ? plain.replaceAll('**', '') : plain;
};

function withoutFirstFiller(text: string): string {
  const [first = ''] = /^[^.!?。！？]{1,120}[.!?。！？](?=\s+\S{2}.{20})/.exec(text) ?? [];
  return first !== '' && saysNothing(first) ? text.slice(first.length).trimStart() : text;
}

const THINKS = `(?:hm+|ah+|${anyOf('wait, oh, oops, interesting, let me see, let me think, now i see, i see')})`;
const THINKING_ALOUD = new RegExp(`^(?:${THINKS}(?:,(?! that)| ?[—–-](?= )|[.!…:]+)[ \\t]*(?:[—–-] )?){1,3}(?=\\S)`, 'i');
const THINKING_ALOUD_ZH = /^(?:(?:嗯+|等等|等一下|哦|啊|让我(?:看看|想想)|我看看|有意思)[，,。.！!…：:—]+[ \t]*){1,3}(?=\S)/;
const CHEERS = anyOf('Perfect, Great, Excellent, Awesome, Wonderful, Nice, Good catch, Great question');
const CHEER = new RegExp(`^(?:(?:${CHEERS}|You'?re (?:absolutely )?right)[!.] ){1,2}(?=\\S)`);

const isEmptyTalk = saysOne(
  () => String.raw`
i see: ^{OPENER}(?:now )?i(?:'ve)? (?:can )?(?:now )?{GOT}.{0,60}$ ~ \b(?:because|that the|why the)\b
  + Now I see the issue. - I see that the cache is stale.
next i: ^{OPENER}(?:i(?:'ll| will)|i'm going to|let me|let's|we'll) (?:{CHEER} |also |just |go ahead and )*{ACT} ~ \b(?:because|since|instead of|rather than)\b
  + I'll now update the tests. - I'll keep the old one because it is used.
going on: ^{OPENER}(?:starting|continuing|moving on|looking|going|working|checking|reading|proceeding) {PREP|NOW}
  + Moving on to the next file. - Moving parts wear out.
first then: ^{OPENER}(?:first|next|then|finally|now),? (?:let|i'll|i will|we|i need|add|update|the next)\b.{0,120}$
  + Next, the next file. - First of all it leaks.
one word: ^(?:fixed|done|perfect|updated|excellent|great|cleaned up|pushed)[.!]{0,3}$
  + Fixed. - Fixed the test of the parser.
courtesy: ^{COURTESY}.{0,50}$|^{OFFER}
  + Great question! - The question is whether it leaks when the socket closes after a timeout of the server.
let me: ^.{0,40}(?:[—–-]|\.) ?let me (?:find|check|look|see|fix|read|run|try|verify)\b.{0,40}$
  + Odd. Let me check the log. - It is odd.
next i: ^(?:好的?|明白了?|没问题|现在|接下来|首先|然后|让我)[，,。！!]?(?:我(?:来|先|会|将|明白|知道|看到|开始|继续).{0,30})?$|^{OFFER}
  + 好的，我来看看 - 好的方案是用队列
then i: ^(?:现在|接下来|下面|首先|然后)我.{0,30}$
  + 接下来我修改测试 - 接下来的问题是缓存
`,
);
