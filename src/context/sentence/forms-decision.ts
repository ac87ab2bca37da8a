/** How people say what is settled. */
import { readForms, saysOne } from './form.ts';

export const decisionForms = readForms(
  () => String.raw`
decided: {FROM}{DECIDER}{DECIDED}[ ,] ?\w ~ {DECIDED} (?:{SMALL}) ~ ^i agreed ~ {DECIDED} (?:up|the (?:file|line|wrong|tab|window|block|function|button))\b ~ ^(?:and |so )?i(?:{HAVE})? (?:{ADV} )?(?:dropped|replaced|scrapped|selected|abandoned) ~ ^they
  + We decided to keep the old endpoint. - I decided to take a nap.
moved: {FROM}{DECIDER}{MOVED} {FROM_TO} ~ ^(?:and |so )?i(?:{HAVE})? moved|the (?:file|line|branch|tab|desk|chair|code)\b
  + We switched to Vite last week. - I moved to the next line.
we will: (?!i'm not an? )(?:{WE|I|WHO})(?: {WILL}|['’](?:ll|re|m) ?(?:going to|gonna)?) (?:{ADV} )?{TAKE} \w ~ {KEEP_ON} ~ {TAKE} (?:it|that|this)$ ~ ^i .*(?:look|check|see|test|try) ~ not (?:\w+ )?(?:do it|that|come|be)
  + We'll go with OAuth. - We'll keep looking.
going: (?:{WE|I|WHO|VERSION})(?:['’]re|['’]m| are| am| is)? (?:{ADV} )?{TAKING} \w ~ (?:going for (?:a|lunch|coffee|dinner)|not doing (?:it|that|well|so)|having (?:lunch|fun))
  + I'm going with the smaller library. - We're going for lunch.
will not: ^(?!{IT} ).{1,40}{WILL_NOT} (?:be )?{BUILD} \w ~ need (?:it|that|this) ~ ^{YOU}
  + We won't support Windows. - It won't let me.
let us: ^(?:i think )?let's (?:{ADV} )?{TAKE} \w ~ leave (?:it|this|that)\b|let's not {IDLE} ~ {KEEP_ON}(?! \w+ (?:seconds|minutes|days|final)) ~ to (?:find|check|see|get|look|debug|test)\b|first$
  + Let's use SQLite instead of the JSON file. - Let's take a look.
verdict: ^(?:that's |it's |so |all |finally |our |my |the )*{VERDICT}(?:[ ,][^:]{0,40})?\s?[:,;–—-]\s?\S+ ~ ^call me|^(?:decided?|approved) (?:what|if|whether|how|later|it|by)
  + Decision: dates are shown in local time. - Plan B?
verdict is: ^(?:{OURS} )?(?:final |team's )?{VERDICT} (?:(?:{BE}|stands) (?:that |to |for )?\w+|fell on|goes to|went to) \w ~ {BE} (?:still|not|wrong|fine)
  + The plan is to ship without it. - The call was long.
it is: ^(?!{IT|I}\b|{NO_NAME})\w[\w .+#\/-]{0,40} it is(?:,? then)?(?: for (?:the|our|all) \w+(?: \w+)?)?$
  + OK, Postgres it is. - Here it is.
is out: {BE} ?(?:{ADV} )*{DROPPED}(?: \w|,|;|$) ~ ^(?:{IT}|there)(?! (?:{BE} )?(?:final|settled|decided)) ~ {SHORT_LIVED} {BE} ~ not decided|n't decided
  + The plugin system is out of scope. - The meeting was cancelled.
out and in: ^(?!{IT|I} )[\w .+-]{1,30} (?:wins|won(?: the \w+)?|gets the nod|is in|is out)\b(?:[.,;]|$| and) ~ (?:power|light|sun|data|file|code|report|fix|key)
  + Kafka is out, RabbitMQ is in. - The sun is out.
winner: \b(?:the winner is|final (?:answer|word|call)|the vote (?:was|went|is))\b ~ \?
  + alright, final answer: Postgres - And the winner?
one over: ^{WE} {TAKE|RUN_WITH} (?!{IT})\w.{1,50}{NOT_ONE} (?!{PREP}|here|there)\w ~ {NOW}
  + We take Postgres over MySQL. - We use it over there.
rather than: ^{WE}(?:'d| would) rather \w.{1,50} than \w ~ {NOW}
  + We'd rather go with gRPC than REST here. - We'd rather wait.
this for that: ^[\w.+#-]{1,20} {NOT_ONE} [\w.+#-]{1,20} for \w
  + Rust rather than Go for the agent. - Look for it instead of me.
stages: ^first we .{2,60}, {AFTERWARDS}|{STAGE} (?:one|1)\b.*{STAGE} (?:two|2)\b|\bin {NUMBER} {STAGE}:
  + First we ship the reader, then the writer. - First look at the log, then tell me.
starts with: ^{WE} (?:start|begin) with \w.{1,60}{AFTERWARDS}|^first the .{2,40}, (?:then|after that) the \w
  + We start with the CLI and do the web page afterwards. - We start with the log.
version: ^(?:the |our |for |in |with )*{VERSION}(?: {VERSION})?\b.{0,30}?{SHIPS} \w ~ {ONE_ITEM}|is (?:next|red|green) ~ ^next
  + The first version ships without multi-tenancy. - The first one has a bug.
go with: ^{GO} (?:with|for) (?!{IDLY}\b)\w
  + go with B - go for lunch
is right: \b\w+ is the (?:right|best) (?:approach|option|choice|one)\b
  + I think option 2 is the right approach. - Option 2 is red.
option: ^(?:option|variant|plan|approach) [a-h\d](?:,? (?:please|the)|[,.]|$)
  + Option A please, it is the simplest. - Option A fails.
scrap: ^(?:no |nah )?{END_WITH} (?:the|our|all|about the) \w+ ?{FEATURE}
  + nah, scrap the plugin system - forget the time
then name: ^(?:so |then )?(?:it's|it is|it'll be|we're on) {PROPER}(?: \d\S*)?(?:,? (?:then|for \w+)|$) ~ (?:Monday|Tuesday|Friday|I\b|OK)
  + It's Postgres for everything - It's Monday
instead of: ^instead of .{2,60}\bwe(?:'ll| will)? (?:now )?(?:use|have|run|take|do|go|rely)\b
  + Instead of Jest we use Vitest. - Instead of that, look.
agreed: ^it (?:was|is|has been) (?:agreed|decided|settled) that \w
  + It was agreed that the API freezes on Monday. - It was good that you asked.
mind changed: ^(?:i|we)(?: ?{HAVE})? (?:changed|made up) (?:my|our) minds?[:,;.–—-]* ?(?:we|let's|it|the|no) \w
  + I changed my mind: we keep the old endpoint. - I changed my mind about lunch.
goes there: ^(?!{IT})[\w -]{3,30} will (?:live|be|go|sit) in .{2,30}, not in \w
  + Sessions will live in the database, not in cookies. - It will be in the log.
postponed: ^(?:postponed|deferred|moved|pushed) (?:to|until) \w+: \w
  + Postponed to Q3: the mobile redesign. - Moved to the next line.
after all: ^(?:so |then )?no (?!{IDLE_NO})[\w -]{2,40} (?:after all|this (?:year|quarter|release))\b
  + No plugins after all, plain scripts will do. - No luck after all.
proper over: ^{PROPER} (?:over|instead of|rather than) {PROPER}
  + Hugo over Jekyll, because it is one file. - Start over please
will be: ^(?:{CHEER}[,.! ]+|OK, )*(?:the|our) [\w -]{2,30} (?:will be|is going to be) {PROPER}
  + OK, the queue will be RabbitMQ. - The page will be blank.
in order: \b(\w+) by \1, .*\b(?:first|last|starting)\b|^{STAGE} \d: \w+ \w
  + The launch goes city by city, Porto first. - Step by step it fails.
stays on: ^(?!{IT|I|NOBODY} |there|the {PROBLEM})[\w .'-]{2,40} {STAY} (?:{ADV} )?{PREP} (?!{OTHERWHERE})\w ~ goes (?:up|down|over)\b
  + Authentication stays with Keycloak. - It stays on the screen.
rewriting: {WE}(?:'re| are)? (?:now )?{TURN_TO} (?:(?!on\b|the (?:file|test|line))\w+ ){0,4}(?!on$){PREP}
  + We're rewriting the agent in Go. - We're moving on.
decided: {DECIDED}(?=.{0,2}[\p{Script=Han}\w\s]|$) ~ (?:不|别|没|未|能|可以|来|再|由你|请|等你|如何|难以|无法|你)(?:再|来|做|去|太|有)?(?:{DECIDED}) ~ {DECIDED}(?:{SMALL}) ~ 固定|稳定|指定|肯定|约定俗|绑定|锁定|特定|规定|搞定|设定|假定|制定|一定|鉴定|预定 ~ 选了(?:半天|这|错)|^(?:{YOU}|他|她)|说好的(?:呢|吗)|确定了?(?:问题|原因|一下) ~ (?:用来|以)决定 ~ 由[^，。]{1,6}拍板
  + 我们决定用消息队列 - 我决定先去吃个饭
thing settled: 定[\p{Script=Han}\w .+-]{2,20}[了啦咗喇]$|(?:{ATTRIBUTE}|登录方式)[^，。]{0,4}定[为成]? ?[\p{Script=Han}\w] ~ (?:没|未|还|不|等).{0,3}定|一定|肯定|固定|稳定|搞定|设定|绑定|规定
  + 前端定 React - 一定要好了
then use: {THEN}{CHOOSE} ?(?:定|办|来)?[^，。；]{1,14} ~ ^(?:请|麻烦)?(?:你)?(?:帮|把|将|给|再|来)|一下|刚才|试|^这[次回]|^先(?:看|跑|查|改|删|加|写|用|做) ~ 还是(?:不行|没|报|一样|那|有|会|卡)|[用走上换要做](?:的|错|完|不|过)|就(?:要|用|走|上)了|[按照听]你 ~ 直接(?:用|上|做)(?:的|了)|[疯死哭]|先这样|都(?:用|要) ?(?:中文|英文)|以后(?:都|再)|^[能把]|改.{1,8}之?[前后] ~ ^(?:{YOU}|我(?!们)|它|他)|{FAULT}
  + 就用 pnpm 吧 - 就这样吧
plan so: {CHOOSE} ?[，,]?按?(?:方案|第(?!三方)) ?[\w一二三四五六]|^我?们?选 ?[A-D一二三四\d]|按[^，。]{1,10}方案[走来做]|同意[，,]按 ~ ^(?:如果|要是|试|这[里儿]|调用|这个(?:函数|文件|地方|测试))|有问题|不行
  + 我选 B，简单一点 - 如果选第二个
this not that: ^(?!你|他|它|这|那)[^，。]{1,8}([存放走写])[^，。]{1,10}[，,]不\1{SOME} ~ 了$
  + 会话存数据库，不存 cookie - 这里放了，不放了
chosen: {I|WE}选 ?[A-Z]\w
  + 前端我选 Svelte - 我选错了
result: (?:{VERDICT})(?:是|：|:|定了) ?\S{2,} ~ 测试|运行|输出|返回|查询|跑|搜索|编译|不对
  + 结论是先做后端 - 结果是测试失败
version: {VERSION}[^，。；]{0,4}(?:里|中|就|都|也|暂时|我们)?[^，。；]{0,6}{SHIPS} ~ {FAULT}|过了|怎|今年(?:我|过|真|天)|明年(?:见|再见)|^我(?!们)
  + 第一版不做多租户 - 今年真热
put off: (?:放|推|挪|延|留|排|拖|押|改|移)(?:迟|期|后)?(?:到|至)(?:第|下|明年|年底|年后|二期|三期|后面|[vq]?\d|月底|.?季度|以后)|以后再说$|等上线以后再 ~ ^把|^(?:我|会议|今天)(?:们)?(?:把)?(?:会|会议)?(?:推|改)到(?:明天|下午)
  + 导出功能放到第二期 - 会议推到明天
keep until: (?:留|保留|维持|保持|撑|支持)(?:到|个)?(?:[一二两三半\d]+(?:个)?(?:年|月|季度|周|版本)|半年|年底|明年|月底|下个?\S{1,3}) ~ ^(?:我|你)(?!们)
  + 旧接口保留半年 - 我撑到年底
one over: 选[^，。]{1,14}[，,]?不(?:选|用)|^[^，。]{1,12}(?:用|选|走|上)[^，。]{1,14}而?不是[^，。]{1,14}$ ~ ^(?:请|帮|把|这|那)
  + 队列选 NATS，不选 Kafka - 这里用的是我的不是你的
stages: 分[成为]?{DIGIT}+{STAGE}|^先(?![看查跑试打]|告)[^，。]{2,12}[，,]再[^，。]{1,12}[，,]{AFTERWARDS} ~ 告诉我|了$
  + 整个迁移分三步：先双写，再切读 - 先看一下日志，再告诉我原因
not built: {NOT_DO}再?{PROVIDE}(?=[^了，。；]|$) ~ ^(?:我(?!们)|它|这|那|他|你)|[做搞走上接](?:了|谢|着|急|到|来|动|下去)|为什么|报|提示|浏览器不支持|走不(?:了|运)|[连看打跟赶关]不上
  + 我们不支持 IE - 浏览器不支持这个特性
no longer: 不再{NO_LONGER_DO}|不用[^，。]{1,16}了(?:[，,]|$)|[也就先都时次]不(?:{PROVIDE}|要|管)了?$|[\p{Script=Han}\w][，,]? ?不{GIVEN_UP}了$ ~ ^(?:我(?!们)|它|他)|报(?!表|告)|为什么|怎么|再也|还不|解释
  + 我们不用微服务了，改成单体 - 它不再报错
mind changed: ^(?:{I|WE})?(?:改(?:变)?主意|想好|想清楚|考虑好)了[，,：:]{SOME}{3}
  + 改主意了，旧接口再保留一年 - 我改主意了
this version: ^(?:这次|这一?版|这个版本|本期|今年)[就先都]?不[做上搞加拆迁](?!了){SOME}{2} ~ 怎|为什么|吗
  + 这一版不上灰度开关 - 这次不做了
first this: ^先{MAKE}[^，。]{1,12}[，,]再{MAKE}{SOME}{2} ~ 了$|一下|一遍
  + 先做后端，再做前端 - 先做了，再说
in order: 顺序[^，。]{0,4}[是为：:]?先[^，。]{1,12}[，,]?[后再]|^第[一1]?[步期][：:]{SOME}{3}
  + 上线顺序是先海外，后国内 - 顺序不对
dropped: {DROPPED} ~ ^(?:请|麻烦)?(?:你)?(?:帮|把|将|给|来)|一下|(?:会议|航班|订单|聚餐|活动|课)(?:被)?取消|取消(?:注释|勾选|按钮|订单|键)|[想快]放弃|点.{0,2}取消
  + 旧的插件系统废弃 - 会议取消了
changed to: (?<!不要|不能|别){CHANGED}[^，。；]{1,20}(?:了|咗|$|，) ~ ^[改换调挪移][成到为][^了]*$ ~ ^(?:请|麻烦)?(?:你)?(?:帮|把|将|给|先|再|来)|一下|我(?:刚|把)|试|改回[去来]|(?:按钮|颜色|字体|变量|函数|这|那|foo)
  + 数据库换成 MySQL，运维只会这个 - 把按钮改成蓝色
ourselves: (?:我们|咱们?|我哋)(?:全部|统一|都|还是)?(?:自己|自行|内部){HAN}{2,} ~ [了过]$|一下|吗|自己(?:也|都|看|不)
  + 监控我们自己搭建 - 我们自己看
`,
);

/** What comes first and what later, and what is taken over something else. */
export const shortDecisions = readForms(
  () => String.raw`
stages: \b(?:in|into|over) {NUMBER} {STAGE}\b|{STAGE} (?:one|1|a)\b.*{STAGE} (?:two|2|b)\b ~ {PAST} ~ ^{TASK}
  + we'll do this in two rounds, the first only reads - it failed in two steps
order: ^(?!{TASK}|{IT|I} )[\w -]{2,40}(?<!the) first(?:,| and| then) .*\b{AFTERWARDS|MINUTE} ~ {PAST|FAULT}|^{AIM} first, then
  + schema first, api second, screens last - open the file first, then read it
now and later: ^(?!{IT|I} )[\w :-]{3,50} (?:now|for now), [\w -]{3,50} (?:once|later|when|after)\b ~ ^{TASK} (?:the|it|this)|{PAST|FAULT}
  + start small: one tenant now, many tenants once we have paying users - done now, thanks
comes after: ^(?!{IT|I} )[\w -]{2,40} (?:comes?|follows?|waits?|starts?) (?:only )?(?:after|once|until|when) \w ~ {FAULT|MUST|SHOULD} ~ error|{PROBLEM}
  + the mobile client comes after the web client is stable - it comes after the error
not now: ^not (?:now|yet|in this|for this)\b.{3,}, .*\bfor (?:the|a|v) ?\w ~ ^{IT}
  + not now on the dark theme, that's for the next release - not now, thanks
one over: ^{ONENAME}(?: instead of| rather than| over|,? not) {ONENAME}(?:$|,| for\b) ~ {ABSTRACT} ~ ^(?:{IT|AUX|LEAD|TASK|NOT_OVER}) |not found
  + pino instead of winston - composition over inheritance
ended up: ^{ENDED} (?!{IT}\b)\w ~ {NOW}
  + ended up with caddy, nginx was too much config - ended up in a ditch
pairs: ^{ONENAME} for (?:the |our )?[\w -]{2,30}, (?:and )?{ONENAME} (?:for|later|as|only)\b ~ {FAULT|PAST}|thanks|works|sorry ~ ^(?:{CHEER|TASK|IT|NUMBER|LOUD|PROBLEM}\b)
  + postgres for the ledger, redis for sessions - thanks for the fix, sorry for the noise
stays until: ^[\w -]{3,40} (?:stays?|remains?)(?: \w+)? (?:until|till) (?!{I|WE|IT|YOU}\b)\w ~ ^(?:{IT|I|WE|YOU})\b ~ {FAULT}|spinner|error
  + the old admin panel stays until the summer - the spinner stays until I reload
dies: ^[\w .-]{2,30} (?:dies|goes away|retires) (?:in|by|with|after) (?:{MONTH}|q[1-4]|v?\d) ~ ^{IT}\b
  + the v1 api dies in March - the app dies on startup
will be by: ^[\w' -]{2,50} will be \w+ (?:in|by|with|as|through) \w ~ ^(?:{IT|I|YOU|WE})\b ~ {NEAR|FAULT|STATUS}
  + auth will be handled by Keycloak - it will be done by noon
option: ^(?:option|variant|plan) \w+,? then$
  + option two then - option two, then three
so then: ^那就 ?[a-z][\w.+-]* ?(?:了|吧)$|[，,] ?[a-z][\w.+-]* ?(?:出局|淘汰|弃用|不用了|不要了)
  + 那就 tailwind 了 - 那就好了
ended up: ^(?:最后|最终|后来)(?:还是|就)?(?:用|选|走|上|换)了 ?[^，。]{2} ~ {FAULT}|一下|用了{DIGIT}
  + 最后用了 caddy，nginx 太麻烦 - 最后用了三天
stages: {STAGE}[一1甲A].*{STAGE}[二2乙B]|第[一1]个?{STAGE}.*第[二2]个?{STAGE} ~ {FAULT}|吗|了$
  + 里程碑一是能登录，里程碑二是能付款 - 第一步完成了，第二步失败
first that: ^[^，。]{1,8}先[上做发搞][，,][^，。]{2,10}(?:晚|后|再)|[切分拆]成{DIGIT}[块份批轮] ~ 了$|看|改
  + 命令行先上，图形界面晚一个月 - 先上，再看
one over: [用走选上跑][了定]? ?[a-z][\w.+-]*[^，。]{0,3}[，,] ?[不没][用走选上] ?[a-z] ~ tab|空格|^(?:这|那|你|他)|{FAULT}
  + 日志用 pino，不用 winston - 缩进用 tab，不用空格
first that: ^先[做上发搞迁切接写][^，。]{1,10}[，,][^，。]{1,10}(?:放|留|推|挪|下个?月|下周|下季|以后|之后|后面|[二三]期|再说) ~ 不行|{FAULT}
  + 先迁用户表，订单表下个月再说 - 先做测试，不行再说
now and later: ^[^，。]{1,8}用[^，。了]{1,10}[，,][^，。]{1,10}(?:以后|之后|下个?月|二期)再?[接做上加说]
  + 支付用微信，支付宝以后再接 - 我用一下，以后再说吧
in its place: 不[^，。]{0,2}[写做造搞建养][^，。]{0,4}了[，,](?:直接)?(?:用|上|改用|换|走|买) ?[\p{Script=Han}\w]{2}
  + 权限这块不自己写了，上 Keycloak - 不写了，睡觉去
so it is: ^[^，。]{1,8}就(?:用|选|上)? ?[a-z][\w.+-]* ?(?:了|吧)$ ~ ok|done|fine|bug|\bpr\b
  + 数据库就 Postgres 吧 - 这样就 ok 了
not any more: ^[^，。]{4,}[，,]不[投做上走买租招][^，。]{1,10}了$ ~ {FAULT}|[吃睡]
  + 论文投会议，不投期刊了 - 我有点累，不做晚饭了，吃面
was settled: ^(?:老板|领导|客户|{WE})[^，。]{0,2}(?:拍了|点头了|同意了|定了)[，,][^，。]{2} ~ 吗|不
  + 老板拍了，七月上线 - 老板拍了照片
`,
);

/** How a model says that it settled something; it talks about deciding more often than it decides. */
export const modelDecides = saysOne(
  () => String.raw`
we take: ^(?:[\w ]{2,30}, |so )?we(?:'ll| will) {TAKES}(?! (?:to\b|a look)) ~ \bto {LOOK}
  + We'll keep the old format readable. - We'll use it to check the log.
is best: \b(?:option|approach|variant|plan) \w{1,2} (?:is (?:the )?(?:{BEST}|better|smallest)|makes .{0,9}sense)\b
  + Option B is the simplest. - Option B fails.
best is: \bthe {BEST} {WAY} is (?:an?|the) \w
  + The best approach is a queue per tenant. - The best way is closed.
i decided: \b(?:i|we)(?: ?{HAVE})? (?:decided|chose|opted|settled on|agreed|went with)\b|^(?:decision|decided):
  + I opted for a soft delete. - The function decides it.
chosen over: \b(?:chose|chosen|picked|selected) \S+(?: \S+){0,5} (?:over|instead of|rather than)\b
  + I picked the index over the cache. - The last one was chosen.
from here: \b(?:i|we)(?:'ll| will) use .{2,60}from (?:now|here) on\b|^as (?:agreed|discussed), (?:i|we)\b
  + As agreed, I will use pnpm from here on. - I will use it to look.
with reason: \b(?:i|we)(?:'ll| will) (?:use|go with|keep|skip|leave|stick|drop|avoid)\b.{3,200}{TO_AVOID} ~ ^(?:{CHEER}[,. ]+)*(?:i'll|i will) (?:now )?{LOOK}
  + I'll skip this refactoring, as the two functions differ, to avoid a rewrite. - I'll use the reviewer agent.
decided: (?:我们?|这里|因此|所以|最终)(?:决定|选用|选择了|采用)|^决定(?!了?走)|决定(?:采用|使用|不)
  + 我决定把缓存放在内存里 - 这个函数用来决定走哪个分支
`,
);

export const isUndecided = saysOne(
  () => String.raw`
undecided: {UNDECIDED}|^if\b|{OTHERS} {CHOOSES}
  + It is up to you. - We chose the index.
undecided: {UNDECIDED}|{OTHERS}们?来?{CHOOSES}|^(?:今天|晚上|明天|周末)
  + 由你决定 - 我决定用队列
`,
);
