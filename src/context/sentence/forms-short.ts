/** What people settle in few words: fragments without a verb, two short halves, a limit, a name and what it is chosen over. */
import { readForms } from './form.ts';

/** What is to be so, with hardly a verb. */
export const shortRules = readForms(
  () => String.raw`
limit: ^(?!{I|WE|IT|YOU} |there|the {PROBLEM})[\w .'-]{0,40}{BOUND} ?\d ~ {TASK} \w+ (?:to|from) ~ {TOOK} ~ \bif\b
  + coverage no lower than 85 - it took at most 3 minutes
limit: ^(?!{I|WE|IT|YOU} |there)[^,]{0,50}(?:\d|{NUMBER})[^,]{0,24},? {TOPS} ~ {TOOK} ~ ^{TASK} ~ \bif\b
  + 30 s timeout tops for the gateway - it took two minutes, no more
limit: ^(?:nothing|no \w+) (?:over|under|above|below|\w+er than) (?:\d|{NUMBER})
  + nothing over 200 kb in the repo - nothing over there
rate: ^(?:one|only one|two|{BOUND} \w+) [\w-]+(?: [\w-]+)? per \w+(?:,|$)
  + one request per second, not more - one error per page was found
as one: ^(?:please )?(?:(?:treat|regard|think of) me as|(?:explain|describe|talk|tell).{1,30} like i'?m) \w
  + Please treat me as a beginner in SQL. - Treat it as text.
side by side: ^(?:put|keep|place) (?:the |all )?\w+s (?:beside|next to|near|together with) (?:the )?\w
  + Put the tests beside the code they test. - Put it beside the code.
if unsure: ^(?:say|tell|ask)(?: it| so| me)* (?:if|when) you(?:'re| are) (?:not )?{UNSURE}
  + Say it if you are not certain. - Say it.
each time: ^(?:at|before|after) the (?:end|start|beginning) of (?:each|every) \w+,? \w+ \w
  + At the end of each task, list what you did not do. - At the end of the task it failed.
my leave: \b(?:only (?:with|after)|you need) (?:my|our|an?) {APPROVAL}\b
  + schema changes only with my ok - only with my phone
ask: ^(?:before|if|when|whenever|for|anything|any) .{2,70}{ASK} (?:me|us|with me|with us|first)\b ~ {ONE_THING}
  + before u touch anything under auth/ ping me first - before this one ask me
in doubt: ^(?:if|when)(?: you're)? (?:in doubt|unsure|not sure),? \w
  + When in doubt, ask. - I was in doubt.
ask: ^(?:anything|everything|whatever|all|any) .{2,50}(?:->|→|:|[-–—]) ?(?:{ASK|BAN})
  + anything that touches prod -> ask - anything new?
small ones: ^(?:{TERSE|SCANT}) (?:[\w-]+ )?(?:[\w-]{2,}s|any|{THING|SPEECH})$ ~ {FAULT}|\b(?:thanks|cheers|regards|greetings|news|works|looks)\b
  + tiny diffs please - long story
do not that: ^[\w -]{2,24}: ?[\w -]{2,40}, (?:{BAN}|not|never|no) [\w -]+$ ~ ^error\b
  + errors: wrap, dont swallow - error: not found
only so: ^(?!{IT|I|WE|YOU|OURS|TASK|WHO}\b)[\w-]+(?: [\w-]+){0,3} only (?:{PREP}|as) \w ~ {FAULT} ~ ^read
  + secrets only through the vault - the crash only in prod
manner: ^(?:{ACTS}) (?:\w+ly|early|late|often|fast|small|first|once)$
  + fail loudly - test again
kinds of words: ^[\w-]+s (?:for|before|over|after|live next to|next to|beside) (?:the )?[\w-]+(?: [\w-]+)?$ ~ {FAULT|PAST} ~ ^{TASK|IT|AUX|LEAD}\b
  + verbs for function names - thanks for the fish
for readers: ^for (?:the |our )?(?:[\w-]+ ){0,3}{PERSON},? (?:{ALL}|the|our) .*{REQUIRE|MUST|SHOULD}
  + for screen reader users every icon needs a label - for the user it fails
form of it: ^(?!{IT|TASK|PROBLEM}\b)[\w-]+s (?:in|as|without|via|through) (?:plain |simple )?[\w-]+$ ~ {FAULT|NOW}
  + logs in json - errors in production
tongue: \b(?:you|u) (?:always )?{SPEECH} (?:me )?in {LANGUAGE}
  + i write german but you answer in english - you answer in time
tongue: \bkeep (?:your |all |the )*{SPEECH} (?:in )?{LANGUAGE}
  + keep your replies english - keep the text
for them: ^(?!{IT|I}\b).{3,50} (?:keeps?|{STAY}) .{2,30},? because .{2,30} {RELIES} ~ {FAULT}
  + the columns keep their order because macros depend on it - it stays because it fails
for them: ^(?!{IT|I|WE}\b)[\w .'\/-]{2,50} {STAY}(?: in| put| as \w+ \w+)?,? (?:{AND} )?{SOMEBODY} ~ {FAULT}
  + the ugly names in legacy.ts stay, a partner parses them - the error stays, a test fails
by law: {LEGALLY} (?:required|obliged|bound|forbidden|not allowed)\b|{LAW} (?:applies|apply) \w
  + we're legally required to keep invoices - the law of Demeter
one for one: ^one [\w-]+(?: [\w-]+)?,? (?:one|a single) [\w-]+$ ~ {FAULT}|\b(?:down|to go|more|thing|question|last|minute)\b
  + one function, one job - one down, one to go
as to them: ^(?:please )?(?:explain|describe|talk|write).{1,30} (?:like (?:to|an?)|the way (?:you|an?)) \w
  + explain things the way you would to a new hire - tell me the way to it
plain tongue: {SPEECH}.{0,40}\b(?:is|are|in) (?:plain |simple |\w+an )?{LANGUAGE}(?:$|,| please) ~ ^(?:{I|IT}|why|there) ~ {PAST}
  + names in code are American English - it is in German
each time: ^(?:so )?\w+ (?:the|your|an?) .{2,40} (?:each|every) time$ ~ ^(?:{IT|I|WE|YOU})\b|{FAULT}
  + repeat the goal each time - it reloads the page each time
beside it: ^[\w-]+s (?:next to|beside|near) the [\w-]+ (?:they|it) \w+$ ~ {FAULT}
  + tests next to the code they cover - errors next to the code it breaks
tongue of it: ^[\w-]+s in {LANGUAGE}$
  + commits in present tense - it is in German
by contract: ^{LEGALLY},? (?:{WE}|{ALL|OURS})\b
  + by contract we keep logs for a year - by law or not
with each: \bi(?:'d| would)? (?:like|want|need) .{3,40} (?:with|before|after|top of|end of) (?:each|every) \w
  + I want a changelog entry with each pull request - I want a list of every file
at each: ^(?:before|after|on|with|for) (?:an?|each|every|any) [\w-]+(?: [\w-]+)?, [\w-]+ \w ~ , (?:{IT|I|WE|YOU|OURS|NOBODY}|an?|there)\b ~ {FAULT|PAST}|^for (?:a|the) (?:moment|while|minute|second|bit)
  + after every migration, dump the schema - after every request, the page hangs
when you do: ^(?:when|if|whenever) you \w+ [^,]{2,40}, (?!\w+(?:s|ed)\b)\w+ (?:the|all|its|their) \w ~ {FAULT} ~ , (?:{IT|I|WE|YOU|NOBODY})\b ~ you (?:have|find|see|want|can|get|feel|think)
  + when you change the schema, regenerate the client - when you click it, all is gone
these not those: ^(?:so |please )*(?:give|show|send) me [\w-]+s (?:rather than|instead of|over|,? not) \w ~ me (?:{OURS|IT|NUMBER}|an?)\b
  + give me diffs rather than whole files - give me the diff instead of the file
your own: ^(?:please )?(?:show|give|write|put|keep|explain) (?:me )?your \w+ (?:{PREP}|as|without) \w ~ {NOW}
  + show your reasoning in two lines - show your work now
that often: ^(?:an? )?{EVERY} (?:summary|report|update|digest|recap|status|backup)\b ~ {FAULT|PAST}|{BE}
  + weekly summary on Mondays please - the weekly report is wrong
keep it so: ^(?:please )?keep (?:{OURS} )?(?:[\w-]+ )?(?:\w+s|{MANNERED}) \w+(?: first| last)?$ ~ \w+ing$|{NOW} ~ keep this ~ s (?:{PREP|POINTING})\b
  + please keep the tone formal - keep the tests running
all should: ^(?:each|{ALL}) [\w -]{2,60} (?:{SHOULD}) (?:be|have|come|stay|use|get|carry) \w ~ {NOW|FAULT}|{STATUS}$
  + every figure in the paper should be reproducible from a script - every test should be green
spelt so: ^(?:spell|write|call|pronounce) (?:it|them) [\w-]+,? not [\w-]+
  + spell it colour, not color - call it, not me
my look first: ^let me (?:see|review|check|look at|approve|read) .{2,40}(?:before|first)\b ~ before (?:we|i)\b|{IT} first
  + let me see the SQL before you run it - let me see the log before we go on
on all: ^[\w-]+(?: [\w-]+){0,2} (?:on|in|for|with) (?:all|every|each|any) \w ~ ^(?:{IT|I|WE|YOU|TASK|PROBLEM|AUX}\b|\w*(?:change|diff|test)) ~ {FAULT|PAST} ~ {BE}
  + type hints on all public functions - same error in all files
tell me: (?:超过|一旦|只要|每当|遇到)[^，。]{1,14}[，,]?就[^，。]{0,6}(?:告诉|通知|叫|喊|问)我
  + 卡住超过十分钟就停下来告诉我 - 我就问问
as one: (?:请|就)?(?:把我当[成做]?|当我[是刚])[^，。]{2,8}$|^[^，。]{2,10}我不[看读要]$ ~ 了
  + SQL 方面请把我当新手 - 他把我当了
in place of it: ^不用 ?[\w\p{Script=Han}]{2,8}[，,]直接[用写]|不要猜|^(?:不确定|没把握)就[^，。]{1,4}$
  + 不用 ORM，直接写 SQL - 不用谢
not there: ^(?!{I}|你|他|它|这|那){HAN}{2,8}不[放加装写带设留]{HAN}{3,}$ ~ 了|加载|显示|{FAULT}
  + 结账页面不放第三方脚本 - 图片不加载出来
limit: [\p{Script=Han}\w]{2}[^，。]{0,10}{DIGIT}[^，。]{0,8}{TOPS}$ ~ {TOOK}|现在|已经|我|再等
  + 覆盖率 85 起步 - 用了 3 秒以内
ask: (?:前|之前)[，,]?[都先要得须必一定务给]{1,3}[^，。]{0,2}(?:{ASK})[^，。]{0,5}$ ~ ^(?:我|这次|他)|了$|{ONE_THING}
  + 删东西之前都问一下 - 提交之前我问了
small ones: ^[^，。]{1,10}(?:尽量|尽可能)[^，。]{1,6}$|^{SPEECH}[^，。]{1,4}一?[点些]$|^[多少][用写][^，。]{2,10}$ ~ ^(?:把|将|我|它)|再|快|了
  + PR 尽量小 - 把它尽量改小
style of it: ^[^，。]{2,12}(?:一律|统一|都|里|中|全)?[用是写]?(?:{SPELT})(?:命名|风格|法)?(?:$|[，,；]) ~ [有多少错改换成]|为什么|{NOW}
  + 数据库字段下划线 - 少了分号
on days: ^(?:周|星期|礼拜)[一二三四五六日天末][^，。]{0,3}(?:不|别|禁止)(?!{IDLE|KNOWING}){HAN}{2,4}$ ~ 上班|了$
  + 周五不发版 - 周五不上班
not before: [没未][^，。]{1,8}前[^，。]{0,3}(?:不|别|先别){HAN} ~ 我?之前没|了$
  + 读的部分没做完之前不碰写 - 我之前没看过
one each: ^(?:一个|每个)[^，。]{1,8}只[^，。]{2,10}$|^不[^，。]{2,8}[，,]不[^，。]{2,8}$ ~ 了|不[知会对是好]|我
  + 一个测试只断言一件事 - 一个测试只跑了一半
tongue: (?:你|您)[就都只也]?(?:回|答|用|说|讲|写)[^，。]{0,4}{LANGUAGE}|{LANGUAGE}(?:跟|和|对)我[说讲聊] ~ [了吗过]$|什么
  + 我打字用粤语，你回普通话 - 你看的英文书
all of ours: ^{WE}的?[^，。]{1,8}(?:清一色|全是|都是|全用|都跑|全跑) ?[^，。]{2} ~ 了$|{FAULT}
  + 我们服务器清一色 alpine - 我们都是这样了
my leave: (?:得|要|必须)等?(?:我|{WE})(?:点头|同意|发话|确认)|^我没[^，。]{1,4}(?:之前|前)?(?:别|不要|不许|不准)
  + 发邮件得等我点头 - 我没看懂
where able: 能[^，。]{1,8}就[^，。]{2,6}$|^(?:出错|失败|超时|报错)[就要都][^，。]{2,6}$ ~ 了|吗|好
  + 能合并的请求就合并 - 能跑就好了
placed by: [跟和与][^，。]{1,8}放(?:在)?一起$|^[^，。]{1,6}(?:动词|名词|大写|小写|字母|下划线)开头$ ~ ^(?:把|将)
  + 测试跟代码放一起 - 把测试跟代码放一起
each its own: ^[^，。]{1,6}[中英德法日韩俄]文[，,][^，。]{2,6}[中英德法日韩俄]文$|^[^，。]{1,8}(?:写法|风格)[，,]不要
  + 文档英文，界面文案德文 - 不要英文
has to go on: ^(?!我(?!们)|你|这|那)[^，。]{2,14}[得要](?:能|一直)[^，。]{1,4}[，,][^，。]{4} ~ [，,](?:我|你)(?!们)
  + node 18 要能跑，debian 自带 - 我要能跑，你别管
for them: ^(?!我(?!们)|你)(?:[^，。]{1,20}{KEPT_SO}[^，。]{0,4}[，,][^，。]{2}|[^，。]{2,16}给[^，。]{2,10}留着?$) ~ {NOW}|了[，,]|[，,](?:我|你)(?!们)
  + 老接口留着，iOS 端还在用 - 文件留着，我看一下
talk so: [跟和对]我(?:说话|讲话|聊天|沟通|交流)[^，。]{0,2}(?:别|不要|不用|少|直接|简单)
  + 跟我说话别太客气 - 跟我说话的人走了
from now: (?:今后|以后|往后|日后)[^，。]{1,12}(?:都先|都得|都要|先)[^，。]{3} ~ 了$|再说
  + 今后改完代码都先跑一遍单元测试 - 以后先别急再说
while at it: (?:写|做|改|画|译)[^，。]{1,8}的?时候?[，,]?(?:少|多|尽量)[^，。]{2} ~ 了|{FAULT}
  + 写小说的时候少用成语 - 写的时候多了一行
first of it: ^{SPEECH}先[写给说放列]{SOME}{2} ~ 了|再说
  + 报告先写结论 - 代码先写完再说
not too much: ^(?!{IT|YOU}|我|今|昨|明)[^，。]{1,8}(?:别|不要|不能)太{HAN}{1,2}$ ~ [晚早累]$|了$
  + 行别太长 - 今天别太晚
apart: ^(?!把|将|我|这|那)[^，。]{2,14}(?:分开|单独|各自)(?:提交|发布?|部署|存?放|写|测试?|管理)$
  + 重构和修 bug 分开提交 - 把这两个分开提交
had to be: ^(?!{IT|I|YOU}|{DOING})[^，。]{2,10}[要得](?:保留|支持|兼容|带|写明|统一|让|能|有)[^，。] ~ 了|吗|很|再|[失卡崩挂坏]|也得 ~ ^(?:现在|今天|是不是)
  + 导出要保留 xlsx - 页面要加载很久
of a kind: ^(?:凡是?|但凡)[^，。]{2,14}[，,]?(?:都|先|一律|必须|得|要) ~ {FAULT}|了$
  + 凡是删数据的操作，先备份 - 凡是打开过的页面都报错
tell me: (?:之?前|后|时|每[天周次晚]|每个?月)[^，。]{0,6}(?:跟|和|给|发|向)我[^，。]{0,4}(?:说|声|讲|看|小结|总结|汇报|日报|周报|报告|确认|[过对]一?遍) ~ 了$|{ONE_THING}|刚|之前给我
  + 改接口之前跟我说一声 - 之前他跟我说过了
`,
);

/** Who somebody is at work, and when; and what is so where nothing is set. */
export const shortFacts = readForms(
  () => String.raw`
falls back: ^(?!{IT|I} ).*\b(?:falls? back to|fallback is|(?:is|are) the fallback) \w ~ {FAULT} ~ {PAST}
  + if nothing is set the locale falls back to English - it falls back to an error
otherwise: ^unless {TOLD}(?: otherwise)?,? (?:the|our|each|an?) [\w -]{2,30}s (?:{PREP} )?\w
  + unless told otherwise the server binds to 127.0.0.1 - unless told otherwise leave it
user here: ^(?!{ALL|DEICTIC} )[\w.+-]+ (?:user|person|guy|shop) here$
  + jetbrains user here - any user here
user here: ^(?:i'?m|we'?re|we are) on (?:an? )?[\w.+-]+ (?:with|and|plus) [\w.+-]+$ ~ on {IT}|with {IT}
  + im on a mac with zsh - i'm on it with him
so often: ^(?!{IT|I} )[\w -]{3,30} (?:runs?|happens?|{BE}) (?:at |every |once )(?:{CLOCK}|{NUMBER|EVERY}) ~ {FAULT|PAST}
  + backups run every six hours - it runs at noon
closed: ^(?:the office is|{IAM}) (?:closed|away|off|out|gone) .*(?:{DAY|MONTH}|between|christmas) ~ {NEAR}
  + we're closed between christmas and new year - i'm off now
by default: {BE} [\w.-]+ by default\b ~ ^{IT}
  + log level is info by default - it is off
all day: ^[\w.+-]+ (?:all day|every day|all the time)\b ~ ^{IT}|{FAULT}|{PAST}
  + emacs all day, every day - it rains all day
of mine: ^my (?:\w+ ){1,4}is (?!{NO_VALUE}\b|{STATUS})[\w.+-]+$ ~ {PROBLEM|FAULT}|my (?:\w+ )?{NOT_MINE}
  + my terminal of choice is wezterm - my guess is wrong
when free: ^(?:on |in the )?(?:{DAY}|mornings|evenings|afternoons|nights),? (?:{I|WE}) (?!{PAST})\w ~ {NEAR}
  + weekends i dont read messages - monday i was ill
as many: ^{WE} have (?:two|three|four|five|\d+) (?:\w+ )?(?!{PROBLEM})\w+s[,:] \w ~ {FAULT|NOW}|left|option|choice
  + We have two environments, staging and production. - We have two choices, A and B.
talks to: ^(?:the |our )[\w -]{2,30} (?:talks?|speaks?|connects?) to .{2,40} (?:over|via|through) \w ~ {FAULT|NOW}
  + The web page talks to the back end over gRPC. - The call connects to it.
only so: ^(?:the |our )[\w -]{2,30} only (?:works|runs|listens|accepts|opens) (?:{PREP}) \w ~ {NOW}|{IT}$
  + The VPN only works from the office network. - The test only runs on it.
so many of us: ^{WE}(?:'re| are) (?:{NUMBER}|\d+) (?:people|\w+s)\b ~ {FAULT|NOW}
  + We're eight people, three of them developers. - We are late.
puts out: ^(?:the |our )[\w -]{2,20} (?:exports|imports|accepts|prints) \w+ (?:with|in|as) \w+$ ~ {FAULT|NOW}
  + The CRM exports CSV with semicolons. - The test prints it.
only one: ^{IAM} the only \w+
  + I'm the only backend developer here. - I'm the one.
of us: ^there are (?:{NUMBER}|\d+) of us\b
  + There are five of us on the team. - There are five of them.
live in: ^(?:i|we) (?:basically |mostly )?{DO_ALL} (?:my|the|all|every|most)[\w ]{0,20} (?:in|on|with|from) \w ~ {IDLE_PLACE}
  + I spend my day in a tmux session - I spend my day in bed
renewed: ^(?!{IT|I} )[\w ]{2,30} (?:expires?|renews?|rotates?) every \w
  + the API key expires every ninety days - it expires every time
each theirs: ^i (?:do|handle|cover|write) (?:the )?[\w -]{2,30}, (?:and )?\w+ (?:does |handles )?the \w ~ {NOW|PAST}| then
  + I do the backend, Piotr the apps - I do the test, then the fix
there are: ^there are (?:{NUMBER}|\d+) (?!{PROBLEM})\w+s[:,] \w+(?:,| and) ~ ways|options|choices|[:,] .*\b(?:in|is|are|was)\b
  + there are three environments: dev, stage and prod - there are three errors: a, b and c
my days: ^{I|WE} (?:only |just )?have (?:only )?(?:my )?(?:{DAY}|evenings|mornings|nights) ~ {NEAR}
  + I only have Tuesdays for this project - I have a Monday feeling
counted: ^(?!{IT|I})[\w ]{3,30} {BE} \w+ed per \w ~ {FAULT|LAW}
  + invoices are numbered per year - it is called per page
where i am: ^i(?:'m| am) (?:in|from) [A-Z]\w+$ ~ Chrome|Firefox|Safari|Slack|Code|Zoom ~ {PROPER} {PROPER} ~ ^I{PROPER}
  + I'm in Lisbon - I'm in Safari
as many: ^{WE}(?:一共|总共)?有{DIGIT}+[套个台]{HAN}{2,6}[，,：:] ~ 了|问题|选择|方案|今天
  + 我们有两套环境，预发和生产 - 我们有两个选择，A 或 B
only one: ^[^，。]{0,8}就我一个人
  + 这边后端就我一个人 - 就我不行
parted by: ^(?!这|那).{2,16}用[^，。了]{1,6}(?:分隔|编码|压缩|加密|签名)$
  + CRM 导出的 CSV 用分号分隔 - 这里用逗号分隔
mine: ^我有{DIGIT}+[台块张]{HAN}|^我每[天周晚][^，。]{0,10}点[^，。]{2} ~ 了
  + 我有两台显示器和一台 Mac Studio - 我有两台坏了
rate: 限制?[为是]?每(?:秒|分钟|小时|天)[^，。]{0,3}{DIGIT}+|[^，。]{2,8}要[跑花]{DIGIT}+个?(?:小时|分钟)$ ~ 了|还
  + 接口限制每分钟一百次 - 还要跑两个小时
a day: ^{WE}一?[天周月年](?:大概|大约|约|有)+{DIGIT}+[^，。了]{1,3}$ ~ 还
  + 我们一天大概三百单 - 我们一天没吃饭
of us: ^{WE}[组里]{0,2}(?:一共|总共|就|有)?{DIGIT}+个?人(?:$|[，,])
  + 我们组五个人 - 我们走了五个人
takes so long: ^[^，。]{2,8}一[次趟遍](?:大概|大约|要)?{DIGIT}+ ?(?:分钟|小时|秒) ~ 了|今|刚
  + 构建一次大概十一分钟 - 跑一次十分钟了
within: ^(?!{I}|你|他){HAN}{2,6}{DIGIT}+ ?(?:小时|天|分钟)[之以]?内{HAN}{2,4}$ ~ 了|今|刚|请|必须|要
  + 客服四小时内回复 - 今天两小时内回复
kind of user: ^[a-z][\w.+ -]*(?:重度|老)?(?:用户|党|粉)$|^{ZHTIME}?[^，。]{0,8}之间{WE}不[^，。]{2}
  + jetbrains 重度用户 - 查一下用户
counts as: ^[^，。]{2,10}(?:按|当|算作|视为)[^，。]{1,6}(?:算|处理|对待)$ ~ ^(?:把|将|我|你)|一律|统一
  + 缺的值按零算 - 把它按零算
live in: 我?(?:成天|整天|天天|全天|一天到晚|平时)都?(?:泡|待|呆|窝|住|挂)在[^，。]{2} ~ 家|床|公司|会
  + 我成天泡在 tmux 里 - 我成天待在家
my place: ^我(?:这边|这里|本地|电脑|机器)(?:是|用的是|跑的是) ?\S{2} ~ [好坏对错空红]|{FAULT}|没|因
  + 我这边是 windows 加 wsl2 - 我这边是好的
my days: ^{HALF_DAY}我们?不[^，。]{2}|{HALF_DAY}我?(?:都|一般|通常|基本|全)[^，。]{2}[^。]*(?:才|再|都|不)[^，。]{2} ~ 今|昨|明|了$
  + 上午我都在开会，下午才回消息 - 今天上午我都在开会
each theirs: ^我(?:写|画|做|管|搞|负责)[^，。了一]{1,6}[，,]{HAN}{2,4}(?:写|画|做|管|搞|负责)[^，。了]{1,6}$
  + 我写后端，皮特写客户端 - 我写了一半，皮特改了另一半
most of them: ^(?:我们的?)?{FOLK}[^，。]{0,2}(?:大多|大部分|主要|多半|基本)[^，。]{0,2}(?:是|用|在|来自) ?[^，。]{2} ~ 骂|抱怨|不懂|说|反馈|问|{FAULT}
  + 用户大多是护士 - 用户大多在抱怨
takes so long: ^[^，。]{1,8}一[次趟遍] ?[^，。]{0,6}(?:要|得|花)(?:大概|大约)?{DIGIT}+ ?(?:分钟|小时|秒) ~ 了|今|刚
  + 跑一遍 CI 要二十五分钟左右 - 跑一遍用了十分钟
my tongue: ^我(?:的)?{LANGUAGE}(?:不[好太行]|一般|很差|比较[好差])
  + 我英语不好 - 我英文不写了
my trait: ^我(?:是|有)?(?:红绿)?(?:色盲|色弱|左撇子|听障|失聪|阅读障碍)
  + 我色盲 - 我看色盲模式
nobody does: ^(?!{IT|YOU}$)[^，。]{3,20}[，,]?(?:早就|一直)?(?:没人|无人)(?:维护|管|负责)了?$
  + 那个老程序没人维护 - 没人管
my days: ^(?:每?{ZHTIME}|{HALF_DAY})[^，。]{0,6}我[才只都](?:有空|在|能|上班|处理) ~ 今天|昨|明天
  + 周二周四我才有空弄这个项目 - 今天下午我才有空
`,
);
