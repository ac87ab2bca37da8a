import { type Form, hasForm } from './form.ts';

/** True when a clause settles something: a choice that was made, what will or will not be built, what is given up. */
export const isEnglishDecision = (clause: string): boolean => hasForm(clause, decisions);

const WHO =
  "(?:we|i|they|he|she|everyone|everybody|you and i|(?:the |our )?(?:\\w+ )?(?:team|management|boss|client|customer|board|lead|manager|cto|ceo|owner|architects?|group|committee|company|devs|developers|stakeholders|\\w+ and i|\\w+ people))(?:['’]ve|['’]s|['’]d| have| has| had| were| are|['’]re)?(?: (?:just|finally|now|already|all|then|both|also|recently|eventually|unanimously|jointly|really|officially|mutually))?";

const decisions: readonly Form[] = [
  {
    form: /^(?!it\b|that\b|this\b|he\b|she\b|they\b)[\w .'’-]{3,50} (?:is|are) (?:now |already )?(?:final|settled|decided|agreed(?: upon)?|locked in|carved in stone|frozen until .*|a done deal)$/i,
  },
  {
    form: /^(?!it\b|that\b|this\b|he\b|she\b)[\w .'’-]{3,50} (?:will|is going to|are going to|shall) be (?:re)?\w+(?:ed|done|en|ilt|ept|ung|ut|old|id)\b.{0,40}\b(?:in|by|next|after|before|from|until|with|later|this (?:spring|summer|autumn|fall|winter|year|quarter))\b/i,
  },
  {
    form: /^no [\w -]{2,30}, (?:only )?(?:just )?[\w -]{2,30}(?: only)?$/i,
    unless: /^no (?:problem|worries|idea|thanks|need|rush|luck|errors?|wait|sorry|really|that|it|i|we|you|matter|doubt|way)\b/i,
  },
  {
    form: new RegExp(
      `(?:^|\\b(?:and|so|but|then|that|where|because|yesterday|today|meanwhile|${'after [\\w ]{1,40}'}),? )${WHO} (?:decided|agreed|chose|chosen|opted|settled|voted|concluded|resolved|standardi[sz]ed|committed to|signed off|ended up (?:choosing|using|going|with|picking|keeping)|are set on|(?:have |has )?made up (?:my|our|his|her|their) minds?|landed on|fixed on|rejected|ruled out|turned down|approved|adopted)\\b`,
      'i',
    ),
    unless:
      /\b(?:agreed|decided) (?:nothing|to (?:talk|meet|discuss|wait|look|think|take|go|have|get|eat|sleep|leave|try|call|stop|read|buy|do it|give))\b|\bI agreed\b/i,
  },
  {
    form: new RegExp(
      `(?:^|\\b(?:and|so|but|then|that|because|\\w+,) )${WHO} (?:picked|selected|went (?:with|for|back to)|switched (?:to|from|over)|moved (?:to|from|away|over)|migrated|dropped|abandoned|scrapped|postponed|replaced|cancell?ed|ditched|retired|deferred|discontinued)\\b`,
      'i',
    ),
    unless:
      /^(?:and |so |then )?i(?:['’]ve| have)?(?: just| already)? (?:moved|dropped|switched|selected|replaced|scrapped|cancell?ed|went (?!with)|abandoned)\b|\b(?:up|the (?:file|line|wrong|branch|tab|table|window|desk|chair|code|block|function|button))\b|\b(?:yesterday|this morning) (?:to|for) (?:lunch|dinner)/i,
  },
  {
    form: /\b(?:we|i|the team|they)(?:['’]ll| will|['’]re going to| are going to|['’]m going to| am going to|['’]re gonna| gonna| shall)(?: (?:just|simply|now|all|definitely|only|then|stay and))? (?:use|go (?:with|for|ahead with|back to|live)|keep|stay (?:with|on|at|in)|stick (?:with|to)|adopt|drop|support|ship|host|deploy|store|migrate|switch|move to|standardi[sz]e|continue (?:with|using)|rely on|offer|release|launch|postpone|defer|retire|replace|settle|skip|leave out|charge|bet on|take)\b/i,
    unless:
      /\b(?:take (?:a|it|care|you|some|the (?:first|next) step)|keep (?:you|an eye|looking|trying|going|it in mind|that in mind)|keep [\w ]{0,20}posted|skip (?:it|that|this|lunch)|drop (?:you|by|in|off)|stay (?:in (?:touch|bed)|at home)|use (?:it|that|this)$|leave it)\b/i,
  },
  {
    form: /\b(?:we|i|the team|they|you|v\d|it)(?:['’]re| are|['’]m| am)? (?:going with|going for|sticking (?:with|to)|staying (?:with|on|at|in)|stick with|stay with|stay on|settling on|settling for|dropping|moving to|migrating to|switching to|standardi[sz]ing on|betting on|(?:not|no) (?:going to |gonna )?(?:do|doing|build|building|use|using|support|supporting|ship|shipping|going with|adopt|adopting|offer|offering|have|having|add|adding))\b/i,
    unless: /\b(?:going for (?:a|lunch|coffee|dinner)|it (?:is|'s) going|not doing (?:it|that|well|so)|having (?:lunch|fun|a))\b/i,
  },
  {
    form: /\b(?:we|i|(?:the |our )?(?:first|next|initial) \w+|v\d\S*|\w+)(?: (?:won['’]?t|will not|will never|will no longer|are not going to|aren['’]?t going to))(?: be)? (?:build|do|support|have|ship|use|include|offer|contain|provide|adopt|add|supported|included|built|shipped|part of|available|migrate|touch|need|get|allow|accept|implement|cover|renew|hire|buy|pay)\b/i,
    unless: /^(?:it|this|that|he|she)\b.*\b(?:work|let|stop|do it|help)\b|\bneed (?:it|that|this)\b/i,
  },
  {
    form: /^let['’]?s (?:just |then |all |definitely |please )?(?:go (?:with|for)|use|keep|stick (?:with|to)|take|settle (?:on|for)|stay with|drop|adopt|call (?:it|the)|make it|agree (?:on|that)|standardi[sz]e|not (?:use|support|build|do|have|add|go)|postpone|skip|leave out|name (?:it|the)|do (?!it\b|that\b|this\b|so\b|some\b|a\b)\w+)\b/i,
    unless:
      /\b(?:take (?:a|it|one|this|that|the next)|keep (?:going|it|looking|at|trying|that in mind|an eye)|drop (?:it|that|this)$|skip (?:it|that|this|ahead)|to (?:find|check|see|get|look|debug|test)|first$|for now|use (?:it|that|this)\b|do (?:another|more|one|both|the))\b/i,
  },
  {
    form: /^(?:(?:that['’]?s |it['’]?s |so |all |finally )?(?:settled|decided|decision|(?:our |my |the )?final (?:answer|decision|call|word|choice|verdict)|agreed|verdict|conclusion|resolution|decision made|approved|resolved|deal|done deal|sealed|verdict is in)(?: (?:is|on|for|about|was|that|today|yesterday)\b[^:]{0,40})?(?:\s*[:,;–—-]\s*|\s+))(?:\S+\s+){1,}\S+/i,
    unless: /^(?:decided? (?:what|if|whether|how|later)|approved (?:it|by))/i,
  },
  {
    form: /^(?!that\b|this\b|what\b|as\b|how\b|so\b|there\b|here\b|who\b|like\b|because\b|where\b|i\b|when\b|the way\b)[\w][\w .+#/-]{0,40}\b it is\b,?(?: then| for (?:us|me|now|the .*))?[.!]?$/i,
  },
  {
    form: /\b(?:is|are|gets?|got|stays?|remains?|was|were|has been|have been|will be|being|goes|['’]s|['’]re) (?:now |officially |finally |being |to be |all |hereby |definitely |simply )?(?:dropped|postponed|deferred|retired|deprecated|cancell?ed|out of scope|in scope|scrapped|abandoned|descoped|not part of|sunset|sunsetted|discontinued|phased out|pushed (?:back )?to|shelved|superseded|out for|decided on|set in stone|written off|put on hold|on ice|off the table|parked|frozen until|approved for|replaced by|retired)\b/i,
    unless:
      /\b(?:meeting|call|lunch|dinner|flight|train|party|order|class|line|connection|packet|frame|event|request|job|message|pr|button) (?:is|are|was|were|got|gets?)\b|not decided/i,
  },
  {
    form: /^(?:the |our |for |in |with )*(?:(?:very )?first|initial|next|second|third|later|beta|alpha|mvp|launch|v\d[\w.]*|version \d[\w.]*|\d\.\d|phase \w+|release \w+|milestone \w+|q[1-4])\b.{0,40}\b(?:won['’]?t|will|no|without|only|not|comes?|gets?|has|have|ships?|includes?|excludes?|leaves?|covers?|contains?|skips?|supports?)\b/i,
    unless: /\b(?:test|line|error|one|item|try|attempt|time|file|row|step|run|call|request|result) \b|\bis (?:next|red|green)/i,
  },
  {
    form: /\b(?:stays?|remains?|moves?|goes|switch(?:es)?|sticks?) (?:on|with|to|at|in) (?!the (?:same|error|screen|line|page)|it\b|this\b|that\b|my\b|me\b|bed\b|home\b|mind\b)\w/i,
    unless:
      /^(?:it|this|that|he|she|i|there|which|the (?:error|problem|cursor|screen|page|button|process|file|method|function|loop|test))\b/i,
  },
  {
    form: /\b(?:we|i|the team|they)(?:['’]re| are|['’]m| am) (?:now )?(?:moving|migrating|switching|porting|rewriting|replacing|consolidating|splitting|merging) (?:(?!on\b|the (?:file|function|test|line|method)\b)\w+ ){0,4}(?:to|from|with|in|by|into|over)\b/i,
  },
  {
    form: /^(?:then )?(?:it['’]s|it is|it['’]ll be|it will be|we['’]re on|so it['’]s) [A-Z][\w.+-]+(?: \d\S*)?(?:,? (?:then|for (?:everything|all|both|now on|the|us)|it is)|$)/,
  },
  { form: /\bthe (?:vote|decision|choice) (?:was|went|came out|fell|has been|is)\b.{0,30}\b(?:for|to|on|against|in favou?r|made)\b/i },
  {
    form: /\b(?=(?:that['’]s|that is|it['’]s|it is|this is|and that['’]s) (?:final|settled|decided|our decision|the decision|set in stone|a done deal|not up for (?:debate|discussion))$)(?<=\w \w.*)/i,
  },
  {
    form: /\b(?:our|my|the (?:team['’]s|final)) (?:pick|choice|decision|verdict|call|favou?rite|plan of record) (?:is|was|fell on|goes to|stands)\b/i,
  },
  {
    form: /^(?:the )?(?:plan|decision|choice|verdict|agreement|consensus|deal|idea we agreed on) (?:is|was|stands)\b(?: that| to|:)? \w+ \w+/i,
  },
  {
    form: /^(?:scrap|forget|kill|cancel|postpone|ditch|bin) (?:the|our|all|about the) \w+ (?:\w+ )?(?:system|feature|idea|plan|project|module|service|work|integration|support|release)\b/i,
  },
  { form: /^instead of .{2,60}\bwe (?:now )?(?:use|have|run|take|do|go|rely)\b/i },
  {
    form: /^(?!it\b|this\b|that\b|he\b|she\b|they\b|which\b)[\w .+-]{2,30} (?:wins|won(?: the (?:vote|day|comparison))?|gets the nod|is in|is out)$/i,
    unless: /\b(?:power|light|sun|data|file|code|report|fix|he|she)\b/i,
  },
  { form: /^(?:go(?:ing)?|we go|i['’]?d go|i go) (?:with|for) (?!it\b|that\b|this\b|the flow|lunch|a\b)\w/i },
  {
    form: /^(?:we|from (?:now|here) on,? we) (?:now )?(?:use|do|go with) .{2,60}\b(?:instead|from now on|going forward|not|rather than|after all|over)\b/i,
  },
];
