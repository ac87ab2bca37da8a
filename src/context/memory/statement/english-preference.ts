import { type Form, hasForm } from './form.ts';

/** True when a clause says how somebody likes to work, or usually does. */
export const isEnglishPreference = (clause: string): boolean => hasForm(clause, preferences);

const OPENING = '^(?:(?:for|in|with|when|as for|personally|generally|usually|normally|on|at|honestly|and|but|so|also)\\b[^,]{0,40}?,? ?)?';
const HOW =
  '(?:really |usually |generally |normally |typically |always |strongly |much |definitely |also |do |personally |just |never |mostly |rarely |hardly ever |particularly |clearly |absolutely |still |would |truly )*';

/** What "we" do in the present is how it is done here. */
const CUSTOM =
  /(?:^|\b(?:here|that|so|because|prose|instead of [\w ]{2,40}|for [\w ]{2,40}|in [\w ]{2,40}),? )we (?:always |usually |generally |only |all |now |also |mostly |then )?(?!(?:are|were|was|have|had|has|need|want|can|could|should|would|will|shall|may|might|must|do|did|get|got|see|saw|know|knew|think|thought|hope|found|find|say|said|tell|told|went|came|took|made|ran|gave|lost|spent|met|left|began|started|broke|wrote|read|heard|felt|meant|mean|agree|guess|try|still|just|never|don|didn|won|can|couldn|ll|ve|re|d|keep getting|look|wait|end|talked|tried|finally|already|almost|probably|maybe|really|too|both)\b|\w+ed\b)(?<verb>[a-z]+)(?: [^\s,]+){2,}/i;

const preferences: readonly Form[] = [
  { form: CUSTOM, unless: /\b(?:too|yet|now|today|again|this (?!repo|project|code)|that one|error|fail|crash|bug|honestly)\b/i },
  {
    form: /^(?:give|show|tell) me (?:the |a |your )?\w+ first\b|\b(?:first|before|then) (?:the )?(?:details|reasons|explanation|rest) (?:after|later|last)/i,
  },
  {
    form: new RegExp(
      `${OPENING}(?:i|we|my (?:boss|team|client)|our (?:team|client|customer|users?)) ${HOW}(?:prefers?|favou?rs?|can['’]?t stand|cannot stand|dislikes?|hates?|likes?|loves?|enjoys?|despises?|insists? on|tends? to|avoids?|swears? by|am (?:a fan of|fond of|used to|allergic to|not a fan of)|['’]m (?:a fan of|fond of|used to|allergic to|not a fan of)|do not like|don['’]?t like|am not a fan of) (?!it\\b|that\\b|this\\b|these\\b|those\\b|the (?:idea|look|way|new|result|sound|fact|direction|one|first|second)\\b|your\\b|how\\b|what\\b|you\\b|to (?:see|know|say|think|have a look)\\b|him\\b|her\\b|them\\b|monday|when it\\b)\\w+`,
      'i',
    ),
    unless: /\bwould like\b|\bhate (?:to|when|it|bugs?)\b|\blove (?:how|what|you)\b/i,
  },
  {
    form: /\b(?:i['’]d|we['’]d|i would|we would|i['’]?d much) (?:much )?(?:rather|prefer|sooner)\b (?!not (?:say|do (?:it|that))|you (?:do|did) (?:it|that)|wait|stop)\w+ \w/i,
  },
  {
    form: /\b(?:i|we) (?:always|usually|generally|typically|normally|mostly|never|rarely|as a rule|by default|tend to|hardly ever|almost never) (?!said|knew|saw|had|got\b|get\b|thought|heard|see\b|have (?:to|problems|trouble|no)|end up|run into|forget|find\b|understood|understand|know\b|wanted|meant|liked|asked|imagined|expected|agreed|decided|\w+ed\b)\w+ \w/i,
    unless: /\b(?:at|with|about|of|on) (?:that|this|it)\b|\b(?:a|an|the same|this|that) (?:\d{3}|error|timeout|crash|exception|warning)\b/i,
  },
  {
    form: /^(?:my|our) (?:\w+ )?(?:style|preference|habit|convention|rule|way|workflow|setup|taste|policy|standard|practice|approach)\b.{0,20} (?:is|are|stays|:)/i,
  },
  { form: /^my \w+ is \w+ \w+ no \w+/i },
  {
    form: /\b(?:i|we) (?:only |just |really |always |definitely )*want (?:all |every |each |only |no |our |my |more and smaller |[a-z]+s\b|[a-z]+ [a-z]+s\b|[a-z-]+ [a-z]+ (?:in|for|before|after|with|by)\b)/i,
    unless: /\bwant (?:to|you|it|that|this|the|a|an|one|more|some|another|us|him|her|them|answers|results|details)\b/i,
  },
  { form: /\b(?:i|we) want .{2,60}\b(?:always|every time|never|each time|by default|before (?:the|any|every))\b/i },
];
