import { isChinese, oneLine, ownLines } from '../text/sentences.ts';

type Option = { readonly label: string; readonly text: string };

/** What a short reply ("B", "the second one", "1 and 3", "方案二") chooses of the options before it; undefined where nothing was offered. */
export function chosenOption(asked: string, reply: string): ChosenOption | undefined {
  const labels = reply.length > MAX_REPLY_CHARS ? [] : labelsIn(reply.trim());
  if (labels.length === 0) return undefined;
  const lines = ownLines(asked.slice(-MAX_ASKED_CHARS));
  const { options, question } = optionsIn(lines);
  const chosen = labels.map((label) => (label === 'last' ? options.at(-1) : options.find((option) => option.label === label))?.text);
  if (chosen.length === 0 || options.length < 2 || chosen.some((text) => text === undefined)) return undefined;
  const text = chosen.join(' + ');
  const parts = [...chosen.filter((part) => part !== undefined), ...(question === '' ? [] : [question])];
  if (question === '') return { text: isChinese(text) ? `选定：${text}` : `Chosen: ${text}`, parts };
  return { text: isChinese(question) ? `选定：${text}（问：${question}）` : `Chosen: ${text} (asked: ${question})`, parts };
}

/** `parts` are the agent's words in it: the options, and what it asked. */
export type ChosenOption = { readonly text: string; readonly parts: readonly string[] };

/** Who chooses by letter does not write much. */
const MAX_REPLY_CHARS = 240;
const MAX_ASKED_CHARS = 8_000;
const OPTION_CHARS = 160;
const QUESTION_CHARS = 110;

const ORDINALS: readonly (readonly [RegExp, string])[] = [
  [/^(?:1|a|one|first|former|1st|一|①)$/, '1'],
  [/^(?:2|b|two|second|latter|2nd|二|两|②)$/, '2'],
  [/^(?:3|c|three|third|3rd|三|③)$/, '3'],
  [/^(?:4|d|four|fourth|4th|四|④)$/, '4'],
  [/^(?:5|e|five|fifth|5th|五|⑤)$/, '5'],
  [/^(?:6|f|six|sixth|6th|六|⑥)$/, '6'],
  [/^(?:7|g|seven|seventh|7th|七|⑦)$/, '7'],
  [/^(?:8|h|eight|eighth|8th|八|⑧)$/, '8'],
  [/^(?:last|最后)$/, 'last'],
];

const labelOf = (word: string): string | undefined => ORDINALS.find(([form]) => form.test(word.toLowerCase()))?.[1];

const NAME_EN = '[a-h1-8]|one|two|three|four|five|six|first|second|third|fourth|fifth|last|former|latter|1st|2nd|3rd';
const anyOf = (words: string): string => `(?:${words.split(/,\s?/).join('|')})`;
const HEM = anyOf(
  'ok,okay,yes,yeah,sure,alright,hm+,um+,uh,well,good,great,fine,then,so,right,please,definitely,probably,thanks,and,i think,let me see',
);
const WHO = anyOf(
  `let['’]?s,let us,i['’]?d,i['’]?ll,we['’]?ll,we,i would,we should,i,you can,just,please,my choice is,my pick is,my vote is,my answer is,it['’]?s,
that would be`,
);
const TAKE = anyOf(
  `go with,go for,going with,going for,go ahead with,go ahead for,look at,like to look at,explore,like to explore,have,like to have,like to go with,go,
take,pick,choose,use,do,want,say,prefer,like,vote for,vote,chose,opt for,make it,stick with,implement,try`,
);
const THING = anyOf(
  'option,choice,number,no\\.?,nr\\.?,variant,variante,plan,answer,alternative,solution,version,approach,way,方案,选项,#',
);
const QUOTED = (group: string): string => `["'(]?(?<${group}>${NAME_EN})["')]?`;
const REPLY_EN = new RegExp(
  [
    `^(?:${HEM}[,.!:]?\\s+)*(?:(?:${WHO}\\s+)*${TAKE}?\\s*)?(?:with\\s+)?(?:the\\s+)?(?:${THING}\\s*)?${QUOTED('one')}`,
    `(?:\\s*(?:,|and|&|\\+|plus)\\s*${QUOTED('two')}(?![\\w']))?(?<rest>$|[\\s.,;:!。，！–—-].*$)`,
  ].join(''),
  'is',
);
/** What may follow the letter at once: "B is too slow" and "2 minutes" choose nothing. */
const WORDS_AFTER =
  `one,option,choice,please,pls,it is,then,work,works,work for me,works for me,definitely,for me,for us,for now,way,approach,variant,
version,sound good,sounds good,sound great,sounds great,sounds best,sounds fine,sounds right,look good,looks good,look great,looks great,looks best,
looks fine,looks right,is fine,is good,is best,is better,is right,is cleaner,is simpler,is ok,is okay,is the best,is the one,is the way,is the right,
is the better,is the cleanest,is the simplest,is the safest,is my choice,is my pick,thanks,thank you,because,since,as,i think,i guess,all the way,
for sure,seems,with,but,it`.split(/,\s?/);
const AFTER_EN = new RegExp(`^\\s*(?:$|[.,;:!。，！–—-]|(?:${WORDS_AFTER.join('|')})\\b)`, 'i');

const NAME_ZH = '[A-Ha-hＡ-Ｈ]|[1-8１-８]|[一二两三四五六七八]|[①-⑧]|最后';
const OPENS_ZH = anyOf('嗯+,好的?,行,可以,OK,ok,那,那么,我觉得,我想,我看,要得,中,得,成,噉,咁');
const WHO_ZH = anyOf("那,就,我们?,咱们?,还是,我哋,先,直接,干脆,go with,let's go with,use,take");
const TAKE_ZH = anyOf('选择?,用,要,拣,揀,定,走,按,采用,支持,投,来,取,挑,做,搞,同意,赞成,go with,倾向');
const UNIT_ZH = '(?<unit>个|种|项|条|号|款|套|一个)';
const CLOSES_ZH = anyOf('就行,就好,就可以,就得,吧,啦,喇,呗,可以,好了,比较好,更好,嘛,好,行,了,ok,OK,咯,哦,喔,啊,先,得啦');
const REPLY_ZH = new RegExp(
  [
    `^${OPENS_ZH}?[，,。\\s]*${WHO_ZH}*\\s*${TAKE_ZH}?\\s*(?<mark>方案|选项|第|选择|办法|选)?\\s*(?<one>${NAME_ZH})${UNIT_ZH}?`,
    `(?:\\s*(?:和|跟|加|、|\\+|与)\\s*(?:方案|选项|第)?\\s*(?<two>${NAME_ZH})(?:个|种|项|条|号|款)?)?`,
    `(?:方案|选项|方法|办法|做法|方式)?\\s*(?:来|办)?${CLOSES_ZH}*\\s*(?=$|[，,。.!！；;])`,
  ].join(''),
);

function labelsIn(reply: string): readonly string[] {
  if (/[?？]\s*$/.test(reply) || /^(?:not|neither|none|no\b|都不|都行|不要|不选|随便|别|哪)/i.test(reply)) return [];
  const english = REPLY_EN.exec(reply)?.groups;
  const first = english?.one?.toLowerCase() ?? '';
  const after = english?.rest ?? '';
  // "a" is an article too, and "one" a pronoun.
  const isArticle = /^(?:a|one)$/.test(first) && /^\s+[a-z]/i.test(after) && !AFTER_EN.test(after);
  if (english !== undefined && !isArticle && AFTER_EN.test(after)) return labelsOf(english.one, english.two);
  const chinese = REPLY_ZH.exec(reply)?.groups;
  if (chinese === undefined) return [];
  const isBareNumeral = /^[一二两三四五六七八]$/.test(chinese.one ?? '') && chinese.mark === undefined;
  return isBareNumeral ? [] : labelsOf(chinese.one, chinese.two);
}

const labelsOf = (...names: readonly (string | undefined)[]): readonly string[] =>
  names.flatMap((name) => (name === undefined ? [] : (labelOf(name.normalize('NFKC')) ?? [])));

const CALLED = '(?:option|variant|choice|plan|alternative|approach|solution|方案|选项|选择|办法|做法)';
const LABEL = '(?<label>[A-Ha-h]|[1-8]|[一二三四五六七八]|[①-⑧])';
const AFTER_LABEL = '(?:[*_]{0,2}\\s*[)）\\].、:：–—-][*_]{0,2}|[*_]{2}(?=\\s)|(?=\\s+\\S))';
const LABELLED = new RegExp(
  `^(?:[-*•]\\s+)?(?:#{1,4}\\s+)?[*_]{0,2}(?:${CALLED}\\s*)?[(（[]?${LABEL}${AFTER_LABEL}\\s*(?:[–—:：-]\\s*)?(?<text>.*)$`,
  'i',
);
const BULLET = /^[-*•]\s+(?<text>\S.*)$/;

/** The last list of options, labelled by their place in it, and the line that asks. */
function optionsIn(lines: readonly string[]): { readonly options: readonly Option[]; readonly question: string } {
  let options: Option[] = [];
  let from = 0;
  const take = (pattern: RegExp, counts: (groups: Record<string, string>) => boolean): void => {
    let open = false;
    lines.forEach((line, at) => {
      const groups = pattern.exec(line)?.groups;
      if (groups === undefined || !counts(groups)) {
        if (open && options.at(-1)?.text === '' && line !== '')
          options = [...options.slice(0, -1), { label: String(options.length), text: clean(line) }];
        else if (line !== '' && !/^\s/.test(line) && groups === undefined && pattern === BULLET) open = false;
        return;
      }
      const place = groups.label === undefined ? (open ? options.length + 1 : 1) : Number(labelOf(groups.label.normalize('NFKC')));
      if (place === 1) [options, from, open] = [[], at, true];
      if (open && place === options.length + 1) options.push({ label: String(place), text: clean(groups.text ?? '') });
    });
  };
  take(LABELLED, ({ label }) => label !== undefined);
  if (options.length < 2) {
    options = [];
    const [inline, at] = inlineOptions(lines);
    [options, from] = [[...inline], at];
  }
  if (options.length < 2) take(BULLET, () => true);
  return { options: options.filter(({ text }) => text !== ''), question: questionAt(lines, from) };
}

const INLINE = /(?:^|[\s,;，；、:：?？])[(（]?(?<label>[A-Ha-h1-8①-⑧])[)）.、:：](?=\s*\S)/g;

/** "A) Redis, B) Postgres" in one line; the last line that has such a list. */
function inlineOptions(lines: readonly string[]): readonly [readonly Option[], number] {
  const at = lines.findLastIndex((line) => [...line.matchAll(INLINE)].length >= 2);
  const line = lines[at] ?? '';
  const marks = [...line.matchAll(INLINE)].map((match) => ({
    label: labelOf((match.groups?.label ?? '').normalize('NFKC')) ?? '',
    from: match.index,
    to: match.index + match[0].length,
  }));
  const options = marks.map(({ label, to }, index) => ({
    label,
    text: clean(line.slice(to, marks[index + 1]?.from).replace(/(?:[\s,;，；、]|\bor|或者?|还是)+$/i, '')),
  }));
  return [options.every(({ label }, index) => label === String(index + 1)) ? options : [], at];
}

const clean = (text: string): string =>
  oneLine(text.replace(/\*\*|__/g, '').replace(/^[\s–—:：-]+/, ''), OPTION_CHARS).replace(/[?？。.;；,，]+$/, '');

function questionAt(lines: readonly string[], from: number): string {
  const inLine = /^(.{3,}?[?？:：])\s*[(（]?[A-Ha-h1-8][)）.、:：]/.exec(lines[from] ?? '')?.[1];
  const before = lines.slice(0, from).findLast((line) => line !== '');
  const after = lines.slice(from + 1).findLast((line) => /[?？]$/.test(line));
  const isAsking = (line: string | undefined): line is string => line !== undefined && /[?？:：]\**$/.test(line);
  const question = inLine ?? (isAsking(before) ? before : (after ?? before ?? ''));
  const last = question.split(/(?<=[.!。！]\s?)(?=\S)/).at(-1) ?? question;
  return oneLine(last.replace(/\*\*|__|^#+\s*/g, ''), QUESTION_CHARS).replace(/[:：]$/, '');
}
