export const stateWords = (): string => `
PROBLEM: error*, problem*, issue*, bug, bugs, reason, cause, output, result, results, response, log, diff, line, lines, message, trace,
  exception, fix, answer, point, thing, variable, loop, function, method, test, tests, build, step, commit, patch, second, last, cursor,
  code, class, screen, page, request, call, process, crash, difference, meeting, button, next, guess, question, mistake, fault, joke,
  hunks, warning*, only problem | 问题, 原因, 错误, 结果, 输出, 报错, 返回, 答案, 提示, 函数, 变量, 意思, 区别, 差异, 测试, 日志里, 显示, 信息, 循环, 光标, bug, build
PLACED: lives, live, resides, sits, sit, is kept, are kept, is stored, are stored, belongs, belong, runs, run, listens, listen, points,
  point, goes, go, comes, arrives, arrive, binds, binds to, expires, times out, defaults, depends, stands, stays, moved, land, lands, ends
  up, end up, is at, is on, is in, is under, is behind, are at, are on, are in, are under, 's at, 's on, 's in, start, starts, share,
  shares, has, have, uses, use, needs, need, is, are | 位于, 存放在, 存在, 存储在, 放在, 部署在, 部署到, 托管在, 托管到, 跑在, 运行在, 指向, 监听, 落在, 写在, 配在, 配置在, 搬到, 迁到,
  挂在, 映射到, 绑定, 发布到, 推到, 同步到, 备份到, 输出到, 打到, 读自, 来自, 依赖, 基于, 归档到, 保存在, 保存到, 继承自, 住在, 喺, 记录在, 定义在, 记在, 收在, 登记在, 归在, 建在, 发在, 贴在, 传到, 汇总到, 记录到,
  跟踪在, 存到, 存成, 放到, 参照
PLACE: port, host, server, folder, directory, file, branch, repo, repository, cluster, region, bucket, database, root, config, vault,
  keychain, cloud, data center, datacenter, machine, container, namespace, channel, wiki, drive, env, environment, variable, laptop, nas,
  rack, basement, office, subfolder, package, submodule, monorepo, production, staging, storage | 盘, 目录, 文件夹, 仓库, 服务器, 库, 库里, 桶, 桶里, 机房, 频道, 群, 群里,
  系统里, 表里, 文件里, 配置里, 存储里, 子目录
PREP: at, on, in, under, from, to, with, through, behind, via, after, into, by, for, out of, next to, below, inside, over, beside,
  outside, up to, above, before, between, per
MADE: called, named, known as, nicknamed, written in, built with, built on, built in, built from, based on, licensed under, managed by,
  managed with, owned by, maintained by, hosted at, hosted on, hosted by, hosted in, hosted with, deployed to, deployed on, deployed in,
  deployed from, deployed with, powered by, run by, operated by, served by, served from, reachable, available at, available under,
  available on, exposed at, exposed on, configured in, configured via, configured through, configured with, defined in, stored in, stored
  at, stored on, kept in, kept at, kept on, located in, located at, saved in, saved to, backed up to, backed up on, backed up every,
  mirrored, mounted at, mounted on, published to, published at, published on, documented in, documented at, tracked in, tracked on,
  tracked with, limited to, restricted to, capped at, set to, set in, set by, set via, read from, generated from, generated into, split
  into, split by, shared with, reserved for, used only for, meant for, intended for, dedicated to, responsible for, kept for, signed by,
  signed with, encrypted with, sent to, sent from, sent through, routed through, measured in, drawn in, stubbed by, pinned to, copied to,
  rotated by, paid for, sold as, sold to, billed in, tested on, tested with, translated by, kept as
ROLE: engineer, developer, designer, tester, manager, director, architect, analyst, scientist, writer, student, intern, freelancer,
  consultant, teacher, researcher, lead, head, dba, pm, cto, ceo, team, company, startup, start-up, group, shop, agency, department, ngo,
  university, hospital, school, bank, crew, owner, maintainer, admin, administrator, beginner, doctor, nurse, lawyer, accountant,
  musician, founder, contractor, sysadmin
PERSON: customers, customer, users, user, clients, client, readers, players, patients, students, colleagues, team, company, department,
  developers, devs, people, audience, stakeholders, investors, employees, boss, manager | 用户, 客户, 同事, 员工, 读者, 学生, 病人, 玩家, 老板, 领导
TENDS: owns, maintains, signs, looks after, takes care of, is responsible for, are responsible for, is in charge of, leads, heads, manages, runs,
  handles, is on call for, administers, signs off, reviews, approves, pays for, keeps, decides | 负责, 主管, 分管, 维护, 管着, 带队, 当组长, 做主, 拍板, 对接,
  审批, 值班, 把关, 跟进, 主导, 牵头, 审核, 签字, 决定, 确认, 验收, 发布, 部署, 处理, 评审, 签收, 批准, 批, 审, 签, 管, 安排, 主持
MEANS: means, stands for, is short for, is our name for, is our word for, is our term for, refers to, is the abbreviation of, is the
  acronym for, is what we call | 指的是, 就是指, 意思是, 的意思是, 是指, 等于说, 代表, 指, 其实就是
ASKING: which, who, whose, whom, why, how, what's, who's, any idea, any chance, any reason, do you, did you, are you, have you, would you
  say, would you choose, would you pick, would you rather, would you prefer, you sure, you think, remind me, tell me what, tell me which,
  tell me who, tell me why, tell me how, tell me where, tell me when, tell me if, tell me whether, whatcha | 是不是, 要不要, 能不能, 可不可以, 行不行,
  好不好, 会不会, 该不该, 对不对, 需不需要, 用不用, 有没有, 係咪, 系咪, 使唔使, 得唔得, 是否, 来着, 怎样, 为啥, 为何, 边个, 点解, 点样, 几时, 乜嘢, 到底, 对吧, 是吧, 没错吧, 为什么
AUX: is, are, do, does, did, was, were, should, shall, could, would, will, won't, wouldn't, shouldn't, couldn't, isn't, aren't, don't,
  doesn't, didn't, can't, can, has, have, had, may, might, must, am
ASKED_OF: i, we, it, there, this, that, they, he, she, the, my, our, any, anyone, anybody, someone, somebody, everyone, these, those
SAYER: it, he, she, they, somebody, someone, docs, documentation, log, logs, error, message, page, output, compiler, linter, manual,
  readme, tool, test, warning, article, tutorial, book, internet, colleague | 它, 他, 她, 他们, 有人, 文档, 日志, 报错信息, 错误信息, 提示信息, 报错, 提示, 系统, 编译器, 页面, 网上, 教程, 书
SAYS: say, says, said, claimed, wrote, writes, tells, told, claims, reports, report, complains, warns, states, prints, insists, thinks, wants me, wants us | 说,
  写着, 写的, 显示, 讲, 告诉, 要求我, 觉得, 认为
DOUBT: undecided, not convinced, not sold on, have my doubts, have doubts, unsure, unclear, undetermined, torn between, up to you, you decide, you choose, you pick, you can choose, you are free
  to, you're free to, your call, your choice, your decision, whatever you, as you like, as you wish, as you prefer, maybe, perhaps, might,
  i suppose, i guess, i wonder, i think, i assume, i'd assume, i doubt, i believe, i imagine, probably, possibly, presumably, thinking of,
  thinking about, thought about, considering, consider using, contemplating, leaning, let me think, let me sleep, let me check, let me
  see, sleep on it, still open, open question, remains open, to be decided, to be determined, to be discussed, to be defined, tbd, tbc,
  don't know, do not know, no idea, not sure, depends on whether, depends on what, depends on how, depends on who, it depends, whether,
  what if, how about, what about, i never said, nobody said, never said, we'll see, we will see, can't decide, cannot decide, hesitat*, on
  the fence, wishful, would be nice, would be great, would be cool, would be better, wouldn't it, could go, could be, could use, could
  try, could do, could have, could move, could switch, could take, could pick, could choose, could also, could just, might want, some day,
  someday, one day, in theory, hypothetically, unless you, sounds like, sound like, pros and cons, either way, or so i, don't care, do not
  care, doesn't matter, not that i, rumour*, rumor*, proposal, proposed, suggest*, i'm mistaken, don't think, to decide, i forgot | 还没,
  还未, 尚未, 未定, 未决, 没想好, 没有想好, 没决定, 没定, 没有决定, 没确定, 没谈, 没商量, 没讨论, 没敲定, 没说过, 没拍板, 没个准, 仲未, 未谂, 待定, 没准, 不确定, 说不准, 不一定, 不好说, 拿不准, 吃不准, 可能, 也许,
  或许, 大概, 好像, 似乎, 估计, 我猜, 我想想, 早知道, 要是当初, 本来想, 差点, 再看看, 看看再, 再说吧, 再议, 再商量, 再讨论, 再考虑, 考虑考虑, 考虑一下, 考虑中, 考虑换, 考虑用, 考虑要, 在考虑, 正在考虑, 在想, 想着,
  打算不, 打算看, 随便, 随你, 都行, 都可以, 无所谓, 看着决定, 看着定, 你定, 你决定, 你来决定, 你来定, 你选, 你挑, 你拿主意, 你话事, 看你, 听你的, 看情况, 要不试, 要不用, 要不换, 要不就, 要不还是, 要不我们, 要不先,
  要不咱们, 不如试, 不如用, 不如换, 纠结, 犹豫, 举棋, 左右为难, 试试, 建议, 提议, 设想, 理论上, 据说, 听说, 万一, 不急着, 也可以用, 还可以用, 也可以试
IF: if we, if i, if they, i would, i could, i may, i wish, we would, we could, we may, we wish, 'd be nice, 'd be great | 如果, 假如, 要是, 万一,
  倘若, 的话
BINDING: must, always, never, have to, has to, shall, required, do not, don't, rather, prefer | 必须, 务必, 一定要, 不要, 不得, 不能, 禁止, 都要, 都得, 先问,
  一律
THING: commit*, function*, test*, name*, comment*, answer*, code, type*, diff*, message*, file*, line*, branch*, tab, tabs, space*,
  quote*, editor, vim, emacs, review*, merge*, rebase*, squash*, format*, doc*, pull request*, pr, prs, variable*, class*, module*,
  library, libraries, api*, log*, style, import*, dark mode, json, yaml, sql, typescript, python, explanation*, summary, summaries,
  example*, abstraction*, dependency, dependencies | 提交, 说明, 注释, 代码, 函数, 测试, 文档, 回答, 回复, 命名, 变量, 格式, 缩进, 分支, 合并, 接口, 日志, 编辑器, 样式, 依赖, 框架,
  库, 表格, 列表
LATER: later, afterwards, after that, after this, once, when that, when this, when it's, when you're, when you are | 之后, 回头, 稍后, 晚点, 等
LEFT: remaining, next up, fixme, open items, open points, open issues, open tasks, outstanding, unfinished, what remains, what is left, what's left, left
  for later, left for another day, left for tomorrow, left for now, left to do, still to do, still open, still missing, next steps, next
  step, todo, to do, not yet done, not done, follow-up*, open questions | 剩下的工作, 剩下的任务, 尚需, 尚待, 有待, 遗留, 还差, 还剩, 还没做, 还没有做, 还没迁, 还没改, 还没修,
  还没写, 还没测, 还没处理, 还没完成, 下一步需要, 下一步是, 下一步要, 待办, 尚未完成, 尚未实现, 尚未处理, 尚未修复, 还需要做, 还需要补, 还需要改, 还需要处理, 未完成
REST:  | 下一步, 下一步要做的, 接下来, 接下来要做的, 接下来要做的是, 剩下, 剩下的, 剩余, 剩余工作, 还剩, 待办, 后续, 后续工作, 遗留, 遗留问题
WORLD_DOES: arrived, stopped raining, stopped snowing, slept, eaten, recovered, healed, landed, married, woken | 亮, 回来, 回家, 下班, 毕业, 结婚, 上学, 放学, 开学, 放假, 起床, 康复, 退烧, 消气, 天亮
WORLD:  | 疫情, 比赛, 电影, 节目, 雨, 雪, 夏天, 冬天, 假期, 暑假, 寒假, 考试, 学期, 战争, 演出, 婚礼, 手术, 感冒
REMAINING: left, remaining, remain, remains, open, outstanding, pending, unfinished, missing
HANDLE:  | 解决, 修, 写, 改, 测, 补, 跑, 做, 加, 迁, 接, 更新, 处理, 部署, 完成, 实现, 提交, 推送, 验证, 合并, 上线, 翻译, 通过, 过, 删除, 清理, 重构, 发布, 复现, 定位
DECIDING: decision, answer, approval, input, confirmation, go-ahead, choice, ok, feedback, review, call, decide, confirm, choose, pick |
  决定, 确认, 定一下, 定下, 定夺, 拍板, 批准, 选, 审批, 回复, 答复, 同意
COULD_NOT: could not, couldn't, was unable to, were unable to, am unable to, are unable to, failed to, was not able to
FINISH: reproduce, fix, solve, resolve, finish, complete, test, verify, check, run, deploy, push, build, get it to, get to, find the cause
MENDED: fixed, solved, resolved, finished, complete, completed, done, working, ready
FINISHED: done, implemented, finished, written, updated, tested, wired, ported, fixed, migrated, deployed, documented, started, merged,
  reviewed
LEAD: um*, uh*, er, erm, hm*, ah, oh, ok, okay, right, alright, well, yeah, yes, yep, yup, sure, listen, look here, hey, hi, hello, so,
  and, but, also, then, now then, please, pls, plz, like, you know, i mean, actually, basically, btw, by the way, fyi, just so you know,
  for the record, for your information, one more thing, another thing, a reminder, reminder, heads up, note, note that, nb, important,
  careful, attention, remember this, remember this one, remember that, remember, please remember, please remember that, keep in mind, keep
  in mind that, bear in mind, bear in mind that, be aware, be aware that, get this, listen up, next thing, next one, one more, because of
  that, because of this, reckon, i'll say it once, mind you, as i said, like i said, as agreed, as discussed, in short, long story short,
  seriously, honestly, trust me, whatever you do, once and for all, the thing is, good, great, fine, perfect, thanks, thank you, cool,
  nice, to be clear, just to be clear, for context, in general, generally, of course, obviously, oh and, my friend, guys, folks, just to
  be sure you know, the thing you have to know about it is, two things, one thing, a few things, two things to know, alright then, again,
  for future reference, omg, all right, going on | 嗯*, 呃*, 额*, 啊, 哎, 诶, 欸, 唉, 哦, 噢, 喂, 那个, 这个, 就是, 就是说, 然后, 对了, 另外, 还有, 其实, 总之, 反正, 话说,
  补充一下, 再补充一点, 提醒一下, 说明一下, 顺便说一下, 顺便, 顺带, 记住啊, 记住, 记一下, 你记一下, 请记住, 注意, 好的, 好, 行, ok, 听好, 听好了, 首先, 所以, 因此, 不过, 但是, 但, 而且, 并且, 还有一个, 还有一点,
  然后还有一个, 然后呢, 我跟你说一下, 我跟你说一下啊, 跟你们说, 恁记住, 你记住, 侬记牢, 记牢, 记得哈, 你晓得, 你要知道, 你记得, 拜托, 首要的是, 跟你说, 跟你讲, 我跟你说, 是这样, 是这样的, 这样, 重点, 请注意
TAG: ok, okay, got it, understood, alright, deal, please, pls, thanks, thank you, thx, clear, no exceptions | 好吗, 行吗, 可以吗, 懂了吗, 知道吗, 明白吗,
  知道了吗, 好不好, 晓得不, 晓得伐, 记住了吗, 谢谢, 拜托, 别忘了, 别忘记, 别忘, 记住了, 记住, 唔好唔记得, 知道了吧, 哈
WHOSE: the, our, my, all, all the, all our, all my, most, most of the, most of our, your, their
SAY_HOW: mostly, mainly, usually, currently, also, only, always, still, just, really
LIVE: work, live, teach, study, sit, freelance, based, located, from, living, employed, studying, responsible for, in charge of, new to,
  fluent in
TIME_OF: mornings, evenings, afternoons, nights, weekends, part-time, part time, full-time, full time, remotely, half days, four days
SPEAK: speak, read, write, understand, code in, program in, know, learn, am learning, own, drive
PERSON_DOES: are, is, have, has, use, uses, speak, speaks, sit, sits, live, lives, work, works, come, comes, expect, expects, pay, pays,
  read, reads, run, runs, start, starts
MOOD: waiting, complaining, angry, happy, unhappy, asking, not, right, asleep, here, there, back, it
REACH: reach, find, contact, email, call, text, ping
CALLERS: everyone, everybody, people, customers, users, we, they, colleagues, i
LONG: lasts, last, lives, live, is valid, are valid, is kept, are kept, is good, is stored, are stored, stays valid, runs, run, takes,
  take, expires, expire, kept, be kept
TIME_UNIT: seconds, second, minutes, minute, hours, hour, days, day, weeks, week, months, month, years, year
FOUND: reached, found, accessed, opened, viewed, deleted, removed, changed, downloaded, contacted, looked up, seen
KEPT_IN: lives, live, resides, reside, is kept, are kept, is stored, are stored, belongs, belong, sits, sit
MADE_FOR_NOW: highlighted, printed, thrown, raised, caught, skipped, triggered, blocked, caused, by me, called twice, set twice, by the
LOUD: mock, ensure, check, verify, remove
TERSE: short, brief, long, concise, detailed, plain, simple, small, single, double, strict, full, british, american, terse
BOOK: rule, policy, convention, guideline, requirement
FOLLOW: follow, stick to, adhere to, respect, obey, comply with, conform to, stay with, stick with, prefer, favour, favor, treat, indent
  with, target, limit yourself
CHORE: link, steps, stack, trace, plan
GOES: gets, get, goes, go, are, is, has, have, uses, use, starts, start, ends, end, comes, come, belongs, belong, lives, live, stays,
  stay, follows, follow, runs, run, happens, takes
NOT_OVER: start, fall, hand, roll, carry, go, went, get, look, hover, move, take, trip, bend, way, all, good, great, bad, almost,
  absolutely, certainly, definitely, probably, maybe, found, am, is
SET_APART: time, ages, forever, longer, hours, it, this, that, more, too, help
KEEP_ON: keep you, keep an eye, keep looking, keep trying, keep going, keep it in mind, keep that in mind, posted, drop you, drop by, drop
  in, drop off, stay in touch, stay in bed, stay at home, take a, take it, take care, take you, take the first, take the next, take one,
  take this, take that, keep it, keep at, drop it, drop that, drop this, skip it, skip that, skip this, skip ahead, do it, do that, do
  this, do so, do some, do a, do another, do more, do both, have a look, have a break, use it, use that, make it
TURN_TO: moving, migrating, switching, porting, rewriting, replacing, consolidating, splitting, merging, moved
FEATURE: system, feature, idea, plan, project, module, service, work, integration, support, release, layer, cache
END_WITH: scrap, forget, kill, cancel, postpone, ditch, bin, drop
STAY: stays, stay, remains, remain, moves, move, goes, switches, switch, sticks, stick
SLIGHT: mess, joke, disaster, problem, pain, bit, little, good, bad, nice, lot
NOT_MINE: problem, question, guess, bad, mistake, point, idea, error, thought, turn, first, only, last, issue, fault, fear, hope
MUTE: said, knew, saw, had, got, get, thought, heard, see, end up, run into, find, know, want, need, can, will, hate, laugh, did, went
ALIEN: error, timeout, crash, exception, warning, time
NOT_CUSTOM: has, had, want, can, got, get, try, still, just, keep getting, agree, guess, hope, ll, ve, re, almost, maybe, too, end, look,
  found, talked
MINUTE: first, second, third, next, last, new, other, same, whole, current
MISSES: need, needs, still need, has, have
AND: and, so, but, then, that, since, where, because, today, yesterday, while
HAVE: 've, 's, 'd, have, has, had, were, 're, are
NOT_LIKED: where, it, that, this, these, those, your, how, what, you, to see, to know, to say, to think, to decide, when it, not to, the idea,
  the look, the way, the new, the result, the first, the second, him, her, them
NOT_CALLED: later, back, when, if, after, at, on, again, crazy, a, in, asap
TRAIT: native, fluent, colour blind, color blind, on call, colour-blind, colourblind, color-blind, left-handed, dyslexic, deaf, blind, allergic, vegetarian
OWNED: linux, windows, mac*, ubuntu, vim, emacs, neovim, kids, children, cats, dogs, monitors, screens
SETS: is, are, =, :, equals, 's, is set to, defaults to, will be, has been, was set to
NO_VALUE: off by, it, that, this, not, a bit, a mess, a problem, a pain, a joke, to, what, why, how, because
LOOSE: please, nothing, something, let, see you, talk, let's, i'll, i was, i did, i had, i saw, i have
SHOWS: line, lines, gives, give, says, say, shows, show, prints, returns, looks, look, seems, throws, keeps, wants, makes, does, doesn't,
  isn't, don't, still, let
WHEN: when, if, before, after, once, whenever
UPON_EVENT: when, if, once, where, after, as soon as, until, while
CULPRIT: problem, error, issue, bug, reason, cause, fault, culprit, guy, thing, result, answer, it, this, that, there, they, something,
  someone, i
POLITE: you, we, please, always, also
SURE: make sure, ensure, be sure, see to it, take care, remember, don't forget
OPEN_WORD: decid*, settled, settle, agreed, agree, chosen, choose, picked, pick, certain, clear, final, decision, conclusion, consensus,
  agreement
SKILL:  | 会, 懂, 熟悉, 熟, 擅长, 看得懂, 看不懂, 不会, 不懂, 精通, 不熟, 在学, 学过, 用过, 只会
NOT_NAMED:  | 你, 他, 她, 人, 什么, 我们, 我去, 我来, 车, 外卖, 起来, 醒, 停, 做什
RENAMED:  | 改名, 更名, 改叫, 叫做, 叫, 名为, 命名为, 简称, 代号
FROM_TO: to, from, with, over, back, away
NO_NAME: what, as, how, so, here, who, like, because, where, when, the way
SHORT_LIVED: meeting*, call, lunch, dinner, flight, party, order, class, line, connection, packet, request, job, message, button
ONE_ITEM: test, line, error, one, item, try, attempt, time, file, row, step, run, call, request, result
OTHERWHERE: the same, the error, the screen, the line, the page, it, this, that, my, me, bed, home, mind
GO: go, going, we go, i'd go, i go
IDLY: it, that, this, the flow, lunch, a
ASK_IT: give, show, tell
REASONS: details, reasons, explanation, rest
OWN: have, own, use, run, type on, code on, work with
AS: with, and, as, for, on, under
US: me, us, the, our, my, all, every, more
MATTERS: important, matters, matters most, crucial, essential, key
RUN_WITH: run, runs, use, uses, host, hosts, deploy, deploys, keep, keeps, store, stores, work with, works with, depend on, depends on,
  require, requires, need, needs, support, supports, target, targets, serve, serves, expose, exposes, accept, accepts, ship with, ships
  with
COUNTED: tabs, spaces, hosts, servers, instances, replicas, nodes, branches, environments, databases, regions, shards, workers
`;
