/** Which value a statement gives to which thing: "the port is 8443", "the docs live in /srv/docs", "we use Vitest for tests". */
import { chineseOf, englishOf } from './end-words.ts';
import { plainText, senseOf } from './memory-sense.ts';

export type Slot = {
  readonly family: 'be' | 'place' | 'use';
  readonly subject: readonly string[];
  readonly value: string;
};

export const slotIn = (plain: string): Slot | undefined => answerSlot(plain) ?? slotOf(plain) ?? choiceSlot(plain);

const OPENING = englishOf(String.raw`^(?:{OPENING}[,，:：]?\s*)+|^(?:we|i|the user)(?:'ve| have| had)? ?{SETTLED} (?:that|to) `);
const OPENING_ZH = chineseOf(String.raw`^(?:{OPENING}[,，:：]?\s*)+|^(?:我们|咱们|我)(?:决定)?\s*`);

type SlotForm = readonly [family: Slot['family'], form: () => RegExp];

const ENGLISH_FORMS: readonly SlotForm[] = [
  ['place', englishOf('^(?<subject>.{1,80}?) (?:now )?{LIES} (?<value>.{1,120})$')],
  ['be', englishOf('^(?<subject>.{1,80}?) (?:now )?{EQUALS} (?<value>.{1,120})$')],
  [
    'use',
    englishOf('^(?:(?<subject>.{0,80}?) )?(?:now )?(?:{USUALLY} )*{USES} (?<value>.{1,80}?)(?: (?:for|as|in|when|on) (?<scope>.{1,80}))?$'),
  ],
];
const CHINESE_FORMS: readonly SlotForm[] = [
  ['place', chineseOf(String.raw`^(?<subject>.{0,40}?)(?:现在)?{LIES}\s*(?<value>.{1,80})$`)],
  ['use', chineseOf(String.raw`^(?<subject>.{1,40}?)(?:{USUALLY})*(?:不再)?{USES}\s*(?<value>.{1,60})$`)],
  ['be', chineseOf(String.raw`^(?<subject>.{1,40}?)(?:现在)?{EQUALS}\s*(?<value>.{1,80})$`)],
];

/** Subjects of so many sentences that two sentences about one of them need not be about the same thing. */
const GENERIC_SUBJECTS = new Set('project repo repository app code system team 项目 仓库 代码 系统 团队'.split(' '));

const withoutOpening = (text: string): string => {
  const once = (some: string): string => some.replace(OPENING(), '').replace(OPENING_ZH(), '');
  return once(once(text));
};

function slotOf(text: string): Slot | undefined {
  const clause = withoutOpening(text);
  for (const [family, form] of /\p{Script=Han}/u.test(clause) ? CHINESE_FORMS : ENGLISH_FORMS) {
    const groups = form().exec(clause)?.groups;
    if (groups === undefined) continue;
    const own = family === 'place' && /^(?:i|我(?!们))/.test(text) && /^i?$/.test(groups.subject ?? '') ? ['i'] : [];
    const subject = [...own, ...[groups.subject, groups.scope].flatMap(wordsOfValue)].sort();
    const specificTerms = family === 'use' && subject.every((term) => GENERIC_SUBJECTS.has(term)) ? [] : subject;
    const { negated } = senseOf(clause);
    return { family, subject: specificTerms, value: `${negated ? 'not ' : ''}${wordsOfValue(groups.value).join(' ')}` };
  }
  return undefined;
}

export function wordsOfValue(part: string | undefined): readonly string[] {
  if (part === undefined || part.trim() === '') return [];
  const { terms } = senseOf(part);
  return terms.length === 1 && terms[0] === plainText(part) && senseOf(`${part} zzz`).terms.length === 1 ? [] : terms;
}

const choiceSlot = (text: string): Slot | undefined => {
  const value = /^(?:使用|采用|选用|改用|用|选择)\s*(?<value>.{1,60})$/.exec(withoutOpening(text))?.groups?.value;
  return value === undefined ? undefined : { family: 'use', subject: [], value: wordsOfValue(value).join(' ') };
};

/** A choice among options that were offered: another answer to the same question replaces it. */
const answerSlot = (text: string): Slot | undefined => {
  const { value, subject } = /^(?:chosen|选定): ?(?<value>.{1,200}?) ?\((?:asked|问): ?(?<subject>.{1,120})\)$/.exec(text)?.groups ?? {};
  return value === undefined || subject === undefined ? undefined : { family: 'use', subject: [...wordsOfValue(subject)].sort(), value };
};
