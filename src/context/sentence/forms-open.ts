/** How a sentence asks, leaves open, supposes or reports what it would state; and what of the work is left. */
import { readForms, saysOne } from './form.ts';

export const openForms = readForms(
  () => String.raw`
asks: ^(?:(?:{LEAD}|quick question)[,:]? )*(?:{ASKING}|what (?!we|i|they|you call|matters|counts|users))
  + why does it never load - What we call the vault is a folder.
asks where: ^(?:(?:{LEAD})[,:]? )*(?:where|when) ?(?:'s|{AUX}) \w
  + when is the deadline - When you are done, tell me.
asks by verb: ^(?:(?:{LEAD})[,:]? )*{AUX} (?:{ASKED_OF}|[a-z]+s)\b(?! tests? ) ~ ^(?:do|don't|must|may|can|has|have) (?!(?:we|they|i|it|he|she|there)\b)[a-z]+s\b
  + do we have to support python 3.8 - Don't tests need a name
reported: ^(?:{AND} |{PREP} )?(?:the |my |a |their )?(?:\w+ )?{SAYER}(?: it| they| you)? (?:{ADV} )?{SAYS}\b
  + The linter says we must use tabs. - We say no.
reported there: ^{SAYER} (?:on|in) \w+ \w+ {SAYS}\b
  + Somebody on a forum claimed you should never use goto. - We say no.
unsettled: {NEGATION} (?:\w+ ){0,4}(?:{OPEN_WORD}) ~ never settled for
  + Nothing was decided about the logo. - We decided not to wait.
not yet: (?:not|n't) (?:yet )?(?:looked|thought|talked|sure|been asked)\b|\bshould (?:i|we)\b.*\?
  + We haven't talked about it. - We talked about it.
fails then: ^if (?:it|that|this) (?:\w+s|is) 
  + if it breaks again we switch to esbuild - if in doubt, ask
doubt: {DOUBT} ~ ^{IF} .*{BINDING} ~ let me see .* before you ~ ^(?:{CHEER} )?i think (?:let's|(?:\w+ )?\w+ is the (?:right|best|better))
  + Maybe we should use Redis. - We use Redis.
if: {IF}|\bif (?:we|i|they) (?:\w+ed|{ONCE}|chose|go|use|took|had|want|need|switch|pick)\b ~ {BINDING} ~ ^only|, even if
  + If we chose Postgres, how would it work? - If you change the schema, you must tell me.
asks: {ASKING}|({HAN})不\1 ~ 不管|无论|不论|有没有人|[动时]不[动时]|没(?:配|设|填|写)
  + 要不要换一个库 - 不管是不是急，都要评审
in jest: [，。！\s]哈+$|开玩笑的
  + 以后都不写测试了，哈哈 - 别开玩笑
in jest: \bjust (?:kidding|joking)\b
  + we drop the tests, just kidding - no joking in the docs
as found: ^没有(?:名为|找到|叫)|运行在 ?https?:|^(?:教程|文档|例子|示例)[里中]?用的
  + 没有名为 requests 的模块 - 没有我的同意不许删
asks what: (?<!{WHATEVER})(?:什么(?!都|也|时候都)|哪(?!怕|里都|个都)|怎么(?!都|也|改都)|咋(?!都|也)|多少(?!都))
  + 用什么端口 - 谁都不能写
reported: ^(?:{HAN}{2,4})?{SAYER}(?:里|上|中)?(?:面)?(?:都|又|还|老|总)?(?:{SAYS}|提示(?!用|要|信息|都|文))
  + 文档里说要用 Node 18 - 文档都用中文写
doubt: {DOUBT} ~ 没有人|可能性|大概率|建议用户|不建议|定期|定义|定位|定制|都行不|未定义 ~ 都得
  + 可能要换成 Redis - 定期清理
undecided: 应该(?:是|会|可以|没|不会|还|就|行|快)|你(?:来|自己|们)?(?:看着)?(?:决定|定(?!义|期)|选|挑)(?!的)|要么.{1,12}要么|是[^，。]{1,12}还是 ~ 不应该
  + 应该会快一点 - 应该先写测试
if: {IF} ~ {BINDING}|主要是|重要是|需要是|只要是|[没未不](?:配|设|填|传|指定)
  + 如果用 Redis 会快些 - 不管多急
`,
);

/** What is said of work that is left, and of what waits for somebody. */
export const saysWhatIsLeft = (sentence: string): boolean =>
  (namesWhatIsLeft(sentence) || saysNotDone(sentence)) && !saysAllIsDone(sentence) && !explains(sentence);

/** The title of an explanation, and what flows on to the next step of a program. */
const explains = saysOne(
  () => String.raw`
explains: ^\W{0,4}(?:why|how)\b|^[^.]{2,60}(?:→|->)
  + Why It's Not Implemented - It is not implemented.
explains: ^\W{0,4}(?:为什么|为何|如何)|^[^。]{2,60}→
  + 为什么还没修好 - 登录页还没修好
`,
);

const namesWhatIsLeft = saysOne(
  () => String.raw`
heading: ^\W{0,4}{LEFT}(?: is| are)?(?: (?:work|tasks?|steps?|items?))?\s?(?::| is\b| are\b|\W)
  + Remaining: the docs and the release notes. - The remaining files are read.
not done: (?:{BE}|has|have) (?:still )?not (?:yet )?(?:been )?{FINISHED}(?: yet)?\b|\bnot {FINISHED} (?:the \w+ )?yet\b
  + The Windows build is not done yet. - This is not true.
still missing: (?:{BE} still {WAITING}|ha(?:s|ve) not (?:yet )?been \w+(?:ed|en)|{BE} left to do)[.!]?$
  + The tests for the importer are still missing - I am still here
remain: \b(?:tasks?|items?|steps?|points?) remain\b|\bstill {MISSES} to be\b|\bdid(?: not|n't) get (?:around )?to\b
  + Two tasks remain: logs and cleanup. - Files remain on disk.
still to do: \b(?:i|we|you) (?:still|also still) have to \w|\bi still need to \w|\bremains to be \w
  + We still have to deploy it. - We have to deploy it.
what is missing: \bwhat(?:'s| is) (?:also |still )*(?:missing|open) is\b|{BE} (?:open|missing) and .{2,40}{BE} open
  + The photos are missing and the way of sending is open. - The shop is open on Sundays.
waits for: \bcan wait (?:until|till|for) \w|\bwaits for \w+[.!]?$
  + The second page can wait until I have it. - The lock waits for the reply to come.
waits: ^\W{0,4}(?:{IAM} )?(?:still )?(?:waiting|blocked)(?: (?:for|on|by)\b|:) ~ ^(?!.*\byour?\b).*(?:\.{3}|…)$
  + Waiting for your approval. - The lock is held while waiting for a reply.
needs you: \b(?:i|we) (?:still |will |would )?need (?:your|an?) {DECIDING}|\bover to you\b
  + I need your decision on the schema. - I need your file.
tell which: ^(?:please |just )?(?:tell me|let me know|say|decide) (?:which|whether|how|when) (?:one|you|i|we)\b
  + Please tell me which one you want. - Tell me a story.
comes later: \b(?:comes?|can wait|is for|are for) (?:until )?(?:later|next week|the next sprint)[.!]?$
  + The changelog comes later. - I see you later.
left: {LEFT}|还有[^，。]{1,12}(?:没|未) ~ 些什么|点什么
  + 剩下的工作：补充文档和测试 - 剩下的文件在循环里读
heading: ^\W{0,4}{REST}[^，。：:]{0,6}[:：] ?\S|接下来要做的是
  + 下一步：在预发上跑一遍 - 下一步函数返回空
still to do: (?:还|仍|尚)(?:然)?(?:需要?|要|得|差)(?:再|把)?{HANDLE} ~ 如果|些什么|点什么
  + 还要补上回滚脚本 - 还要多久
to be had: (?:再(?:好好)?想想|还没(?:想好|决定|定下?来?)|等[^，。]{1,10}(?:确认|批准|回复|想好))(?:再说)?[。！；]?$ ~ ^让我
  + 礼物要不要买，我再想想 - 让我再想想
to be had: 先不[做写改加接搞动](?!了)|[要得]先?[问找跟]{HAN}{1,6}要|需要{HAN}{2,6}(?:提供|给出|补上)
  + 证书的脚本先不写 - 先不说了
needs you: (?:需要|等|待|请|由|得)(?:待)?你们?(?:来)?{DECIDING}
  + 请你确认一下用哪个方案 - 需要你的代码
`,
);

/** What says of the work that it is not done or does not work yet. */
export const saysNotDone = saysOne(
  () => String.raw`
still bad: \bstill {STILL_BAD}|\b{BE} still (?:an? |the )?(?:\w+ )?{STILL_BAD} ~ \bno longer\b|\bfails? {BY_DESIGN}
  + One test still fails. - It still works on Windows.
not yet: (?:\bnot|n't) (?:been )?(?:\w+ )?\w+(?:ed|en|ne|lt) (?:\w+ ){0,3}yet[.!]?$ ~ \b(?:needed|decided) yet|n(?:o|')t (?:{WORLD_DOES})\b
  + The last two pages are not translated yet. - The cache is not due yet.
not tested: \bha(?:s|ve)(?: not|n't) (?:yet |been ){0,2}{FINISHED}\b
  + It has not been tested on Windows. - It has been tested.
could not: \b(?:i|we) (?:still )?{COULD_NOT} (?:yet )?(?:{FINISH}|read it)\b|\bcould not be \w+(?:ed|en|de)\b
  + I could not reproduce the crash. - I could read the file.
undecided: \b(?:not|n't) (?:yet )?decided (?:yet )?(?:whether|which|how|when|on)\b
  + We have not decided yet whether to send it by post. - We decided how to send it.
not mended: {BE} (?:still )?(?:not|un)(?: yet)? ?{MENDED}(?: yet)?\b|\bremains (?:broken|unsolved)\b
  + The crash is not solved. - The crash is solved.
still not: (?:还|仍|尚|暂时|目前|依旧)(?:然|旧)?(?:都)?(?:没有?|未)(?:能|来得及|被|全部|完全)?{HANDLE}
  + 登录页还没修好 - 还没有人用它
still not had: (?:还|尚|仍)(?:没有?|未)(?!有|人|事|问题|见|想|吃|睡|醒|用|{WORLD_DOES}){HAN}{1,2}(?:[，。；！]|$) ~ {WORLD}(?:还|尚|仍)
  + 包间还没订，压测还没开始 - 还没有人用它
still bad: (?:仍|依然|依旧|还是|还在|还会|目前还)(?:然|旧)?(?:会|在)?{STILL_BAD}
  + 测试仍然失败 - 还是用队列
no time: (?:没|没有|未能)来得及|(?:没能|未能|无法)(?:完全)?{HANDLE} ~ ^虽然|^尽管
  + 我没来得及改文档 - 来得及改
`,
);

/** What says that nothing of the work is left; and what tells of an open point only that it is closed. */
export const saysAllIsDone = saysOne(
  () => String.raw`
nothing left: \b(?:nothing|none|no (?:\w+ ){0,3}(?:is|are|items?|points?|tasks?|steps?))\b.{0,30}{REMAINING}
  + Nothing is left to do. - Two tasks are left.
none: ^\W{0,4}{LEFT}\W{0,3} ?(?:none|nothing|n/a)\b|^no {LEFT}\b|^(?:all )?(?:the )?todos?\b.{0,20}{DONE}
  + Open points: none. - Open points: the port.
all done: ^(?:all|everything)(?: tasks| steps| items)?(?: is| are|'s)? (?:now )?(?:done|finished|complete)
  + Everything is done. - All tests are listed.
nothing left: (?:没有?|无)(?:任何|其他|什么)?(?:剩|遗留|未完成|待办|要做的)|{REST}[^，。：:]{0,6}[:：] ?(?:无|没有)
  + 没有遗留问题 - 遗留问题：时区
all done: (?:全部|都|全)(?:已经?)?(?:做完|完成|搞定|处理完)
  + 全部做完了 - 做完一个
was not done: (?:之前|原来|刚才|本来).{0,20}(?:现在|已经?|好了)
  + 之前还没修好的登录页现在好了 - 之前就没修好
`,
);

/** What is wanted later, and not with the task at hand. */
export const defers = saysOne(
  () => String.raw`
later: ^(?:{AND},? |also |oh,? )*(?:{LATER}|when \w+(?:'s| is|'re| are) {FINISHED}|once (?!upon))\b.{3} ~ ^later [a-z]+s\b|\byou (?:can|may)\b
  + Later we also need a page for the admins. - See you later.
remind: \b(?:don't|do not) forget (?:to|about)\b|\bremind me\b(?! (?:what|why|how))|\b(?:on the list|for later)\b
  + Remind me to rotate the keys when this is done. - I forget.
later: ^(?:之后|回头|稍后|晚点|等.{1,14}(?:再|以后|之后))[^，。]{0,8}(?:还|再|要|得|把|做|处理)|别忘了|记得(?:最后|之后|稍后)|提醒我
  + 之后还要给管理员做一个页面 - 之后就好了
`,
);

/** By its own words for once and for later, whatever "must" stands in it. */
export const postpones = saysOne(
  () => String.raw`
later: ^(?:{AND},? )*(?:later|afterwards|after that|next week),? (?:we |you |i )?(?:also )?{MUST} ~ {RECURS}
  + Later we must also update the changelog. - Later versions must keep the port.
later: \b(?:must|(?:ha(?:ve|s)|needs?) to|should|can) (?:\w+ ){1,8}(?:later|at some point)[.!]?$ ~ {RECURS} ~ \bsooner or\b|\b(?:that|which) (?:can|should)\b
  + We must also update the changelog later. - You must never do it later than Friday.
later: ^(?:之后|稍后|晚点|回头|后面|以后|下周|下个?月)(?:我们|咱们|你)?(?:还|也|再|另外)(?:必须|需要|一定|要|得)?{HANDLE} ~ 每次|一律|总是|始终|都
  + 之后还必须更新 changelog - 以后都用中文回答
later: (?:以后|之后|稍后|晚点|回头|后面|下周)再(?:{HANDLE}|说)|^(?:稍后|晚点|回头)(?:必须|需要|一定)?(?:要|得)?{HANDLE} ~ 每次|一律|总是|始终|都
  + 文档以后再补 - 以后每次再跑一遍
`,
);

/** What waits for a decision or an answer of the user. */
export const waitsForUser = saysOne(
  () => String.raw`
needs you: \bneed (?:your|an?) {DECIDING}|\bto you\b|\bwaiting (?:for|on) your?\b|\b(?:tell me|let me know)\b
  + I need your decision. - I need the file.
needs you: (?:需要|等|待|请|由|得)(?:待)?你们?(?:来)?{DECIDING}
  + 等你决定 - 等部署完成
`,
);

/** What puts off an answer that is waited for. */
export const putsOffAnswer = saysOne(
  () => String.raw`
puts off: \bi(?:'ll| will| have to| need to) (?:ask|think|check with|talk to)\b|\blet me think\b
  + I'll ask Marta. - I asked her.
puts off: 再想想|考虑一下|我(?:去|先)?问(?:问|一下)
  + 我再想想 - 我想好了
`,
);

/** What speaks of a thing only by pointing at what was said. */
export const pointsBack = saysOne(
  () => String.raw`
points back: \b(?:it|them|that|those|these|this|both|all|go on|go ahead|continue|proceed|again|retry)\b
  + write them - write the parser
points back: 继续|接着|再试|重试|再来一次|这[些个两]|那[些个]|它|都(?:做|改|补|修|写)
  + 继续 - 写测试
`,
);
