import { isAboutPeople } from './english-people.ts';
import { type Form, hasForm } from './form.ts';

/** True when a clause gives a thing its name, place, value or time, or says who somebody is. */
export const isEnglishFact = (clause: string): boolean =>
  !isPassing(clause) && (isAboutPeople(clause) || hasForm(clause, values) || givesPlace(clause) || givesTime(clause));

/** What only happened, or is so for the moment. */
const isPassing = (clause: string): boolean =>
  PAST.test(clause) ||
  STATUS.test(clause) ||
  /^(?:it|this(?! (?:repo|repository|project|code ?base|app|service|team|company|package|library|product|module|machine|server|folder))|that|there(?! (?:is|are) (?:a|an|also|another|two|three|only) )|he|she|they|which|nothing|something|everything(?! (?:under|in|below|inside|before|after|from) (?!this|that|there|here)))\b(?!['’]?s called\b| (?:listens|is called|is named|runs on|lives|stands for|belongs to|means)\b)/i.test(
    clause,
  );

const PAST =
  /\b(?:yesterday|just (?:now|\w+ed)|ago|last (?:week|night|month|time|year)|since (?:this|yesterday|monday|tuesday|wednesday|thursday|friday|the)|was|were|had|took|ran|got|said|says|went|came|saw|did|made|broke|crashed|failed|stopped)\b/i;
const STATUS =
  /\b(?:is|are|['’]s|['’]re|seems?|looks?|gets?|stays?|was|i['’]?m|i am) (?:already |still |now |again |currently |just |all |so |too |very |really |quite |pretty |totally |completely |a bit |a little |always |not |never |probably |suddenly |often |sometimes )*(?:in use|down|up|wrong|broken|slow|full|empty|missing|fine|ok|okay|undefined|null|unknown|red|green|failing|flaky|busy|gone|back|ready|done|closed|open|stuck|dead|late|weird|strange|odd|great|good|bad|nice|cool|cold|hot|amazing|correct|incorrect|true|false|passing|working|looking|trying|doing|getting|going|running out|being|thinking|having|waiting|wondering|sure|sorry|tired|happy|sad|glad|afraid|curious|confused|lost|offline|online|unreachable|unavailable|installed|hanging|crashing|complaining|different|the same|next|more|less|much|kind of|sort of|like|here|there|what|why|how|where|because|interesting|funny|hard|easy|expensive|huge|tiny|long|short|fast|better|worse|taken|impressive|annoying|boring|hilarious|raining|\w+ing)\b(?! (?:in|for|on|as|out of|from|at|to) [A-Z])/i;

const THING =
  '(?!(?:error|problem|issue|bug|reason|cause|output|result|response|log|diff|line|message|trace|exception|code|fix|answer|point|thing|variable|loop|function|method|test|tests|build|step|commit|patch|stack)\\b)';
const DEFINITE = `(?:the|our|my|your|their|its|this|all|each|every)?\\s*(?:[\\w.'’/-]+ ){0,4}?`;
const ATTRIBUTE =
  '(?:names?|code ?name|ports?|address(?:es)?|ips?|hosts?|hostname|urls?|domains?|e-?mails?|phone|numbers?|paths?|folders?|directory|branch|versions?|time ?zones?|users?|username|accounts?|owners?|leads?|managers?|boss|contacts?|clients?|customers?|team|deadlines?|due date|limits?|size|thresholds?|timeouts?|regions?|languages?|databases?|db|editor|shell|os|laptop|machine|defaults?|licen[cs]e|ids?|keys?|tokens?|buckets?|clusters?|servers?|schedule|budget|retention|locale|currency|birthday|products?|projects?|repos?|repository|window|indentation|framework|stack|tables?|files?|counts?|levels?|intervals?|sources?|docs|documentation|registry|queue|topic|channel|endpoint|gateway|proxy|wiki|tracker|board|ci|pipeline|prefix|suffix|extension|encoding|format|charset|colou?r|font|rate|quota|capacity|ttl|expiry|lifetime|workspace|namespace|environment|staging|production|prod|dev|backend|frontend|api|orm|linter|formatter|package manager|runtime|compiler|interpreter|desktop|office|company|department|role|title|secret|password|cache|broker|provider|vendor|monitor(?:ing)?|dashboard|mirror|handle|nick(?:name)?|login|alias|slack|github|rate|cron|hosting|bastion|jump ?host|vpn|gpu|ram|cpu|disk|app|site|service|job|flag|flags)';

const VALUE_EXACT = `(?:[\\w-]*\\d[\\w.:/%-]*|https?:|[\\w-]+[./@:][\\w./@:-]+|[\\w.]*_\\w+|["“\`'][^"”\`']+["”\`']|(?:\\w+ (?:dot|slash|colon|point) ){1,})`;

const values: readonly Form[] = [
  {
    form: /^(?:everything|anything|all) (?:under|in|inside|below) (?!this|that|there|here)\S+(?: \w+)? (?:is|are|gets|stays|comes|belongs) \w/i,
    unless: /\b(?:is|are) (?:fine|ok|okay|broken|gone|red|green|there|here|good|done)\b/i,
  },
  {
    form: /^(?!it\b|this\b|that\b|i\b|you\b|he\b|she\b|the (?:build|test|run|upload|download|install|page|query|request|call|meeting))[\w .'’-]{3,50} (?:lasts?|lives?|is valid|are valid|is kept|are kept|stays? valid|runs?|takes?|expires?|is good) (?:for |after |about |up to |within )?(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve|fourteen|thirty|sixty|ninety|half an?|an?) (?:seconds?|minutes?|hours?|days?|weeks?|months?|years?)\b/i,
  },
  {
    form: /^our (?:[\w-]+ ){1,5}(?:is|are) \w/i,
    unless:
      /\b(?:is|are) (?:to|going|a (?:mess|joke|disaster|problem|pain|bit)|all|so|too|not)\b|^our (?:only |main |biggest )?(?:problem|issue|fault|mistake|turn|question|guess|fear|hope)/i,
  },
  {
    form: /^[A-Z][\w.+-]*(?: [A-Z][\w.+-]*)? (?:is|are) (?:also )?(?:our|my|their) \w/,
    unless:
      /^(?:[Ii]t|[Tt]his|[Tt]hat|[Hh]ere|[Tt]here|[Ww]hat)\b|\b(?:our|my) (?:problem|fault|guess|bad|question|point|issue|only (?:hope|problem))/,
  },
  // The thing has an attribute's name, and a value that is no state.
  {
    form: new RegExp(
      `^${DEFINITE}${ATTRIBUTE}(?: (?:for|of|in|on|to|behind|from|at) [\\w./' -]{1,50}?)? ?(?:is|are|=|:|['’]s|is set to|is called|are called|has been set to|will be) (?:set to |called |named |at |in |on |under |just |still |now |always )?(?!it\\b|this\\b|that\\b|a (?:bit|mess|problem|pain|joke|disaster|good|bad|nice|lot)\\b|to \\w|not\\b|what|why|how|where|because|in the (?:way|wrong)|in (?:progress|use|trouble)|on (?:fire|hold)|at (?:fault|risk))[\\w"“\`'/~@#.\\u4e00-\\u9fff]`,
      'iu',
    ),
    unless:
      /^(?:the )?(?:first|second|third|next|last|new|other|same|whole|current) \w+ (?:is|are)\b|\b(?:is|are) (?:the )?(?:one|only|same|reason|cause|problem|issue|point|reason|fault|right|wrong)\b/i,
  },
  // A thing that has a name of its own, or an exact value.
  {
    form: new RegExp(
      `^${DEFINITE}${THING}[\\w.-]+ (?:is|are|=|:|equals|is set to|defaults to|was set to) (?:set to |at |on |in |called |named |exactly |about |around |currently |always )?${VALUE_EXACT}`,
      'iu',
    ),
    unless:
      /^(?:the )?(?:error|problem|issue|bug|cause|output|result|answer|test|line|function|diff|difference|commit)s? (?:is|are|=|:)|^(?:i|you|we|he|she)\b/i,
  },
  { form: /^[A-Z][A-Z\d]*_[A-Z\d_]+ (?:is|=|:|defaults to|must be) ?\w/ },
  {
    form: /^(?!it\b|this\b|that\b)[\w .'’/-]{2,60} (?:can|may|could) be (?:reached|found|accessed|opened|viewed|downloaded|contacted|looked up|seen) (?:at|on|under|in|via|through|by|from)\b/i,
    unless: /\b(?:reproduced|in the (?:log|diff|screenshot))\b/i,
  },
  { form: /\bhas (?:the |an? )?(?:address|name|id|ip|port|version|number|url|e-?mail|alias|title|default|limit|timeout) \S/i },
  {
    form: /^(?!it\b|this\b|that\b)[\w .'’/-]{2,60} (?:is|are) (?:reserved|used only|kept|meant|intended|dedicated|responsible) (?:for|as|to)\b/i,
  },
  {
    form: /^there (?:is|are) (?:a|an|also|another|two|three|only) .{2,60}\b(?:at|on|under|in|behind|called|named) (?:"|“|`|[\w-]+[./@:_]|\d|[A-Z])/,
  },
  { form: /^[A-Z][\w.+#]*(?: [A-Z][\w.+#]*)? \d[\w.]*(?:,| and| \+) /, unless: /\b(?:fail|error|broke)/i },
  {
    form: /\b(?:is|are) (?:a |an |the )?(?!I\b|A\b|OK\b|JSON$)(?:[A-Z][\p{L}\d]+(?:[ -][A-Z\d][\p{L}\d.]*)*)(?: \d[\w.]*)?(?:$|,| (?:in|on|for|at|and|from|with|version)\b)/u,
    unless:
      /^(?:[Ii]t|[Tt]his|[Tt]hat|[Tt]here|[Hh]e|[Ss]he|[Tt]hey|[Ii]|[Yy]ou|[Tt]he (?:error|problem|bug|reason|cause|answer|result|output|test))\b/,
  },
  {
    form: /^(?!it\b|that\b|this (?!package|repo|project|app|service|library|team|product|company)|he\b|she\b|i\b|you\b|the (?:error|problem|log|test|diff|function|method|page)\b)[\w .'’/-]{2,60} (?:is|are|get|gets) (?:always |usually |only |also |all )?(?:called|named|known as|nicknamed|written in|built (?:with|on|in|from)|based on|licensed under|managed (?:by|with)|owned by|maintained by|hosted (?:at|on|by|in|with)|deployed (?:to|on|in|from|with)|powered by|run by|operated by|served (?:by|from|at)|reachable|available (?:at|under|on|from)|exposed (?:at|on)|configured (?:in|via|through|with)|defined in|stored (?:in|at|under|on)|kept (?:in|at|under|on)|located (?:in|at|under)|saved (?:in|to|under)|backed up (?:to|on|every)|mirrored|mounted (?:at|on|under)|published (?:to|at|on|under)|documented (?:in|at|under)|tracked (?:in|on|with)|limited to|restricted to|capped at|set (?:to|in|by|via)|read from|generated (?:from|into)|split (?:into|by)|shared with|\w{3,}(?:ed|ept|ent|ilt|ade|ung|own|rawn|aken|iven|old|aid) (?:to|as|in|at|on|by|from|under|through|via|with|for|into)\b(?! (?:by me|by you|the (?:loop|line|wrong|same)|this|that|it\b)))\b/i,
    unless:
      /^(?:the )?(?:function|method|loop|line|variable|value|test|tests|error|bug|exception|message|button|cursor|page|request|job|process|thread|commit|patch|block|call|object|array|string|node|event|screen)s? |\b(?:highlighted|printed|thrown|raised|caught|passed (?:in|to)|skipped|triggered|blocked|caused) |\bis (?:called|defined|set) (?:twice|by the|from the|too|in (?:the|this|that) (?:loop|function|method|line))/i,
  },
];

const PLACE_VERB =
  "(?:lives?|resides?|sits?|runs?|listens?|points?|goes|go|belongs?|comes?|arrives?|expires?|times? out|defaults?|depends?|stands?|stays?|moved|is (?:at|on|in|under|behind)|are (?:at|on|in|under|behind)|['’]s (?:at|on|in|under))";

const TRANSIENT =
  '(?!(?:[Ii]t|[Tt]h(?:is|at|ere|ey|ese|ose)|[Hh]e|[Ss]he|[Yy]ou|[Ii]|[Ww]ho|[Ww]hat|[Pp]lease|[Nn]othing|[Ss]omething|[Ee]verything|[Ll]et|(?:[Tt]he )?(?:[Ee]rrors?|[Pp]roblems?|[Bb]ugs?|[Tt]ests?|[Cc]ursor|[Dd]iffs?|[Ff]unctions?|[Mm]ethods?|[Ll]oops?|[Ee]xceptions?|[Cc]ode|[Ss]econd|[Ff]irst|[Nn]ext|[Ll]ast|[Vv]ariables?|[Vv]alues?|[Cc]ause|[Rr]eason|[Oo]utput|[Rr]esult|[Rr]esponse|[Ll]ines?|[Bb]uild|[Cc]ommand|[Ss]creen|[Cc]rash|[Tt]race|[Mm]essages?|[Pp]atch|[Cc]ommit|[Cc]lass|[Aa]nswer|[Pp]rocess|[Cc]all|[Rr]equest|[Ff]ix|[Oo]ne))\\b)';

const placed: readonly Form[] = [
  // A thing of its own, a verb in the present, and something exact.
  {
    form: new RegExp(
      `^${TRANSIENT}(?:(?:the|our|my|your|all|each|every|The|Our|My|All|Each|Every|[Tt]his (?:repo|project|app|service|package)) )?(?:[\\w'’/-]+,? (?:and |for |of |in )?){1,6}?(?:is|are|has|have|share|\\w+s|live|run|go|end up|come|use|need|point|listen|land|sit|depend|start) .{0,50}?(?:\\b(?:[A-Za-z]*\\d[\\w.:/%-]*|https?:|[\\w-]+[./@:_][\\w./@:-]+)|\\/[\\w.-]+|["“\`])`,
      'u',
    ),
    unless:
      /\b(?:fails?|crash\w*|breaks?|hangs?|errors?|wrong|line \d|lines \d|gives?|says?|shows?|prints?|returns?|looks?|seems?|throws?|reports?|complains?|keeps?|wants|means|makes?|does|doesn['’]t|isn['’]t|don['’]t|never|always|still)\b|\b(?:i|you|we)\b/i,
  },
  {
    form: /^(?:the |our |my |all )?(?!error|problem|bug|test|function|method|cursor)[\w -]{2,40} (?:lives?|resides?|is kept|are kept|is stored|are stored|belongs?|sits?) (?:in|at|on|next to|beside|under|inside|with|behind|right|outside) \w+ ?\w*/i,
    unless: /^(?:it|this|that|he|she|they|there|i|you)\b/i,
  },
  {
    form: new RegExp(
      `^(?!(?:it|this|that|there|he|she|they|you|i|[Tt]he (?:error|problem|bug|test|cursor|log|diff|function|method|loop|exception|code|second|first|next|variable|cause|reason|crash|failure|stack)|I|It|This|That|There|He|She|They|You)\\b)[\\w .'’/_-]{1,60}? ${PLACE_VERB}(?: (?:at|on|in|under|from|to|with|through|behind|via|after|into|by|for|out of|next to|below|inside|over))? .*(?:${VALUE_EXACT}|\\b[A-Z]\\p{L}+)`,
      'u',
    ),
  },
  {
    form: /^(?!(?:it|this|that|there|he|she|they|you|i|the (?:error|problem|bug|test|cursor|log|diff|function|method|loop|exception|code|second|first|next|variable|value))\b)[\w .'’/_-]{1,60}? (?:lives?|resides?|sits?|listens?|points?|goes?|belongs?|comes?|runs?|is|are) (?:at|on|in|under|from|to|with|through|behind|via|into|next to|below|inside) (?:the |our |my |its |a |an )?(?:\w+ ){0,4}(?:port|host|server|folder|directory|file|branch|repo|repository|cluster|region|bucket|database|root|config|vault|keychain|cloud|data ?center|machine|container|namespace|channel|wiki|drive|env(?:ironment)?(?: variable)?|variable|laptop|nas|rack|basement|office|subfolder|package|submodule|monorepo)s?\b/i,
  },
  {
    form: new RegExp(
      `^(?:we|i|production|staging|prod|dev|the \\w+(?: \\w+)?|our \\w+(?: \\w+)?|this (?:repo|project|code ?base|app|service)|[A-Z]\\w+|everything) (?:now |currently |all |always |also |mostly |only |still )?(?:runs?|uses?|have|has|hosts?|deploys?|keeps?|stores?|works? with|builds? with|depends? on|requires?|needs|supports?|targets?|allows?|serves?|expects?|exposes?|accepts?|ships? with) (?:on |to |in |with |about |up to |at most |around |only |the |a |an |two |three |four |five )*(?:${VALUE_EXACT}|[A-Z]\\p{L}+|(?:tabs|spaces|hosts|servers|instances|replicas|nodes|branches|environments|databases|regions|shards|workers))`,
      'u',
    ),
    unless:
      /^(?:[Tt]he|[Oo]ur) (?:log|diff|test|loop|error|function|method|build|page|first|second|next|last|class|file|variable|array|list|commit|pr|response|table|line|patch|stack|output)\b|\b(?:hunks?|lines|callers|errors?|failures?|tests|warnings|problems|bugs|typos?|changes)\b|^[Ii] (?:have|need)\b/i,
  },
  {
    form: new RegExp(`^(?:ssh|http|https|ftp|sftp|smtp|imap|dns|vpn|grpc|tcp|mqtt|rdp|vnc)\\b.*${VALUE_EXACT}`, 'i'),
    unless: /\b(?:fails?|errors?|timeouts?|times out|refused|doesn)/i,
  },
  {
    form: new RegExp(`^(?:the |our |my )?[\\w .'’/-]{2,40}:\\s+(?=\\S*[\\d@/.])${VALUE_EXACT}`, 'iu'),
    unless: /\b(?:error|warning|exception|failed|expected|actual|at line)\b/i,
  },
];

const givesPlace = (clause: string): boolean => hasForm(clause, placed);

const DAY = '(?:mon|tues|wednes|thurs|fri|satur|sun)days?';
const MONTH =
  '(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)';
const CLOCK =
  "(?:\\d{1,2}:\\d{2}|\\d{1,2} ?(?:am|pm|a\\.m\\.|p\\.m\\.|o[’']?clock|h\\b)|noon|midnight|(?:half past|quarter (?:to|past)) \\w+|at (?:\\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\\b)";
const TIME = new RegExp(
  `\\b(?:${DAY}|${CLOCK}|(?:in|by|until|till|of|on|from|end of|mid|early|late|before|after|since|starts?|ends?) ${MONTH}\\b|${MONTH} (?:the )?(?:\\d|first|second|third|\\w+th)|\\d{1,2}(?:st|nd|rd|th)?(?: of)? ${MONTH}|(?:19|20)\\d\\d(?:-\\d\\d-\\d\\d)?|every (?:other )?(?:day|night|week|month|morning|evening|hour|quarter|year|\\d+ (?:minutes|hours|days|weeks))|nightly|daily|weekly|monthly|yearly|hourly|quarterly|(?:once|twice) a (?:day|week|month|year)|(?:end|start|beginning|middle) of (?:the )?(?:year|month|quarter|week|summer|winter)|q[1-4]\\b|(?:in|by|until|this|next) (?:spring|summer|autumn|fall|winter)|in the (?:mornings?|evenings?|afternoons?)|at night|\\d+ (?:seconds|minutes|hours|days|weeks|months|years)|from \\d{1,2} to \\d{1,2})`,
  'i',
);
const SCHEDULE: readonly Form[] = [
  {
    form: /^(?!it\b|this\b|that\b|there\b|i['’]ll|i will|see you|talk|let['’]s|he\b|she\b|they\b|you\b|please\b)[\w .,'’/&-]{2,80}?(?:\b(?:is|are|['’]s|starts?|begins?|ends?|goes? (?:out|live)|runs?|takes?|expires?|closes?|opens?|happens?|falls?|lands?|ships?|due|retires?|renews?|lasts?|finish(?:es)?|comes?|gets? (?:built|deployed|restarted|rotated|released)|scheduled|planned|kicks? off|rotates?|refresh(?:es)?|restarts?|resets?|will|fires?|\w+s (?=(?:at|on|every|from|until|till|by) )|meets?|deploys?|releases?|syncs?|publish(?:es)?|updates?|stops?|freezes?)\b|: )/i,
    unless:
      /\b(?:crash|fail|hang|break|error|slow)|^(?:i (?:was|had|have|need|want|just|am|think|saw|got|did)|i['’]m (?!off|out|away|on (?:holiday|vacation|leave)|not (?:in|available|working)|available))\b|\b(?:see you|lunch|coffee|dinner|since)\b/i,
  },
  {
    form: /^(?:we|i) ?(?:always |usually |only |generally )?(?:leave at|start (?:work )?at|finish at|stop at|am in from|(?:am|are|['’]m|['’]re) (?:off|out|away|on (?:holiday|vacation|leave|parental)|not (?:in|available|working))|deploy|release|ship|meet|have|work|run|freeze|publish|back up|rotate|start|end|close|review|plan|demo|am (?:off|away|out)|are (?:off|closed))\b/i,
  },
  {
    form: /\b(?:deadline|due date|window|freeze|release|launch|go-?live|kick-?off|stand-?up|retro\w*|planning|maintenance|holiday|vacation|birthday|demo|audit|expiry|day off|office hours|working hours|on[- ]call)\b/i,
    unless: /^(?:i|you|he|she) /i,
  },
];
/** Too near to matter in a later session, unless it is a date that something is due on. */
const NEAR =
  /\b(?:today|tonight|tomorrow|this (?:morning|afternoon|evening)|in (?:a|an|\d+|five|ten) (?:minutes?|min|hours?|sec|seconds?|moment|bit|while)|right now|later|soon)\b/i;

const givesTime = (clause: string): boolean =>
  TIME.test(clause) && !NEAR.test(clause) && hasForm(clause, SCHEDULE) && !/\b(?:every|each) time\b/i.test(clause);
