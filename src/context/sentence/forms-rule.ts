/** How people order and forbid what is to hold from then on. */
import { readForms } from './form.ts';

/** What ties an order to this moment or to one thing at hand. */
export const momentForms = readForms(
  () => `
now: {NOW} ~ {ALWAYS} ~ otherwise
  + Don't push it for now. - From now on answer in German.
now: {NOW} ~ {ALWAYS}|^(?!.*(?:这次|这回|今天|刚)).*前
  + 先别提交 - 以后别直接提交
this one: (?:这|那)(?:个|段|行|条|次|处|几)(?!{SCOPE}) ~ {ALWAYS}
  + 把这个函数改成异步的 - 这个项目必须用中文注释
request: ^(?:嗯|好)?[，,]?(?:继续|[改换调挪移][成到为](?!.*了)|帮我|给我(?!别)|你帮|你把|把这|把那)
  + 帮我看看日志 - 给我别动配置
over: [了咗]$|又[^，。]{1,6}了 ~ {ALWAYS} ~ 别忘了$
  + 测试都跑完了 - 密码绝对不能写进日志了
`,
);

/** What says by itself that it holds for good, or for all of a kind. */
export const generalForms = readForms(
  () => `
always: {ALWAYS} ~ whenever you (?:like|want)
  + From now on use tabs. - Use tabs.
always: {ALWAYS|ALL}|统一(?!了)|都(?:用|要)
  + 以后都用中文回答 - 用中文
`,
);

export const ruleForms = readForms(
  () => String.raw`
ban: ^(?:you |please |be |so )*{BAN} (?!{IDLE})[\w-]+ (?:{POINTING} ){0,4}(?!{POINTING})["'.\w] ~ ^(?!.*{ALWAYS}){BAN} \w+ (?:\w+ )?(?:this|that|these|those) (?!{SCOPE})
  + Don't rename the exported functions. - Don't worry about the warnings.
stop doing: ^stop \w+ing (?!now|it\b|that\b|this\b)\w|\b(?:you|u) to stop \w+ing\b
  + Stop using default exports. - Stop the server.
forbidden: {BE} ?(?:{ADV} )*{FORBIDDEN} ~ ^{IT} ?{BE}(?!.*\bto \w+ \w) ~ no longer {FORBIDDEN}
  + Logging user emails is forbidden. - That is not allowed.
forbids: {FORBIDDEN} .*\w \w|\b(?:forbids|bans|prohibits|disallows) \w ~ ^{IT} ~ no longer|{BE} not (?:ok|okay)
  + Our style guide forbids abbreviations. - It is no longer forbidden.
not to: {MUST_NOT} {LASTING} ~ {IT|I} {MUST_NOT} ~ {MUST_NOT} (?:happen|matter|take)
  + Secrets must not end up in the logs. - That should not happen.
we cannot: {WE} (?:{CANNOT}|{BE} ?not {ALLOWED} to) {WORK} (?!{IT})[\w\/.]
  + We can't ship GPL code. - We can't reproduce it.
nobody: {NOBODY} (?:but \w+ |except \w+ |{ADV} |here )?(?:\w+s|{MAY}|is|gets|allowed) ~ because {NOBODY} ~ {NOBODY} (?:{ADV} )?(?:knows|cares|has|was|is (?!{ALLOWED})|{FAULT}|\w+ms\b|needs) ~ {NOBODY} \w+ (?:it|them)\b|nothing else (?:in|on) ~ {NOBODY} (?:\w+ )?(?:understands|works|helps|matters|shows|passes|said|told)
  + Nobody edits the generated files by hand. - Nobody knows why it fails.
we do not: ^(?:in \w+(?: \w+){0,3},? |here,? )?(?:we (?:{ADV} )?{BAN} (?!{IDLE})[\w-]+ \w|i {BAN} {WORK} \w) ~ {BAN} \w+ (?:it|that|this)$
  + We don't commit lock files. - We don't know the port.
manners: ^(?:please )?{BAN} (?:apologi[sz]\w*|ramble|hedge|flatter|grovel|sugarcoat)\b
  + Don't apologise, just fix it. - Don't bother.
before done: ^(?:please )?\w+ .{2,40} before (?:you )?(?:say|call|report|finish|claim|hand)\w* \w
  + Run the type checker before you say that you are done. - Read it before lunch.
my style: ^my (?:style|rule|preference|motto|habit)s?[:,] \w+ \w
  + my style: early returns, no else - my style, then?
unwanted: {I|WE} (?:really |definitely )?{BAN} (?:ever )?want (?!to (?!see|have|find)|{IT}|you to stop)\w+ \w
  + I don't want any console.log left in the code. - I don't want to decide that.
no more: ^(?:strictly )?no (?!{IDLE_NO}\b)(?:more |new )?(?!{IDLE_NO}\b)[\w'.\/-]+(?: (?!{BE|FAULT|NOW}|found)[\w'.\/-]+){0,8}$
  + No new dependencies in the core package - No problem at all
so no: \bso (?:no (?!{IDLE_NO})\w|nothing (?:newer|else|more|beyond)\b)
  + Our customers are on Java 8, so nothing newer. - so no idea
leave alone: ^(?:keep|leave|hold) (?!{IT}|me |going|on |up |an eye).{2,70}{UNCHANGED} ~ and (?:change|fix|edit|move|rename|remove|update)
  + Leave the legacy folder alone. - Keep going.
stays so: {BE} (?:exactly )?{UNCHANGED}$ ~ ^{IT} ~ ^the {PROBLEM}
  + The public API stays stable. - It is private.
unless told: \b(?:until|unless) (?:i|we) (?:say|tell|ask)\b.* \w|\bunless told otherwise\b
  + until I say otherwise leave main alone - Ask until I come.
only they may: ^(?:only|nobody (?:but|except)|none (?:but|other than)) (?!{NUMBER})[\w ]{2,40}{ALLOW} \w
  + Only Maria may change the pricing rules. - Only two tests may fail.
they should: ^(?!{OURS|IT|WE|I|WHO} )[\w.\/-]+(?: [\w.\/-]+){0,3}s(?: here| {PREP} {PHRASE})? {MUST|SHOULD|ALWAYS} {LASTING} ~ ^looks|{PAST} ~ ^(?:\w+ )?{WHO}
  + Functions should stay below fifty lines. - Users should see it.
they need: ^(?!{OURS}|{IT}|{WE} |{I} )[\w.\/-]+(?: [\w.\/-]+){0,2}s (?:{ADV} )?{REQUIRE} \w ~ {REQUIRE} (?:more|help|it|this|that|{NOW})
  + Pull requests need two approvals. - The tests need more time.
each needs: ^(?:for [\w ]{3,30} )?(?:{ALL}|{ALWAYS}) .{1,50}{REQUIRE} (?!{IT})\w
  + Each migration requires a rollback script. - Every one needs it.
it must: ^(?!{IT} |{I} |{WE} |{YOU} ).{2,70}{MUST} (?:{ADV} )?(?:wait until|{LASTING}) ~ {CULPRIT} {MUST} ~ must-(?:have|see)
  + Error messages shall be in plain English. - The reason must be a race.
always so: ^(?!{IT} (?!{MUST|SHOULD})|{I} )(?=.*{ALWAYS}).{1,80}(?:{MUST|SHOULD}) {LASTING} ~ ^{I} ~ ^there ~ {SHOULD} (?:{ADV} )*(?:happen|be a) ~ {IT} don't
  + It must always be UTC. - I should always know.
stay so: ^(?!there|{I|WE|YOU} ).{1,60}(?:{SHOULD|MUST}) (?:{ADV} )?(?:{LASTS}) \w ~ ^{WE|YOU} ~ \b(?:problem|issue|bug|error)s? {SHOULD}
  + Python 3.9 has to keep working. - There should still be some.
you must: ^(?:.{0,40} )?(?:{YOU}|we) (?:{ADV} )?{MUST} {LASTING}+ .*\w ~ ^{YOU} must(?:n't)? be|must-see
  + You must run the linter before a commit. - You must be tired of this.
you always: ^(?:.{0,40} )?(?:{YOU}|we) (?:{ADV} )?{SHOULD} (?!(?:be )?{ONCE}).*(?:{ALWAYS|ALL}|{LASTS}) ~ \?
  + You have to sign every commit. - We have to talk.
ask first: ^(?:{ASK})\b.{0,60}\b(?:before|first|prior|until|approval)\b ~ \b(?:this|that)(?: one| time)?$ ~ \b(?:before|first|until) (?:i|we) (?:go|leave|look)
  + Ask me before you delete any file. - Ask me later.
only use: ^(?:please )?(?:only (?:ever )?{WORK}|{WORK|STYLE} only) (?!the (?:second|first|last)|{IT}|one\b)[\w.]+ ~ {NOW} ~ only (?:run|check|test|show|print|fix|rerun) (?:the|this|that)\b
  + Only use the standard library in tools. - Only run the second test.
use style: ^use (?!{DEICTIC}\b)\w ~ \bto (?:find|check|see|get|fix|make|show|look|debug|list|solve|test|run)\b ~ ^use \w+ in [\w.\/]+\.\w+$
  + Use tabs in Makefiles. - Use it to find the bug.
even use: ^(?:even )?{PREP} [^,]{2,40},? (?:always )?{USE} (?!it|this|that)\w ~ \bto (?:find|see|check)
  + Even in examples, use the fake company name Acme. - In the log, use it to find the bug.
one over: ^[\w-]+(?: [\w-]+)? {NOT_ONE} [\w-]+(?: [\w-]+)?(?:,? (?:please|{EVERYWHERE}))?$ ~ ^(?:{I|WE|WHO|IT|AUX|LEAD}|if|or|why|but)\b ~ ^(?:\w+ )?{NOT_OVER} (?:over|not)|not found
  + composition over inheritance - start over please
talk it: ^(?:please )?{SPEECH} {LANGUAGE}\b
  + Talk French to me. - Talk to me.
terse: ^{AIM} first$|^(?:[\w-]+ ){0,3}\w+s only$|^{SPELT} (?:for|in|on|everywhere)\b
  + small commits only - read only
for their sake: ^(?:please )?{RETAIN} .{2,60}for (?:the sake of|our|the) ~ {NOW}|moment
  + Keep the old endpoint for the sake of the mobile team. - Keep the file for the moment.
they need it: ^(?:please )?{RETAIN} .{2,60}, (?:the |our )?\w+ {RELIES} ~ {NOW}
  + Leave the old flags in, scripts rely on them. - Leave it.
stays for: {BE|LASTS|STAY} .{0,30}\bfor the sake of \w
  + The names stay as they are for the sake of the auditors. - Do it for the sake of it.
by law: {LAW} (?:\w+ )?{DEMANDS} \w+ \w|\bby law\b.* \w
  + Tax rules say amounts are rounded per line. - The auditor called.
named in: {SPEECH}.{0,40}\b(?:have to be |are |is |must be )?(?:always |only )?in {LANGUAGE}(?:,|$| \w) ~ ^(?:{I|IT}|why|there)
  + Commit messages are in English. - I read a book in French.
follow: ^(?:please )?{FOLLOW} (?!me|it|this|that|up|the {CHORE})\w+ \w
  + Follow the naming scheme of the core. - Follow the link.
short please: ^(?:\w+ )?(?:\w+-\w+|{TERSE}) \w+s?,? (?:only,? )?please$
  + Short sentences please - One moment please
give lists: ^(?:.{2,50} so )?give me (?:.+, not|lists|bullet points|short|the gist|only|examples|code)\b
  + My screen reader can't cope with tables, so give me lists. - Give me a minute.
policy: ^(?:it's|it is) {FORCED} (?:to|that) \w+ \w
  + It is mandatory to sign commits. - It is important.
matters that: {MATTERS}.{0,40}that .{3,60}(?:{ALWAYS|LASTS|MUST}|works|keeps)
  + What matters is that old files still load. - That matters.
their need: ^{WE} require \w+ \w|\b(?:doesn't|don't) belong in \w|^there {MUST|SHOULD} (?:{ADV} )+be \w
  + There must never be more than one migration. - There must be a way.
after doing: ^(?:before|after|when|once) \w+ing,? .*{MUST|SHOULD} {LASTING} ~ ^\w+ \w+,? (?:i|we)\b
  + Before merging, the branch has to be rebased on trunk. - Before going, I have to eat.
they use: ^(?:all |our )?(?!{IT|PROBLEM}|users|things)\w+s(?: {PREP} (?:the )?\w+)? (?:{ADV} )?{USES} \w ~ {SET_APART}$ ~ takes? (?:about|around|some)
  + Numbers in reports use a comma as the decimal mark. - Users follow it.
the rule: ^(?:{WHOSE}|one|house|hard|another|new)(?: \w+){0,2} {BOOK}s?\b[^:]{0,30}(?::| is| says)? .*\w \w ~ rule (?:fires|matches|is (?:wrong|broken|not)|doesn?)
  + One more rule, no inline styles. - The rule fires twice.
a habit: ^(?:please )?make it (?:a|your) (?:habit|rule|point)\b.* \w+ \w
  + make it a habit to run the type checker - make it a button
bound: ^(?:keep|limit|restrict|cap|hold|stay)\b.*(?:{BOUND}|to)\b.*(?:\d|{NUMBER})
  + Keep the bundle under 200 KB. - Keep it.
at most: ^(?:{BOUND}) [\w.]+ \w+ ~ \w+ed$ ~ ^exactly (?!\d|{NUMBER}) ~ ^(?:{BOUND}) an? (?!{NUMBER}|page|line) ~ \b(?:fail|failed|took|was|were|so far|are)\b
  + At most three retries per request. - At least three tests fail.
budget: {BOUND} .{0,12}(?:\d|{NUMBER}) ?\w+ ~ goes|\w+ed$ ~ \b(?:fail\w*|took|was|were|so far|are|took)\b ~ ^(?:{I|WE|IT}|there|the {PROBLEM}|{TASK})|\bif\b ~ ^(?:the |our )?[\w-]+ (?:takes?|holds?|has|lasts?|handles?|serves?|stores?)\b
  + Answer in at most three sentences. - It took no more than a minute.
wants: ^(?:the|our) (?:\w+ )?(?:{WHO}) (?:only )?{REQUIRE} (?!{NOT_MEANT})\w
  + Our client wants all reports as PDF. - The client wants to talk.
everywhere: \w \w.* {EVERYWHERE}$ ~ ^(?:{IT|I|YOU|WE}|nothing|everything|the \w+) ~ (?:was|were|as always|like always|not always|almost always)
  + tests first, then code, always - It fails everywhere
all of them: ^(?:{ALL}) (?!the (?:tests|time)).{2,60}{GOES} \w ~ {FAULT} ~ {BE} (?:\w+ )?{STATUS} ~ ^(?:any|no|nothing|at least|each) (?:idea|one|of)|^only |\b(?:was|were|here|there are)\b
  + Every component gets a story. - Every test is red.
is always: ^(?!{IT|I|YOU|MINUTE}|the (?:{MINUTE|PROBLEM}))\w.{1,60}(?:{BE|GOES}) .{0,40}(?:{ALWAYS}|only|in that order)\b ~ {FAULT} ~ never (?:ends|stops|comes|works)
  + Dates are always UTC. - The page is always slow.
belong: ^(?:{WHOSE} |new )?(?!{IT}|things|tests? |errors)\w+s (?:{ADV} )?{BELONG} (?:{PREP}|first|last|with) ?(?:\w|,|$) ~ {FAULT} ~ (?:through|away|well|come by) ~ {STATUS} ~ \blive (?:\w+ ){1,2}{PROPER}
  + Imports go first, then constants. - Things go wrong.
always do: ^(?:{ALWAYS}|and always|also always),? (?!{IT}|{I|WE|YOU} )\w[\w-]* (?!.*{FAULT})\w ~ ^(?:never|ever) (?:heard|mind|seen|been|had|thought)
  + Always run the linter before you commit. - Never heard of that library.
when then: ^(?:whenever|(?:each|every) time|{WHEN} (?:you|an?|any|\w+ing)) [^,]{3,80},? (?:{POLITE} )?(?:{STYLE|TASK|ASK}|don't)\b ~ {FAULT} ~ ^{WHEN} (?:{I|WE|IT}|the) ~ ^if you (?:have|find|see|want|can)
  + Whenever you change the schema, regenerate the client. - When I start it, it crashes.
do always: ^(?:please )?(?:{STYLE})\b(?=.*\w+ \w)(?=.*{ALWAYS|ALL}) ~ {FAULT} ~ {NOW} ~ ^(?:see|tell) (?:if|whether|me)
  + Put a comment on every function. - Tell me everything now.
in all: ^(?:please )?{SURE}(?=.*(?:{LASTS|ALL|ALWAYS}|pass|exist|when|with|load)).* \w+ \w ~ ^(?:make sure|be sure) (?:you|to) (?:know|read|understand|check|see)\b
  + Make sure that the old config files still load. - Make sure you read it.
would like all: \bi(?:'d| would) like (?:{ALL}|our|my|you to (?:always|never|stop|keep|.{3,40} before you)) .{3,60}
  + I'd like every function to have a test. - I'd like a coffee.
your answers: ^(?:please )?keep (?:your |the |all |them |it )?(?:{SPEECH|THING}|) ?.{0,20}(?:{TERSE})\b
  + Keep your answers short. - Keep the change.
not so: ^[\w-]+(?: [\w-]+)?, (?:not|never) [\w-]+(?: [\w-]+)?$ ~ ^(?:{IT|I|WE|YOU}|the|not|maybe|almost|ok|yes) ~ \b(?:first|second|other)\b|{FAULT}
  + Tabs, never spaces. - The second one, not the first.
written so: ^(?:write|show|format|spell) (?:numbers|dates|times|prices|amounts|units) (?:with|in|as) \w
  + Write dates as 2026-05-01. - Write it as a list.
upset: \bwould be upset if\b.*\bdon't$|, so don't$
  + I'd be upset if you overwrote my notes, so don't. - They don't
ban: {BAN}(?!{IDLE})(?=(?:\s?[\p{Script=Han}\w.\/-]){2}) ~ 我(?:不要|不该)|不要紧|不该(?:是|会)|不得(?:了|已|不) ~ (?:它|他|她|系统|程序|页面|浏览器|服务器|电脑)不让 ~ ^{I}不
  + 不要引入新的依赖 - 不要担心
do not: (?:^|[，,。；\s：:]|[请也就都再先后中里内上下时们家可绝对千万永远人码事头给])别(?![的人处名称墅致扭说样国家]|{IDLE})(?={HAN}|\s?\w) ~ 再别的|特别|分别|级别|类别|识别|区别|差别|个别|性别 ~ ^我
  + 别碰 legacy 里面的东西 - 别担心
old ban: (?:^|[，,。；\s：:]|千万|万万|请)(?:莫|勿|咪)(?![名非过斯大]|{IDLE})(?={HAN})
  + 千万莫动那个老的支付模块 - 莫名其妙
cannot: (?:绝|绝对|千万|一律|都|也|[\p{Script=Han}\w ]{1,12}|^)(?:不能|唔能够)(?!不|{IDLE}){SOME}{2} ~ 不能(?:用|打开|运行|访问|启动|编译|登录|加载|显示|连接|工作|正常|理解|确定|复现|保存|上网|解析|识别|够) ~ 我不能|为(?:什么|啥)|因为
  + 密码不能写进日志 - 这里不能正常显示
bare ban: .{3,}(?:不(?:准|许|得|能|可以?|要|该|应该?)|禁止|(?<![特分级类识区差个性])别)(?:再|乱|随便|擅自|直接)?(?:{WORK})(?:的)?$ ~ ^(?:我|它|他|她)|怎么|为什么
  + 公共接口的名字一个都不准改 - 它不能用
talk in: [和跟与对]我(?:(?:沟通|说话|讲话|聊天?|交流|讲)[^，。]{0,4}用|用(?=[^，。]{2,5}(?:交流|沟通|说|聊|讲))){SOME}{2} ~ 了$
  + 和我沟通请用英文 - 跟我聊聊
within: {DIGIT}+ ?(?:行|字|个字符|秒|页|分钟)(?:以内|之内|以下) ~ 了|刚|已经
  + 两百行以内一个文件 - 五分钟以内就好了
terse: ^(?:小步|小批)[^，。]{0,2}提交|^{HAN}{2,6}(?:优先|先行|为先)$|^不[加用留搞碰改写]引?入?{SURPLUS}{HAN}{1,8}
  + 不加新依赖 - 不加班
write so: ^{SPEECH}[要得]?(?:写|用|带|保持|输出|返回)(?![错完好了不过得在到]|一下){SOME}{2,} ~ 了$|{FAULT}
  + 注释写清楚原因 - 注释写错了
for their sake: ^(?:为了|考虑到|照顾到?)[^，。]{0,6}{FOLK}[^，。]{0,6}[，,]{SOME}{4} ~ 我(?!们)|了$
  + 为了老用户，旧接口保留 - 为了他们，我走了
by law: {LAW}上?{DEMANDS}{SOME}{2} ~ 吗|什么
  + 法律要求日志保存六个月 - 法律规定是什么
never: (?:绝不|决不|从不(?!同)|从来不|一概不|一律不|坚决不|永远不|永不|死也不|概不)(?!会好|知道|是|懂|理|回|听|说){HAN} ~ ^(?:他|她|它|你|这|那)
  + 我们从不在周五部署 - 他从不说话
forbidden: {FORBIDDEN}(?:的|啊|哦|呀)?$ ~ ^.{0,3}(?:也|还是|就是|都)?不行|(?:试了|跑|弄)|并发不行
  + 直接推 main 是禁区 - 还是不行
we do not: ^(?:{WE})(?:这边|组里?|一般|从来|都|现在|这儿)?[不唔勿](?!{KNOWING}){HAN} ?{SOME}{2} ~ 了$|怎么|为什么
  + 我们这边不用 moment - 我们不知道为什么
must: {MUST}(?!是.{0,8}(?:问题|原因)) ~ ^(?:那|嗯|好|所以|但是)?[，,]?{I}(?!们)(?:现在|先|还|也|就|可|真)?(?:得|必须|一定|要) ~ 不规定|没规定|你必须.{0,4}看|一定要(?:加油|注意|幸福|来|去) ~ ^如果|^现在我
  + 所有接口都必须返回 JSON - 我必须走了
only may: 只(?:能|准|许|允许|可以)(?={SOME}) ~ 只能(?:这样|说|等|先|重启|算|怪)|只能(?:认|忍) ~ ^(?:那|所以)?{I}(?!们)只能
  + 只能用标准库 - 只能重启了
only: 只(?:{WORK}|显示|做|支持|认|收|接受|给|存|读|在|跑|走|留|保留|输出|返回|开放|限|对|按|管|装|取|展示|导出|部署|负责) ?{SOME}{2} ~ ^(?:我(?!们)|它|他|她|(?:这|那)(?!个?{SCOPE}))|只{HAN}{1,2}了|只在(?:我|第)|怎么|为什么
  + 只改 src 下面的文件 - 它只在我这里报错
only who: 只有[^，。；]{1,14}(?:{MAY})[\p{Script=Han}\w] ~ 只有(?:这|那|我知道|一)
  + 只有管理员可以删库 - 只有我知道
before: {DELIVER}[^，。]{0,6}?前[，,]?{NEEDED}?{SOME}{2} ~ 了|刚|^(?:我(?!们)|昨|他|她)|还|怎么|一下
  + 提交前必须跑测试 - 我提交前睡了
every: (?:{ALL})[^，。；]{1,24}?(?:都|{SHOULD}|必|须|走|用|带|有|写|以|按|加|经|统一|保持|返回|支持|遵|放|存|配|采用|做|是) ~ (?:都|全)(?:好|很|没|要我|得我|完|有(?!自己)|会|是|能|在等) ~ ^我(?!们)|(?!报错信息){FAULT}|变得|每天|每次(?:见|聊|和你|保存|打) ~ 过了|了$|^{YOU}
  + 每个函数都得有注释 - 每次保存都报错
all alike: {HAN}{2,}(?:都|一律|统一|全|统统)(?:用|写|叫|放|走|以|归|按|存|大写|小写|加|带|要|得(?!到)|需要|应该?|必须|返回)\S* ~ ^(?:我(?!们)|你|他|她|它|这(?!个{SCOPE})|那)|[了过]$|(?!报错信息){FAULT} ~ 都(?:要|用)(?:疯|哭|死|完|光)
  + 数据库表名统一用小写 - 大家都要疯
one way: (?:统一|一概|一律|通通|统统)(?!改|修|删|一下|了|战线) ?{SOME}{2} ~ ^(?:我|它)|没统一|不统一
  + 统一 dayjs - 没统一过
so always: [，,\s](?:永远|一直|一律|每次都?|始终|都|从来都)(?:如此|这样|这么(?:做|来|办)|照此|照办) ~ ^(?:它|这|那|他|怎么)|{FAULT}
  + 先写测试，一律照此 - 它一直这样
from now: (?:^|[，,\s])(?:请|注释|文档)?(?:始终|永远|今后|以后|往后|日后|从今|从现在(?:起|开始)|今次起|后续|任何时候|全程)[^，。；]{0,4}{SOME}{3,} ~ {FAULT} ~ 以后(?:再|可能|聊|我|有|会)|永远(?:都)?(?:在|没|不会|跑不) ~ ^我|^{YOU}
  + 以后都用中文回答 - 以后再说吧
bound: {BOUND}[^，。；]{0,10}{DIGIT} ~ (?:用|花|跑|等|卡|试|占)(?:了|掉)|已经|现在|我|最多(?:也)?就|至少有|再等|只有
  + 函数不超过 50 行 - 至少有三个测试失败了
remember: ^请?{MIND}[^，。；]*[每都前时总所只同版不]|^.{3,}别忘(?:了)?$ ~ 记得.{0,4}(?:吃饭|休息|昨天|上次)|最后
  + 记得每次同步更新文档 - 记得吃饭
ask first: (?:先|事先|提前|必须|得|都要|之前(?=.我))(?:{ASK})[^，。；]{0,8}(?:我|确认|同意|批准|说|商量|沟通|打招呼|报备|审批|一声) ~ 我先(?:问|跟|和)|先问一下.{0,4}(?:你|为)|刚
  + 删除文件之前先问我 - 我先问问
have to: [得要](?!加载){PROPERLY}{SOME}{2,} ~ ^(?:你|他|她|它|这(?!个{SCOPE})|那|我(?!们)|还|昨)|一下|看看|[觉显变值记懂获取使省免舍认晓懒来写跑看做改弄]得 ~ 不要|只要|想要|要(?:先|用)(?:多久|多少)|要有(?:点|人|空|时间)|打算|{FAULT} ~ (?:得|要)先(?:修|查|看|搞|重启|回|攒|走)
  + 提交说明要写清楚原因 - 我还得先回家
keep so: ^(?:请)?(?:保持|确保|保证|遵循|遵守|沿用|坚持|优先|尽量|尽可能|统一|一律|只用|只改|只写|只在|仅|禁用|启用|采取|按照?|使用|默认用)(?:[^了]{2,}) ~ ^按[钮键] ~ 一下|看看|试试|调试器|^(?:使用|按照?)(?:这|那|上|刚)|尽快
  + 保持旧接口兼容 - 按照刚才说的试试
use to: ^(?:请)?(?:都)?(?:用|使用|以|拿|攞) ?{SOME}{1,10}?{WRITING}|^{WE}用.{1,8}缩进 ~ 写(?:一?个|段)|一下
  + 请用中文写注释 - 用 Python 写个脚本
how said: {SPEECH}[^，。；]{0,12}?(?:{BRIEFLY}|要(?!不|么|多)|用(?!了|的|来)|写{LANGUAGE}|只(?!有)|是{LANGUAGE}) ~ 写(?:错|完|得|的|好)|一下|了$|不了|挺|真|很|太
  + 变量名必须用英文 - 代码写得真好
so small: ^(?:{THING}|改动|差异|PR)要[小短少简干清](?:$|[，,]) ~ 多少
  + 改动要小，一屏能看完 - 改动要多少
my style: ^我的(?:风格|习惯|规矩|原则|偏好)[：:是]{SOME}{3}
  + 我的风格：提前返回，不写 else - 我的习惯怎么样
they demand: {WE|WHO}(?:那边)?{REQUIRE} ?{SOME}{2,} ~ 聊|谈|开会|见面|我要求不|没有?要求|什么要求|要求(?:太|很|高)
  + 甲方坚持用 PDF 交付 - 没有要求
hoped: ^我(?:希望你|要求)[^，。]{0,12}(?:用|写|都|不要|别|先|把|是)
  + 我希望你先写测试 - 我希望下雨
better: {HAN}{2,}(?:优于|胜过|好过|优先于|重于){HAN}{2,} ~ 性能|速度|今天|昨天
  + 组合优于继承 - 今天好过昨天
in doubt: (?:拿不准|不确定|不清楚|分不清|有歧义|有疑问|没把握|遇到{HAN}{2,4})[^，。]{0,6}[，,]?[就都请先直接停下来]{0,6}问我 ~ 我(?:先|去)问
  + 拿不准的时候直接问我，不要猜 - 我不确定，我先问问
first write: ^先[写给讲列出解][^，。]{1,6}[，,]?再[写给讲改动][^，。]{2,8}$ ~ 一下|一遍|看看|这|那|了
  + 先写测试，再写实现 - 先写一下这个，再改那个
more of it: [^，。]{2,8}放(?:在)?最?[前后]面?{HAN}?$|{SPEECH}(?:的时候|时|里)?[，,]?多[举写用给放]{SOME}{2}|(?:显示|保留){DIGIT}位小数 ~ 了$
  + 解释的时候多举例子 - 解释多了
short: (?:回答|回复|解释|答|讲|写)我?{SHORTLY}{HAN}{0,4}[啲点些]|{SHORTLY}[啲点些](?:就好|就行|即可)?$ ~ 能不能|再
  + 回答简短点 - 能不能简单点
`,
);
