export const talkWords = (): string => `
ALLOW: may, can, could, should, must, is allowed, are allowed, gets, touches, has, approves, merges
EVERYWHERE: always, everywhere, every single time, no exceptions, no exception, without exception, without exceptions, at all times, full
  stop, period
APPROVAL: go, go-ahead, yes, blessing, ok, okay, approval, say-so, permission, sign-off, review | 同意, 批准, 确认, 许可, 审批, 授权, 评审, review, approve
DEICTIC: the, this, that, it, them, him, her, a, an, your, my, those, these, both, another, some, one, whatever, with
FORCED: mandatory, compulsory, required, forbidden, important, crucial, vital, policy, our policy, company policy
USES: use, take, follow, carry, include, require, start with, end with
NOT_MEANT: to see, to talk, to meet, to know, to go, to call, it, this, that, them, a call, you, us, me
NOT_ONE: over, instead of, rather than, not
DOING:  | 把, 将, 帮, 给, 请, 打开, 看, 查, 访问, 如果, 用, 先, 再, 去, 别, 从, 改, 删, 加, 跑, 写, 在, 卡
SO_FAR:  | 都, 就, 还, 全, 统一, 一般, 默认, 目前, 现在, 主要
CHOOSE:  | 按, 照, 用, 走, 选, 定, 上, 采用, 保留, 沿用, 换, 拣, 揀, 要, 搞, 叫, 接, 不上, 不选
THEN:  | 就, 还是, 那就, 干脆, 索性, 直接, 全部, 一致, 全面, 改, 都, 先, 以后
NOT_DO:  | 不, 唔, 冇打算, 不打算, 不会, 不准备, 没打算, 不考虑, 不计划, 没必要, 先不
PROVIDE:  | 做, 上, 支持, 引入, 搞, 接, 走, 提供, 兼容, 开放, 采用, 沿用, 维护, 继续, 自研, 外包, 收费, 启用, 续费, 迁, 保留, 发布, 开源, 买
GIVEN_UP: | 做, 搞, 支持, 维护, 上, 考虑, 拆, 改, 换, 搬, 合
NO_LONGER_DO:  | 改, 变, 动, 维护, 支持, 更新, 加, 发, 接, 讨论, 做, 用, 续
CHANGED:  | 换成, 换到, 换去, 换咗, 改成, 改用, 改为, 改走, 切到, 切换到, 切换成, 迁到, 迁至, 迁移到, 迁移至, 搬到, 转到, 转向, 升到, 升级到, 升级至, 退回, 换回, 改回, 统一到, 统一成, 统一为, 合并到, 拆成
CALLED:  | 叫, 姓, 名叫, 嘅名叫, 个名叫, 喊, 称呼
NOT_ME:  | 他, 她, 它, 你, 不, 车, 外卖, 们, 去, 来, 做, 回, 帮, 改, 怎, 吃, 看, 过去, 起, 一声, 一下
SEEK:  | 找, 问, 联系, 联络, 搵, 揾, ping, @
CONCERN:  | 问题, 事, 事儿, 相关, 方面, 有事, 报销, 权限, 需求
HOME:  | 公司, 总部, 团队, 办公室, 家, 机房, 客户
LIVES_IN:  | 在, 住, 住在, 喺, 坐标, 位于
BUSY:  | 看, 想, 等, 改, 跑, 做, 弄, 写, 开, 这, 那, 路上, 忙, 家, 吃, 睡, 第, 用, 调
TOWN:  | 上班, 工作, 办公, 读书, 区, 市, 路, 街, 省, 县, 镇, 楼, 大厦, 园, 海, 京, 州, 圳, 都
GOES_TO:  | 走, 进, 去, 到, 落, 打, 发, 存, 连, 绑, 占, 开, 听, 归, 属, 分, 按, 叫, 吃, 挂, 配, 装, 放
SET_AS:  | 是, 系, 係, 为, ：, :, =, 叫, 叫做, 名为, 在, 用的是, 用的, 用, 设成, 设为, 设置为, 设的是, 定为, 到, 换成, 换成了, 归, 属于, 走, 等于, 喺, 有, 共
MOST:  | 最大, 最小, 最长, 最多, 上限, 有效, 默认, 一共, 总共, 每次, 有效期, 超时, 保留
UNIT:  | 个, 天, 分钟, 秒, 小时, 次, 条, 行, 年, 月, 兆, mb, 周, 台, 份, 个月, gb, g, kb, ms, s, %, 人, 核, 位
LAPSES:  | 过期, 失效, 超时, 到期, 刷新, 重启, 清理, 清空, 轮换, 断开, 自动, 删除, 退出, 一次, 归档
WHATEVER:  | 不管, 无论, 不论, 任凭, 没, 都, 谁
WAITING: missing, outstanding, pending, open, to come, to be done
NEEDED:  | 先, 都, 要, 必须, 得, 请, 一定, 记得, 务必
DELIVER:  | 提交, 合并, 发版, 上线, 部署, 推送, 发布, 动手, 改动, 修改, 删除, 合入, 改, push, commit, merge, deploy
KNOWING:  | 知, 懂, 会, 是, 能, 想, 行, 清, 确, 太, 够, 对, 好, 必, 同, 着, 急, 敢, 理, 明, 怕, 在意, 介, 管, 错, 过
PROPERLY:  | 先, 用, 有, 写, 打, 带, 跟, 经, 通过, 保证, 保持, 遵守, 符合, 支持, 兼容, 加, 留, 存, 包含, 同, 统一, 走, 按, 能, 放, 返回, 附, 配, 标, 过, 继承, 实现, 以, 区分, 对齐, 避免, 叫
WRITING:  | 写, 回答, 回复, 答, 命名, 注释, 缩进, 提交, 沟通, 交流, 说话, 讲, 存, 表示, 编写, 解释, 汇报, 覆
BRIEFLY:  | 尽量, 尽可能, 要用, 简短, 简洁, 精简, 保持, 短点, 详细, 统一, 一律, 必须
SHORTLY:  | 简, 短, 详, 细, 精, 得短, 简短, 简洁, 简单, 详细, 精炼
RECURS: every, each time, each commit, each change, each release, each push, each pr, always, never, unless, when*, before, after each,
  per commit, per change, per release, by default, in general, from now on, in the future, in future, going forward, from here on, at all
  times, ever again, no matter, daily, weekly | 每, 都, 凡, 一律, 总是, 以后, 今后
THIS_TIME: this time, this once, just once, only once, just now, for this once | 这次, 这回, 这趟, 这遍, 这一次, 本次
THIS_PIECE: one, once, time, fix, change, task, commit, pr, round, run, step, case, line, request, message, reply, answer | 警告, 报错, 错误,
  改动, 提交, 用例, 函数, 变量
THOSE: ones, one, test*, file*, line*, function*, case*, commit*, place*, row*, change*, call*, message*
HANDLE_IT: do, rename, remove, delete, move, change, touch, add, print, printing, show, use, run, call, log, fix, keep, edit, drop, open,
  mention
HERE: again, here, now, please, there, too, yet, either
AGAIN: run, rerun, re-run, try, do, start, repeat, test, build, check
INPUT: press*, click*, tap*, type*, select*, scroll*, hover*, resize*, drag*, hit*, paste*, swipe*, focus*
HOLDS: never, always, not, n't, don't, must not, still, all, every, each, any, no, nobody, whatever, regardless, at all times, secret*,
  password*
SYSTEM: be, stay, remain, keep, work, run, pass, compile, support, ask, wait
OF_WORK: build, ci, pipeline, release, deploy, deployment, test, suite, lint, linter, check, job, review, code, api, server, service,
  agent, bot, commit, branch, pr, merge, migration, script, hook, team
PROTECTS: touch, change, modify, edit, alter, delete, remove, drop, rename, move, break, commit, push, merge, deploy, publish, release,
  install, upgrade, update, add, create, run, ask, send, write, reformat, format, rewrite, refactor, use, want, like, store, expose, leak,
  swallow, ignore, disable, skip, force, rely, depend, introduce, let, ever, even, start, stop, kill, call, access, open, share, upload,
  overwrite, revert, bump, regenerate
WIDE: any, all, every, each, ever, never, always, anything, anywhere, nothing, no one, nobody, whatever, unless, before, without,
  production, prod, secret*, password*, token*, key, keys, credential*, customer*, personal
PUT: add, make, put, mock, replace, wrap, return, show, print, read, parse, take, keep, leave, use, create, write, pass, include, compute,
  check, move, split, build, store, extend, render, assume, guess
BINDS: must, never, always, do not, don't, cannot, make sure, ensure, avoid, at most, at least, no more than, no less than, without,
  forbidden, not allowed, require, required, requires, have to, has to, shall, unless, as long as, strictly, under no circumstances, be
  careful, no longer, ask me, ask first, before you, should, shouldn't, only, prefer, preferably, instead of, rather than, keep, remember,
  needs to, need to, let's not, stick to, limit, limited to, use, exactly, not more than, up to, constraint, requirement, rule,
  convention, by default, everywhere, from now on, in future, please no | 必须, 务必, 不要, 不能, 不得, 不可以, 不可, 不许, 不准, 禁止, 严禁, 请勿, 切勿, 勿, 千万, 绝不,
  绝对不, 只能, 只允许, 只准, 一律, 始终, 永远, 不允许, 一定要, 至多, 最多, 至少, 不超过, 不少于, 避免, 确保, 保证, 应该, 应当, 不应, 最好, 尽量, 记得, 优先, 统一, 需要, 只用, 只要, 只改, 只在, 仅, 除非, 不用,
  无需, 以后, 要求, 希望, 约束, 规则, 默认, 先问, 注意
REMARK: it, this, that, there, which, what, why, who, how, he, she, they, i, we | 我觉得, 我感觉, 我还, 我也, 我很, 我没, 我每天, 我基本, 我已经, 总是
OUTCOME: done, fixed, found, implemented, added, created, updated, removed, deleted, renamed, moved, merged, committed, pushed, deployed,
  released, complete, completed, finished, resolved, passes, passed, passing, works, work, working, fails, failed, failing, failure, fail,
  broken, cause, caused, causes, because, issue, problem, bug, turns out, the fix, the reason, the answer, in short, summary, all green,
  all tests, now uses, now use, now has, now supports, now support, now returns, now return, no longer, verified, confirmed, correct,
  means | 完成, 修复, 解决, 已, 实现, 新增, 添加, 删除, 更新, 通过, 失败, 原因, 问题, 发现, 结论, 总结, 因此, 所以, 成功, 说明
WHAT_FAILS: fails, failed, failing, failure, fail, broken, cause, caused, causes, because, issue, problem, bug, the reason, means | 失败, 原因, 因此, 所以, 发现, 说明
DONE: implemented, added, created, updated, removed, deleted, renamed, moved, merged, committed, pushed, deployed, wrote, written,
  changed, fixed, reverted, applied, resolved, done, finished, completed, complete, rolled back, put, made, replaced, refactored, in place
  | 完成, 修复, 添加, 新增, 更新, 删除, 实现, 改, 写, 提交, 推送, 合并, 处理, 加
CHEER: ok, okay, good, great, perfect, right, now, next, first, then, and, so, excellent, got it, sure, alright, wait, yes, hm*, ah, oh,
  oops, interesting, nice
LOOK: look, check, see, run, read, start, search, find, explore, review, examine
ACT: go through, start, begin, continue, proceed, add, write, fix, update, create, enhance, implement, make, modify, apply, do, handle,
  remove, rename, refactor, improve, run, check, look, read, search, find, see, explore, review, examine, verify, test, use the, take,
  move, change, edit, clean, extract, try, help, need, investigate, inspect, going through
COURTESY: all green, all good, all done, all set, done, good catch, you're right, you're absolutely right, great question, i apologise, i
  apologize, sorry, my mistake, that makes sense, makes sense, sounds good, no problem, of course, certainly, absolutely, understood,
  here's, here is, here are, this change does, this approach does, this implementation does, this version does, this change makes, this
  implementation makes, this version makes, this approach makes, good question, great
OFFER: would you like, let me know, feel free, if you have, if you need, if you want, is there anything, hope this helps | 希望, 如果您有, 如果有
GUESS: might be, might not, might have, may be, may not be, may have, could be, probably, perhaps, maybe, i suspect, i guess, i wonder, is
  likely, are likely, was likely, were likely, most likely, more likely, quite likely, very likely, seems like, seems that, seems to be,
  seem to be, looks like, apparently, presumably | 可能是, 大概, 也许, 估计是, 应该是, 看起来像, 看起来是, 似乎, 我猜, 怀疑
GOT: see, understand, have a good, have the full, have a clear, have a complete, have a better, have good, know what, get it, found it,
  found the, understood
POLITE_ASK: can you, can we, can u, could you, could we, would you, will you, please, let's | 请, 麻烦, 能不能帮, 帮我, 可以帮
PROPOSES: what about, what if, how about, how if, why not, why don't we, why don't you, do it, do that, do this, do again, try it, try
  that, run it, fix it, should we, should you, should i, shall we, shall i, add it, commit it, push it
SMALL_TALK:  | 喜欢, 觉得最, 有趣, 分享, 适合拍
STEP: commit, push, reply, continue, start, run, check, look, fix, test, verify, dig, debug, investigate, show, explain, open, read,
  review, tackle
OFFERS_TO: want me to, want to, shall i, shall we, should i, should we, would you like me to, would you like to, do you want me to
TAKES: use, take, go with, keep, stick, name, call, store, switch
WHICH: which, prefer, preference, option, approach do, approaches do, approach would, approach should, approach is | 哪个, 哪种, 哪一, 还是, 方案
OPENS: want me to, would you like me to, do you want, shall i, shall we, should i, should we, would you like to have, would you like me to
  have, ok if, ok to, okay if, okay to, how about | 要不要, 需要, 需要我, 是否, 建议, 打算, 准备
DESIGNS: add, remove, move, rename, keep, use, switch, replace, split, merge, support, drop, store, include, included, includes, extract,
  convert, consolidate, separate, inline, make it, make them, make the, put, leave, default, require, allow, cache, limit | 去掉, 删, 改成, 改用,
  改为, 换成, 保留, 拆, 合并, 支持, 放到, 放在, 移到, 缓存, 限制, 默认
TESTS: anything, more tests, more test, tests, test, a test, comments, comment, it
RECOMMENDS: i recommend, i'd recommend, i would recommend, i suggest, i'd suggest, i would suggest, i propose, i'd propose, i'd say, i
  would say, i'd go with, i would go with, i'd use, i would use, i'd keep, i would keep, i'd proceed, i'd put, i'd take, i'd make, i'd
  add, i'd move, i'd drop, i'd inline, i'd merge, i'd split, i would put, i would take, i would make, i would add, i would move, i would
  drop, i would split, recommend, recommended, recommendation, my suggestion, my proposal, my recommendation, proposed solution, proposed
  approach, proposed fix, the plan would be, the plan is, the idea would be, the idea is | 建议, 推荐, 最好的方案, 最佳方案, 最佳做法, 最简单的办法, 最干净的方案, 我会,
  我倾向
BEST: best, cleanest, simplest, safest, right
WAY: solution, approach, option, choice, way, fix
REASON: because, since, the reason, reason:, that way, otherwise, this avoids, this keeps, this means, this way, this lets | 因为, 原因, 否则,
  这样, 理由
GIVES_REASON: because, since, so that, as the, as it, as they, otherwise, instead of, rather than | 因为, 由于, 否则, 以免, 以便
TO_AVOID: because, since, so that, instead of, rather than, as the, as it, as they, as this, to avoid
SAYS_YES: y, yes, yep, yeah, yup, sure, ok, okay, go ahead, go for it, go on, continue, proceed, please do, do it, do that, do so, do
  this, do them, do all, do both, sounds good, looks good, lgtm, agreed, correct, exactly, right, fine, both, all, neither, no, nope, nah,
  the first, the second, the third, the last, the former, the latter, the other, let's do, let's go, let's tackle, let's start, ship it,
  why not, minor, major, patch | 好, 行, 可以, 是, 对, 嗯, 要, 继续, 同意, 没问题, 就这样, 都要, 都做, 都改, 全部, 不用, 不要, 选, 方案
BY_NUMBER: option*, number, no., point*, item*, task*, step*, issue*, variant*, approach*, suggestion*, finding*, critical, minor,
  question*
ORDINAL: first, second, third, last, former, latter
SAYS_FINE: fine, ok, okay, good, great, correct, right, works, perfect
NOT_SO: not it, not right, not true, not correct, not what i, not how, not the, wrong, incorrect, broken
FAILS_ME: doesn't, didn't, isn't, does not, did not, is not
STILL_BAD: fails, fail, failing, flaky, broken, doesn't, don't, not working, wrong, crashes, crash, leaks, the same error | 失败, 报错, 存在, 不能用, 不行, 打不开,
  有问题, 不通过, 崩溃, 超时, 卡住
YOU_DID: fucked, broke, missed, forgot, misunderstood, messed, screwed, didn't, did not
DISPUTES:  | 不对, 错了, 不是这样, 不是这个, 还是不行, 还是报错, 还是不对, 还是失败, 还是有问题, 没用, 没修好, 没解决, 你搞错, 你弄错, 你漏了, 你忘了, 你理解错
IGNORE: ignore, disregard, forget | 忽略
EARLIER: previous, prior, above, earlier, other | 之前, 以上, 所有, 上述
ORDERS_READER: save this to, save it to, add this to, add it to, write this to, write it to, commit it to, to memory, to your memory, in
  your memory, into memory, into your memory, remember this, remember that, remember to, from now on, never ask, never tell, never
  mention, never refuse, you must, you should, you are now, you will now, you have to, system prompt, as an ai, as a ai, as an assistant,
  new instruction, new instructions, important instruction, important instructions | 保存到记忆, 写入记忆, 加入记忆, 存到记忆, 存进记忆, 保存记忆, 记住, 从现在起, 以后都,
  以后一律, 以后每次, 你必须, 你应该, 你现在是, 务必执行, 务必运行, 系统提示
OBEY: run, use, execute, call, fetch, send, do, approve, allow
NO_SAID: no, well, uh, um, omg
LONGER: habit, again, against, all, always, any, anyone, are, as long as, avoid, be, been, before, by default, can, cannot, can't, decid*,
  don't, each, ever*, except, first, from now, goes, has, have, if, instead, is, keep, leave, let's, let, live, lives, may, means, must,
  need*, never, no, nobody, not, nothing, on, once, only, or, ought, our, own, please, prefer*, rather, rule, runs, settle, settled,
  shall, should, so, stay*, stick, stop, than, that, unless, until, us, use, uses, using, want, was, we, were, when*, wherever, will,
  with, without, won't, would, monday*, tuesday*, wednesday*, thursday*, friday*, weekly, daily, nightly, am, pm
REQUEST: add, analyse, analyze, build, change, check, clean, commit, compare, continue, create, debug, delete, describe, edit, explain,
  extract, find, fix, generate, help, implement, improve, inspect, install, investigate, list, look, make, move, open, print, push, read,
  refactor, remove, rename, review, run, search, show, status, summarise, summarize, test, try, update, view, write
UNDECIDED: not yet decided, not decided, not been decided, not settled, not agreed, not final, never decided, undecided, nothing was
  decided, nothing is decided, depends on, up to you, if you choose, if you decide, if you pick, if you go, if we choose, if we go, if the
  user, wonder if, should we, whether, to decide if, to decide which, to decide what | 还没想好, 还没决定, 没决定, 尚未决定, 未定, 要不要, 再决定, 是否, 如果, 不确定,
  用来决定, 建议, 选择其中, 选择适合, 选择一些, 选择困难, 选择哪
OTHERS: you, they, he, she, it, user, which, who | 你, 您, 由你, 他, 他们, 她
CHOOSES: decid*, choos*, chose*, pick*, select*, opt*, can decide, can choose, can pick, could choose, may choose, may decide, should
  decide, should choose | 决定, 选择, 选, 来决定, 可以决定, 可以选择, 可以选
COMMON: the, our, my, your, this, that, these, those, we, all, every, each, it, there, everything, everyone, nobody, nothing, production,
  staging, when, if, what, for, in, on, at, by, from, he, she, they, you, no, any, only, please, let, do, don, don't, never, always, use,
  a, an, there's, it's, that's, let's, we're, we'll, i'm, i'd, whenever, before, after, make, keep, call
PICKS: yes, yep, yeah, sure, ok, okay, please do, agreed, the first, the second, the third, the former, the latter, the last | 好, 行, 可以, 对, 是, 用, 选,
  就, 第, 那就, 还是
HESITATES: ehh, eh, hm*, um, umm, uh, well, so, and, but, ah, oh, also
DECLINES: no, not, neither, i don't know, i do not know, you decide, you choose, can you, could you, explain, what, why, how, now, wait, hm |
  你决定, 你来决定, 你定, 你来定, 你选, 你来选, 不知道, 都行, 随便
ACCEPTS: yes, yep, yeah, yup, sure, ok, okay, please do, do it, do that, do so, do this, go ahead, go for it, go with that, go with it, go with this, sounds good,
  sound good, agreed, fine by me, fine with me, good idea | 好, 行, 可以, 嗯, 对, 同意, 没问题, 就这样, 就这么, 那就这, 那就按, 那就照, 按你
GOES_ON: go ahead, proceed, do it, do that, do this, do so, implement it, implement this, implement that, this approach, that approach, look at implementing,
  look into implementing, what do you think, sounds good, sounds right, sounds ok, sound good, start with it, start with this, start with that |
  怎么样, 如何, 可以吗, 行吗, 好吗
TAKE_BACK: undo it, undo that, undo this, revert it, revert that, revert this, scrap it, scrap that, scrap this, drop it, drop that, drop this, undo all of it,
  undo all of that, undo all that, revert all of it, revert all of that, revert all that, drop all of it, scrap all of it, roll it back, roll that back, roll this back,
  take it back, take that back, take this back, put it back, put that back, roll all of it back, roll all that back | 撤销, 撤回, 回滚, 改回
RULES: rule, rules, constraint*, requirement*, must, never, always, don't, do not, important, guideline*, convention*, limit, limits, keep in mind, avoid,
  preference* | 约束, 要求, 规则, 注意, 必须, 禁止, 规范, 限制, 约定, 偏好, 不要
SETTING: uses, runs on, lives in, is at, is in, is on, is located, is stored, is named, is called, is configured, is deployed, is hosted, is written in, is based on,
  is set to, are in, are stored, are located, requires, depends on, listens on, points to, defaults to, default to |
  使用, 位于, 存放, 依赖, 基于, 采用, 名为, 部署, 运行在, 设为, 监听, 默认
SET_THING: project, repo, repository, server, database, port, path, folder, directory, config, configuration, version, environment, setting, settings, endpoint, url,
  host, service, package manager, framework, timezone, time zone, deadline |
  项目, 仓库, 服务器, 数据库, 端口, 路径, 目录, 配置, 版本, 环境, 设置, 接口, 服务, 框架, 时区, 截止
ASKS_FOR: please, can, could, would, let's, let me, i'll, i will, now, next, add, fix, make, create, update, remove, change, run, write, read, check, look, show, use |
  请, 帮, 让, 把, 给我, 我来, 我先, 接下来
BELONG: go, goes, belong, belongs, live, come, sit, stand, stay, end, start, get, follow
USE: use, write, prefer, give me, follow
MIND:  | 务必, 记得, 记住, 谨记, 牢记, 别忘了, 别忘记, 别忘, 不要忘了, 不要忘记, 注意
PURPOSE: goal, aim, purpose, objective, mission, end goal, whole point, whole idea, point of all this, idea behind, reason we, reason for all
  | 目的, 目标, 初衷, 宗旨, 用意
AIMED: to, that, for, an, a, one, the, getting, making, letting, having, giving, building, being able, because, so that
PRODUCT: tool, tools, app, application, service, site, website, web site, web page, page, portal, program, game, package, cli, bot, platform,
  system, plugin, extension, api, dashboard, compiler, parser, client, editor, product, prototype, engine, framework, library, project,
  book, paper, report, thesis, course, archive, form, newsletter, catalogue, catalog, simulator, checker, converter, importer, exporter |
  工具, 系统, 程序, 小程序, 平台, 网站, 网页, 应用, 软件, 脚本, 插件, 服务, 项目, 报告, 机器人, 游戏, 书, 论文, 课程, 表单, 页面, 命令行, app
ITS: this, the, our, my, its, the whole, this whole | 这个, 本, 我们的, 我的, 整个, 这套, 这款, 该, 这, 我们这个, 整套
IS_MEANT: is meant, is intended, is made, is being built, is built, was started, was built, is supposed, is being written, is going to be used,
  will be used, should help, is there, exists
WOULD_DO: are building, am building, 're building, 'm building, are making, am making, 're making, 'm making, are writing, am writing, 're writing,
  'm writing, want to build, want to make, want to write, want to create, want to develop, would like to build, would like to make, 'd like to build,
  'd like to make, 'd like to write, need to build, plan to build, plan to write, am working on, are working on, 're working on, 'm working on, are
  developing, am developing, 're developing, 'm developing, are trying to build, am trying to build, 're trying to build, 'm trying to build, have
  been building, 've been building, started building | 想做, 要做, 在做, 打算做, 准备做, 计划做, 想写, 要写, 在写, 想开发, 要开发, 在开发, 打算开发, 准备开发, 想搭, 要搭, 在搭, 想建, 要建, 在建, 想弄, 想搞,
  正在做, 正在写, 希望做, 需要做, 需要开发
WISHES: want, need, am after, are after, 'm after, 're after, wanted, am trying to, are trying to, 're trying to, am aiming for, wish for
FINALLY: in the end, at the end of the day, ultimately, eventually, when all is done, at the end of all this | 最终, 归根结底, 归根到底, 说到底, 将来, 到头来
FURTHER: new, more, extra, additional, further, other, external, third-party
READERS: reader, readers, audience, target audience, target group, people who read it, people who will read it, people who use it | 读者, 受众, 目标用户, 看的人, 面向的人群
IS_READ: will be read, is read, are read, gets read, must be readable, has to be readable, goes, is shown, will be shown, is presented
TAKES_IN: take, takes, accept, accepts, get, gets, receive, receives, pass, expect, expects, return, returns, want, wants | 接收, 接受, 传入, 改传, 返回, 收
ARGUMENTS: parameter*, argument*, flag*, boolean*, string*, number*, tuple*, any, one by one, single values, throwing, null, undefined | 参数
PIECE: file, module, class, script, page, table, component, package, function, endpoint, branch, document, sheet
LEFT_ALONE: leave the old, leave the existing, leave the original, leave it as, the old one stays, the old one remains, the old stays, old one untouched, the old
  one alone, stays as it is, stay as they are, as it is, as is, untouched, unchanged, remains for now, keep the old, keep the existing, keep the original |
  保留不动, 先留着, 旧的保留, 原样保留, 旧文件保留, 旧的不动, 原来的不动, 原文件不动, 旧的别动, 不动旧, 不改旧, 保持不变, 保留旧
BY_DESIGN: gracefully, safely, softly, fast, over, open, closed, loudly, silently, as expected, as intended, by design
UNSURE: sure, unsure, certain, uncertain, guessing, stuck, in doubt
MANNERED: tone, voice, style, wording, code, output
`;
