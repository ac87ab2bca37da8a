/**
 * Which sentences say how one thing is to be made, in the words of an order or a ban: the behaviour of a feature, and what was done wrong
 * with the task at hand. The time is linear in their length.
 */

/** "The menu must close when I press escape": what one part of a program does upon an event. */
export function describesFeature(sentence: string): boolean {
  const text = sentence.slice(0, MAX_CHARS);
  if (HOLDS_ALWAYS.test(text)) return false;
  if (UPON_INPUT.test(text)) return true;
  const subject = FEATURE.exec(text)?.[1];
  return subject !== undefined && !OF_MANY.test(subject) && !OF_THE_WORK.test(subject);
}

const MAX_CHARS = 500;

const HOLDS_ALWAYS =
  /\b(?:never|always|not|n't|still|all|every|each|any|no|nobody|whatever|regardless|at all times|secrets?|passwords?)\b/i;

/** What users do at a screen. */
const UPON_INPUT =
  /\b(?:must|should|has to|have to|needs? to)\b.{1,120}\b(?:when|if|after|once|while|until|as soon as) (?:i|the user|users?|someone|somebody|one) (?:(?:right|left|double)[- ])?(?:press|click|tap|type|select|scroll|hover|resize|drag|hit|paste|swipe|focus)/i;

const FEATURE =
  /^((?:the |an? |this |that |our )?[\w`'-]+(?: [\w`'-]+){0,4}) (?:must|has to|needs to) (?!be\b|stay\b|remain\b|keep\b|work\b|run\b|pass\b|compile\b|support\b|ask\b|wait\b)[a-z]+\b.{0,160}\b(?:when|if|once|where|after|as soon as|until)\b/i;

/** By its number a word for a whole class: "endpoints". */
const OF_MANY = /[^s]s$|^(?:you|we|i|they|it|people|data|everything|anything)$/i;

/** What people work by, rather than what they make. */
const OF_THE_WORK =
  /\b(?:build|ci|pipeline|release|deploy(?:ment)?|test|suite|lint(?:er)?|check|job|review|code|api|server|service|agent|bot|commit|branch|pr|merge|migration|script|hook|team)$/i;

/**
 * True for a ban that only puts right how the task at hand is being done: one that is set against what was just done or asked for, of a
 * certain thing, or with what to do in its place. One that protects something ("but don't touch ...") is none.
 */
export function correctsTask(sentences: readonly string[], at: number): boolean {
  const sentence = (sentences[at] ?? '').slice(0, MAX_CHARS);
  const [, opening = '', verb = '', object = ''] = BAN.exec(sentence) ?? [];
  if (verb === '' || PROTECTS.test(verb) || GENERAL.test(sentence)) return false;
  if (IN_ITS_PLACE.test(object)) return true;
  const isCertain = CERTAIN.test(object);
  if (opening === '' && !isCertain) return false;
  return (opening !== '' && isCertain) || isCounterpart(sentences[at + 1], verb, object);
}

const BAN = /^((?:(?:no|nope|nah|but|yeah but|yes but|ok but)\b[,.!]? ?)*)(?:please )?(?:do not|do ?n'?t|dont) ([a-z]+) (.+)$/i;

const PROTECTS =
  /^(?:touch|change|modify|edit|alter|delete|remove|drop|rename|move|break|commit|push|merge|deploy|publish|release|install|upgrade|update|add|create|run|ask|send|write|reformat|format|rewrite|refactor|use|want|like|store|expose|leak|swallow|ignore|disable|skip|force|rely|depend|introduce|let|ever|even|start|stop|kill|call|access|open|share|upload|overwrite|revert|bump|regenerate)$/i;

const GENERAL =
  /\b(?:any|all|every|each|ever|never|always|anything|anywhere|nothing|no one|nobody|whatever|unless|before|without|production|prod|secrets?|passwords?|tokens?|keys?|credentials?|customers?|personal)\b/i;

/** One thing: with an article, by its name in code. */
const CERTAIN = /^(?:the|an?|this|that|its|it|my|your)\b|^`[^`]+`|^[a-z]+[A-Z]\w*\b|^[A-Z][a-z]+[A-Z]\w*\b|^[a-z]+(?:_[a-z\d]+)+\b/;

/** "…, just leave it out", "…, read it from the file instead". */
const IN_ITS_PLACE = /,? (?:but )?(?:just|simply|rather) [a-z]+ (?:the|it|its|that|this|them|an?)\b|, [a-z]+ [^,]{2,60} instead[.!]?$/i;

/** What is to be done instead, in the same words: "add a second index", "mock the client". */
function isCounterpart(next: string | undefined, verb: string, object: string): boolean {
  const [, order = '', rest = ''] = /^(?:please |just |instead,? )?([a-z]+) (.+)$/i.exec((next ?? '').slice(0, MAX_CHARS)) ?? [];
  if (order === '' || !TASKS.test(order)) return false;
  if (order.toLowerCase() === verb.toLowerCase()) return true;
  const words = new Set(rest.toLowerCase().match(/[a-z_\d]{4,}/g));
  return (object.toLowerCase().match(/[a-z_\d]{4,}/g) ?? []).some((word) => words.has(word));
}

const TASKS =
  /^(?:add|make|put|mock|replace|wrap|return|show|print|read|parse|take|keep|leave|use|create|write|pass|include|compute|check|move|split|build|store|extend|render|assume|guess)$/i;
