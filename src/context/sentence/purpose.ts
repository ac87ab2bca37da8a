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
goal is: {PURPOSE}[^，。？]{0,16}(?:，?是|就是|在于|变成|改成|：|:|变了)[^，。]{0,2}\S{3} ~ 不清|什么|哪
  + 整件事的目的，是让仓库的人不用再打电话。 - 目的是什么
it is for: (?:^|，){ITS}[^，。]{0,8}{PRODUCT}[^，。]{0,6}(?:为了|用来|供|面向|要?帮|给[^，。]{1,14}[用看]) ~ {NOW}|写(?:个|一个)?测试
  + 这个项目是为了让医院不用再手抄病历。 - 这个项目跑不起来。
we build: (?:^|，)[^，。]{0,6}{I|WE}{WOULD_DO}[^，。]{0,8}(?:一?[个套款份本]|出)[^，。]{0,24}{PRODUCT}
  + 我想做一个给外婆用的记账小程序 - 我想做一个测试
what we want: {I|WE}[^，。]{0,6}(?:要|想)(?:做|解决|实现|达到)[^，。]{0,4}的(?:，?是|就是)\S{2}
  + 我们要做的是一套离线也能用的巡检工具 - 我们要做的是啥
in the end: ^{FINALLY}，?[^，。]{0,14}(?:要|想|希望|得|能)[^，。]{4} ~ 了$|怎么|为什么
  + 最终要让护士单手就能录入体温 - 最终还是不行
`,
);
