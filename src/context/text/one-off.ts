/** Which orders are of the moment: they bind the task at hand, and nobody wants them kept beyond it. The time is linear in their length. */

import { describesFeature } from './of-task.ts';

/** True for an order that by its own words is for this one time, one place or one thing just spoken of; a word like "always" outweighs it. */
export function isOneOff(sentence: string): boolean {
  const text = sentence.slice(0, MAX_CHARS);
  if (describesFeature(text)) return true;
  if (RECURS.test(text)) return false;
  return ONCE.test(text) || AT_HAND.test(text) || TASK.test(text) || CONTRAST.test(text) || ONCE_ZH.test(text);
}

const MAX_CHARS = 500;

/** Said of many times, it is no order of one. */
const RECURS =
  /\b(?:every|each (?:time|commit|change|release|push|pr)|always|never|unless|when(?:ever)?|before|after each|per (?:commit|change|release)|by default|in general|from now on|in (?:the )?future|going forward|from here on|at all times|ever again|no matter|daily|weekly)\b|每|都|凡|一律|总是|以后|今后/i;

const ONCE =
  /\b(?:this time|this once|just once|only once|just now|for this (?:one|once|time|fix|change|task|commit|pr|round|run|step|case|line|request)|in this (?:one|case|commit|pr|message|round|run|step|reply|answer|line)|(?:in|for|to) (?:that|those|these) (?:\w+ )?(?:one|ones|tests?|files?|lines?|functions?|cases?|commits?|places?|rows?|changes?|calls?|messages?))\b/i;

/** The thing is known only from what was said before: "don't rename it", "avoid the loop here". */
const AT_HAND =
  /\b(?:do|rename|remove|delete|move|change|touch|add|print(?:ing)?|show|use|run|call|log|fix|keep|edit|drop|open|mention) (?:it|that|this|them|those|these)(?: (?:again|here|now|please|there|too|yet|either))?[.!…]*$|\b(?:about|with|for|to) (?:it|that|them)[.!…]*$|^(?:(?:but|and|no|please|so|ok(?:ay)?),? )*(?:avoid|skip|leave|use|keep|put|(?:do ?n[o']t|dont|do not) (?!use\b|want\b)\w+)\b (?:the|an?|that|this|any) [\w -]{2,40} here[.!…]*$|^(?:commit|push|merge|deploy|ship) (?:it|that|this|them)\b/i;

/** The task of the moment, with what it is to keep to; and what is said of its result alone. */
const TASK =
  /^(?:(?:ok(?:ay)?|please|so|and|now|then|yes|no|well|also)[,.!]? )*(?:(?:(?:re-?)?run|try|do|start|repeat|test|build|check) (?:(?:it|that|this|all|everything|the [\w -]{1,40}) )?(?:again|once more)\b|(?:let'?s |just )(?:try|do|run|start) (?:it|that|this)\b|undo\b|revert (?:it|that|this)\b|try again\b|should be (?:a (?:bit|little) )?\w+er\b)/i;

/** A ban that only says what of the task is left out: "not the title, just the body". */
const CONTRAST =
  /^(?:please |no,? |but )*(?:do ?n[o']t|dont|do not) [^,;]{2,60}[,;] (?:but )?(?:just|only) (?:the\b|\w+(?: (?:it|that|this))?[.!]?$)|\b(?:keep|leave) the [^,;]{2,60} (?:as (?:it is|they are)|alone|unchanged|untouched) and (?:change|fix|edit|move|rename|remove|update|do|add)\b/i;

const ONCE_ZH =
  /这(?:一)?(?:次|回|趟|遍)|本次|(?:这里|此处)(?=(?:不要|别|先|用|改))|这(?:个|条|些)(?:警告|报错|错误|改动|提交|用例|函数|变量)|再(?:跑|试|来|做|改|看|运行|测)(?:一)?(?:遍|次|下|试)|(?:现在|马上|立刻|先)(?:提交|推送|运行|跑|部署)(?:吧|一下|了)?[。！!]?$/;
