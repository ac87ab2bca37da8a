/**
 * What users and models say while they work, each sentence labelled by hand with what must outlive its own exchange. All are made up.
 * Every second sentence of a list is held out: `npm run bench:sentences` measures on those too, and no rule was tuned on them.
 */
export type TruthLabel = 'constraint' | 'decision' | 'pending' | 'none';
export type Speaker = 'user' | 'model';
export type LabelledSentence = {
  readonly label: TruthLabel;
  readonly by: Speaker;
  readonly text: string;
  readonly heldOut: boolean;
};

/** Orders, bans and rules that hold beyond the exchange in which they were said. */
const constraints = `
Never touch the files below vendor/.
Don't push anything to the remote.
You must run the linter before every commit.
All endpoints must return JSON.
Do not add a new dependency without asking me.
Make sure that the old config files still load.
Always write the test first.
Commit messages have to be in English.
Please keep the public API backward compatible.
No new dependencies, please.
And don't rename any of the exported functions.
Use tabs instead of spaces in Makefiles.
From now on answer in German.
The generated files must not be edited by hand.
Ask me before you delete anything.
Every migration needs a rollback script.
We never deploy on Fridays.
Only use the standard library in the core package.
Leave the legacy folder alone.
Whatever you do, do not run the migrations against production.
Keep your answers short, at most three sentences.
I prefer small commits, one per change.
Tests must not reach the network.
Avoid global state in the parser.
It has to run on Node 18 as well.
Never ever commit .env files.
You may only edit files in src/ui.
Stop adding comments to every function.
Dont use any in TypeScript please
Rule: one class per file.
In future, run the formatter before you show me a diff.
The budget is fixed: no more than 200 ms per request.
Every function should have a doc comment.
I don't want any console.log left in the code.
wait for my ok before you merge anything
The schema is frozen, nobody changes it until June.
Stay away from the billing module.
All dates are stored in UTC, always.
we only support postgres, no mysql specific code
Please do not reformat files you did not change.
Can you make sure that nothing under assets/ is deleted?
Whenever you change a prompt, bump its version.
The CLI must exit with 2 on bad input.
Error messages must never contain stack traces.
never use sudo in the scripts
Could you please never amend commits that are pushed?
I always use pnpm, never npm.
The response time must stay below 50 ms.
Don't ever force-push to main.
Each PR needs a changelog line.
ok but don't change the database schema
Secrets must not be logged under any circumstances.
Going forward, use conventional commits.
hands off the CI config
Variable names should be in English.
you must not install packages globally
Please always show me the plan before editing.
Limit yourself to files in the api folder.
Do not use the word "simply" in the docs.
The old endpoints have to stay available until version 3.
no semicolons in this code base
Check with me before you spend more than 5 dollars.
Python files must be formatted with black.
And never log user emails.
绝对不要改动 migrations 目录。
所有接口都必须返回 JSON。
提交前必须跑测试。
以后都用中文回答。
不要引入新的依赖。
禁止直接访问生产数据库。
密码不能写进日志。
注释一律用英文。
没有我的同意不要合并。
只能用标准库。
请勿修改 package-lock.json。
每次改完都要跑一遍 lint。
千万别动 legacy 下面的代码。
函数不超过 50 行。
变量名必须用英文。
删除文件之前先问我。
务必保留旧接口的兼容性。
今后提交信息统一用英文。
别用 any。
接口的响应时间不得超过 200 毫秒。
所有时间都存成 UTC。
不允许在 main 分支上直接提交。
配置文件一律放在 config 目录。
永远不要把密钥提交到仓库。
回答尽量简短，不要超过三句话。
我习惯用 pnpm，不要用 npm。
数据库表名统一用小写。
严禁使用 eval。
测试里不准访问外网。
凡是改动 API 都要更新文档。
不要自作主张重构别的文件。
只改 src 下面的文件，别的都不要动。
日志里不许出现用户手机号。
必须兼容 Python 3.8。
从现在起每个 PR 都要写变更说明。
除非我说可以，否则不要推送。
不要用 master 这个词，分支叫 main。
错误信息必须是中文。
代码里不要留 console.log。
新代码一定要有单元测试。
`;

/** What the user settled. */
const userDecisions = `
Let's go with the ring buffer.
We decided to keep the old endpoint until spring.
OK, Postgres it is.
settled: the cache lives in Redis, because it survives a restart
Let's use SQLite instead of the JSON file.
I think option 2 is the right approach.
We'll go with OAuth, passwords are too much work.
Decision: dates are shown in local time.
The first version ships without multi-tenancy.
Let's drop Windows support for now.
I'd go for the queue, it scales better.
We'll stick with the monorepo.
go with B
agreed, we split the service in two
We are going to use gRPC between the services.
I've decided against GraphQL because the clients are simple.
Let's call it Harbor.
ok let's keep the retry count at three
We switched to Vite last week, so webpack is out.
I choose the second layout.
Option A please, it is the simplest.
We will store the files in S3.
let's not do pagination in v1
So the name is final: nightjar.
We'll skip the migration and write the data anew.
We opted for a single worker because ordering matters.
Approved: the new pricing table.
I'm going with the smaller library, the other one is abandoned.
We agreed that the API is versioned in the path.
Let's make the timeout 30 seconds.
我们决定用消息队列。
那就这么定了，用 Redis。
第一版不做多租户。
最后选定了第二个方案。
就用 pnpm 吧。
时间格式改用 ISO 8601。
还是用 PostgreSQL，SQLite 并发不行。
方案定了：先做后端。
版本号采用三段式。
名字就叫海鸥。
我选 B，简单一点。
决定不支持 IE 了，因为用户太少。
登录方式定为短信验证码。
缓存层先不做，等上线以后再说。
我们不用微服务了，改成单体。
端口就定 8443。
同意，按第一个方案来。
数据库换成 MySQL，因为运维只会这个。
`;

/** What a model settled in its own words. */
const modelDecisions = `
I decided to keep one table per session because the lists stay short.
I chose the index over the cache, since the cache would be stale.
I'll skip this refactoring, as the two functions differ in what they log.
Decision: the parser is written by hand instead of generated.
We'll keep the old format readable so that existing files still load.
I went with a lock file rather than a database because there is one writer.
I opted for a soft delete so that the audit trail stays complete.
I decided against a worker pool because the job is bound by the disk.
我决定把缓存放在内存里，因为数据量很小。
这里选用 WAL 模式，因为读多写少。
我采用了软删除，这样审计记录是完整的。
决定不引入新的依赖，标准库已经够用。
`;

/** What somebody says is still to be done, or wants done later. */
const pending = `
Remaining: the docs and the release notes.
Still to do: wire the flag into the CLI.
Next steps: deploy to staging and watch the error rate.
The Windows build is not done yet.
What is left is the migration of the old accounts.
TODO: handle the empty file.
The tests for the importer are still missing.
Not yet done: the retry on timeouts.
I have not updated the changelog yet.
Two tasks remain: #4 (log routing) and #5 (cleanup).
剩下的工作：补充文档和测试。
还没做的是错误重试。
下一步需要部署到预发环境。
待办：处理空文件的情况。
导入功能的测试尚未完成。
还剩两个用例没有修。
`;

/** The same, said by the user. */
const userPending = `
Later we also need a page for the admins.
Don't forget to update the changelog afterwards.
Remind me to rotate the keys when this is done.
After that we still have to port the Windows installer.
Once the tests pass, add the flag to the docs.
Also on the list for later: dark mode.
之后还要给管理员做一个页面。
别忘了最后更新 changelog。
等这个做完再处理导出功能。
回头还得把旧数据迁过去。
`;

/** Near misses of the user: tasks of the moment, remarks, questions, complaints, pasted text. */
const userNothing = `
The build takes four minutes on my machine.
I do not know why the socket closes.
Should we always retry?
Can you look at the failing test?
It works again after a restart.
use them in models.py
Use the Spinner instead of the inlined custom one.
make the diff red and green a little less intense
it should be dimmer
why does it never load?
This only happens in Chrome.
You always forget the imports.
It always fails on the first run.
I have not decided yet.
You decide.
What do you think, should we go with Redis?
we need to fix the login page first
Thanks, that looks good to me.
No, I meant the other file.
No problem.
never mind
I must say this is impressive.
That should never happen.
We still need to port the selector over.
Then, let's look at the second issue.
yeah let's do it
Read the file in full.
fix it up
Let me know if you need more information.
I don't think that it matters here.
The user never came back to us about it.
We had a must-see demo yesterday.
To suppress this warning in future sessions, run:
Consider extracting this into a shared helper function.
the footer should be yellow above 70 %
can you check whether the cache is used at all
We got a report that it popped up without touching anything.
is there any reason we don't parse the input?
I can't reproduce it, it must be a race.
At least three tests fail on my machine.
there are at most ten users so far
It needs to be set to 1 for true colors.
don't worry about the warnings
raise TypeError("need at least one argument")
I only see a blank page.
We should probably look at the logs.
Do we have to keep the old branch?
as always, great work
It took no more than a minute.
+ // Fall back to a new id if the lookup fails (should not happen)
I wonder if we should choose another library.
They decided to move the meeting.
It depends on what you choose.
Our agreement with the customer ends in May.
okay, now do the same for the other tests
don't understand, does it capture the variable at creation?
and before you generate this: what happens in the last case?
I'm not sure whether to use Redis or not.
let's take a look at the numbers
wait, do we only have a single color?
cool, keep going
The function returns null when it cannot find the key.
Which port should we use?
Nothing was decided about the logo.
hm, I got a crash while you were working
I love hiking and old films.
You must be tired of this by now.
it keeps asking for the password
Not sure we need that.
Please add a test for the empty list.
今天的构建很慢。
我不知道为什么会超时。
你能看一下日志吗？
要不要换一个库？
昨天的会议很长。
你来决定吧。
我还没决定用哪个。
谢谢你的建议。
我一定要注意安全问题。
为什么不能运行？
这个函数有两个调用者。
我觉得应该没有问题。
最近总是感觉很累。
你觉得应该选哪个？
请看一下首页。
先把这个改完。
把按钮改成蓝色。
我需要一点时间。
如果你有机会，一定要来看看。
非常感谢你的意见和建议。
我喜欢听古典音乐。
晚上打算看电影，还没决定看哪一部。
这里不能正常显示。
总是报同样的错误。
不用谢。
没问题，继续吧。
再检查一遍。
他说不定明天会来。
别担心，慢慢来。
我会注意的，谢谢。
希望我们下次聊天时会有新话题。
至少有三个测试失败了。
现在打不开这个页面。
不是这个意思，我说的是另一个文件。
你总是忘记导入。
选择哪个都可以。
`;

/** Near misses of the model: announcements, descriptions, results. */
const modelNothing = `
Now I see the issue.
I'll use the reviewer agent to look at the branch.
Let me check if there are remaining occurrences.
It is used in PostCommit to decide whether to condense.
All three tests pass.
Let's take a closer look at the changes.
Conclusion
The function decides which branch is taken.
If you choose option B, the cache has to be cleared.
I'll add the test to the other file.
Now let's update the part where it is used.
This might be fine, but it could also be confusing.
Which approach would you prefer?
We can use the locale module for that.
The user decided to split it into several commits.
You must always run the linter, says the README.
I fixed the counter, it started at 1.
File not in commit: remaining
The remaining files are read in a loop.
Good, I understand the pattern.
I'll go through all the issues one by one.
The old value is kept until the next start.
我先看一下代码。
现在我明白问题了。
这个函数用来决定走哪个分支。
测试全部通过。
建议先看一下书的简介，再决定是否购买。
你可以选择其中一个。
已经修复，原因是缓存没有刷新。
让我检查剩下的文件。
`;

const listed = (label: TruthLabel, by: Speaker, text: string): readonly LabelledSentence[] =>
  text
    .trim()
    .split('\n')
    .map((line, at) => ({ label, by, text: line, heldOut: at % 2 === 1 }));

export const labelledTruth: readonly LabelledSentence[] = [
  ...listed('constraint', 'user', constraints),
  ...listed('decision', 'user', userDecisions),
  ...listed('decision', 'model', modelDecisions),
  ...listed('pending', 'model', pending),
  ...listed('pending', 'user', userPending),
  ...listed('none', 'user', userNothing),
  ...listed('none', 'model', modelNothing),
];
