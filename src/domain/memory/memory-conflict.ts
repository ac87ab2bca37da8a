import { equalLists, plainText, type Sense, senseOf } from './memory-sense.ts';

/** A statement with everything that comparisons need, computed once. */
export type Statement = {
  readonly plain: string;
  readonly sense: Sense;
  /** Undefined when the statement does not give one thing one value. */
  readonly slot: Slot | undefined;
};

export function statementOf(text: string): Statement {
  const plain = plainText(text);
  return {
    plain,
    sense: senseOf(plain),
    slot: plain.length <= MAX_CHARS ? (answerSlot(plain) ?? slotOf(plain) ?? choiceSlot(plain)) : undefined,
  };
}

/** Longer statements say more than one thing. */
const MAX_CHARS = 300;

/**
 * True when a newer statement replaces an older one of the same kind: another value for the same thing, the contrary, or an explicit
 * "instead of". In doubt both statements stay, rather than drop one that still holds.
 */
export function supersedes(newer: Statement, older: Statement): boolean {
  if (newer.plain === older.plain) return false;
  return contradicts(newer.sense, older.sense) || hasOtherValue(newer.slot, older.slot) || replaces(newer.plain, older.slot);
}

/** True for the same words with and without a "not", or in another order around a word such as "over" or "than". */
function contradicts(one: Sense, two: Sense): boolean {
  if (one.terms.length !== two.terms.length) return false;
  const sortedTerms = (sense: Sense) => [...sense.terms].sort();
  if (!equalLists(sortedTerms(one), sortedTerms(two))) return false;
  if (one.negated !== two.negated) return true;
  return !equalLists(one.terms, two.terms) && one.terms.some((term) => COMPARISON_WORDS.has(term));
}

const COMPARISON_WORDS = new Set(['over', 'than', 'instead', 'before', 'rather']);

export type Slot = {
  readonly family: 'be' | 'place' | 'use';
  /** What the statement is about. */
  readonly subject: readonly string[];
  readonly value: string;
};

function hasOtherValue(a: Slot | undefined, b: Slot | undefined): boolean {
  if (a === undefined || b === undefined || a.family !== b.family || !equalLists(a.subject, b.subject)) return false;
  return a.subject.length > 0 && a.value !== b.value && (a.family !== 'be' || isOneValued(a, b));
}

/** A thing can be many things at once, but it has one port, one name and one path. */
const isOneValued = (a: Slot, b: Slot): boolean => a.subject.some((term) => ATTRIBUTE.test(term)) || (isExact(a.value) && isExact(b.value));
const isExact = (value: string): boolean => /^\S*[\d/@]\S*$/.test(value);
const ATTRIBUTE =
  /^(?:port|path|version|name|url|host|address|database|deadline|branch|timezone|zone|folder|directory|email|endpoint|password|size|limit|default|language|端口|路径|版本|名字|名称|地址|数据|据库|截止|分支|时区|目录|主机|语言|邮箱|上限)$/;

const PREAMBLE =
  /^(?:(?:ok|okay|no|yes|actually|now|so|then|well|as agreed|from now on|in future|by the way|remember|note|please|also|and|but|好的?|现在|以后|今后|其实|另外|记住|请)[,，:：]?\s*)+|^(?:we|i|our team|the user|我们|咱们|我)(?:'ve| have| had)? ?(?:(?:decided|agreed|chose) (?:that|to)|决定)\s*/;
type Form = Pick<Slot, 'family'> & { readonly form: RegExp };
const ENGLISH_FORMS: readonly Form[] = [
  {
    family: 'place',
    form: /^(?<subject>.{1,80}?) (?:now )?(?:(?:lives?|is|are) (?:located |stored |kept |hosted )?(?:in|at|under)|runs? on|deploys? to|is deployed (?:to|on)|points? to) (?<value>.{1,120})$/,
  },
  {
    family: 'be',
    form: /^(?<subject>.{1,80}?) (?:now )?(?:is set to|is called|is named|listens? on(?: port)?|defaults? to|is|are|=) (?<value>.{1,120})$/,
  },
  {
    family: 'use',
    form: /^(?:(?<subject>.{0,80}?) )?(?:now )?(?:(?:will |would |do not |don't |no longer |never |always |usually )*(?:uses?|using|prefers?|likes?|chose|choose|picked|go with|went with|switch(?:ed)? to|decided (?:on|to use))) (?<value>.{1,80}?)(?: (?:for|as|in|when|on) (?<scope>.{1,80}))?$/,
  },
];
const CHINESE_FORMS: readonly Form[] = [
  { family: 'place', form: /^(?<subject>.{1,40}?)(?:现在)?(?:位于|存放在|放在|部署在|运行在|指向)\s*(?<value>.{1,80})$/ },
  {
    family: 'use',
    form: /^(?<subject>.{1,40}?)(?:现在|一律|都|改|就)*(?:不再)?(?:使用|采用|选用|改用|用|选择|换成|改成)\s*(?<value>.{1,60})$/,
  },
  { family: 'be', form: /^(?<subject>.{1,40}?)(?:现在)?(?:是|为|叫|设为|改为|监听|默认)\s*(?<value>.{1,80})$/ },
];

/** Subjects of so many sentences that two sentences about one of them need not be about the same thing. */
const GENERIC_SUBJECTS = new Set('project repo repository app code system team 项目 仓库 代码 系统 团队'.split(' '));

function slotOf(text: string): Slot | undefined {
  const clause = text.replace(PREAMBLE, '').replace(PREAMBLE, '');
  for (const { family, form } of /\p{Script=Han}/u.test(clause) ? CHINESE_FORMS : ENGLISH_FORMS) {
    const groups = form.exec(clause)?.groups;
    if (groups === undefined) continue;
    const subject = [groups.subject, groups.scope].flatMap(contentTerms).sort();
    const specificTerms = family === 'use' && subject.every((term) => GENERIC_SUBJECTS.has(term)) ? [] : subject;
    const { negated } = senseOf(clause);
    return { family, subject: specificTerms, value: `${negated ? 'not ' : ''}${contentTerms(groups.value).join(' ')}` };
  }
  return undefined;
}

/** Returns the words that carry meaning; empty when there are none. */
function contentTerms(part: string | undefined): readonly string[] {
  if (part === undefined || part.trim() === '') return [];
  const { terms } = senseOf(part);
  return terms.length === 1 && terms[0] === plainText(part) && senseOf(`${part} zzz`).terms.length === 1 ? [] : terms;
}

const REPLACEMENT =
  /\b(?:instead of|rather than|no longer (?:uses?|using|prefers?|likes?)|(?:switch(?:ed|ing)?|moved?|migrated?) (?:away )?from|replaces?|replaced)\s+(?<old>[^\s,;。，]+(?: [^\s,;]+)?)|(?:而不是|不再(?:使用|用|喜欢)?|代替|取代)\s*(?<zh>[^\s，。,；]{1,20})|把\s*(?<from>[^\s，。,；]{1,20}?)\s*(?:换成|改成|改为|替换为)|从\s*(?<left>[^\s，。,；]{1,20}?)\s*(?:换到|换成|切换到|迁移到|改用|改成)/;

/** True when "Vitest instead of Jest" replaces a choice of Jest. */
function replaces(newer: string, choice: Slot | undefined): boolean {
  if (choice === undefined || choice.family !== 'use' || choice.value.startsWith('not ') || newer.length > MAX_CHARS) return false;
  const groups = REPLACEMENT.exec(newer)?.groups;
  const replacedText = groups?.old ?? groups?.zh ?? groups?.from ?? groups?.left;
  if (replacedText === undefined) return false;
  const [first = ''] = contentTerms(replacedText);
  return first !== '' && choice.value === contentTerms(replacedText.split(' ')[0]).join(' ');
}

const choiceSlot = (text: string): Slot | undefined => {
  const value = /^(?:使用|采用|选用|改用|用|选择)\s*(?<value>.{1,60})$/.exec(text.replace(PREAMBLE, ''))?.groups?.value;
  return value === undefined ? undefined : { family: 'use', subject: [], value: contentTerms(value).join(' ') };
};

/** A choice among options that were offered: another answer to the same question replaces it. */
const answerSlot = (text: string): Slot | undefined => {
  const { value, subject } = /^(?:chosen|选定): ?(?<value>.{1,200}?) ?\((?:asked|问): ?(?<subject>.{1,120})\)$/.exec(text)?.groups ?? {};
  return value === undefined || subject === undefined ? undefined : { family: 'use', subject: [...contentTerms(subject)].sort(), value };
};
