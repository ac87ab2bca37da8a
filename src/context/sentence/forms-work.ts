/** How people and models tell of work: what is left, done, found, about to be done, guessed, and what is only said in passing. */
import { readForms } from './form.ts';

export const outcomeForms = readForms(() => String.raw`
outcome: {OUTCOME}
  + All tests pass because the cache is gone. - I will read the file.
outcome: {OUTCOME}
  + 已经修复 - 先看代码
`);

export const doneForms = readForms(() => String.raw`
done: ^{DONE}|\b(?:i|we)(?:'ve| have)? (?:now |also |just )?{DONE} ~ ^(?:put|made|replaced|refactored|in place)\b ~ ^(?:i|we) (?:done|in place)
  + I added the flag. - Let me add the flag.
was done: \b(?:is|are|was|were|has been|have been) (?:now )?{DONE}|\b(?:all|every) (?:\w+ )?tests? (?:still |now )?pass
  + The flag was added. - The flag is red.
done: 已经?{DONE}|{DONE}好?了
  + 已添加开关 - 添加开关
`);

export const announcementForms = readForms(() => String.raw`
about to: ^{OPENER}(?:let me|let's {LOOK}|i'll (?:now )?{LOOK}|i need to {LOOK}|i will {LOOK}|now (?:let me|i'll|i will|i need))\b
  + Good. Now I'll check the tests. - The file was read.
about to: ^(?:好的?[，,。]?)?(?:让我|我(?:先|来|将|会)|现在(?:让我|我))
  + 让我先看看代码 - 代码看完了
`);

export const nothingForms = readForms(() => String.raw`
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
`);

export const guessForms = readForms(() => String.raw`
guess: {GUESS}|^likely\b
  + It might be the cache. - It is the cache.
guess: {GUESS}
  + 可能是缓存 - 是缓存
`);

export const selfTalkForms = readForms(() => String.raw`
self talk: ^{THOUGHT}(?:i (?:need|should|want|have|think i could|can) (?:to|now|also)?\b|i(?:'ll| will|'m going to| am going to)\b)
  + So I need to look. - It needs a look.
let me: ^{THOUGHT}(?:let me|let's|looking at|we (?:need|should) |maybe|perhaps|so i |this needs|that needs)
  + Hm, maybe the cache. - The cache.
self talk: ^(?:好的?[，,])?(?:现在|接下来|下面|首先|然后|让)?我(?:需要|要|得|应该|来|先|再|想)
  + 我先看一下 - 先看一下
`);
