import { BAN, isBan, namesSomething } from './english-ban.ts';
import { type Form, hasForm } from './form.ts';

/** True when a clause orders or forbids beyond this one step: it names what it is about, and nothing in it says "only now". */
export function isEnglishRule(clause: string): boolean {
  if (MOMENT.test(clause)) return false;
  return isBan(clause) || isDuty(clause) || isStandingOrder(clause);
}

/** Words that tie an order to this moment. */
const MOMENT =
  /\b(?:yet|for now|right now|just now|now|this time|at the moment|for the moment|today|tonight|again|just (?:explain|look|read|tell|show)|until (?:i|we) (?:say|tell|am|'m|have|look|check))\b|\bfirst$/i;

/** Words that make an order hold for every case. */
const STRONG =
  /\b(?:always|never|ever|whenever|(?:every|each) time|with (?:every|each)|from now on|in (?:the )?future|henceforth|going forward|from here on|by default|as a rule|by convention|before (?:you|every|each|any|anything|\w+ing)|after (?:every|each|any|\w+ing)|(?:when|if|once) (?:you|a|an|any|something|someone) (?!are|'re|find|have|get|see|can|want)|no exceptions?|without exceptions?|at all times|every single)\b/i;
const GENERAL =
  /\b(?:all|every|each|any|everywhere|anywhere|throughout|only|exclusively|mandatory|compulsory|at most|at least|no (?:more|less|fewer) than|wherever|in (?:this|our|the) (?:repo|repository|project|code ?base|team|company|monorepo|org)|across the|per (?:request|file|commit|day|user|page|pr|test|module|function|class|table))\b/i;
/** Something is to stay so. */
const LASTING =
  /\b(?:stays?|remains?|keeps? (?:working|running|supporting|passing|building)|keep \w+ing|still|compatible|compatibility|support|comply|complies|conform|within|under|below|above|less than|more than|up to|no longer than|not exceed|unique|(?:work|pass|run|build|compile|start|fit)s? (?:on|in|with|without|under|for)|be (?:able|idempotent|signed|documented|encrypted|reversible|deterministic|accessible|responsive|stateless|thread-safe))\b/i;

const isGeneral = (clause: string): boolean => STRONG.test(clause) || GENERAL.test(clause);

const DUTY =
  /^(?<subject>.{0,120}?)\b(?<verb>must|shall|ha(?:ve|s) to|ha(?:ve|s) got to|needs? to|ought to|should|(?:is|are) to be|(?:is|are) (?:required|expected|supposed|obliged) to|requires?|needs?|may only|can only|gotta)\b(?<rest>.*)$/i;

/** These are talked about because of what just happened to them. */
const PASSING_SUBJECT =
  /(?:^|\b(?:the|a|an|your|my) (?:\w+ )?)(?:it|this|that|there|they|something|someone|somebody|everything|he|she|i|problem|error|issue|bug|reason|cause|fault|culprit|guy|thing|result|answer)$/i;
/** A bare plural, or "every": what is said holds for all of them. */
const ANY_SUBJECT =
  /^(?:(?:in|for|on|with|across) [^,]{1,40},? )?(?:(?:all|every|each|any|no|only|new|our|whoever|whatever|anyone|anybody|everyone|everybody)\b|(?!(?:the|these|those|this|that|my|your|his|it|he|she|they|we|you|i|there)\b)\w[\w./-]*(?: [\w./-]+){0,3}(?<!s)s\b|\w+ing\b)/i;
const IDLE_DUTY =
  /^ (?:have been|be (?:wrong|broken|stale|missing|down|some|the (?:one|cause|reason|problem|same)|a (?:typo|bug|mistake|joke)|kidding|joking|tired|fine|ok|okay|good|done|ready|enough|possible|careful|there|working|a joke|so|able to (?:see|find))|say|admit|see|leave|know|look|hear|think|try|work|help|have seen|i\b|we\b|you\b)\b/i;
const ONCE =
  /^ (?:be )?(?:fix|fixed|change|changed|update|updated|done|check|checked|restart|restarted|rename|renamed|remove|removed|rebuild|rebuilt|move|moved|look|find|finish|debug|wait|talk|discuss|figure|solve|add|refactor|rewrite|investigate)\b/i;

function isDuty(clause: string): boolean {
  const { subject = '', verb = '', rest = '' } = DUTY.exec(clause)?.groups ?? {};
  if (verb === '' || !namesSomething(rest, 1)) return false;
  const who = subject.trim();
  const strict = /^(?:must|shall|is|are|may|can)/i.test(verb);
  const isNoun = /^(?:needs?|requires?)$/i.test(verb);
  if (IDLE_DUTY.test(rest) || /\b(?:i|he|she|they)$/i.test(who)) return false;
  if (PASSING_SUBJECT.test(who)) return STRONG.test(clause) && !/^everything$/i.test(who);
  if (/^(?:.{0,40} )?(?:you|u|ye|y['’]?all|you (?:lot|guys)|youse|we|one)$/i.test(who)) {
    if (isNoun) return false;
    return isGeneral(clause) || LASTING.test(rest) || (strict && !ONCE.test(rest));
  }
  if (who === '') return strict && !isNoun;
  if (isNoun) return ANY_SUBJECT.test(who) || STRONG.test(clause);
  if (strict) return true;
  return ANY_SUBJECT.test(who) ? !ONCE.test(rest) || isGeneral(clause) : LASTING.test(rest) || STRONG.test(clause);
}

const orders: readonly Form[] = [
  { form: /\b(?:nobody|no one|none) (?:but|except|other than) \w+(?: \w+)? (?:may|can|should|must|is allowed|gets|touches|has)\b/i },
  {
    form: /\b(?:important|matters?(?: most)?|crucial|essential|key)\b.{0,40}\b(?:is )?that .{3,60}\b(?:keeps?|stays?|remains?|works?|never|always|must)\b/i,
  },
  { form: /\bfrom (?:here|now|today|monday|next \w+) on(?:wards?)?,? \w+.* \w+/i, unless: /\b(?:i|it) (?:will|['’]ll) (?:see|try|get)/i },
  {
    form: /^(?:keep|limit|restrict|hold)\b.* (?:under|below|at most|to|within|less than|up to)\b.*\b(?:one|two|three|four|five|six|eight|ten|twelve|fifteen|twenty|thirty|forty|fifty|hundred|a (?:page|screen|line|minute|second))\b/i,
  },
  {
    form: /\bi(?:['’]d| would) like (?:all|every|each|our|my|any) .{3,60} to (?:be|start|end|have|use|follow|go|stay|look|contain|include)\b/i,
  },
  {
    form: /^(?:nothing|nobody|no one|anything|everything) [\w-]+(?: [\w-]+){0,3} (?:without|unless|until|before|except)\b .*\w/i,
    unless: /\b(?:was|were|did|happened|works?|helps?|compiles|loads|happens|seems)\b/i,
  },
  {
    form: /^(?!it\b|this\b|that\b|he\b|she\b|they\b)[\w .'’-]{3,60} (?:is|are) (?:strictly |absolutely )?(?:mandatory|compulsory|obligatory|required|a must|non-negotiable|optional|not optional|not up for (?:debate|discussion))\b/i,
  },
  {
    form: /^(?:the|our|my|one|house|golden|general|simple) (?:\w+ )?rule\b[^:]{0,30}(?::| is)? .*\w+ \w+/i,
    unless: /\brule (?:fires|matches|is (?:wrong|broken|not)|does|doesn)/i,
  },
  {
    form: /^(?:the|our) (?:\w+ )?(?:customers?|clients?|boss|team|users?|management|legal|security|ops|auditors?|compliance|product owner|marketing|lawyers) (?:only )?(?:wants?|needs?|requires?|expects?|insists? on|demands?|accepts?|asked for) (?!to (?:see|talk|meet|know|go|call)|it\b|this\b|that\b|a call|you\b|us\b|me\b)\w/i,
  },
  {
    form: / (?=(?:always|everywhere|every single time|no exceptions|without exceptions?|at all times|full stop|period)$)(?<=\w \w.* )/i,
    unless:
      /^(?:it|this|that|he|she|they|you|i|we|there|nothing|everything|the \w+) |\b(?:was|were|as always|like always|not always|almost always)\b/i,
  },
  {
    form: /^(?:keep|limit|restrict|cap|hold)\b.* (?:under|below|at most|to|within|less than|no (?:more|longer) than|up to|max(?:imum)?)\b.*\d/i,
  },
  {
    form: /^keep (?:the |all |our |every |each )?(?!going|on |it |this |that |me |up |an eye|looking|trying)\w.* (?:as (?:is|it is|they are)|unchanged|intact|stable|compatible|untouched|separate|private|small|short|simple|in sync|up to date|alphabetical|sorted)\b/i,
  },
  { form: /^(?:at (?:most|least)|no more than|no less than|no fewer than|max(?:imum)?(?: of)?|exactly|up to|never more than) [\w.]+ \w+/i },
  { form: /^only (?!the\b|this|that|one\b|a\b|it\b|if\b|after|when|because|you|i\b|then|for now)\w+ \w+/i },
  {
    form: /^(?:ask|check with|confirm with|consult|talk to|warn|notify|wait for|get (?:my|our|an?) (?:ok|okay|approval|permission|sign-?off))\b.{0,60}\b(?:before|first|prior|until)\b/i,
    unless: /\b(?:before|first|until) (?:i|we) (?:go|leave|look)/i,
  },
  {
    form: /^use (?!the\b|this|that|it\b|them\b|him\b|her\b|an? |your|my\b|those|these|both\b|another|some|one\b|whatever)\w/i,
    unless: /\bto (?:find|check|see|get|fix|make|show|look|debug|list|solve|test|run)\b/i,
  },
  { form: /^use (?!the\b|them\b|it\b|this|that).{1,60}\b(?:instead of|rather than|,? not|over|never)\b/i },
  {
    form: /^(?:answer|reply|respond|write|speak|talk|explain|comment|communicate|address me|document)\b.{0,40}\bin (?:\w+ )?(?:english|german|french|spanish|chinese|mandarin|cantonese|japanese|italian|polish|portuguese|dutch|korean|russian|turkish|arabic|hindi)\b/i,
  },
  {
    form: /^(?:follow|stick to|adhere to|respect|obey|comply with|conform to|prefer|favou?r|treat) (?!me\b|it\b|this\b|that\b|up\b|the (?:link|steps|stack|trace|plan)\b)\w+/i,
  },
  {
    form: /^(?:\w+ )?(?:short|brief|long|concise|detailed|plain|simple|small|single|double|strict|full|british|american|lower-?case|upper-?case|\w+-\w+) \w+s?,? (?:only,? )?please\b/i,
  },
  {
    form: /^(?:it['’]?s|it is) (?:mandatory|compulsory|required|forbidden|important|essential|crucial|vital|imperative|(?:company |team |our )?policy|a (?:hard )?rule) (?:to|that) \w+ \w/i,
  },
  {
    form: /\b(?:stays?|remains?) (?:exactly )?(?:as (?:is|it is|they are)|unchanged|untouched|private|public|frozen|stable|intact|backwards? compatible|compatible|mandatory|optional)\b/i,
    unless: /^(?:it|this|that|the (?:error|problem|bug|output|result|screen))\b/i,
  },
  {
    form: /^[\w-]+(?: [\w-]+)? (?:over|instead of|rather than|not) [\w-]+(?: [\w-]+)?(?:,? (?:please|always|everywhere))?$/i,
    unless:
      /^(?:\w+ )?(?:start|fall|take|hand|roll|carry|go|went|over|i|it|this|that|why|of|but|and|or|sure|did|do|is|are|will|can|could|would|should|may|might|was|am|have|has|does|certainly|still|probably|definitely|maybe|almost|bend|bent|get|look|hover|move|check|trip|way|all|not|good|great|nice|bad) (?:over|not)\b|^(?:i|it|he|she|we|they|why|this|that|so|or|if|absolutely|certainly|probably)\b/i,
  },
  {
    form: /^(?:everything|anything|whatever) [\w-]+ (?:goes|has|comes|lives|gets|belongs|must|needs|is (?:done|written|kept|stored)|stays)\b/i,
  },
  { form: /^remember\b.* (?:always|never|every|each|must|only)\b/i },
];

/** One thing is to be done now, in whatever scope: only "always" and its kin make it a rule. */
const TASK =
  /^(?:fix|check|look|go|show|list|find|read|count|tell|give|print|explain|try|open|search|rename|move|convert|refactor|replace|remove|delete|copy|create|implement|build|debug|investigate|summari[sz]e|review|compare|translate|see|figure|let me|let us|let's|run|add|make (?!sure)|generate|install|download|try|start|stop|continue|wait|i |i'|we |we'|it |it'|he |she |they |there |this |that |the )/i;
const IMPERATIVE =
  /^(?:and |also |so )?(?:always|make sure|ensure|be sure|remember to|don['’]?t forget to|do remember|take care|whenever|when|if|before|after|from now on|in (?:the )?future|going forward|by default|every time|each time|for (?:every|each|all|any)|(?!(?:for|with|in|on|at|by|of|to|from|as|about|than|because|while|since|thanks)\b|\w+(?:ed|ing|s)\b)[a-z]+ )/i;

/** What is done the same way every time; "cache the result for each file" is one change to the code. */
const STYLE =
  /^(?:please |always |also |in [\w ]{2,30}, |for [\w ]{2,30}, )*(?:use|write|keep|name|put|store|answer|reply|ask|follow|document|prefer|make sure|ensure|be sure|log|return|commit|push|deploy|bump|sign|format|indent|prefix|start|end|have|treat|batch|avoid|give|sort|pin|quote|escape|validate|address|speak|stick|send|tag|squash|rebase|review|leave|limit|declare|define|import|export|annotate|mark|label|group|test|cover|assume|expect|respect|tell|talk|explain|only|don['’]?t forget to|remember to)\b/i;

function isStandingOrder(clause: string): boolean {
  if (hasForm(clause, orders)) return true;
  if (FAULT.test(clause.replace(/^(?:please )?don['’]?t forget/i, '')) || (BAN.test(clause) && !/forget to/i.test(clause))) return false;
  if (
    /^(?:every time|each time|whenever|when|if|before|after)\b/i.test(clause) &&
    /^\w+(?: \w+)? (?:i|it|he|she|they|the|my)\b/i.test(clause)
  )
    return false;
  if (!IMPERATIVE.test(clause) || !namesSomething(clause, 2)) return hasForm(clause, customs);
  if (TASK.test(clause))
    return (STRONG.test(clause) && !/^(?:i|we|it|he|she|they|there|this|that|the)\b/i.test(clause)) || hasForm(clause, customs);
  return (
    STRONG.test(clause) ||
    (GENERAL.test(clause) && STYLE.test(clause)) ||
    (/^(?:make sure|ensure|be sure)\b/i.test(clause) && LASTING.test(clause)) ||
    hasForm(clause, customs)
  );
}

/** What is usual and therefore to be done: "tests go next to the code", "dates are always UTC". */
const customs: readonly Form[] = [
  {
    form: /^(?:all |our )?(?!it|this|that|things|tests|errors|others|users|lines|logs)\w+s(?: (?:in|for|of|on|with) (?:the )?\w+)? (?:always |only )?(?:use|take|follow|carry|include|need|start with|end with|end in|stay|require) \w/i,
    unless: /\b(?:time|ages|forever|longer|hours|it|this|that|more|too|help)\b/i,
  },
  {
    form: /^(?:all |new |our |the )?(?!it|this|that|things|tests|errors|others)\w+s (?:always |only |just )?(?:go|belong|live|come|sit|stand|stay|end|start|get) (?:above|below|under|in|on|at|next|after|before|into|to|with|behind|beside|first|last)\b/i,
    unless: /\b(?:wrong|through|away|missing|lost|by|well)\b/i,
  },
  {
    form: /^(?!it\b|this\b|that\b|there\b|he\b|she\b|they\b|you\b|i\b|nothing\b|everything\b|something\b|the (?:first|second|last|other|next|same) )\w.{1,60}\b(?:is|are|goes?|gets?|stays?|runs?|has|have|comes?|belongs?|ends?|starts?|uses?|lives?)\b.{0,40}\b(?:always|never|only|by default|by convention|as a rule|in that order)\b/i,
    unless: /\b(?:the (?:error|problem|test|page|app|build|screen)|never (?:ends|stops|comes))\b/i,
  },
  {
    form: /^(?!it\b|this\b|that\b|there\b|he\b|she\b|they\b|you\b|i\b|nothing\b|everything\b|something\b)\w[\w -]{1,60} (?:always|never|only) (?:go(?:es)?|gets?|stays?|runs?|has|have|comes?|belongs?|ends?|starts?|uses?|lives?|takes?|happens?)\b/i,
  },
  {
    form: /^(?:all|every|each|any) .{2,60}\b(?:gets?|goes|go|is|are|has|have|uses?|starts?|ends?|comes?|belongs?|lives?|stays?|follows?)\b/i,
    unless: /\b(?:tests? (?:is|are)|was|were|broken|red|green|failing|fine|done|gone|here|back|working|passing|ok|okay)\b/i,
  },
];

/** What goes wrong is no rule, however often it does. */
export const FAULT =
  /\b(?:crash|fail|break|broke|hang|hung|freez|froze|stuck|slow|wrong|forget|forgot|error|yell|annoy|die[sd]?\b|timeouts?\b|times? out|los(?:es?|ing)\b|miss(?:es|ing)?\b|ignor|complain|finish|works?\b|load|respond|flaky|red\b|down\b|useless|ridiculous|stupid|damn|hate it|mess|nightmare|painful|laggy|leak|reject|refus|disappear|vanish|empty|undefined|null\b|50\d\b|40\d\b|exception|bug)/i;
