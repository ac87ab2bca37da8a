/**
 * Does a sentence say something that holds beyond this moment? Rules, choices, names, places, settings, times and habits do; requests,
 * questions, open choices, complaints, reports and small talk do not.
 *
 * A sentence comes in, and its kind comes out, or nothing. It is read clause by clause, by its grammar rather than by its topics: who is
 * told to do what and how often, what is given which value, what was settled. English and Chinese have files of their own, with a table of
 * forms for each kind; a sentence that mixes them is read as both. open.ts says what takes any statement back: a question, a doubt, an "if".
 *
 * Each form matches one clause of bounded length, so the time is linear in the text. Who said it, and what a tool printed before, is for
 * others to judge. `npm run bench:memory` measures the forms on labelled statements.
 */

import type { StatementKind } from '../../../domain/memory/memory.ts';
import { judgeChinese } from './chinese-statement.ts';
import { isEnglishDecision } from './english-decision.ts';
import { isEnglishFact } from './english-fact.ts';
import { isEnglishPreference } from './english-preference.ts';
import { FAULT, isEnglishRule } from './english-rule.ts';
import { isOpen } from './open.ts';

/**
 * What a sentence of a person states that holds beyond this moment: a decision, a rule or habit (`preferences`), or a fact such as a name,
 * an address, a setting with its place, or a time. Undefined for requests, questions, open decisions, complaints and small talk.
 */
export function judgeStatement(sentence: string): StatementKind | undefined {
  if (isPlainRequest(sentence)) return undefined;
  const text = withoutFillers(sentence);
  if (isOpen(text)) return undefined;
  const [whole, ...parts] = clausesOf(text).map(judgeClause);
  return whole ?? (['decisions', 'preferences', 'facts'] as const).find((kind) => parts.includes(kind));
}

/**
 * Most of what is said is a task for now, and says nothing that lasts. The forms would find that out too, but there are some eight hundred of
 * them, and the first sentence of a process that meets them all pays for compiling them: more than the rest of a short turn.
 */
const isPlainRequest = (sentence: string): boolean =>
  sentence.length <= MAX_REQUEST_CHARS && (LONE_WORD.test(sentence) || (TASK.test(sentence) && !LASTING.test(sentence)));

const MAX_REQUEST_CHARS = 300;
const LONE_WORD = /^[\w.?!-]+$/;
const TASK =
  /^(?:please |can you |could you )?(?:add|analy[sz]e|build|change|check|clean|commit|compare|continue|create|debug|delete|describe|edit|explain|extract|find|fix|generate|help|implement|improve|inspect|install|investigate|list|look|make|move|open|print|push|read|refactor|remove|rename|review|run|search|show|status|summari[sz]e|test|try|update|view|write)\b/i;
/** Words that can make a request hold longer, or that state something beside it; and whatever is not plain English. */
const LASTING =
  /\b(?:again(?:st)?|all|always|any|anyone|are|as long as|avoid|be|been|before|by default|can(?:not)?|decid\w*|don['’]?t|each|ever\w*|except|first|from now|goes|has|have|if|instead|is|keep|leave|let['’]?s|lives?|may|means|must|need\w*|never|no|nobody|not|nothing|on(?:ce|ly)|or|ought|our|own|please|prefer\w*|rather|rule|runs|settled?|shall|should|so|stay\w*|stick|stop|than|that|unless|until|us(?:e|es|ing)|want|was|we|were|when\w*|wherever|will|with(?:out)?|won['’]?t|would|x?[0-2]?\d[:h]\d\d|mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|weekly|daily|nightly|am|pm)\b|[:;=@]|[^\x00-\x7f]/i;

function judgeClause(raw: string): StatementKind | undefined {
  const clause = raw.replace(OPENING_WORD, (word) => word.toLowerCase());
  const hasHan = /\p{Script=Han}/u.test(clause);
  const chinese = hasHan ? judgeChinese(clause) : undefined;
  if (chinese !== undefined || !/[a-z]{2}/i.test(clause)) return chinese;
  if (hasHan && !ENGLISH_CORE.test(clause)) return undefined;
  if (isEnglishDecision(clause) && !isComplaint(clause)) return 'decisions';
  if (isEnglishRule(clause) && !isComplaint(clause)) return 'preferences';
  if (isEnglishPreference(clause)) return 'preferences';
  return isEnglishFact(clause) ? 'facts' : undefined;
}

/** Words that are capital only because they come first. */
const OPENING_WORD =
  /^(?:The|Our|My|Your|This|That|These|Those|We|All|Every|Each|It|There|Everything|Everyone|Nobody|Nothing|Production|Staging|When|If|What|For|In|On|At|By|From|He|She|They|You|No|Any|Only|Please|Let|Do|Don|Never|Always|Use|A|An)\b/;

/** In a Chinese sentence, English words count as grammar only when they carry it. */
const ENGLISH_CORE = /\b(?:don['’]?t|do not|never|must|always|should|have to|prefer|decided|we|i['’]m)\b/i;

/** "It always crashes", "you never listen". */
const isComplaint = (clause: string): boolean =>
  /^(?:it|this|that|these|those|he|she|they|you|nothing|everything|there|the \w+(?: \w+)?|my \w+)(?: \w+)? (?:always|never|constantly|keeps?|only)\b/i.test(
    clause,
  ) &&
  (FAULT.test(clause) || /^(?:you|he|she|they) (?:\w+ )?(?:always|never)/i.test(clause));

const FILLER =
  /^(?:(?:um+|uh+|er+m?|hm+|ah|oh|ok(?:ay)?|right|alright|well|yeah|yes|yep|yup|sure|listen|look here|hey|hi|hello|so|and|but|also|then|now then|please|pls|plz|like|you know|i mean|actually|basically|btw|by the way|fyi|just so you know|for the record|for your information|one more thing|another thing|a reminder|reminder|heads up|note|note that|nb|important|careful|attention|remember this(?: one)?|remember that|remember|please remember(?: that)?|keep in mind(?: that)?|bear in mind(?: that)?|be aware(?: that)?|get this|listen up|(?:two|three|one|a few) (?:things?|rules?|points?)(?: (?:to|you should) (?:know|remember|keep in mind)(?: about \w+)?)?|next thing|next one|one more|because of (?:that|this)|reckon|i['’]ll say it once|mind you|as i said|like i said|as agreed|as discussed|in short|long story short|seriously|honestly|trust me|whatever you do|whatever happens|no matter what|once and for all|the thing is|good|great|fine|perfect|thanks|thank you|cool|nice|to be clear|just to be clear|for context|in general|generally|of course|obviously|oh and|my friend|guys|folks|everyone|rule|rules|constraint|requirement|convention|嗯+|呃+|额+|啊|哎|诶|欸|唉|哦|噢|喂|那个|这个(?=[\s，,])|就是(?=[\s，,])|就是说|然后(?=[\s，,])|对了|另外|还有|其实|总之|反正|话说|补充一下|再补充一点|提醒一下|说明一下|顺便说一下|顺便|顺带|记住啊?|记一下|你记一下|请记住|注意|好的?(?=[\s，,])|行(?=[\s，,])|OK|听好了?|首先|所以|因此|不过|但是?(?=\S{4})|而且|并且|还有一个|还有一点|然后还有一个|然后呢|我跟你说一下啊?|跟你们说|恁记住|你记住|侬记牢|记牢|记得哈|你晓得|你要知道|你记得|拜托|首要的是|跟你说|跟你讲|我跟你说|是这样的?|这样|重点)(?:[\s,，.。!！:：;；、…—-]+|$))+/i;

function withoutFillers(sentence: string): string {
  const inner = sentence
    .replace(/\*\*|__/g, '')
    .replace(/(?<![\w])(?:um+|uh+|erm?|呃+|嗯+)(?![\w])[,，]? ?/gi, '')
    .replace(/(?<=\p{Script=Han}|\s)(?:那个|就是) (?=\S)/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
  return inner
    .replace(FILLER, '')
    .replace(TAG, '')
    .replace(/^(?:can|could|would|will) (?:you|u)(?: please)? (?=.*\b(?:always|never|from now on|in future|every time|by default)\b)/i, '')
    .replace(/[\s.。!！~～…]+$/u, '')
    .trim();
}

/** At the end it only asks for a nod. */
const TAG =
  /[\s,，]+(?:ok(?:ay)?|got it|understood|alright|deal|please|pls|thanks|thank you|thx|clear|好吗|行吗|可以吗|懂了吗|知道吗|明白吗|知道了吗|好不好|晓得不|晓得伐|记住了吗|谢谢|拜托|别忘(?:了|记)?|记住了?|唔好唔记得|知道了吧)\s*[?？.。!！]*$/i;

/** The whole and its clauses: what comes after a comma may be another statement. */
function clausesOf(text: string): readonly string[] {
  const parts = text.split(
    /(?<=\p{Script=Han})\s+(?=\p{Script=Han})|[,，;；：]\s*|:\s+|\s[–—-]+\s|—+|[。.!！]\s+|\s+(?:and|but|so|because)\s+(?=(?:please |you |we |it['’]s |the |i )?(?:never|don['’]?t|do not|always|must|decided|prefer|[a-z]+ (?:is|are|runs|lives|must|will)\b))/iu,
  );
  return [text, ...(parts.length > 1 ? parts : [])]
    .map((part) => part.replace(FILLER, '').trim())
    .filter((part) => part !== '')
    .slice(0, 24);
}
