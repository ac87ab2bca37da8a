/** What a sentence turns away from: the words for the thing itself, so that only what was settled about that thing ends. */

import { anyOf, lazily, lazyPattern, readTables } from '../value/word-list.ts';
import { type Sense, senseOf } from './memory-sense.ts';

/** The words by which a later statement ends an earlier one, by meaning, in English and Chinese beside each other, and patterns of them. */

const endWords = readTables(`
FORBIDS: never, not, don't, do not, no, avoid, stop, forbid, forbids, forbidden, mustn't, can't, cannot, hands off, stay away | 不, 别, 禁止, 严禁, 勿
LIFTED: need*, necess*, requir*, has, have, must, appl*, forb*, ban*, frozen, read-*, off, prohib*, restrict*, matter*, relevant, import*, in force, valid, true
CHANGES: you can, you may, you could, feel free, it's ok, it's okay, it's fine, it's allowed, is ok, is okay, is fine, is allowed, are ok, are okay, are fine,
  are allowed, is now ok, is now okay, is now fine, is now allowed, are now ok, are now fine, are now allowed, go ahead, allowed now, allowed again, no longer,
  any more, anymore, no need, need not, don't have to, don't need to, do not have to, do not need to, not have to, not need to, never mind, nevermind, forget,
  ignore, instead, rather than, from now on, after all, changed my mind, again, now, switch to, switched to, switching to, switch back to, switched back to,
  back to | 可以, 不用, 不必, 无需, 没必要, 取消, 解除, 放开, 算了, 作废, 不再, 现在起, 从现在, 改成, 改用, 改为, 还是, 换成
NEED_NOT: no need, need not, don't have to, don't need to, do not have to, do not need to, not have to, not need to, any more, anymore |
  不用, 不必, 无需, 没必要, 不再
REVOKE: forget, ignore, drop, lift, cancel, scrap, remove, revoke | 取消, 解除, 忽略, 忘掉, 作废
RULES: rule, rules, ban, constraint*, restriction*, requirement*, what i said, about | 规则, 限制, 要求, 约束, 禁令
FOR_NOW: yet, for now, right now | 先别, 先不要, 暂时
SWAPS: from now on, instead, now, again, switch to, switched to, back to, after all | 现在, 改成, 改用, 改为, 换成, 从现在, 现在起, 以后, 还是
UNDID: reverted, undid, undone, rolled back, backed out, abandoned, given up, gave up, scrapped, gone back, went back, switched back
WAS: was, were, is, are, has been, have been
END: drop, scrap, forget, forget about, ditch, abandon, revert, undo, roll back, lose, never mind, nevermind, skip, remove, leave out, get rid of
LET_US_NOT: let's not, let's drop, let's scrap, let's undo, let's revert, let's abandon, let's ditch
WILL_NOT: won't, will not, shouldn't, should not, don't, do not, no longer
WANT: use, do, go, keep, need, want, build, have, go with, go for, take
LEAD: ok, okay, no, nah, actually, so, then, hm*, well, wait, sorry, yes, and, but, please, on second thought, on second thoughts, thinking about it |
  算了, 想了想, 再想想, 其实, 嗯, 哦, 那, 好, 好的, 行, 对了, 不了
NOT_WANTED: not needed, not necessary, not worth it, not wanted, unnecessary, overkill, too much, out, off the table, a bad idea, no longer needed,
  no longer wanted, no longer used, not used, needed after all
DROPPING: dropping, removing, skipping, ditching, scrapping, abandoning, not using, not going with
WITHOUT: do without, go without
REMOVED: removed, dropped, replaced, reverted, undid, ripped out, took out, abandoned, scrapped, got rid of, moved from, moved away from, gave up on
TOOK: used, use, went with, switched to, kept, chose, ended up with, ended up using, built, wrote
INSTEAD_OF: instead of, rather than, in place of
GONE: removed, dropped, replaced, reverted, rolled back, abandoned, scrapped, gone
NO_LONGER: | 不用, 别用, 不要, 别要, 不做, 不采用, 不上, 放弃, 弃用, 取消, 去掉
NO_NEED: | 不要, 不用, 不上, 不做, 不需要, 没必要, 没有必要, 算, 多余, 用不着, 用不上, 免, 作罢
STILL: | 还是, 就, 先, 都, 也, 已经, 其实, 完全
GAVE_UP: | 去掉, 移除, 放弃, 弃用, 撤销, 没有用, 不再用, 不再使用
MADE_TO: | 换成, 改成, 替换, 去掉, 移除, 撤
INSTEAD: | 代替, 取代, 替换, 替代
MIND_CHANGED: changed my mind, changed our minds, on second thought, on second thoughts | 改主意, 改变主意, 想了想
DROPPED: | 我们不用了, 我们不要了, 不用了, 不要了, 去掉了, 弃用了, 下线了
LIES: moved to, have moved to, has moved to, lives in, lives at, lives under, live in, live at, live under, is located in, is located at, is stored in, is stored at, is stored under, are stored in,
  are stored at, is kept in, is kept at, are kept in, is hosted at, is hosted in, is in, is at, is under, are in, are at, are under, runs on, run on, deploys to,
  deploy to, is deployed to, is deployed on, points to, point to, are located in, is hosted under, are hosted at |
  住在, 搬到, 搬到了, 搬去, 位于, 存放在, 放在, 部署在, 运行在, 指向
EQUALS: is set to, is called, is named, listens on port, listens on, listen on, defaults to, default to, changed to, has changed to, was changed to, is, are, = |
  推迟到, 延后到, 提前到, 是, 为, 叫, 设为, 改为, 监听, 默认
USES: uses, use, using, prefers, prefer, likes, like, chose, choose, picked, go with, went with, switch to, switched to, decided on, decided to use |
  使用, 采用, 选用, 改用, 用, 选择, 换成, 改成
USUALLY: will, would, do not, don't, no longer, never, always, usually | 现在, 一律, 都, 改, 就
OPENING: ok, okay, no, yes, actually, now, so, then, well, as agreed, from now on, in future, by the way, remember, note, please, also, and, but |
  好, 好的, 现在, 以后, 今后, 其实, 另外, 记住, 请
SETTLED: decided, agreed, chose
REPLACES: instead of, rather than, no longer uses, no longer use, no longer using, no longer prefer, no longer prefers, no longer like, no longer likes,
  switch from, switched from, switching from, switch away from, switched away from, move from, moved from, moved away from, migrate from, migrated from,
  migrated away from, replaces, replaced | 而不是, 不再使用, 不再用, 不再喜欢, 不再, 代替, 取代
TURNED_TO: | 换成, 改成, 改为, 替换为
LEFT_FOR: | 换到, 换成, 切换到, 迁移到, 改用, 改成
BETTER: better, best, simpler, cleaner, instead, rather, option, approach | 更好, 更简单, 应该, 改用, 还是
THINKS: actually, on second thought, on second thoughts, hm*, wait | 其实, 不对, 再想想
`);

/** Things of which one takes the place of another. */
export const kinds = lazily(() =>
  [
    'tabs? spaces? 制表符 空格',
    'english german french spanish italian japanese korean chinese 英文 英语 中文 汉语 德文 德语 法语 日文 日语',
    'npm yarn pnpm bun',
    'jest vitest mocha jasmine',
    'short brief concise terse long detailed verbose 简短 简洁 详细',
    'vim neovim emacs helix nano vscode',
    'merge rebase squash',
    'light dark 浅色 深色',
  ].map((words) => new RegExp(words.replace(/[a-z?]+/g, '\\b(?:$&)\\b').replaceAll(' ', '|'))),
);

export const englishOf = (template: string) => lazyPattern(template, endWords, 'en');
export const chineseOf = (template: string) => lazyPattern(template, endWords, 'zh');

export const either = (...patterns: readonly (() => RegExp)[]) => {
  return (text: string): boolean => {
    const plain = text.toLowerCase();
    return patterns.some((pattern) => pattern().test(plain));
  };
};

export type Rejection = Pick<Sense, 'terms'>;

/** The things that a sentence says are not wanted, or, of the model's words, that it did away with. Empty where none is named. */
export function rejectionsIn(sentence: string, by: 'user' | 'model'): readonly Rejection[] {
  if (sentence.length > MAX_CHARS) return [];
  return (by === 'user' ? SAYS : DID).flatMap((pattern) => {
    const found = pattern()
      .exec(sentence.toLowerCase())
      ?.slice(1)
      .find((thing) => thing !== undefined);
    const thing = found?.split(THING_ENDS, 1)[0]?.replace(AROUND_THING, ' ').trim() ?? '';
    const { terms } = senseOf(thing);
    return thing === '' || terms.length > MAX_TERMS || NO_THING.test(thing) ? [] : [{ terms }];
  });
}

/** True when the decision takes the thing: all its names stand in it, and not as what it decides against. */
export function takesThing(decision: string, { terms }: Rejection): boolean {
  const taken = takenPart(decision);
  const theirs = new Set(senseOf(taken).terms);
  const isLatin = (term: string): boolean => /^[\w./:@#+~-]/.test(term);
  const common = terms.filter((term) => theirs.has(term));
  if (common.length === 0 || terms.some((term) => isLatin(term) && !theirs.has(term))) return false;
  if (common.length / terms.length < MIN_SHARE) return false;
  const [first = ''] = common;
  const at = taken.toLowerCase().indexOf(first);
  return at === -1 || !AGAINST.test(taken.slice(Math.max(0, at - AGAINST_CHARS), at));
}

/** Of a question with its answer: the answer where that names a thing of its own, or nothing when it is a no. */
function takenPart(decision: string): string {
  const [, asked, answer] = /^(?:Asked: |问：)(.*?)(?: Answer: | 答：)"?(.*)$/s.exec(decision) ?? [];
  if (asked === undefined || answer === undefined) return decision;
  if (/^(?:no|nope|nah|don'?t)\b|^(?:不|别)/i.test(answer)) return '';
  const inAsked = new Set(senseOf(asked).terms);
  return senseOf(answer).terms.some((term) => inAsked.has(term)) ? answer : asked;
}

const MAX_CHARS = 400;
const MAX_TERMS = 6;
/** Chinese is compared in pairs of characters, some of which lie across two words. */
const MIN_SHARE = 0.6;
const AGAINST_CHARS = 24;
const AGAINST = new RegExp(
  `(?:${[
    "\\b(?:no|not|never|without|avoid|n't(?: \\w+)?|than|instead of|over|drop|dropping|skip|scrap|remove|replace)",
    '不(?:用|要|做|采用|上)?|别用?|放弃|弃用|去掉|取消',
  ].join('|')})[\\s"'\`]{0,3}(?:(?:the|a|an|any|our)\\s)?(?:\\w+\\s)?$`,
  'i',
);

const THING = String.raw`((?:\S+ ){0,5}?\S+)`;
const REST = '([^,;.]{1,60})';

/** What a user says who no longer wants it. A task names more than the thing ("remove Redis from the lock file") and so ends nothing. */
const SAYS = [
  englishOf(String.raw`^(?:{LEAD},? )*no ${THING} after all\b`),
  englishOf(`^(?:{LEAD},? )*${THING} (?:is|are|isn't|aren't) (?:really |just |probably )?{NOT_WANTED}`),
  englishOf(`^(?:{LEAD},? )*(?:we|i) {WILL_NOT} (?:really |actually )?{WANT} ${REST}`),
  englishOf(String.raw`\b(?:let'?s|let us) (?:not {WANT}|{WITHOUT}|{END}) ${REST}`),
  englishOf(String.raw`\b(?:we're|we are|i'm|i am) {DROPPING} ${REST}`),
  englishOf(String.raw`\bchanged (?:my|our) minds? (?:about|on) ${REST}`),
  englishOf(String.raw`^(?:{LEAD},? )*{END} (?!to\b)${REST}`),
  chineseOf(String.raw`^{LEAD}?[，, ]{0,2}(?:我们|咱们|咱)?{STILL}?{NO_LONGER}(?:再用)?\s?([^，,。；;]{1,40}?)(?:了|吧|啦|$|[，,。；;])`),
  chineseOf(String.raw`^{LEAD}?[，, ]{0,2}([^，,。；;]{1,30}?)\s?(?:我们)?{STILL}?{NO_NEED}(?:用|上)?(?:了|吧|啦|$|[，,。；;])`),
];

const WE_HAVE = String.raw`\b(?:i|we)(?:'ve| have)?(?: now| since| therefore| also)?`;

const DID = [
  englishOf(`${WE_HAVE} ?{REMOVED} (?:the use of )?([^,;.:]{1,60})`),
  englishOf(`${WE_HAVE} ?{TOOK} [^,;.]{1,60}? {INSTEAD_OF} ([^,;.:]{1,60})`),
  englishOf('\\b([^,;.:]{1,60}?) {WAS} (?:now )?{GONE}'),
  chineseOf(String.raw`(?:已|已经|我|现在)(?:把|将)\s?([^，,。；;]{1,30}?)\s?{MADE_TO}`),
  chineseOf(String.raw`{GAVE_UP}了?\s?([^，,。；;]{1,30}?)(?:了|$|[，,。；;])`),
  chineseOf(String.raw`{INSTEAD}了?\s?([^，,。；;]{1,30}?)(?:了|$|[，,。；;])`),
];

/** Where the thing ends and what is said of it begins. */
const SAID_OF_IT = `because, since, as, so, and, but, then, for now, here, again, anymore, any more, after all, please, too, instead, at all,
  its, it's, with, by`;
const THING_ENDS = new RegExp(`[,;:，；：]| ${anyOf(SAID_OF_IT)}\\b ?|[—–]|因为`, 'i');
const AROUND_THING = /\b(?:that|this|whole|idea|thing|stuff|plan)\b|做|来|作为|当|方案|这个|那个|的话|这套|暂时|继续/gi;
/** Names nothing: the newest thing is meant, or none. */
const NO_THING = /^(?:it|that|this|them|these|those|all|more|any|anything|everything|\W*)$/i;
