/** The words by which a sentence is judged, by meaning, in English and Chinese beside each other. */
import { readTables } from '../../domain/value/word-pattern.ts';

export const words = readTables(`
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
  minute ago, until i, until we, just this, for a second, for a moment | 先别, 先不要, 先不用, 暂时, 暂且, 这次, 这回, 今次, 今天, 等一下, 等会, 等我, 一下, 刚才, 刚刚,
  刚加, 上面那, 上面这, 下面那, 下面这, 再跑, 再试, 给我看, 麻烦, 目前先, 眼下先
ALWAYS: always, never, ever, whenever, every time, each time, with every, with each, from now on, in future, in the future, henceforth,
  going forward, from here on, by default, as a rule, by convention, before every, before each, before any, before you, after every, after
  each, after any, no exception*, without exception*, at all times, every single, no matter what, whatever happens, under any
  circumstances, under no circumstances, until further notice, for good, permanently, from today on, as a matter of principle, on
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
UNCHANGED: as is, as it is, as they are, unchanged, intact, stable, compatible, untouched, separate, private, public, small, short,
  simple, in sync, up to date, alphabetical, sorted, alone, be, in peace, secret, frozen, that way, mandatory, optional, readable,
  backward compatible, backwards compatible, clean, out of | 不变, 兼容, 原样, 稳定, 简短, 不动, 整洁
ASK: ask, check with, confirm with, consult, talk to, warn, notify, wait for, get my, get our, get an, show me, tell me, run it by, clear
  it with | 问, 请示, 通知, 告知, 征求, 跟, 同, 和, 找, 报备, 商量, 打招呼
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
FAULT: crash*, fail*, break*, broke*, hang*, hung, freez*, froze, stuck, slow*, wrong, forget*, forgot*, error*, yell*, annoy*, die, dies,
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
BOUND: at most, no more than, not more than, no longer than, at least, no less than, no fewer than, up to, maximum of, max, must stay
  below, stay below, stay under, stay within, exactly, never more than, within, under, below, less than, maximum | 至多, 最多, 至少, 最少, 不超过,
  不得少于, 不少于, 不低于, 不得低于, 不高于, 不得高于, 不得超过, 不能超过, 不能低于, 不大于, 不小于, 上限是, 上限为, 上限, 下限是, 下限为, 控制在, 限制在, 限制为, 保持在, 低于, 高于
LIKE: prefer, prefers, favour*, favor*, can't stand, cannot stand, dislike*, hate, hates, like, likes, love, loves, enjoy*, despise*,
  insist on, insists on, tend to, tends to, avoid, avoids, swear by, swears by, am a fan of, am fond of, am used to, am allergic to, am
  not a fan of, 'm a fan of, 'm fond of, 'm used to, 'm allergic to, 'm not a fan of, do not like, don't like, can't bear, would be upset
  | 喜欢, 偏好, 偏爱, 习惯, 更愿意, 讨厌, 受不了, 看不惯, 中意, 钟意, 爱用, 倾向于, 倾向, 推崇, 反感, 反对, 欢喜, 稀罕, 待见, 最烦, 最怕, 最恨, 愿意, 崇尚, prefer, like, hate
USUALLY: always, usually, generally, typically, normally, mostly, never, rarely, as a rule, by default, tend to, hardly ever, almost
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
  on, settle for, do
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
DAY: monday*, tuesday*, wednesday*, thursday*, friday*, saturday*, sunday*, weekend*
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
  rack, basement, office, subfolder, package, submodule, monorepo, production, staging | 盘, 目录, 文件夹, 仓库, 服务器, 库, 库里, 桶, 桶里, 机房, 频道, 群, 群里,
  系统里, 表里, 文件里, 配置里, 子目录
PREP: at, on, in, under, from, to, with, through, behind, via, after, into, by, for, out of, next to, below, inside, over, beside,
  outside, up to, above, before, between
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
TENDS: owns, maintains, looks after, takes care of, is responsible for, are responsible for, is in charge of, leads, heads, manages, runs,
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
  readme, tool, test, warning, article, tutorial, book, internet, colleague | 它, 他, 她, 他们, 有人, 文档, 日志, 报错, 提示, 系统, 编译器, 页面, 网上, 教程, 书
SAYS: say, says, said, tells, told, claims, reports, report, complains, warns, states, prints, insists, thinks, wants me, wants us | 说,
  写着, 写的, 显示, 讲, 告诉, 要求我, 觉得, 认为
DOUBT: undecided, unsure, unclear, undetermined, torn between, up to you, you decide, you choose, you pick, you can choose, you are free
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
  要不咱们, 不如试, 不如用, 不如换, 纠结, 犹豫, 举棋, 左右为难, 试试, 建议, 提议, 设想, 理论上, 据说, 听说, 万一, 不急着
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
LEFT: remaining, open items, open points, open issues, open tasks, outstanding, unfinished, what remains, what is left, what's left, left
  for later, left for another day, left for tomorrow, left for now, left to do, still to do, still open, still missing, next steps, next
  step, todo, to do, not yet done, not done, follow-up*, open questions | 剩下的工作, 剩下的任务, 尚需, 尚待, 有待, 遗留, 还差, 还剩, 还没做, 还没有做, 还没迁, 还没改, 还没修,
  还没写, 还没测, 还没处理, 还没完成, 下一步需要, 下一步是, 下一步要, 待办, 尚未完成, 尚未实现, 尚未处理, 尚未修复, 还需要做, 还需要补, 还需要改, 还需要处理, 未完成
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
MATTER: questions, issues, requests, problems, bugs, reports, changes, invoices, tickets, complaints, escalations, anything
SENT: go, should go, are sent, belong, get sent, go straight
TALK_TO: ask, talk to, ping, contact, email, write to, go to, see
REACH: reach, find, contact, email, call, text, ping
CALLERS: everyone, everybody, people, customers, users, we, they, colleagues, i
LONG: lasts, last, lives, live, is valid, are valid, is kept, are kept, is good, is stored, are stored, stays valid, runs, run, takes,
  take, expires, expire, kept, be kept
TIME_UNIT: seconds, second, minutes, minute, hours, hour, days, day, weeks, week, months, month, years, year
FOUND: reached, found, accessed, opened, viewed, deleted, removed, changed, downloaded, contacted, looked up, seen
KEPT_IN: lives, live, resides, reside, is kept, are kept, is stored, are stored, belongs, belong, sits, sit
RUN_WITH: run, runs, use, uses, host, hosts, deploy, deploys, keep, keeps, store, stores, work with, works with, depend on, depends on,
  require, requires, need, needs, support, supports, target, targets, serve, serves, expose, exposes, accept, accepts, ship with, ships
  with
COUNTED: tabs, spaces, hosts, servers, instances, replicas, nodes, branches, environments, databases, regions, shards, workers
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
NOT_LIKED: it, that, this, these, those, your, how, what, you, to see, to know, to say, to think, to decide, when it, not to, the idea,
  the look, the way, the new, the result, the first, the second, him, her, them
NOT_CALLED: later, back, when, if, after, at, on, again, crazy, a, in, asap
TRAIT: native, fluent, colour-blind, colourblind, color-blind, left-handed, dyslexic, deaf, blind, allergic, vegetarian
OWNED: linux, windows, mac*, ubuntu, vim, emacs, neovim, kids, children, cats, dogs, monitors, screens
SETS: is, are, =, :, equals, 's, is set to, defaults to, will be, has been, was set to
NO_VALUE: it, that, this, not, a bit, a mess, a problem, a pain, a joke, to, what, why, how, because
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
BEFORE_WORK: before, after, until, without, unless, except, prior
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
ALLOW: may, can, could, should, must, is allowed, are allowed, gets, touches, has, approves, merges
EVERYWHERE: always, everywhere, every single time, no exceptions, no exception, without exception, without exceptions, at all times, full
  stop, period
APPROVAL: ok, okay, approval, say-so, permission, sign-off, review | 同意, 批准, 确认, 许可, 审批, 授权, 评审, review, approve
DEICTIC: the, this, that, it, them, him, her, a, an, your, my, those, these, both, another, some, one, whatever, with
USE: use, write, prefer, give me, follow
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
MIND:  | 务必, 记得, 记住, 谨记, 牢记, 别忘了, 别忘记, 别忘, 不要忘了, 不要忘记, 注意
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
STILL_BAD: fails, broken, doesn't, not working, wrong, crashes, the same error
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
HABIT: do, don't, does, use, write, keep, put, go, work, deploy, release, ship, name, call, run, test, review, merge, squash, commit,
  format, indent, prefer
`);
