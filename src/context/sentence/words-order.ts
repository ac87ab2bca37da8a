export const orderWords = (): string => `
IT: it, this, that, these, those, there, he, she, they, him, her, them, something, someone, somebody, which | 它, 他, 她, 这, 那, 谁
YOU: you, u, ye, y'all, youse, you guys, you lot, you all, one | 你, 您, 恁, 侬
I: i | 我, 俺, 本人, 偶
WE: we, our team, the team, this team, our company, this repo, this project, this code base, this codebase, our group, us | 我们, 咱们, 咱, 俺们,
  我哋, 阿拉, 公司, 团队, 项目组, 我们组, 我们这边, 这边, 这个项目, 本项目, 项目里, 我司, 客户
WHO: we, i, they, he, she, everyone, everybody, you and i, team, management, boss, client, customer, board, lead, manager, cto, ceo,
  owner, architect*, group, committee, company, devs, developers, stakeholders, people, users, security, legal, ops, finance, marketing |
  客户, 老板, 甲方, 领导, 用户, 产品经理, 法务, 安全组, 运维, 财务, 测试组, 组长
OURS: the, our, my, your, their, its, this, all, each, every | 我们的, 我们, 我的, 咱们, 咱, 公司的, 项目的, 这个
NEGATION: not, never, no longer, cannot, can't, don't, do not, won't, without, nothing, no one, nobody, none, hardly, n't yet | 不, 没, 未,
  别, 无, 勿, 唔, 冇, 弗, 莫
BAN: do not, don't, never, avoid, refrain from, quit, hands off, keep away, keep out, keep off, keep clear, stay away, stay off, stay out,
  stay clear, under no circumstances, no touching, not to, please not, keep your hands off, keep your fingers off, steer clear, desist
  from, dinnae, doesn't ever, careful never to, careful not to | 不要, 不许, 不准, 不得, 不可以, 不可, 不允许, 不该, 不应该, 不应当, 不应, 不宜, 禁止, 严禁, 切忌, 请勿, 切勿,
  切莫, 甭, 休想, 杜绝, 避免, 拒绝, 唔好, 唔可以, 唔准, 唔得, 唔畀, 唔使得, 勿要, 勿好, 勿可以, 弗要, 弗好, 覅, 莫要, 莫得, 不兴, 不让, 不能够, 不带, 不容许, 禁用, 谢绝
IDLE: worry, mind, bother, care, know, think, understand, hesitate, panic, sweat, be, forget, say, laugh, give up, thank, wait, see, have,
  need, look, feel, get, believe, recall, seem, agree, remember, mean, find, expect, notice, hear, like it, want to, heard, seen, been,
  had, thought, knew, known, got, gotten, done, made, said, told, met, went, felt, found, came, saw, took, tell me, get me, hate, sure,
  yet, work, ask why | 客气, 担心, 着急, 急, 谢, 忘, 误会, 见怪, 闹, 慌, 怕, 生气, 介意, 难过, 灰心, 笑, 吵, 说了, 提了, 逗, 开玩笑, 啰嗦, 这样, 那样, 管它, 紧张, 理, 想太, 太, 停
POINTING: it, this, that, these, those, them, so, anything, something, everything, there, here, one, ones, too, much, any, the, a, an, my,
  your, me, to, at, in, on, of, for, with, please, ok, okay, either, like, just, ever, and, or, do, all, then, us, him, her, out, off, up,
  again, now
NOBODY: nobody, no one, none of us, ain't nobody, nothing, no human, no person, not a single person | 没人, 谁都, 谁也, 任何人都不, 任何人不, 任何人都, 任何人也
MAY: may, can, could, should, must, shall, is allowed, are allowed, is to, are to, gets to, get to, has permission, is permitted | 能, 可以,
  准, 许, 才能, 才可以, 有权, 允许
CANNOT: can't, cannot, can not, may not, may never, can never
MUST_NOT: must not, mustn't, must never, may not, may never, shall not, shall never, shan't, should never, should not, shouldn't, have to
  never, has to never, is never to, are never to, is not to, are not to, ought not to
MUST: must, shall, is to be, are to be, are required to, is required to, is expected to, are expected to, is supposed to, are supposed to,
  is obliged to, are obliged to, may only, can only, are to, is to | 必须, 必需, 务必, 务须, 一律, 强制, 硬性要求, 硬性规定, 严格按, 严格遵, 严格执行, 应当, 须要, 须得, 死规矩,
  铁律, 规定, 一定要, 一定得, 必得
SHOULD: should, needs to, need to, ought to, has to, have to, has got to, have got to, gotta, wants to be | 要, 得, 应该, 应, 需要, 需, 该
REQUIRE: requires, require, needs, need, demands, wants, expects, insists on, only accepts, asked for, calls for | 要求, 非要, 只认, 坚持, 不收,
  不接受, 点名要, 指定, 必须, 不要, 只要
ALLOWED: allowed, permitted, supposed, acceptable, ok, okay, authorized, authorised, welcome, to be
FORBIDDEN: forbidden, prohibited, banned, verboten, taboo, off limits, off-limits, out of bounds, not allowed, not permitted, not
  acceptable, not ok, not okay, a no-go, no-go, a strict no-go, untouchable, disallowed, frowned upon, not to be, read-only, frozen, off
  the table here, against the rules, against our rules, not supposed to, a no no | 不允许, 不行, 不可以, 不给, 禁区, 红线, 碰不得, 动不得, 改不得, 禁用, 不能碰, 不准碰,
  唔郁得, 唔好郁, 不容许, 违规, 只读, 没商量, 不予合并, 不收
BE: is, are, 's, 're, stays, stay, remains, remain, was, were, be, been, being, am, 'm
NOW: yet, for now, right now, just now, now, this time, this once, at the moment, for the moment, today, tonight, again, tomorrow, a
  minute ago, until i, until we, just this, for a sec, for a bit, for a minute, for a second, for a moment | 先别, 先不要, 先不用, 暂时, 暂且, 这次, 这回, 今次, 今天, 等一下, 等会, 等我, 一下, 刚才, 刚刚,
  刚加, 上面那, 上面这, 下面那, 下面这, 再跑, 再试, 给我看, 麻烦, 目前先, 眼下先
ALWAYS: always, never, ever, whenever, every time, each time, with every, with each, from now on, in future, in the future, henceforth,
  going forward, from here on, by default, as a rule, by convention, before every, before each, before any, before you, after every, after
  each, after any, no exception*, without exception*, at all times, every single, no matter what, whatever happens, under any
  circumstances, under no circumstances, until further notice, for good, permanently, from today, from today on, as a matter of principle, on
  principle | 千万, 绝对, 永远, 任何时候, 一律, 严禁, 务必, 无论, 谁都, 谁也, 必须, 以后, 始终, 今后, 往后, 日后, 从今往后, 从今以后, 从今天起, 从现在起, 从现在开始, 今次起, 总是要, 时刻, 长期, 全程, 一直要,
  每次都, 凡是, 但凡
ALL: all, every, each, any, everywhere, anywhere, throughout, only, exclusively, mandatory, compulsory, at most, at least, no more than,
  no less than, no fewer than, wherever, in this repo, in our repo, in this project, in our project, in this code base, across the, per
  request, per file, per commit, per day, per user, per page, per pr, per test, per module, per function, per class, per table, nothing,
  nobody, no | 所有, 全部, 每个, 每条, 每次, 每份, 每张, 每行, 每篇, 每一, 每逢, 每当, 每, 凡是, 凡, 任何, 各个, 一切, 但凡, 全体, 全都, 统统, 通通
LASTS: stay, stays, remain, remains, keep working, keep running, keeps working, still, compatible, compatibility, support*, comply,
  complies, conform*, within, under, below, above, less than, more than, up to, no longer than, not exceed, unique, pass, be able, be
  idempotent, be signed, be documented, be encrypted, be reversible, be deterministic, be accessible, be responsive, be stateless, be
  thread-safe, works on, work on, run on, run in, work with, work without, build on, compile on, in english, in german, in french, in
  chinese, sign, keep
UNCHANGED: as is, as it is, as they are, where it is, where they are, unchanged, intact, stable, compatible, untouched, separate, private, public, small, short,
  simple, in sync, up to date, alphabetical, sorted, alone, be, in peace, secret, frozen, that way, mandatory, optional, readable,
  backward compatible, backwards compatible, clean, out of | 不变, 兼容, 原样, 稳定, 简短, 不动, 整洁
ASK: ping, let me know, run it past, ask, check with, confirm with, consult, talk to, warn, notify, wait for, get my, get our, get an, show me, tell me, run it by, clear
  it with | 问, 请示, 通知, 告知, 征求, 跟, 同, 和, 找, 报备, 商量, 打招呼, 吱, 说, 过一下, 给我看
WORK: use, push, commit, touch, change, edit, run, delete, deploy, merge, write, import, call, add, log, store, modify, access, rely,
  rename, remove, publish, release, install, upgrade, send, expose, ship, keep, share, drop, break, charge, collect, format, mock, read,
  create, update, bump, open, skip, disable, hard-code, hardcode, copy, force-push, force push, amend, print, depend, move, allow, build,
  have, do, take, accept, support | 用, 动, 改, 碰, 删, 占, 传, 推, 提, 写, 发, 进, 合, 升, 变, 缺, 省, 漏, 拖, 少, 带, 公开, 外传, 覆盖, 修改, 删除, 关, 停, 跳过, 绕过, 提交,
  引入, 依赖, 加, 放, 出现, 使用, 直接
STYLE: use, write, keep, name, put, store, answer, reply, ask, follow, document, prefer, make sure, ensure, be sure, log, return, commit,
  push, deploy, bump, sign, format, indent, prefix, start, end, have, treat, batch, avoid, give, sort, pin, quote, escape, validate,
  address, speak, stick, send, tag, squash, rebase, review, leave, limit, declare, define, import, export, annotate, mark, label, group,
  test, cover, assume, expect, respect, tell, talk, explain, only, don't forget to, remember to, see to it, note, record, order, wrap,
  cite, translate, run, respond, comment, communicate, restrict, confine, cap, hold, target, stick to, adhere to, obey, comply with,
  conform to, favour, favor
CRASH: crash*, fail*, hang*, break*, broke, error*, slow | 报错, 失败, 崩, 慢, 挂
TASK: fix, check, look, go, show, list, find, read, count, tell, give, print, explain, try, open, search, rename, move, convert, refactor,
  replace, remove, delete, copy, create, implement, build, debug, investigate, summarise, summarize, review, compare, translate, see,
  figure, let me, let us, let's, run, add, make, generate, install, download, start, stop, continue, wait, cache, sort, update, change,
  write
ONCE: fix*, change*, update*, done, check*, restart*, rename*, remove*, rebuil*, move*, look, find, finish, debug, wait, talk, discuss,
  figure, solve, add, refactor*, rewrit*, investigat*, scroll, close, eat, leave, sleep, wrong, broken, stale, missing, down, some,
  kidding, joking, tired, fine, ok, okay, good, ready, enough, possible, careful, working, so, say, admit, see, know, hear, think, try,
  have been, have seen, i, we, you, help, a typo, a bug, a mistake, a joke, a better, a way, a reason, the one, the same, the cause, the
  problem, the third, a race
FAULT: off by, crash*, fail*, break*, broke*, hang*, hung, freezes, freezing, froze, stuck, slow*, wrong, forget*, forgot*, error*, yell*, annoy*, die, dies,
  died, timeout*, times out, los, loses, losing, misses, missing, ignor*, complain*, finish*, load*, respond*, flaky, red, down, useless,
  ridiculous, stupid, damn, hate it, mess, nightmare, painful, laggy, leak*, reject*, refus*, disappear*, vanish*, empty, undefined, null,
  500, 404, 403, exception*, bug*, laugh*, happens, happen, mistaken, works, work | 报错, 失败, 崩, 卡住, 卡死, 卡在, 慢, 老说, 挂, 坏, 红, 丢, 乱, 出错, 出问题,
  有问题, 不行, 烦死, 超时, 错误
IDLE_NO: problem*, worries, idea, need, rush, thanks, way, doubt, luck, clue, wonder, errors, one, matter, it, i, that, we, you, this,
  they, he, she, the, let, but, and, not, just, wait, go, more questions, difference, result, output, response, effect, success, sign,
  trace, time, such, issue*, reason, point, hurry, changes yet, decision, agreement, yes, sorry, really, thank, in
SCOPE: repo, repository, project, code, code base, codebase, folder, directory, package, service, app, team, company, branch, machine,
  server, host, environment, database, module, library, monorepo, product, org | 项目, 仓库, 库, 工程, 产品, 服务, 模块, 目录, 文件夹, 包, 老, 旧, 系统, 团队, 公司,
  平台, 组, 规则, 词, 字, 单词
LANGUAGE: english, german, french, spanish, chinese, mandarin, cantonese, japanese, italian, polish, portuguese, dutch, korean, russian,
  turkish, arabic, hindi, swedish, czech, present tense, past tense, plain words, markdown, imperative mood | 中文, 英文, 英语, 汉语, 日语, 普通话, 粤语
SPEECH: answer*, repl*, respon*, write, speak, talk, explain*, comment*, communicate, address me, document*, message*, name, names, docs,
  text* | 解释, 回答, 回复, 答案, 注释, 提交信息, 提交说明, 说明, 文档, 代码, 变量名, 变量, 函数名, 函数, 命名, 汇报, 输出, 报告, 日志, 文件名, 表名, 错误信息, 答复, 讲解, 标题
NUMBER: one, two, three, four, five, six, seven, eight, nine, ten, twelve, fifteen, twenty, thirty, forty, fifty, hundred, a page, a
  screen, a line, a minute, a second, half | 一, 二, 两, 三, 四, 五, 六, 七, 八, 九, 十, 百, 千, 万, 几, 半
BOUND: smaller than, larger than, shorter than, faster than, fewer than, no lower than, no higher than, no bigger than, no smaller than, no shorter than, not above, not below, min, minimum, at most, no more than, not more than, no longer than, at least, no less than, no fewer than, up to, maximum of, max, must stay
  below, stay below, stay under, stay within, exactly, never more than, within, under, below, less than, maximum | 至多, 最多, 至少, 最少, 最大, 最小, 最长, 最短, 最高, 最低, 顶多, 小于, 大于, 短于, 死限, 压在, 不多于, 不超过,
  不得少于, 不少于, 不低于, 不得低于, 不高于, 不得高于, 不得超过, 不能超过, 不能低于, 不大于, 不小于, 上限是, 上限为, 上限, 下限是, 下限为, 控制在, 限制在, 限制为, 保持在, 低于, 高于
LIKE: prefer, prefers, favour*, favor*, can't stand, cannot stand, dislike*, hate, hates, like, likes, love, loves, enjoy*, despise*,
  insist on, insists on, tend to, tends to, avoid, avoids, swear by, swears by, am a fan of, am fond of, am used to, am allergic to, am
  not a fan of, 'm a fan of, 'm fond of, 'm used to, 'm allergic to, 'm not a fan of, do not like, don't like, can't bear, would be upset
  | 喜欢, 偏好, 偏爱, 习惯, 更愿意, 讨厌, 受不了, 看不惯, 中意, 钟意, 爱用, 倾向于, 倾向, 推崇, 反感, 反对, 欢喜, 稀罕, 待见, 最烦, 最怕, 最恨, 愿意, 崇尚, prefer, like, hate
USUALLY: always, kindly, usually, generally, typically, normally, mostly, never, rarely, as a rule, by default, tend to, hardly ever, almost
  never, mainly, only, all, habitually, ordinarily, still, really, strongly, much, definitely, also, personally, just, clearly,
  absolutely, truly, would | 一般, 通常, 平时, 平常, 素来, 一向, 向来, 基本, 基本上, 常年, 多半, 大多, 往往, 都, 只, 统一, 一律, 全, 主要, 均, 默认, 从不, 从来, 总是
DECIDED: decided, agreed, chose, chosen, opted, settled, voted, concluded, resolved, standardised, standardized, committed to, signed off,
  are set on, made up our minds, made up my mind, made up his mind, made up her mind, made up their minds, landed on, fixed on, rejected,
  ruled out, turned down, approved, adopted, picked, selected, went with, went for, ended up choosing, ended up using, ended up going,
  ended up with, ended up picking, ended up keeping, dropped, abandoned, scrapped, postponed, replaced, canceled, cancelled, ditched,
  retired, deferred, discontinued, choose, pick, go for, decide, settle on, shelved, green-lit, have gone with | 决定, 敲定, 拍板, 商定, 议定, 选定,
  选中, 定下, 定死, 谈妥, 谈好, 说好, 说定, 讲好, 商量好, 商量定, 讨论好, 一致同意, 一致通过, 拍咗板, 搞掂, 决议, 达成一致, 拿定主意, 打定主意, 下定决心, 选用, 采用, 选择了, 相中, 定为, 定成, 定咗, 拣咗, 揀咗, 立项,
  拍定, 选了, 定了, 批准了, 确定用, 确定走, 确定为, 确定采用, 确定选, 确定做, 确定不, 确定了, 确定下来, 定好, 定的是, 定在, 选的是, 同意用, 同意按, 同意采用, 同意走, 最后选, 最终选
MOVED: switched, moved, migrated, went back, changed over, upgraded, downgraded, converted, rolled over
SMALL: nothing, to talk, to meet, to discuss, to wait, to look, to think, to go, to have, to get, to eat, to sleep, to leave, to try, to
  call, to stop, to buy, to do it, to give, to take, to move the, to read, something similar, what, if, whether, how, later | 去, 回, 吃, 睡,
  休息, 出去, 不去, 出门, 先去, 一下, 不了, 权, 性, 于, 看
TAKE: use, go with, go for, go ahead with, go back to, keep, stay with, stay on, stay at, stay in, stick with, stick to, adopt, drop,
  support, ship, host, deploy, store, migrate, switch, move to, standardise, standardize, continue with, continue using, rely on, offer,
  release, launch, postpone, defer, retire, replace, settle, skip, leave out, charge, bet on, take, call it, name it, call the, make it,
  make the, agree on, not use, not support, not build, not do, not have, not add, not go, do without, do the, have one, have no, have a,
  have an, have two, ship it as, build, have only, apply this to, apply that to, apply it to, apply the same, not, leave, avoid, settle
  on, settle for, do, cancel, pay, freeze, publish, park, sell, bill, shelve
TAKING: going with, going for, no using, no doing, sticking with, sticking to, staying with, staying on, staying at, settling on, settling
  for, dropping, moving to, migrating to, switching to, standardising on, standardizing on, betting on, building on, keeping, skipping,
  postponing, doing without, adopting, abandoning, retiring, not doing, not building, not using, not supporting, not shipping, not
  adopting, not offering, not having, not adding, not going to do, not going to build, not going to use, not going to support, moving away
  from, rewriting, porting, replacing, consolidating
WILL: will, 'll, are going to, is going to, 're going to, am going to, 'm going to, 're gonna, gonna, shall
WILL_NOT: won't, will not, will never, will no longer, are not going to, aren't going to, is not going to, isn't going to
BUILD: build, do, support, have, ship, use, include, offer, contain, provide, adopt, add, supported, included, built, shipped, part of,
  available, migrate, touch, need, get, allow, accept, implement, cover, renew, hire, buy, pay, be
DROPPED: dropped, postponed, deferred, retired, deprecated, canceled, cancelled, out of scope, in scope, scrapped, abandoned, descoped,
  not part of, sunset, sunsetted, discontinued, phased out, pushed to, pushed back to, shelved, superseded, decided on, set in stone,
  written off, put on hold, on ice, off the table, parked, frozen until, approved for, replaced by, out for, final, settled, decided,
  agreed, agreed upon, locked in, carved in stone, a done deal, not up for debate, not up for discussion, our decision, the decision | 放弃,
  弃用, 弃掉, 废弃, 淘汰, 砍掉, 裁掉, 取消, 停用, 停掉, 搁置, 下架, 停止维护, 推倒重来, 废除, 作废, 终止, 换掉, 替换掉, 告别, 不要了
VERDICT: settled, decided, decision, final answer, final decision, final call, final word, final choice, final verdict, agreed, verdict,
  conclusion, resolution, approved, resolved, deal, done deal, sealed, plan, choice, agreement, consensus, pick, call, plan of record |
  结果, 结论, 决议, 方案, 定论, 说法, 最终方案, 决策
VERSION: first, very first, initial, beta, alpha, mvp, launch, v1, v2, v3, v4, version, release, phase, milestone, q1, q2, q3, q4, 1.0,
  2.0, next | 第一版, 首版, 首期, 初版, 一期, 二期, 三期, 下一版, 下版, 下一期, 下个版本, 下个迭代, 下季度, 下个季度, 下一阶段, 下个大版本, 第二版, 第一期, 第二期, 第一阶段, 第二阶段, 第一轮, mvp, v1, v2,
  内测版, 公测版, 正式版, 今年, 明年, 1.0, 2.0, 第三版, 第三期
SHIPS: won't, will, no, without, only, not, comes, come, gets, get, has, have, ships, includes, excludes, leaves, covers, contains, skips,
  supports, goes out, is without | 不, 只, 先, 再, 才, 做, 上, 支持, support, 放, 加, 砍, 推, 搞, 包含, 考虑, 说, 留
DAY: tue, tues, wed, thu, thurs, fri, monday*, tuesday*, wednesday*, thursday*, friday*, saturday*, sunday*, weekend*
MONTH: january, february, march, april, may, june, july, august, september, october, november, december, jan, feb, mar, apr, jun, jul,
  aug, sept, sep, oct, nov, dec, spring, summer, autumn, winter
EVERY: every day, every night, every week, every month, every morning, every evening, every hour, every quarter, every year, every other,
  nightly, daily, weekly, monthly, yearly, hourly, quarterly, once a, twice a, in the morning*, in the evening*, in the afternoon*, at
  night, noon, midnight, half past, quarter to, quarter past, end of the year, end of year, end of the month, end of month, end of the
  quarter, start of the, beginning of, middle of, end of, next spring, next summer, next autumn, next winter, this spring, this summer,
  this autumn, this winter, next year, next month | 每天, 每周, 每月, 每年, 每晚, 每日, 每个星期, 每星期, 每隔, 隔周, 每逢, 每季度, 每小时, 每半, 每双周, 工作日, 凌晨, 月底, 月初, 年底,
  年初, 年中, 季度, 下个月, 下月, 明年, 年前, 年后, 春节, 国庆, 双十一, 上半年, 下半年, 逢周, 逢单, 逢双, 上午, 晚上, 夜里, 半夜
EVENT: deadline, due, window, freeze, freezes, release, releases, launch, go-live, go live, goes live, kickoff, kick-off, standup,
  stand-up, retro*, planning, maintenance, holiday*, vacation, birthday, demo, audit, expiry, day off, office hours, working hours,
  on-call, on call, start*, begin*, end, ends, goes out, runs, run, takes, expire*, close*, open, opens, happens, falls, lands, ships,
  retires, renews, lasts, comes, gets built, scheduled, planned, kicks off, rotate*, refresh*, restart*, reset*, fires, meet, meets,
  deploy*, sync*, publish*, update*, stops, leave, leaves, finish*, work, away, out, off, freezing, back up, backs up, backup*, invoice*,
  payroll, is, are, gets, will, review*, meeting | 发工资, 发薪, 报税, 走, 下班, 上班, 到岗, 的会, 发版, 发布, 上线, 下线, 站会, 例会, 早会, 周会, 晨会, 开会, 会议, 评审, 备份, 封版,
  封网, 截止, 到期, 过期, 期限, 演示, 休, 放假, 窗口, 交付, 验收, 部署, 跑, 不在, 维护, 值班, 升级, 迁移, 切换, 停机, 停服, 轮换, 汇报, 答辩, 盘点, 结算, 对账, 同步, 更新, 清理, 重启, 生日, 出差, 请假,
  开始, 结束, 启动, 停止, 关闭, 开放, 生效, 失效, 续费, planning, release, demo, deadline, standup, review, sprint, sync, meeting, retro, 账单, 对一次, 巡检, 归档
NEAR: today, tonight, tomorrow, this morning, this afternoon, this evening, right now, later, soon, in a minute, in a moment, in a bit, in
  a while, in an hour, in five minutes, in ten minutes, yesterday, ago, just now, last week, last night, every time, each time | 昨, 前天, 刚,
  今天, 今晚, 今早, 明天, 明早, 等下, 等会, 待会, 一会, 马上, 稍后, 回头, 听日, 琴日, 在开会, 在上课, 加班到, 开到, 花了, 用了, 折腾, 弄到, 搞到, 等到, 开了, 跑了, 讲了, 吃了, 睡了, 再聊, 聊了
PAST: yesterday, just now, ago, last week, last night, last month, last time, last year, since this, since yesterday, since the, was,
  were, had, took, ran, got, said, says, went, came, saw, did, made, broke, crashed, failed, stopped | 昨天, 昨晚, 前天, 刚才, 刚刚, 今早, 正在, 占用, 被占,
  挂了, 报错, 出错, 打不开, 打不通, 连不上, 跑不, 找不到, 有问题, 出问题, 坏了, 满了, 很慢, 特别慢, 太慢, 好慢, 卡住, 卡在, 卡死, 失败, 超时了, 不通, 空的, 是空, 错误, 错了, 烦, 死了, 激气, 老是, 总是, 过了,
  下雨, 堵车, 去倒, 跟刚, 刚加, 今天
STATUS: in use, down, up, wrong, broken, slow, full, empty, missing, fine, ok, okay, undefined, null, unknown, red, green, failing, flaky,
  busy, gone, back, ready, done, closed, open, stuck, dead, late, weird, strange, odd, great, good, bad, nice, cool, cold, hot, amazing,
  correct, incorrect, true, false, passing, working, looking, trying, doing, getting, going, running out, thinking, having, waiting,
  wondering, sure, sorry, tired, happy, sad, glad, afraid, curious, confused, lost, offline, online, unreachable, unavailable, installed,
  hanging, crashing, complaining, different, the same, next, more, less, much, kind of, sort of, like, here, there, what, why, how, where,
  because, interesting, funny, hard, easy, expensive, huge, tiny, long, short, fast, better, worse, taken, impressive, annoying, boring,
  hilarious, raining
ADV: already, still, now, again, currently, just, all, so, too, very, really, quite, pretty, totally, completely, a bit, a little, always,
  not, never, probably, suddenly, often, sometimes, strictly, absolutely, generally, usually, only, also, mostly, officially, finally,
  hereby, definitely, simply, actually, both, then, recently, eventually, unanimously, jointly, mutually, to be, being, exactly, please,
  ever, mainly
ATTRIBUTE: name, names, code name, port, ports, address*, ip, ips, host, hosts, hostname, url, urls, domain*, email*, e-mail*, phone,
  number, numbers, path, paths, folder, folders, directory, branch, version, versions, time zone*, timezone, user, users, username,
  account, accounts, owner, owners, lead, manager, boss, contact, contacts, client, clients, customer, customers, team, deadline, due
  date, limit, limits, size, threshold*, timeout*, region*, language*, database*, db, editor, shell, os, laptop, machine, default,
  defaults, license, licence, id, ids, key, keys, token, tokens, bucket*, cluster*, server, servers, schedule, budget, retention, locale,
  currency, birthday, product, products, project, projects, repo, repos, repository, window, indentation, framework, stack, table, tables,
  file, files, count, level, interval*, source, docs, documentation, registry, queue, topic, channel, endpoint, gateway, proxy, wiki,
  tracker, board, ci, pipeline, prefix, suffix, extension, encoding, format, charset, colour, color, font, rate, quota, capacity, ttl,
  expiry, lifetime, workspace, namespace, environment, staging, production, prod, dev, backend, frontend, api, orm, linter, formatter,
  package manager, runtime, compiler, interpreter, desktop, office, company, department, role, title, secret, password, cache, broker,
  provider, vendor, monitoring, dashboard, mirror, handle, nickname, login, alias, slack, github, cron, hosting, bastion, jump host, vpn,
  gpu, ram, cpu, disk, app, site, service, job, flag, flags, log level, minimum, maximum, deployment, backups | 名字, 名, 名称, 全名, 代号, 简称, 端口,
  地址, 网址, 域名, 邮箱, 电话, 手机号, 手机, 微信, 账号, 帐号, 用户名, 密码, 口令, 路径, 目录, 文件夹, 仓库, 分支, 版本, 版本号, 时区, 负责人, 组长, 经理, 领导, 老板, 同事, 客户, 甲方, 乙方, 联系人, 接口人,
  团队, 截止, 期限, 日期, 时间, 上限, 下限, 大小, 阈值, 门槛, 超时, 间隔, 次数, 频率, 区域, 地域, 机房, 集群, 数据库, 主库, 从库, 库, 表, 主表, 编辑器, 终端, 系统, 机器, 主机, 服务器, 服务, 网关, 代理, 缓存,
  队列, 主题, 频道, 密钥, 令牌, 证书, 配置, 设置, 默认, 默认值, 级别, 缩进, 编码, 格式, 语言, 框架, 前端, 后端, 后台, 客户端, 移动端, 网页端, 项目, 产品, 公司, 部门, 组, 流水线, 产物, 文档, 面板, 看板, 监控,
  日志, 跳板机, 测试机, 预发, 生产, 线上, 环境, 镜像, 桶, 许可证, 协议, 芯片, 电脑, 内存, 磁盘, 预算, 配额, 有效期, 保留期, 备份, 周期, 窗口, 币种, 单位, 办公室, 总部, 生日, host, ip, pm, owner,
  repo, server, staging, dev, prod, ci, timeout, port, token, bucket, api, url, db, k8s, cdn, sdk, wiki
STAGE: step, steps, phase, phases, stage, stages, milestone, milestones, wave, waves, round, rounds, part, parts, sprint, sprints | 步, 期, 阶段, 批, 里程碑, 轮, 迭代
AFTERWARDS: then, next, after that, afterwards, later | 最后, 然后
AIM: test, tests, types, docs, design, schema, safety, security, readability, clarity, correctness, spec
SPELT: snake_case, camelcase, kebab-case, pascalcase, tabs, spaces, utc, iso dates, single quotes, double quotes, semicolons | 下划线, 驼峰, 小写, 大写, 单引号, 双引号, 空格, 短横线, 蛇形
RETAIN: keep, leave, support, preserve, retain
RELIES: want it, wants it, wants them, call it, calls it, parse it, reads it, expect it, expects it, need, needs, use, uses, rely on, relies on, depend on, depends on
TOPS: hard limit, tops, max, maximum, minimum, min, at most, at least, or less, or fewer, or more, not more, no more, and not more, and no more | 以内, 之内, 以下,
  封顶, 起步, 为限, 打底, 顶天
TOOK: goes, went, took, takes, was, were, so far, fail*, found, left, got, has, have | 了, 花, 跑了, 过了, 失败, 还剩
ONE_THING: this one, that one, this time, this, that, it now | 这次, 这回, 这个, 这条, 一次
SCANT: zero, boring, clean, readable, idiomatic, modern, tiny, minimal, fewer, few, less, explicit, named, early, meaningful, descriptive, flat, relative, absolute, pure, typed
SOMEBODY: a partner, partners, some, somebody, someone, one of, two of, customers, clients, users, scripts, others, other teams, we still, they
  still, the mobile, accounting, finance, legal, marketing, sales, support, ops
ENDED: ended up with, ended up on, ended up using, went with, settled on, decided on, opted for, sticking with, going with
ACTS: fail, log, return, commit, ship, push, save, exit, throw, retry, validate, test, release, merge, deploy, cache
TOLD: told, set, specified, given, configured, stated, overridden
LEGALLY: legally, by law, by contract
KEPT_SO:  | 留着, 保留, 别删, 不能删, 不能动, 别动, 还得支持, 还要支持, 得支持, 要支持, 继续支持, 得留, 要留, 不下线, 得兼容, 要兼容
IDLE_PLACE: bed, meetings, traffic, front, here, there, the car, the train | 家
LAW: law, laws, gdpr, hipaa, regulation*, regulator*, compliance, auditor, auditors, tax rules, contract, contracts |
  法律, 法规, 监管, 等保, 合规, 审计, 税务, 合同, 规定, 标准
DEMANDS: say, says, require, requires, demand, demands, want, wants, forbid, forbids, mean, means | 要求, 规定, 不允许, 不许, 禁止, 强制
FOLK: | 用户, 客户, 新人, 同事, 团队, 读者, 玩家, 老人, 盲人, 色盲, 部门, 组, 们
SURPLUS: | 新, 任何, 多余, 额外, 没用, 外部, 第三方
SWITCHED: on, off, enabled, disabled
DO_ALL: do, write, edit, run, spend, sit
HALF_DAY: | 上午, 下午, 晚上, 早上, 中午, 周末
MAKE: | 做, 上, 支持, 迁, 开发
`;
