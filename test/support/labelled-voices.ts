/**
 * More labelled sentences, in other voices than those of labelled-truth.ts: dictated, terse, rude, mixed. Every second one is held out:
 * its text was not looked at while the rules were tuned.
 */
import type { LabelledSentence, Speaker, TruthLabel } from './labelled-truth.ts';

const constraints = `
heads up: the prod database is read-only for us, keep it that way
everything under infra/ belongs to another team so no edits there
I need you to stop touching the lock file
our style guide forbids abbreviations
whatever happens the public types can't change
please refrain from adding emojis anywhere
tests first, then code, always
just so you know we are not allowed to use GPL code
every single commit should build
The API key goes into the environment, never into a file.
you're not supposed to edit generated code
Nothing gets merged without a review.
strictly no network calls in unit tests
Our customers are on Java 8, so nothing newer.
Indent with two spaces.
Target Python 3.9 and up.
don't you dare push to master
Stick to the existing naming scheme.
Answers in English please, even if I write German.
keep the bundle under 100 kB
All new files need a licence header.
This project uses npm, yarn is forbidden.
Do not, under any circumstances, drop tables.
I'd like every function to have a test.
make it a habit to run the type checker
Only Maria may change the pricing rules.
merge commits are a no-go here
Treat warnings as errors.
one more rule, no inline styles
until I say otherwise leave main alone
咱们这儿不让用第三方库。
代码里头别出现中文注释哈
线上的配置谁都不许碰
改之前得先跟我说一声
凡提交都要带上工单号
commit message 统一写英文
接口返回的字段名不要用拼音
记住，永远不要 force push
测试覆盖率不能低于 80%
别给我加新的 dependency
所有 API 一定要向后兼容
咱用四个空格缩进
每个函数都得有注释
不经我同意不准删文件
回复我的时候尽量用列表
`;

const userDecisions = `
alright, final answer: we're building on Postgres
nah, scrap the plugin system, we do it inline
we'll do the export as CSV, nobody needs Excel
Kafka is out, RabbitMQ is in.
let's settle on port 9090
the winner is the second design
we are dropping IE support because nobody uses it
I talked to Ann and we'll have one table per tenant
For auth we picked Keycloak.
done deal, Rust for the core
let's do the blue one
we'll postpone sharding to v2
最后拍板了，用 Vue3
行，那就按 B 方案走
商量了一下，还是不上 k8s 了
前端定 React，后端定 Go
就选第一个吧
支付先接微信，支付宝以后再说
咱就叫它小鹿吧
`;

const modelPending = `
Open items: error handling and i18n.
I did not get to the README.
The deployment part is still outstanding.
Left for another day: caching.
What remains to be done is the cleanup of the old tables.
The French translation has not been written.
尚需处理：日志轮转。
还有两个接口没有迁移。
`;

const userNothing = `
can we talk about the release date
that was not what I asked for
looks like the tests never ran
show me the diff once more
the second button should be bigger
let's go
go on
why do you keep doing that
I might need this tomorrow
remove the last line
run it again with -v
which of these is faster
I am using a Mac
the error only shows up at night
what would you pick
rename foo to bar
and what about the other one
ok do it
sounds like a plan
Could it be the cache?
my colleague always says that
it must have been the proxy
we had decided something similar in another project, I forgot what
there's no such file
just the first three, please
the docs say you should never do that, is that true?
I'd love to but I can't today
put it in a separate file
move the check up
try without the flag
这个颜色不太好看
你先看看日志再说
为啥又报错了
好像哪里不对
可以，继续
把第二行删掉
我有点累了，明天再弄
能再快一点不
他们那边也没定下来
刚才那个不算
改成绿色试试
我总觉得有问题
`;

const modelNothing = `
Here is what I found in the three files.
The remaining budget is computed in line 40.
I will start with the parser.
The user may decide later.
Everything is green now.
It chooses the first free port.
I've added the option and its test.
Next, I'll look at the importer.
这里的逻辑是先判断再决定。
接下来我会检查配置。
所有用例都通过了。
`;

const listed = (label: TruthLabel, by: Speaker, text: string): readonly LabelledSentence[] =>
  text
    .trim()
    .split('\n')
    .map((line, at) => ({ label, by, text: line, heldOut: at % 2 === 1 }));

export const labelledVoices: readonly LabelledSentence[] = [
  ...listed('constraint', 'user', constraints),
  ...listed('decision', 'user', userDecisions),
  ...listed('pending', 'model', modelPending),
  ...listed('none', 'user', userNothing),
  ...listed('none', 'model', modelNothing),
];
