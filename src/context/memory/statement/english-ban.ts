import { type Form, hasForm } from './form.ts';

/** How an order not to do something begins. */
export const BAN =
  /^(?:you )?(?:do not|don['’]?t|never|avoid|refrain from|quit|hands off|keep (?:away|out|off|clear)|stay (?:away|off|out|clear)|keep your (?:hands|fingers) off|stop(?= \w+ing\b)|under no circumstances|no touching|not to)\b(?<rest>.*)$/i;
const IDLE_BAN =
  /^ (?:ever )?(?:(?:\w+ed|heard|seen|been|had|thought|knew|known|got|gotten|done|made|said|told|met|went|felt|found|came|saw|took)\b|worry|mind|bother|care|know|think|understand|hesitate|panic|sweat|be\b|get me|forget|you\b|we\b|i\b|say|tell me|laugh|give up|thank|wait|see|have\b|need|look|feel|get\b)/i;
/** Words that name nothing by themselves. */
const POINTING =
  /^(?:it|this|that|these|those|them|so|anything|something|everything|there|here|one|ones|too|much|any|the|a|an|my|your|me|to|at|in|on|of|for|with|please|ok|okay|either|like|just|ever|and|or|do|touch|all|then|us|him|her|out|off|up)$/;

/** At least this many words must name something: what not to do, and to what. */
export function namesSomething(rest: string, least: number): boolean {
  const words = rest.toLowerCase().match(/[^\s,.;:!?()"]+/g) ?? [];
  return words.filter((word) => !POINTING.test(word)).length >= least;
}

const THIS_ONE =
  /^ (?:ever )?\w+ (?:\w+ (?:this|these|those)|this|that|these|those) (?!repo|project|code|folder|directory|package|service|app|team|company|branch|machine|server|host|environment|database|module|library|monorepo|product)\w+/i;

const declaredBans: readonly Form[] = [
  {
    form: /\bwe (?:can['’]?t|cannot|can not|may not) (?:use|ship|store|keep|share|drop|change|break|publish|log|send|expose|upgrade|touch|rely on|charge|collect) (?!it\b|that\b|this\b|them\b)\w+/i,
  },
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
      /\b(?:knows?|understands?|cares?|told|has|is (?!allowed|to|simple|clear)|was|works?|helps?|seems?|matters?|needs?|loads?|appears?|shows?|happens?|passes|fails?)\b/i,
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

export function isBan(clause: string): boolean {
  const rest = BAN.exec(clause)?.groups?.rest;
  if (rest !== undefined) {
    const least = /^(?:you )?(?:do|don|never|avoid|refrain|quit|stop|not)/i.test(clause) ? 2 : 1;
    const held = /\b(?:never|ever)\b/i.test(clause) || !THIS_ONE.test(rest);
    if (held && !IDLE_BAN.test(rest) && namesSomething(rest, /\btouch|\bdo\b/i.test(rest) ? 1 : least)) return true;
  }
  return hasForm(clause, declaredBans);
}
