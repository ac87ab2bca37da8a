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
reported: ^(?:and |so |but )?(?:the |my |a )?(?:\w+ )?{SAYER} (?:just |also |only |always |still )?{SAYS}\b
  + The linter says we must use tabs. - We say no.
unsettled: {NEGATION} (?:\w+ ){0,4}(?:{OPEN_WORD}) ~ never settled for
  + Nothing was decided about the logo. - We decided not to wait.
not yet: (?:not|n't) (?:yet )?(?:looked|thought|talked|sure|been asked)\b|\bshould (?:i|we)\b.*\?
  + We haven't talked about it. - We talked about it.
doubt: {DOUBT} ~ ^{IF} .*{BINDING} ~ ^(?:{CHEER} )?i think (?:let's|(?:\w+ )?\w+ is the (?:right|best|better))
  + Maybe we should use Redis. - We use Redis.
if: {IF}|\bif (?:we|i|they) (?:\w+ed|{ONCE}|chose|go|use|took|had|want|need|switch|pick)\b ~ {BINDING} ~ ^only|, even if
  + If we chose Postgres, how would it work? - If you change the schema, you must tell me.
asks: {ASKING} ~ 不管|无论|不论|有没有人
  + 要不要换一个库 - 不管是不是急，都要评审
asks what: (?<!{WHATEVER})(?:什么(?!都|也|时候都)|哪(?!怕|里都|个都)|怎么(?!都|也|改都)|咋(?!都|也)|多少(?!都))
  + 用什么端口 - 谁都不能写
reported: ^{SAYER}(?:里|上|中)?(?:面)?(?:都|又|还|老|总)?(?:{SAYS}|提示(?!用|要|信息|都|文))
  + 文档里说要用 Node 18 - 文档都用中文写
doubt: {DOUBT} ~ 没有人|可能性|大概率|建议用户|不建议|定期|定义|定位|定制|都行不|未定义 ~ 都得
  + 可能要换成 Redis - 定期清理
undecided: 应该(?:是|会|可以|没|不会|还|就|行|快)|你(?:来|自己|们)?(?:看着)?(?:决定|定(?!义|期)|选|挑)(?!的)|要么.{1,12}要么|是[^，。]{1,12}还是 ~ 不应该
  + 应该会快一点 - 应该先写测试
if: {IF} ~ {BINDING}|主要是|重要是|需要是|只要是
  + 如果用 Redis 会快些 - 不管多急
`,
);

/** What is said of work that is left, and of work that is wanted later. */
export const saysWhatIsLeft = saysOne(
  () => String.raw`
heading: ^\W{0,4}{LEFT}(?: is| are)?(?: (?:work|tasks?|steps?|items?))?\s?(?::| is\b| are\b|\W)
  + Remaining: the docs and the release notes. - The remaining files are read.
not done: (?:{BE}|has|have) (?:still )?not (?:yet )?(?:been )?{FINISHED}(?: yet)?\b|\bnot {FINISHED} (?:the \w+ )?yet\b
  + The Windows build is not done yet. - This is not true.
still missing: (?:{BE} still {WAITING}|ha(?:s|ve) not (?:yet )?been \w+(?:ed|en)|{BE} left to do)[.!]?$
  + The tests for the importer are still missing - I am still here
remain: \b(?:tasks?|items?|steps?|points?) remain\b|\bstill {MISSES} to be\b|\bdid(?: not|n't) get (?:around )?to\b
  + Two tasks remain: logs and cleanup. - Files remain on disk.
left: {LEFT}|还有[^，。]{1,12}(?:没|未)
  + 剩下的工作：补充文档和测试 - 剩下的文件在循环里读
`,
);

export const defers = saysOne(
  () => String.raw`
later: ^(?:{AND},? |also |oh,? )*(?:{LATER}|when \w+(?:'s| is|'re| are) {FINISHED}|once (?!upon))\b.{3}
  + Later we also need a page for the admins. - See you later.
remind: \b(?:don't|do not) forget (?:to|about)\b|\bremind me\b(?! (?:what|why|how))|\b(?:on the list|for later)\b
  + Remind me to rotate the keys when this is done. - I forget.
later: ^(?:之后|回头|稍后|晚点|等.{1,14}(?:再|以后|之后))[^，。]{0,8}(?:还|再|要|得|把|做|处理)|别忘了|记得(?:最后|之后|稍后)|提醒我
  + 之后还要给管理员做一个页面 - 之后就好了
`,
);
