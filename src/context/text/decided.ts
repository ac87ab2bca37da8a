/**
 * Which sentences settle something, and what belongs to what they settle. All patterns are plain alternations with bounded gaps, so the
 * time is linear in the length of the sentence.
 */
import { isAnnouncement, isQuestion } from './cues.ts';

/** True when the sentence states a choice that was made, by a user or a model. The model talks about deciding more often than it decides. */
export function settlesSomething(sentence: string, by: 'user' | 'model'): boolean {
  const text = sentence.slice(0, MAX_CHARS);
  if (isQuestion(text) || UNDECIDED.test(text)) return false;
  if (by === 'user') return USER.test(text) || USER_ZH.test(text);
  if (MODEL.test(text) || MODEL_ZH.test(text)) return true;
  return !isAnnouncement(text) && PLAN_WITH_REASON.test(text);
}

const MAX_CHARS = 500;

/** Not decided, left to another, or decided by somebody else. */
const UNDECIDED = new RegExp(
  [
    String.raw`\b(?:not|n't|nothing was|nothing is|never|un)[ -]?(?:yet )?(?:been )?(?:decided?|settled|agreed|final)\b|\b(?:you|they|he|she|it|user|which|who) (?:can |could |may |should |might )?(?:decid|choos|chose|pick|select|opt)\w*`,
    String.raw`\b(?:whether|depends on|up to you|if (?:you|we|the user) (?:choose|decide|pick|go)|wonder if|should we|used (?:\w+ ){0,4}to decide|to decide (?:whether|if|which|what))\b|^if\b`,
    String.raw`(?:还没|没有?|尚未|未)(?:想好|决定|定)|(?:你|您|由你|他们?|她)(?:来|们)?(?:可以)?(?:决定|选择|选)|要不要|再决定|是否|如果|不确定|^(?:今天|晚上|明天|周末)|选择(?:其中|适合|一些|困难|哪)|用来决定|建议`,
  ].join('|'),
  'i',
);

const USER = new RegExp(
  [
    String.raw`\blet'?s (?:go (?:with|for)|use|keep|stick|take (?!a )|drop|skip|leave|stay with|call it|name it|switch|avoid|settle|make (?:it|the)|not do|do without)\b`,
    String.raw`\bwe(?:'ll| will| are going to|'re going to) (?:go with|use|keep|stick|drop|skip|store|name|call|support|not|stay|take|switch|leave|do without)\b`,
    String.raw`\b(?:i|we)(?:'ve| have)? (?:decided|settled|opted|agreed|chose|picked|switched|went with|choose|pick)\b|\b(?:i'm|i am|we're|we are) going with\b|\bi(?:'d| would)? go (?:for|with)\b`,
    String.raw`\bwe(?:'re| are) (?:building on|going with|moving to|dropping|keeping|staying with|skipping|switching|postponing)\b|\bwe(?:'ll| will) (?:postpone|defer|ship|build|have (?:one|a|no|two)|do \S+(?: \S+){0,3} (?:as|in|with|without|by))\b`,
    String.raw`\bfinal (?:answer|decision|word)\b|\bthe winner is\b|^(?:done deal|it's settled|that's settled)\b|^(?:no|nah),? (?:scrap|drop|forget)\b|\b\w+ is out[,.;]? (?:and )?\w+ is in\b|\blet'?s (?:settle on|do the \w+ (?:one|version|variant|option|way|design))\b`,
    String.raw`\blet'?s apply (?:this|that|it|the same)\b.{0,60}\b(?:to|too|everywhere|for)\b|\blet'?s have (?:one|a|an|no|only|just)\b|\bi(?:'d| would) prefer\w* (?:if )?(?:it|this|that|they|we)\b`,
    String.raw`^(?:ok,? |so |then |and )*(?:decision|decided|settled|agreed|approved|final(?:ly)?)[:,]\s`,
    String.raw`^(?:ok(?:ay)?,? |yes,? |then |let's )*go (?:with|for) \w|\w+ it is[.!]?$`,
    String.raw`^(?:ok,? |yes,? )*(?:option|variant|plan|approach) [a-d1-9]\b(?: please|[,.]|$)|\b(?:option|number|plan)? ?\w+ is the (?:right|best|better) (?:approach|option|choice|one)\b`,
    String.raw`\bthe first (?:version|release) (?:ships|comes|goes out|is) without\b|\bno \S+(?: \S+){0,3} in (?:v1|the first (?:version|release))\b|\bis final: |\b(?:so )?the name is (?:final|settled)\b`,
  ].join('|'),
  'i',
);
const USER_ZH =
  /(?:我们|我)?决定(?!于|权)|就这么定|(?<![制规约预确鉴限固稳])定了|选定|就用|还是用|选用|采用|改用|改成单|敲定|定为|拍板|最终方案|就定|就叫|换成|(?:第一版|首版|一期|v1)[^，。]{0,4}(?:不做|不支持|只做|先不)|先不做|不用[^，。]{1,16}了[，,]|^(?:我)?选\s?[A-D一二三四1-4]|就(?:选|按|走|叫|上)|还是(?:不|选|走|按|上)|按[^，。]{1,10}方案(?:走|来|做)|(?:前端|后端|数据库|语言|框架)[^，。]{0,4}定(?=\s?[A-Za-z])|先接|以后再说|(?:叫|称)它|^同意[，,]?按/i;

const MODEL =
  /^(?:[\w ]{2,30}, |so )?we(?:'ll| will) (?:use|keep|go with|stick (?:with|to)|drop|skip)\b(?!.* to (?:check|look|see|find|do|make sure|verify|run|read|test|search)\b)|\b(?:option|approach|variant|plan) \w{1,2} (?:is (?:the )?(?:cleanest|best|simplest|right|better|safest|smallest)|makes (?:the )?(?:more|most) sense)\b|\b(?:I|we)(?:'ve| have)? (?:decided|chose|opted|settled on|agreed|went with)\b|^(?:decision|decided):|\b(?:chose|chosen|picked|selected) \S+(?: \S+){0,5} (?:over|instead of|rather than)\b/i;
const MODEL_ZH = /(?:我们?|这里|因此|所以|最终)(?:决定|选用|选择了|采用)|^决定(?!了?走)|决定(?:采用|使用|不)/;

/** A plan of the model is a decision only with its reason, or with what it rejects. */
const PLAN_WITH_REASON =
  /\b(?:I|we)(?:'ll| will) (?:use|go with|keep|skip|leave|stick|drop|avoid)\b.{3,200}\b(?:because|since|so that|instead of|rather than|as (?:the|it|they|this)|to avoid)\b/i;

const REASON_START =
  /^(?:because|since|the reason|reason:|that way|otherwise|this (?:avoids|keeps|means|way|lets)|it(?:'s| is| was) (?:too|simpler|faster|safer|smaller|cheaper|easier))\b|^(?:因为|原因|否则|这样|理由)/i;
const HAS_REASON = /\b(?:because|since|so that|as (?:the|it|they)|otherwise|instead of|rather than)\b|因为|由于|否则|以免|以便/i;

/** Returns the reason when the next sentence gives it and the decision does not. */
export const reasonAfter = (decision: string, next: string | undefined): string =>
  next !== undefined && !HAS_REASON.test(decision) && REASON_START.test(next) && next.length <= 200 ? ` ${next}` : '';

/** "Shall I commit, or reply first?": what is done next, not how something is made. */
const ASKS_FOR_STEP =
  /\b(?:want (?:me )?to|shall (?:I|we)|should (?:I|we)|would you like (?:me )?to)(?: now| also| just| first)* (?:commit|push|reply|continue|start|run|check|look|fix|test|verify|dig|debug|investigate|show|explain|open|read|review|tackle)\b/i;

/** True for a question whose short answer settles something: it offers a choice, or asks whether to take something. */
export const offersChoice = (question: string): boolean =>
  !/喜欢|觉得最|有趣|分享|适合拍|你(?:看|去|读|听|平时|一般|现在|最近)的?|^(?:does|did|do you see|was|were|has|have you)\b|\bor (?:what|something else)\b/i.test(
    question,
  ) &&
  (!ASKS_FOR_STEP.test(question) || DESIGNS.test(question)) &&
  (/\bwhich\b|\bprefer(?:ence)?\b|\boption\b|\bapproach(?:es)? (?:do|would|should|is)\b|\b\w+[,.:?)]{0,3} or \w|^or\b|\b(?:shall|should|do you want) (?:I|we|me)(?: to)? (?:use|take|go with|keep|stick|name|call|store|switch)\b/i.test(
    question,
  ) ||
    /哪(?:个|种|一)|还是|(?:用|选|采用)[^，。]{1,20}(?:吗|可以|如何)|方案/.test(question));

/** True for a question that proposes how something is to be made, not only whether to take the next step. */
export const proposesDesign = (question: string): boolean =>
  (OPENS_PROPOSAL.test(question) && DESIGNS.test(question)) || DESIGNS_ZH.test(question);

const OPENS_PROPOSAL =
  /\b(?:want me to|would you like me to|do you want|shall (?:I|we)|should (?:I|we)|would you like (?:me )?to have|ok(?:ay)? (?:if|to)|how about)\b/i;
const DESIGNS =
  /\b(?:add|remove|move|rename|keep|use|switch|replace|split|merge (?!it\b)|support|drop|store|include[ds]?|included|extract|convert|consolidate|separate|inline|make (?:it|them|the)|put|leave|default|require|allow|cache|limit)\b(?!ing)(?! (?:anything|more tests?|tests?|a test|comments?)\b)/i;
const DESIGNS_ZH =
  /(?:要不要|需要我?|是否|(?:^|[，,])我?(?:建议|打算|准备))[^，。?？]{0,10}(?:加(?!油)|去掉|删|改(?:成|用|为)|换成|保留|拆|合并|支持|放(?:到|在)|移到|缓存|限制|默认)[^。]{0,40}[?？吗]/;

/** True when it says what it would do, or what is best. */
export const recommends = (text: string): boolean =>
  /\b(?:I(?:'d| would) (?:(?:just|rather|simply) \w+|recommend|suggest|propose|say|go with|use|keep|proceed|put|take|make|add|move|drop|inline|merge|split)|recommend(?:ed|ation)?|my (?:suggestion|proposal|recommendation)|I (?:suggest|propose)|should (?:just )?be \w+(?:ed|n) \w|(?:best|cleanest|simplest|safest|right) (?:solution|approach|option|choice|way|fix)|proposed (?:solution|approach|fix)|the (?:plan|idea) (?:would be|is))\b|(?:我|最)?建议|推荐|最(?:好|佳|干净|简单)的?(?:方案|办法|做法|选择)|我(?:会|倾向)/i.test(
    text,
  );
