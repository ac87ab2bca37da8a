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

const BAN =
  /^(?:you )?(?:do not|don['’]?t|never|avoid|refrain from|quit|hands off|keep (?:away|out|off|clear)|stay (?:away|off|out|clear)|keep your (?:hands|fingers) off|stop(?= \w+ing\b)|under no circumstances|no touching|not to)\b(?<rest>.*)$/i;
const IDLE_BAN =
  /^ (?:ever )?(?:(?:\w+ed|heard|seen|been|had|thought|knew|known|got|gotten|done|made|said|told|met|went|felt|found|came|saw|took)\b|worry|mind|bother|care|know|think|understand|hesitate|panic|sweat|be\b|get me|forget|you\b|we\b|i\b|say|tell me|laugh|give up|thank|wait|see|have\b|need|look|feel|get\b)/i;
/** Words that name nothing by themselves. */
const POINTING =
  /^(?:it|this|that|these|those|them|so|anything|something|everything|there|here|one|ones|too|much|any|the|a|an|my|your|me|to|at|in|on|of|for|with|please|ok|okay|either|like|just|ever|and|or|do|touch|all|then|us|him|her|out|off|up)$/;

/** At least this many words must name something: what not to do, and to what. */
function namesSomething(rest: string, least: number): boolean {
  const words = rest.toLowerCase().match(/[^\s,.;:!?()"]+/g) ?? [];
  return words.filter((word) => !POINTING.test(word)).length >= least;
}

const THIS_ONE =
  /\b(?:this|that|these|those) (?!repo|project|code|folder|directory|package|service|app|team|company|branch|machine|server|host|environment|database|module|library|monorepo|product)\w+/i;

const declaredBans: readonly Form[] = [
  {
    form: /\b(?:must ?n[o']t|mustn['’]?t|must never|may not|may never|shall not|shall never|shan't|should never|should not|shouldn['’]?t|(?:has|have) to never|are never to|is never to|is not to|are not to)\b/i,
    unless:
      /\b(?:it|that|this|there|i|he|she) (?:must|may|shall|should)|\b(?:should not|shouldn['’]?t|may not) (?:be (?:a problem|hard|too|long|difficult|an issue|so)|happen|matter|take|work|have)/i,
  },
  {
    form: /\b(?:you|one) (?:can['’]?t|cannot|can not|may not) (?:use|push|commit|touch|change|edit|run|delete|deploy|merge|write|import|call|add|log|store|modify|access|rely|rename|remove)\b|\byou(?:['’]re| are) not (?:allowed|permitted|supposed) to \w+ \w/i,
  },
  {
    form: /(?:\b(?:is|are|stays?|remains?)|['’]s|['’]re) (?:strictly |absolutely |completely |totally |generally )?(?:forbidden|prohibited|banned|verboten|taboo|off[- ]limits|out of bounds|not (?:allowed|permitted|acceptable|ok|okay)|a (?:strict )?no[- ]go|no[- ]go|untouchable|disallowed|frowned upon)\b|\b(?:is|are)n['’]?t (?:allowed|permitted|to be|acceptable)\b|^(?:forbidden|prohibited|off limits|not allowed)\b.* \w/i,
    unless: /^(?:that|this|it|he|she|they)(?: is| are|['’]s|['’]re)\b(?!.*\bto \w+ \w+)/i,
  },
  {
    form: /(?:^|\b(?:is|that|simple|so|and|because|therefore|then|but|prod|here) )(?:nobody|no one|none of us|ain['’]t nobody|no (?!idea|one\b)\w+(?: \w+){0,2}) (?:(?:ever |here )?\w+s|may|can|should|must|goes|gets|leaves|is (?:allowed|to))\b/i,
    unless:
      /\b(?:knows?|understands?|cares?|told|has|is (?!allowed|to)|was|works?|helps?|seems?|matters?|needs?|loads?|appears?|shows?|happens?|passes|fails?)\b/i,
  },
  {
    form: /^(?:in \w+(?: \w+){0,3} |here )?(?:we|our team|this (?:repo|project|code ?base|team)|the \w+ team) (?:generally |usually |really |just )?(?:do not|don['’]?t|does not|doesn['’]?t|never) \w+ \w/i,
    unless:
      /\b(?:do not|don['’]?t|does not|doesn['’]?t|never) (?:know|have|need to|see|understand|think|remember|mind|care|believe|get|seem|agree|recall|say|mean|find|work|look|expect|notice|hear|feel|wait|want to|like it|\w+ (?:it|that|this)$)/i,
  },
  {
    form: /\b(?:i|we|customers?|(?:the|our) (?:client|customer|boss|team|users?)) (?:really |definitely )?(?:do not|don['’]?t|never|does not|doesn['’]?t) (?:ever )?want (?:to (?:see|have|find) )?(?:\w+ )+\w/i,
    unless: /\bwant (?:to (?!see|have|find)|it\b|that\b|this\b|you to (?:stop|worry))/i,
  },
  {
    form: /^no (?:more )?(?:\w[\w./-]* ){1,4}(?:in|for|on|at|to|inside|within|from|into|during|outside|between|unless|without|anywhere|please|whatsoever|ever|allowed|after|before)\b/i,
    unless:
      /^no (?:worries|problem|idea|need|rush|thanks|way|doubt|luck|errors?|one|matter|changes? (?:yet|so far|here|since|in the (?:output|result))|it|i|that|we|you|difference|result|output|response|effect|success|sign|trace|more questions|time|clue|such|issues?|wonder|reason|point|hurry|point)\b/i,
  },
  {
    form: /^leave (?:the |our |my |all )?(?!it |them |that |this )\w.* (?:alone|untouched|as (?:it|they) (?:is|are)|as is|be|in peace)\b/i,
  },
];

function isBan(clause: string): boolean {
  const rest = BAN.exec(clause)?.groups?.rest;
  if (rest !== undefined) {
    const least = /^(?:you )?(?:do|don|never|avoid|refrain|quit|stop|not)/i.test(clause) ? 2 : 1;
    const held = /\b(?:never|ever)\b/i.test(clause) || !THIS_ONE.test(rest);
    if (held && !IDLE_BAN.test(rest) && namesSomething(rest, /\btouch|\bdo\b/i.test(rest) ? 1 : least)) return true;
  }
  return hasForm(clause, declaredBans);
}

const DUTY =
  /^(?<subject>.{0,120}?)\b(?<verb>must|shall|ha(?:ve|s) to|ha(?:ve|s) got to|needs? to|ought to|should|(?:is|are) to be|(?:is|are) (?:required|expected|supposed|obliged) to|requires?|needs?|may only|can only|gotta)\b(?<rest>.*)$/i;

/** These are talked about because of what just happened to them. */
const PASSING_SUBJECT =
  /(?:^|\b(?:the|a|an|your|my) (?:\w+ )?)(?:it|this|that|there|they|something|someone|somebody|everything|he|she|i|problem|error|issue|bug|reason|cause|fault|culprit|guy|thing|result|answer)$/i;
/** A bare plural, or "every": what is said holds for all of them. */
const ANY_SUBJECT =
  /^(?:(?:in|for|on|with|across) [^,]{1,40},? )?(?:(?:all|every|each|any|no|only|new|our|whoever|whatever|anyone|anybody|everyone|everybody)\b|(?!(?:the|these|those|this|that|my|your|his|it|he|she|they|we|you|i|there)\b)\w[\w./-]*(?: [\w./-]+){0,3}(?<!s)s\b|\w+ing\b)/i;
const IDLE_DUTY =
  /^ (?:have been|be (?:kidding|joking|tired|fine|ok|okay|good|done|ready|enough|possible|careful|there|working|a joke|so|able to (?:see|find))|say|admit|see|leave|know|look|hear|think|try|work|help|have seen|i\b|we\b|you\b)\b/i;
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
    form: /^use (?!the\b|this|that|it\b|an? |your|my\b|those|these|both\b|another|some|one\b|whatever)\w/i,
    unless: /\bto (?:find|check|see|get|fix|make|show|look|debug|list|solve|test|run)\b/i,
  },
  { form: /^use .{1,60}\b(?:instead of|rather than|,? not|over|never)\b/i },
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
  /^(?:and |also |so )?(?:always|make sure|ensure|be sure|remember to|don['’]?t forget to|do remember|take care|whenever|when|if|before|after|from now on|in (?:the )?future|going forward|by default|every time|each time|for (?:every|each|all|any)|(?!\w+(?:ed|ing|s)\b)[a-z]+ )/i;

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
    GENERAL.test(clause) ||
    (/^(?:make sure|ensure|be sure)\b/i.test(clause) && LASTING.test(clause)) ||
    hasForm(clause, customs)
  );
}

/** What is usual and therefore to be done: "tests go next to the code", "dates are always UTC". */
const customs: readonly Form[] = [
  {
    form: /^(?!it\b|this\b|that\b|there\b|he\b|she\b|they\b|you\b|i\b|nothing\b|everything\b|something\b)\w.{1,60}\b(?:is|are|goes?|gets?|stays?|runs?|has|have|comes?|belongs?|ends?|starts?|uses?|lives?)\b.{0,40}\b(?:always|never|only|by default|by convention|as a rule|in that order)\b/i,
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
