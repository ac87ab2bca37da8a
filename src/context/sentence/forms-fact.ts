/** How people say who they are and how they like to work, and what something is called, where it is, how it is set, and when it happens. */
import { readForms } from './form.ts';

export const preferenceForms = readForms(
  () => String.raw`
like: (?:^|, |\b{AND} |^(?:for|in|when|on) [\w ]{2,30} )(?:{I|WE}|(?:my|our) {WHO}) ?(?:{USUALLY} )*{LIKE} (?!{NOT_LIKED})\w ~ would like|hate (?:to|when|bugs?)|love (?:how|what|you)
  + I prefer small commits, one per change. - I prefer not to say.
rather than: {I|WE}(?:'d| would) rather .{3,60} than \w
  + I'd rather see a short diff than a long explanation. - I'd rather go to bed.
usually: {I|WE} (?:{USUALLY}) (?!{MUTE}|{FAULT}|{IDLE}|\w+ed\b)\w+ \w ~ (?:at|with|about|of|on) (?:that|this|it)$|{ALIEN}$ ~ {I|WE} (?:only|just|still|really|all|would) ~ {IT} {I|WE}
  + I always use pnpm, never npm. - I always laugh at that joke.
custom: (?:^|\b(?:{AND}|here|(?:of|for|in) [\w ]{2,40}),? )we (?:{ADV} )?(?!{AUX|IDLE|NOT_CUSTOM|PAST}|\w+ed\b)\w+ \S+ \S ~ {NOW|FAULT}|too\b|this (?!{SCOPE})|that one|error|honestly
  + Here we squash before merging. - We still look at the error.
want always: {I|WE} want .{2,60}(?:always|every time|never|each time|by default|before (?:the|any|every|we))\b
  + I want the tests run every time. - I want a break.
first: ^{ASK_IT} me (?:the |a |your )?\w+ first\b|{REASONS} (?:after|later|last)\b
  + Give me the answer first. - Tell me later.
no please: ^my \w+ is \w+ \w+ no \w+
  + my motto is small steps no shortcuts - my dog is here
like: (?:^|[，,])(?:{I|WE}|个人|老板|客户|组长|领导|我这边)[^，。；]{0,12}?{LIKE}(?!这|那|它|你|他|她|极了|死了|得|吃|喝|下雨|上班|$) ~ 习惯了$|不愿意$
  + 我们更喜欢小的提交 - 我不喜欢他
most: ^(?:{I|WE})?(?:个人)?最(?:烦|讨厌|喜欢|爱|怕|恨|中意|受不了)(?!的是|了|这|那|它){SOME}{2}
  + 最烦没有注释的代码 - 最烦的是
usually: ^(?:{I|WE}|画图|写\S{1,4}|平时|平常|通常|一般)[^，。；]{0,6}?(?:{USUALLY})(?:都|是|会|用|不|只|先|写|按|在|做|爱) ~ (?:基本|都)(?:好了|完|通过|跑通|没|不行|挂|忘|知道|看|试|改)|会(?:报|崩|卡|失败|去)|每天|主要是
  + 我一般用 rebase 不用 merge - 我都忘了
custom: ^(?:{WE|PERSON})(?:里面)?[^，。；]{0,6}?(?:都|只|统一|一律|全|主要|一般|均|通常|默认|平时|基本){SOME}{3} ~ [了过]$|{FAULT}|不行|主要是|只有 ?{DIGIT}|(?:都|全|基本)(?:好|完|没|挂|忘|在等|知道)
  + 我们统一用两个空格缩进 - 我们都知道了
this not that: ^{I}只[用看写读听做][^，。]{1,12}[，,]不[用看写读听做]|(?:就行|就好|即可|就够)[，,](?:不用|不要|不必|别){SOME}{2}
  + 我只看命令行，不看图形界面 - 我只看了一眼，不懂
my way: 我(?:用|喜欢|写).{0,10}(?:读屏|盲文)|我喜欢这样$
  + 先给结论再说细节，我喜欢这样 - 我喜欢他
`,
);

/** What only happened, or is so for the moment. */
export const passingForms = readForms(
  () => String.raw`
past: {PAST} ~ {BE} (?:called|named)
  + The server was slow yesterday. - The server is called Otto.
status: ^(?!.*\d)(?!{IAM} {USUALLY}).*(?:{BE}|i'?m|seems?|looks?|gets?) ?(?:{ADV} )*{STATUS}\b ~ {STATUS} (?:in|for|on|as|out of|from|at|to|by) [\w\/.#] ~ {BE} (?:open|closed|off|out|away|available|an?) |\w+ing (?:{PREP}) \w|named \w+ is
  + The build is red. - The office is closed on Fridays.
then: 就[^，。]{1,8}了$
  + 一分钟后 cpu 就到 100 了 - 就用 pnpm
past: {PAST} ~ 报错信息|错误码|错误日志
  + 服务器昨天挂了 - 服务器叫 otto
now: 现在(?:看|在|卡|报|是第)|(?:做|装|改|放|写|修|弄|搞|看|跑|传|合并|提交|推)(?:好|完|过)(?:了|啦)|(?:花|用|跑|等|试|耗|卡|弄)了
  + 现在看是第三个 - 现在的版本号是 3
this one: ^(?:这|那)[个里次边]?(?:函数|变量|报错|问题|行|文件|测试)|第[一二三四五\d]+[个行处]|有{DIGIT}+[个处行次]|不对(?:$|[，。])|^因为
  + 这个函数有两个调用者 - 这个项目叫 otto
`,
);

/** What something does when nobody sets it: no order, whatever "always" or "by default" stands in it. */
export const defaultForms = readForms(
  () => String.raw`
default: ^(?!{IT|I|YOU} )[\w .'-]{2,50} (?:defaults? to|{BE} {SWITCHED} (?:unless|by (?:def|acc)|until)) ?\w
  + Timeouts default to five seconds. - It defaults to me.
by default: ^by default,? (?!{I|WE|YOU|IT} )(?:the |our |each |an? )?[\w-]+(?: [\w-]+)? \w+s \w
  + By default the worker takes four threads. - By default use tabs.
size of it: ^(?:the|our|my|each) [\w -]{2,30} ha(?:s|ve) (?:only |about )?\d[\d.,]* ?(?:[kmgt]i?b|cores?)\b
  + The build host has only 8 GB of memory. - It has 8 lines.
size of it: ^[^，。]{2,12}只?有 ?\d+ ?(?:[gmt]b|核)|^[^，。]{2,10}是用 ?[a-z][\w.+ -]*(?:生成|写|排版|编译|构建|打包|做)的$ ~ ^(?:这|那|它|还)
  + 文档是用 MkDocs 生成的 - 这是用 Go 写的吧
how many: ^(?:the|our|this) {SCOPE} has (?:{NUMBER}|\d+) \w ~ {FAULT}
  + The repository has two packages. - The folder has a mess.
about as many: ^{WE} (?:have|get|make|serve|store|handle|process) (?:about|around|roughly|some|over|nearly) \d ~ left|today|{TIME_UNIT|FAULT}
  + We have about 40,000 users. - We have about an hour left.
how many: ^[^，。]{0,10}(?:大概|大约|约)(?:有|处理|产生)? ?{DIGIT}+(?:[万百千亿]|所|家)|{SCOPE}[里中]?(?:有|分){DIGIT}+ ?个{HAN} ~ 了|还剩|今天|这|秒|[行分]$(?<![万亿]行)
  + 活跃用户大概有四万 - 今天大概有两百行
so often: ^(?!{I}|{WE}|它|这|那)[^，。]{2,12}每 ?{DIGIT}* ?(?:天|周|月|年|晚|个月|小时|分钟)[^，。]{0,6}[会换删跑清重][^了]{0,4}$ ~ {FAULT}
  + 生产密码每 90 天换一次 - 服务器每天都报错
all of a kind: ^(?!这|那|它).{2,12}的.{1,8}都是[^，。]{2,8}的$ ~ {FAULT|PAST}|[空对好旧]的$
  + 库里的价格都是不含税的 - 里面的值都是空的
default value: ^[^，。]{0,10}默认[^，。]{0,8}(?:是|为|保留|每)[^，。]{0,6}(?:{DIGIT}|{ZHEXACT}) ~ 把|改
  + 缓存默认保留七天 - 默认用中文回答
`,
);

export const factForms = readForms(
  () => String.raw`
called me: ^(?:you \w+ |please |just |\w+ )?calls? me (?!{NOT_CALLED|NEAR})\w|^i go by \w|my pronouns are
  + Call me Ada. - Call me later.
i am: ^(?:hi |hello |hey )?(?:i'm|i am|this is) {PROPER}(?:$|,| {PROPER}| from| and| here| with| at) ~ (?:Monday|Tuesday|Wednesday|Thursday|Friday|OK)
  + I'm Ada from the data team - I'm sorry
named: \b(?:my|our|his|her|their) (?:\w+ )?names?(?:'s| is| are|:) \w|^i'?m (?:called|named) \w ~ name is (?:wrong|taken|too|not|already)
  + My name is Ada. - My name is wrong.
i work: ^(?:{I|WE})(?:'m| am|'re| are)? ?(?:{SAY_HOW} )?{LIVE} (?:{PREP|TIME_OF}|as|near|mostly) ?\w ~ work (?:on|in) (?:it|this|that)|right now
  + I work as a nurse. - I work on it.
i am a: ^{IAM} (?:an?|the|in the|on|at|{LIVE|TRAIT}) ?(?:[\w-]+ ){0,4}(?:{ROLE|TRAIT}|team|\w+ist|time ?zone|{EXACT}) ~ (?:{NOW|STATUS})$|a (?:bit|little|huge|fan|lot|moron)
  + I am a freelance designer - I am a bit tired
i speak: ^(?:{I|WE}) (?:can |{SAY_HOW} )?{SPEAK} (?:{SAY_HOW} |some |a little |good )?(?:{PROPER}|{LANGUAGE}) ~ ^(?:i|we) (?:read|know) (?:The|That|A|It|This)
  + I speak Polish - I know That
i have: ^(?:{I|WE}) (?:{SAY_HOW} )?{OWN} (?:an? |two |three )?(?:{PROPER}|{OWNED}|[\w.+-]+ {AS} \w) ~ (?:it|this|that|{NOW}|here|the (?:wrong|same))\b ~ ^(?:i|we) have (?:I|A|The|To)\b
  + I use Emacs on Debian - We have it now
our: ^our (?:[\w-]+ ){1,5}(?:is|are) \w ~ (?:is|are) (?:to|going|a {SLIGHT}|all|so|too|not)\b ~ ^our (?:only |main )?{NOT_MINE} ~ {STATUS}$
  + our mascot is an otter - our build is red
ours: ^{PROPER}(?: {PROPER})? (?:is|are) (?:also )?(?:our|my|their) \w ~ ^(?:It|This|That|Here|There|What)\b|(?:our|my) (?:problem|fault|guess|question|point)
  + Maria is our designer - That is our problem
their habit: ^our [\w][\w -]{1,30} (?:{ADV} )?(?!is\b|was\b|has\b|does\b|keeps\b|{FAULT}|seems|looks)\w{2,}s \w ~ (?:{NOW}|too|still)\b
  + our boss reads every changelog - our build fails
customers: ^(?:(?:half|most) of )?(?:{WHOSE} )?(?:\w+ )?{PERSON}(?: \w+){0,4} {PERSON_DOES} (?!{MOOD})\w
  + Our customers are on Java 8. - The customers are angry.
about them: \b(?:about|of) (?:our|the) {PERSON} is (?:that )?they (?:are|have|use|run|come)\b
  + the thing you have to know about our customers is they are all on windows seven - The story of the team is sad.
owns: ^(?!{IT} )[\w .'-]{1,50} {TENDS} (?:the|our|all|my|every|this|{SCOPE|EVENT}|\w+s\b) ~ ^(?:i|you|the {PROBLEM}|tests?)\b ~ {TENDS} (?:out|over|into)
  + Olga owns the release scripts. - It keeps the old one.
only one: ^there(?:'s| is) (?:only|exactly|just) one \w+ (?:who|that|for|in|with)\b ~ {PROBLEM|FAULT}
  + There's only one person who can rotate the keys. - There is only one bug in it.
reach: ^(?:you can |you'll |\w+ )?{REACH} {US} ?.{0,60}{PREP} \w ~ ^(?:find|call) (?:the|all)|again
  + You can reach us at ops@example.org. - Call us.
my thing: ^{IAM} {TRAIT}$|^my \w+ is about \w|^i (?:teach|study|research|sell|translate|edit) (?!{IT})\w
  + My thesis is about river sediments. - My question is another one.
means: ^by (?:"[^"]*"|[\w -]{1,40}) (?:i|we) mean|^(?!{IT})[\w" -]{1,40} {MEANS} \w|"" (?:\w+ )?(?:is|{MEANS}) \w ~ means (?:that (?:it|the|i|we)|you|i\b|we\b|it\b) ~ is (?:the {PROBLEM}|wrong|right)
  + By "the box" we mean the build server. - It means nothing.
we mean: ^(?:when|if|by) (?:i|we) (?:say|write|type) .{1,60} (?:i|we) mean \w
  + When we say prod we mean the old cluster. - When I say so, go.
we say: ^(?:what|the \w+)(?: that)? {CALLERS} calls? .{1,40} (?:is|are) \w|^{CALLERS}(?: \w+){0,2} calls? \w ~ calls? (?:the )?(?:function|method|api|endpoint|it (?:a day|twice|from))
  + What we call the vault is a plain folder. - We call it a day.
jargon: ^in (?:our|my) (?:{SCOPE}|jargon|terms|world|language|slang|office),? .*(?:is|are|means) \w ~ {STATUS}$
  + In our jargon a "berth" is a slot in the calendar. - In our office it is cold
set to: ^{ITSNAME}{ATTRIBUTE}(?: (?:{PREP}|of) [\w.\/' -]{1,50}?)? ?{ASIS} (?!{NO_VALUE})[\w"“'\/~@#.] ~ ^(?:the )?(?:first|{MINUTE}) \w+ (?:is|are)|(?:is|are) (?:the )?(?:one|only|same|right|wrong)\b ~ {BE} (?:{ADV} )*{STATUS}(?:$|,| by| again) ~ ^{I|YOU}
  + The port of the gateway is 8443. - The port is taken.
exact: ^{ITSNAME}(?:[\w.'-]+ )?(?!{PROBLEM} )[\w.-]+ {ASIS}(?: exactly| about)? {EXACT} ~ ^(?:the )?{PROBLEM} (?:is|are|=|:) ~ ^(?:{I|YOU|WE}) (?:am|are)
  + The jump host is bastion.example.org - The error is in main.ts
name does: ^(?:my|our) \w+ {PROPER} (?!is|was|said|has)\w+s \w ~ {NOW}
  + My boss Petra signs off on every release. - My Python fails.
it costs: ^(?:the|our|each) [\w -]{2,30} (?:costs? \d|comes? from (?:the|our)\b) ~ {FAULT}
  + The licence costs 40 euros a month. - The call costs time.
it writes: ^(?:the|our|each) [\w -]{2,30} (?:writes|reads|saves|sends) .{2,30} (?:into|to|from) {EXACT} ~ {FAULT}
  + The scanner writes images into /srv/scans. - The test reads it twice.
needs it: ^(?:the|our) [\w -]{2,30} (?:needs?|requires?|depends? on) (?:an? )?(?:running )?{PROPER} ~ {NOW}
  + The tests need Docker to be running. - The test needs a fix.
old ones: ^(?:old|older|legacy) \w+s (?:still )?(?!is|are)\w+ \w|{BE} (?:partitioned|sharded) by \w ~ {FAULT}
  + Legacy clients still send dates in local time. - Old tests fail.
at times: ^{IAM} {USUALLY} \w+ (?:{PREP} )?.{0,30}(?:{DAY|EVERY|NUMBER}|{CLOCK})
  + I am usually offline after six. - I am usually tired.
lasts: ^{THINGS} {LONG} (?:{PREP} |about )?(?:\d+|{NUMBER}|an?|half an?) {TIME_UNIT}
  + Sessions last thirty minutes - The test took two hours
can be found: ^(?!{IT})[\w .'\/-]{2,60} (?:can|may|could) be {FOUND} {PREP} ~ in the (?:log|diff|screenshot)
  + The docs can be found at /wiki - It can be seen at noon
there is: ^there ?(?:is|are|'s) (?:an?|\w+) .{2,60}(?:{PREP}|called|named) (?:["“]|{EXACT}|{PROPER}) ~ {PROBLEM|FAULT}
  + There is a mirror at mirror.example.org - There is a bug in a.ts
everything in: ^(?:everything|anything|all) (?:under|in|inside|below) (?!{IT}|here)\S+(?: \w+)? {GOES} \w ~ {STATUS}
  + Everything under gen/ is generated - Everything in here is fine
proper list: ^{PROPER}(?: {PROPER})? \d[\w.]*(?:,| and| \+) ~ {FAULT}
  + Node 20, Postgres 15 and Redis - Tests 3 and 4 fail
made: ^{THINGS} (?:is|are|gets?) (?:{ADV} )?(?:{MADE}|\w{3,}(?:ed|en|ept|ent|ilt|ade|ung|own|old|aid) (?:{PREP}|as)\b) ~ ^(?:the )?(?:{PROBLEM}|value|request|job|commit|block|object|array|string|node|event)s?  ~ {MADE_FOR_NOW|NOW} ~ ^{LOUD}
  + The front end is written in Elm. - The function is called twice.
this made: ^this {SCOPE} (?:{BE} (?:{MADE})|uses|needs|runs|has) \w
  + This repo is built with Bazel. - This function is slow.
placed: ^(?!{LOOSE}){THINGS} {PLACED} ?(?:{ADV} )?{PREP}? ?.{0,40}?(?:{EXACT}|{PLACE}) ~ {FAULT} ~ {SHOWS} ~ \b(?:i|you|we)\b ~ ^{TASK} (?!files\b)|^to \w ~ \b(?:first|more|two|three|these|those) \w+s? (?:in|of) (?:the|this|that)\b
  + Logs go to /var/log/app. - The error is in line 4.
goes to path: \b(?:goes?|lands?|is written|are written) (?:to|in|into) [\w.-]*\/?[\w.\/-]+\/[\w.\/-]*$
  + The build output goes to out/release. - The cursor goes to the end.
lives: ^(?:{WHOSE} )?(?!{PROBLEM}|cursor|{IT})[\w -]{2,40} {KEPT_IN} (?:{PREP}|right|outside) \w ~ ^(?:{IT|I|YOU})\b
  + The design files live in Figma - It lives there.
place proper: ^{THINGS} {PLACED} (?:{PREP} )?(?:the |an? |our )?.{0,20}{PROPER} ~ {FAULT} ~ \b(?:I|[Yy]ou|ha(?:s|ve) to)\b|^(?:no|to) |^(?:It|This|That|He|She|They|What)\b
  + Production runs on Hetzner - It runs on Linux
uses: ^(?:we|i|(?:the |our )?\w+(?: \w+)?) (?:{ADV} )?{RUN_WITH} (?:{PREP|NUMBER|ADV|OURS} )*(?:{EXACT}|{PROPER}|{COUNTED}) ~ ^(?:the|our) {PROBLEM}|{FAULT} ~ \b(?:hunks?|callers|typos?|changes)\b ~ ^(?:it|this|that|he|she|you|if)\b|^{TASK}
  + Staging uses three replicas - The test uses a.ts
protocol: ^(?:ssh|http|https|ftp|sftp|smtp|imap|dns|vpn|grpc|tcp|mqtt|rdp|vnc)\b.*{EXACT} ~ {FAULT}|refused
  + ssh goes through port 2222 - ssh fails with 22
set in: ^(?:set|use|keep|put) (?:the|our|my) {ATTRIBUTE}.* (?:to|at) \w+ (?:in|on|for) (?:all|every|{PLACE})
  + Set the log level to warn in production. - Set the flag to 3.
time: ^(?!{IT|YOU} |{LOOSE}).*(?:{DAY|MONTH|EVERY}|{CLOCK}|{DATE}).*{EVENT} ~ {NEAR|CRASH}|[=|] ~ \b(?:lunch|coffee|dinner|since)\b|{PAST} ~ ^i (?:just|need|want|think)
  + On Fridays at noon the office closes. - See you on Monday.
time after: ^(?!{IT|YOU} |{LOOSE}).*{EVENT}.*(?:{DAY|MONTH|EVERY}|{CLOCK}|{DATE}) ~ {NEAR|CRASH}|[=|] ~ \b(?:lunch|coffee|dinner|since)\b|{PAST} ~ ^i (?:just|need|want|think)
  + The release is on 12 March. - I was away on Monday.
by: 由[^，。；]{1,14}(?:{TENDS}) ~ 由你|由谁|由于|自由|理由
  + 发布由老王审批 - 由你决定
i can: {I|WE}(?:只|都|也|还)?(?:{SKILL})(?:说|讲|写|用)? ?(?:[A-Z]\w*|{HAN}{1,4}(?:话|语|文)) ~ 懂了|会(?:报|崩|失败)
  + 我只会写 Python - 我懂了
keeps it: (?:是|由|归|系)[^，。；]{1,16}?(?:在)?(?:维护|负责|管|带|值班|主导|牵头|审核|把关|对接)(?:的|嘅)?$ ~ ^你|谁|吗
  + 网关是小李维护的 - 谁在维护
my name: ^(?:你好[，,]?|大家好[，,]?)?{I}(?:的名字|名字)?{CALLED}(?!{NOT_ME}) ?\S|{CALLED}{I}(?!{NOT_ME})[做为作]? ?\S{1,10}$
  + 我叫小鹿 - 叫我一声
i am: ^(?:{I|WE})(?:是|系|係)(?!说|想|觉得|在|不|刚|从来|真|这|那|怕|要|没|有|用|为了|因为|昨|今|先){SOME}{2} ~ 是(?:看|直接|随便|对的|错的)
  + 我是后端工程师 - 我是说那个
duty: (?:负责|主管|分管|维护|管着|带队|当组长|做主|拍板|对接|审批|值班|把关|跟进)(?!吗) ~ ^(?:你|谁)|(?:没人|不)(?:负责|维护|管)|别人|负责任|你负责|维护(?:一下|了)
  + 小王负责数据库 - 你负责吗
find: {SEEK} ?[老小阿大]{HAN}|{CONCERN}[，,\s]?(?:就|都|去|可以|直接)?{SEEK} ?(?!我看|一下|题|你)\S{2} ~ 问一?下|我(?:去|先)?(?:问|找)
  + 权限的问题找老周 - 我去问小王
where: (?:{I|WE|HOME})人?{SO_FAR}?{LIVES_IN} ?(?!{BUSY})[\p{Script=Han}\w]{2,}(?:{TOWN}|$)
  + 我们在杭州 - 我在看日志
quoted: ["“「][^"”」]{0,12}["”」][^，。]{0,4}(?:是|指|代表|等于|叫|其实)|""[^，。]{0,6}(?:是|指|代表|等于|叫)
  + 大家嘴里的「枢纽」其实就是消息中间件 - 他说「好」
shared: (?:共用|共享|合用|公用){SOME}{2} ~ [了过]$|^(?:帮|把|请)
  + 两个服务共用一个数据库 - 帮我共享文件
ours is: ^{WE}的?[\p{Script=Han}\w ]{1,8}(?:是|都是)[^，。；]{2} ~ 是(?:不|对|错|怎|什么|这|那|因为|很|太|挺|真|谁|为了)|问题|[了过]$
  + 我们的吉祥物是水獭 - 我们的问题是太慢
stored: ^(?!我(?!们)|他|她|它|你|这|那|卡|报)[^，。；]{2,16}(?:都|就|放)?(?:在|进|到)[^，。；]{2,16}(?:{PLACE})$ ~ 跑|找|看|改|卡|报|试
  + 设计稿在共享盘 - 我在目录
hours: (?:办公|上班|营业|工作|值班|服务)时间\S{0,3}(?:早|从|朝|{DIGIT})
  + 办公时间早九晚六 - 办公时间太长
attribute: (?<!退出|返回|状态){ATTRIBUTE} ?(?:是|设的)? ?[:：]? ?(?:[\/#][\w.\/-]+|\d[\d.:]*(?:$|[\s，,])|\d[\w.]*[a-z%]) ~ 报|^(?:把|将|看|查|打开|升级|重启|跑|删|改|加|试|连|访问|用)|第 ?\d|上报|\d(?:上|被)
  + 日志 /var/log/app - 看 log
attribute word: {ATTRIBUTE} ?(?:是|设的)? ?[:：]? ?(?:(?<= )[a-z][\w.@:\/-]*$|[a-z]\w* ?\d) ~ 报|^(?:把|将|看|查|打开|升级|重启|跑|删|改|加|试|连|访问|用)|第 ?\d|上报|\d(?:上|被)
  + 开发机系统 Ubuntu 22.04 - 升级系统
number: ^(?!再|等|还|大概|最多|才|都|只|我|他|她|它|这|那|花|用){HAN}{2,8} ?\d+ ?(?:天|小时|分钟|秒|个月|年|周|次|人|台|核|G|GB|MB|%|条|位)$ ~ 了|过
  + 日志保留 30 天 - 等了 30 秒
surname: ^(?!你|我|他|她|谁){HAN}{2,8}(?:姓|名叫) ?{HAN}{1,3}$|叫(?:我)?(?:老|小|阿){HAN}
  + 客户经理姓陈 - 你姓陈
goes: ^(?!{DOING|IT|YOU|I})[\p{Script=Han}A-Za-z ]{2,16}?{SO_FAR}?{GOES_TO}[到在进去往]? ?{ZHEXACT} ~ 报|试|[跑看走改写]到|[走进去到](?:了|不)|一下|第 ?\d
  + 临时文件放 /mnt/fast - 写到 a.ts
name is: {ATTRIBUTE|WE}[^。；]{0,24}[，,\s]?(?:叫|名叫|名为|简称)(?!{NOT_NAMED}) ?\S{2}|^[^，。；]{1,16}{RENAMED} ?[「『“"\w\p{Script=Han}] ~ ^(?:你|他|她|把|将|帮|我(?:去|先)?叫)|叫{NOT_NAMED}
  + 这个产品叫海鸥 - 我去叫车
attribute is: {ATTRIBUTE}[^，。；]{0,10}? ?{SET_AS} ?{ZHVALUE} ~ 说是|有个|没有.应|说.{0,6}有|[是用在为](?:对|错|空|坏|红|绿|一样|不|什么|哪|谁|没|有|好|挺|很|太|因为|怎|这|那|多少|正常|真|我|你|他) ~ ^(?:把|将|给|帮|请|打开|看|查|改|删|加|跑|再|先|去|我在|我用|修|写)|用(?:了|完|不|起来|户|来|一下)|在(?:跑|看|改|哪|等|做|用|变|一起|报|转) ~ (?:问题|原因|毛病|错)(?:是|在)
  + 预发环境的端口是 8443 - 端口是不是错了
lies: ^(?!(?:我(?!们)|他|她|它|你|把|将|帮|给|请|那|这(?!个?{SCOPE}))).{1,24}?(?:{PLACED}) ?{ZHVALUE} ~ 报|来自(?:你|我|哪)|存在(?:问题|一些|风险|bug|吗|的|差异|两)|^新?(?:函数|变量|类|按钮)|基于(?:这|以上|此)
  + 证书存放在 vault - 他来自你
in it: ^{ZHTHING}[在喺] ?{ZHEXACT}[^，。；]{0,24}?(?:{PLACE}|上|里|中|下|跑|端口|嗰度|机器|$) ~ 循环|光标|变量|{FAULT}|bug
  + 备份在 nas-02 上 - 光标在 a.ts 里
is exact: ^(?!把|将|帮|给|请|我(?!们)|你|他|她|它|这(?!个?{SCOPE})|那|打开|看|查|如果|用)[^，。；]{1,20}?(?:是|为|：|:|=|系|係) ?{ZHEXACT} ~ ^退出码 ~ (?:{PROBLEM})[^，。；]{0,4}(?:是|为|：|:)|是(?:PR|bug|diff|ok|null|undefined|true|false|not)|[就还不都可但真只于]是
  + 域名是 api.example.org - 问题是 bug
made with: ^(?!{DOING|IT|YOU})[^，。；]{0,16}?(?:用|使用|跑|采用|装)[的嘅]?(?:是|系|都是)? ?(?:{ZHEXACT}|tab|空格|两格|四格|老版本) ~ 有机会|(?:用|跑|装)(?:了|完|过|一下|不|起来|例)|报|试|ok|^(?:再|先|别|不|能|去|我(?:先|再|想|刚|来|就)|要|可以|用)|来(?:找|看|查|修|写)
  + 前端用的是 Vue - 我先用 vim
at times: ^{I|WE}(?:{USUALLY})?[^，。]{0,4}(?:{ZHTIME}|{HALF_DAY})[^，。]{0,8}[才不都只]{HAN}{2} ~ 今天|昨|明天|刚|了$
  + 我一般下午两点以后才看消息 - 我今天下午才看消息
since then: ^[^，。]{2,10}从{HAN}{1,3}月(?:开始|起)|主要(?:给|面向|服务){SOME}{2}|^{I}的{HAN}{1,6}[写讲做]的是{SOME}{2} ~ {FAULT}|昨|刚|就
  + 我们的财年从四月开始 - 从四月起就坏了
split by: {HAN}{2,}按[^，。]{1,6}(?:分区|分表|拆分|分片|归档|存放|排序)$ ~ ^(?:把|将|请|先|再|你|我)
  + 订单表按月分区 - 把它按月分区
old ones: [老旧][^，。]{1,12}(?:还在用|还是用|仍用|还是){SOME}{2}|走的是[^，。]{1,10}[，,]不是{HAN} ~ {FAULT}|不行
  + 旧设备还在用 v1 协议 - 旧设备还是报错
my thing: ^{I}的{HAN}{1,6}(?:是|用的是|叫) ?[a-z][\w.+#-]+ ~ {PROBLEM}|{FAULT}
  + 我的浏览器是 Firefox - 我的问题是 CORS
every so often: 每{DIGIT}+ ?个?[周天月年季][^，。]{0,4}(?:[发开做跑出上清备对更]{HAN}|{HAN}{1,3}一次$) ~ {FAULT}|了$
  + 我们每两周发一次版 - 每两天挂一次
limit: {MOST}[^，。；]{0,10}?{DIGIT}+ ?{UNIT} ~ 了$|花|用了|跑了|试了|等
  + 令牌有效期 7 天 - 一共花了 7 天
expires: [\p{Script=Han}\w]{2,}[^，。；]{0,4}{DIGIT}+ ?{UNIT}[后内就才]?{LAPSES}
  + 会话 30 分钟过期 - 会话 30 分钟
source: (?:从|由)[^，。；]{1,20}(?:读|取|拿|获取|加载|生成|继承|导入|触发|注入|派生)(?:的|取|出来|过来)?$ ~ ^(?:我|你|他|帮|请|把)
  + 配置从环境变量读取 - 帮我从头读
each one: (?:一种|一个|每个?|各)[\p{Script=Han}\w]{1,6}(?:一个|一份|一套|对应|单独)[\p{Script=Han}\w]{1,8} ~ ^(?:我|帮|给|写|加|再|先)
  + 一个租户一个库 - 给一个人一个包
address: (?:\d{1,3}\.){3}\d{1,3}|https?:\/\/|[\w.-]+@[\w-]+\.\w|(?:[\w-]+ ?点 ?){2}|[a-z][\w-]*\.[\w.-]+:\d ~ ^(?:打开|访问|看|查|ping|curl|帮|去|试|请求)|连|通|返回
  + 跳板机 10.0.0.8 - 打开 https://example.com
means: (?:{MEANS}) ?{SOME}{2} ~ ^(?:这|那|你|报错|它|我(?!说))|什么|啥|指(?:定|针|标|向|令|示|出|教)
  + QPS 指的是每秒请求数 - 这指的是什么
owner one: 的(?:只有|就是|是) ?[\p{Script=Han}A-Za-z]{2,}一个人$
  + 能发版的只有小王一个人 - 是他一个人
time: (?:{ZHTIME}|{EVERY}).*{EVENT}|{EVENT}.*(?:{EVERY}|{ZHTIME})|{DAY|MONTH}.*{EVENT} ~ {NEAR|CRASH}|我.{0,4}开会|聊$|见$|^我(?:先|去|得|昨|刚)
  + 每周三上午开站会 - 明天开会
`,
);
