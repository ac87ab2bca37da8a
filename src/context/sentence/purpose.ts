/** Says what the work is for: what is to come of it, for whom and why. A session must never lose the sentences that say so. */
import { saysOne } from './form.ts';

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
