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

/** Says what the work is for: what is to come of it, for whom and why. A session must never lose the sentences that say so. */

export const statesPurpose = saysOne(
  () => String.raw`
the goal is: \b{ITS}(?: [\w-]+){0,2} {PURPOSE}\b[^.?]{0,80}\b(?:is|was|becomes?) (?:now )?{AIMED} \w+
  + The goal of this work is to get billing off Oracle. - The goal of that test is unclear.
the goal: ^(?:{ITS} )?(?:[\w-]+ )?{PURPOSE}(?: (?:of|for|here)[\w ]{0,30})?: ?\S+ \S
  + Goal: one page that loads without a network. - Goal reached
the goal is now: \b{PURPOSE} (?:has |have )?(?:changed|moved)\b.* \w+ \w+ \w
  + The goal has changed, now we want a nightly report. - The goal has changed.
it exists for: (?:^|[,;:] )(?:\w+ )?{ITS} (?:[\w-]+ ){0,2}{PRODUCT} {IS_MEANT} (?:because|so that|to|for) \w
  + This project exists because our accountants retype invoices. - This project exists already.
it is for: (?:^|[,;:] )(?:so |and )?{ITS} (?:[\w-]+ ){0,2}{PRODUCT} (?:is|will be) (?:for|so that) (?!{NOW}|me\b|you\b)\w+ \w
  + This tool is for people who cannot read maps. - This tool is for now.
we build: (?:^|[,;:] )(?:\w+ )?{I|WE} ?{WOULD_DO} (?:an?|our|my|the|one) (?:[\w'-]+ ){0,5}{PRODUCT}\b ~ {WOULD_DO} (?:an?|the|our) (?:\w+ )?(?:tests?|function|method|fix|file|note|comment)\b
  + We are building a booking tool for village libraries. - We are building a test.
what we want: ^.{0,50}\b(?:what|all) {I|WE}.{0,24} ?{WISHES}[\w ]{0,20} is (?:{AIMED}|\w+s) \w
  + What I am after is a parser that never crashes. - What I want is unclear.
in the end: ^{FINALLY},? (?:[\w-]+ ){1,5}(?:{SHOULD|MUST}|will)(?: be able to)? \w+ \w
  + In the end the volunteers should be able to lend books alone. - In the end it should work.
all of it is for: ^(?:all (?:of )?this|the whole thing) is (?:so (?:that|the|our)|for|meant) \w+ \w ~ {NOW}
  + All of this is so the fire brigade knows which hydrant works. - All of this is so slow.
made for: {I|WE} ?{WOULD_DO} (?:this|it|all this) (?:for|because|so) (?!{NOW})\w+ \w
  + I'm making this for my daughter's class. - I'm making this for now.
takes the place: \b(?:this|our|my) {PRODUCT} (?:{SHOULD|MUST}|will|is to) (?:replace|do away with) \w
  + This app should replace all those letters. - The parser replaces tabs.
somebody gets it: {I|WE} ?{WISHES} (?:her|him|(?:the|our) {PERSON}) to (?:see|know|get|be able to)\b.{4}
  + I want her to see in the morning which cakes were ordered. - I want you to see the log.
goal is: {PURPOSE}[^，。？]{0,16}(?:，?是|就是|在于|变成|改成|：|:|变了)[^，。]{0,2}\S{3} ~ 不清|什么|哪
  + 整件事的目的，是让仓库的人不用再打电话。 - 目的是什么
it is for: (?:^|，){ITS}[^，。]{0,8}{PRODUCT}[^，。]{0,6}(?:为了|用来|供|面向|要?帮|给[^，。]{1,14}[用看]) ~ {NOW}|写(?:个|一个)?测试
  + 这个项目是为了让医院不用再手抄病历。 - 这个项目跑不起来。
it is done for: (?:^|，)(?:做|写|搞|弄|开发)这(?:个|些|套)?[^，。]{0,8}是?(?:为了|想让|要让)[^，。]{4} ~ 测试|调试
  + 做这个就是为了让客服不用再翻三个系统 - 写这个是为了测试
it is done for: (?:主要|就|归根到底|说到底|无非|都)是[想要为]了?让[^，。]{1,8}(?:能|可以|不用|不再|少|会)[^，。]{2} ~ 测试|函数
  + 主要是想让我爸能自己查公交 - 主要是想让你看看日志
in place of: (?:^|，)[^，。]{0,4}{I|WE}[^，。]{0,4}[想要][^，。]{0,4}用[^，。]{1,10}{PRODUCT}[^，。]{0,4}(?:来)?(?:代替|替代|取代|替掉)
  + 我想用一个小页面代替接龙 - 我想用别的函数代替它
we build: (?:^|，)[^，。]{0,6}{I|WE}{WOULD_DO}[^，。]{0,8}(?:一?[个套款份本]|出)[^，。]{0,24}{PRODUCT}
  + 我想做一个给外婆用的记账小程序 - 我想做一个测试
what we want: {I|WE}[^，。]{0,6}(?:要|想)(?:做|解决|实现|达到)[^，。]{0,4}的(?:，?是|就是)\S{2}
  + 我们要做的是一套离线也能用的巡检工具 - 我们要做的是啥
in the end: ^{FINALLY}，?[^，。]{0,14}(?:要|想|希望|得|能)[^，。]{4} ~ 了$|怎么|为什么
  + 最终要让护士单手就能录入体温 - 最终还是不行
`,
);
