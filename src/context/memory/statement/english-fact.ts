import { type Form, hasForm } from './form.ts';

/** True when a clause gives a thing its name, place, value or time, or says who somebody is. */
export const isEnglishFact = (clause: string): boolean =>
  !isPassing(clause) && (hasForm(clause, people) || hasForm(clause, values) || givesPlace(clause) || givesTime(clause));

/** What only happened, or is so for the moment. */
const isPassing = (clause: string): boolean =>
  PAST.test(clause) ||
  STATUS.test(clause) ||
  /^(?:it|this(?! (?:repo|repository|project|code ?base|app|service|team|company|package|library|product|module|machine|server|folder))|that|there(?! (?:is|are) (?:a|an|also|another|two|three|only) )|he|she|they|which|nothing|something|everything)\b(?!['’]?s called\b| (?:listens|is called|is named|runs on|lives|stands for|belongs to|means)\b)/i.test(
    clause,
  );

const PAST =
  /\b(?:yesterday|just (?:now|\w+ed)|ago|last (?:week|night|month|time|year)|since (?:this|yesterday|monday|tuesday|wednesday|thursday|friday|the)|was|were|had|took|ran|got|said|says|went|came|saw|did|made|broke|crashed|failed|stopped)\b/i;
const STATUS =
  /\b(?:is|are|['’]s|['’]re|seems?|looks?|gets?|stays?|was|i['’]?m|i am) (?:already |still |now |again |currently |just |all |so |too |very |really |quite |pretty |totally |completely |a bit |a little |always |not |never |probably |suddenly |often |sometimes )*(?:in use|down|up|wrong|broken|slow|full|empty|missing|fine|ok|okay|undefined|null|unknown|red|green|failing|flaky|busy|gone|back|ready|done|closed|open|stuck|dead|late|weird|strange|odd|great|good|bad|nice|cool|cold|hot|amazing|correct|incorrect|true|false|passing|working|looking|trying|doing|getting|going|running out|being|thinking|having|waiting|wondering|sure|sorry|tired|happy|sad|glad|afraid|curious|confused|lost|offline|online|unreachable|unavailable|installed|hanging|crashing|complaining|different|the same|next|more|less|much|kind of|sort of|like|here|there|what|why|how|where|because|interesting|funny|hard|easy|expensive|huge|tiny|long|short|fast|better|worse|taken|impressive|annoying|boring|hilarious|raining|\w+ing)\b(?! (?:in|for|on|as|out of|from|at|to) [A-Z])/i;

const people: readonly Form[] = [
  {
    form: /^(?:when|if|by) (?:i|we) (?:say|write|talk about|type) .{1,60} (?:i|we) mean \w|^what (?:i|we|they) call .{1,40} (?:is|are) \w|^(?:a|an|the) ["“]?[\w -]{1,30}["”]? (?:here )?(?:means|is what we call|stands for)\b/i,
  },
  {
    form: /^(?:i|we) (?:can )?(?:speak|read|write|understand|code in|program in|know|learn|am learning) (?:only |some |a little |fluent |good )?[A-Z]/u,
    unless: /^i (?:read|know) (?:The|That|A|It|This)\b/,
  },
  {
    form: /^(?:the |our |all (?:the |our )?|most (?:of (?:the |our ))?)(?:\w+ )?(?:customers?|users?|clients?|readers|players|patients|students|colleagues|team|company|department|developers|devs|people|audience|stakeholders|investors|employees)(?: \w+){0,4} (?:are|is|have|has|use|uses|speak|speaks|sit|sits|live|lives|work|works|come|comes|expect|expects|pay|pays|read|reads|run|runs|start|starts) (?!waiting|complaining|angry|happy|unhappy|asking|not\b|right\b|asleep|here\b|there\b|back\b|it\b)\w/i,
  },
  {
    form: /\b(?:his|her|their) name is \w|\bmy pronouns are\b|\b(?:i|we)(?:['’]?m| am|['’]re| are) (?:colou?r-?blind|deaf|blind|left-?handed|dyslexic|vegetarian|vegan|allergic|hard of hearing|new to|a native|fluent|bilingual)/i,
  },
  {
    form: /^(?:everyone|everybody|people|the team|customers|users|we|they|colleagues)(?: \w+){0,2} calls? (?:the |our |it |this |that |him |her )?\w+/i,
    unless: /\bcalls? (?:the )?(?:function|method|api|endpoint|it (?:a day|twice|from))\b/i,
  },
  { form: /^you(?:['’]ll| will| can) find (?:the|our|my|all|every|more)\b.{2,60}\b(?:in|at|under|on|behind)\b/i },
  { form: /\b(?:my|our|his|her) (?:\w+ )?name(?:['’]s| is|:) \w/i, unless: /name is (?:wrong|taken|too|not|already)/i },
  {
    form: /^(?:you (?:can|may|should) |please |just |everyone |people |friends |they |most people )?calls? me (?!later|back|when|tomorrow|tonight|if|after|at\b|on\b|again|crazy|stupid|a\b|in\b|asap|now)\w/i,
  },
  { form: /^(?:i|we)(?:['’]?m| am|['’]re| are) (?!ok\b|sure|sorry|not)(?:called |named )\w/i },
  {
    form: /^(?:hi |hello |hey )?(?:[Ii]['’]?m|[Ii] am|[Tt]his is|[Ii]t['’]s) [A-Z][\p{Ll}]+(?:$|,| [A-Z]| from| and| here| with| at)/u,
    unless:
      /\b(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December)\b/,
  },
  {
    form: /^(?:i|we)(?:['’]?m| am|['’]re| are) (?:(?:working|employed|studying|training) (?:as|at|for)|based (?:in|at)|located (?:in|at)|from|living in|responsible for|in charge of|originally from|on (?:call|version|node|python|kubernetes|java|ubuntu|windows|macos|linux|\w+ \d)|in the [\w ]+ (?:team|department|office|time ?zone)|at (?:the )?[A-Z]|(?:a|an|the) (?:\w+ ){0,4}(?:\w+(?:er|or|ist|ian|ant)|lead|head|student|intern|analyst|dba|pm|cto|ceo|freelance|team|company|startup|start-up|group|shop|agency|department|ngo|university|hospital|school|bank|crew)\b)/i,
    unless:
      /\b(?:a (?:bit|little|huge fan|fan|lot|moron|beginner at this|bother|killer|whisker)|other|another|number|matter|error|server|folder|editor|browser|parser|compiler|debugger|loser|sucker|whatever)\b/i,
  },
  {
    form: /^(?:i|we) (?:mostly |mainly |usually |currently |also )?(?:work|live|teach|study|sit|freelance) (?:as|at|for|in|from|with|mostly|near|out of|on (?:the|a) \w+ team)\b/i,
    unless: /\bwork (?:on|in) (?:it|this|that)\b|\bright now\b/i,
  },
  {
    form: /^(?:i|we) (?:(?:mostly |mainly |also )?(?:do|handle|look after|maintain|own|manage|take care of|lead|oversee|administer|build|develop|cover)) (?:all |most of )?(?:the|our|backend|frontend|front-?end|back-?end|mobile|ops|qa|infra\w*|design|everything)\b(?! (?:same|best|right|error|bug))/i,
  },
  {
    form: /^(?!it\b|this\b|that\b|he\b|she\b)[\w .'’-]{1,50} (?:owns|maintains|looks after|takes care of|is responsible for|are responsible for|is in charge of|leads|heads|manages|runs|handles|is on call for|administers|signs off|reviews|approves|pays for) (?:the|our|all|my|every|this|release|infra|ops|\w+s\b)/i,
  },
  {
    form: /\b(?:questions|issues|requests|problems|bugs|reports|changes|invoices|tickets|complaints|escalations|anything) (?:about [\w ]{1,30} )?(?:go|should go|are sent|belong|get sent) (?:to|via|through) \w/i,
  },
  { form: /^(?:for|about) (?:\w+ ){1,4}(?:ask|talk to|ping|contact|email|write to|go to|see) (?!me\b|you\b)\w/i },
  {
    form: /(?:^by (?:"[^"]*"|“[^”]*”|[\w -]{1,40}) (?:i|we) mean|^(?!it\b|this\b|that\b)[\w" -]{1,40} (?:means|stands for|is short for|is our (?:name|word|term) for|refers to|is (?:the )?(?:abbreviation|acronym) (?:of|for)) \w)/i,
    unless: /\bmeans (?:that (?:it|the|i|we)|you|i\b|we\b|it\b)/i,
  },
  {
    form: /^(?:you can |you['’]ll |people |customers )?(?:reach|find|contact|email|call|text|ping) (?:me|us) (?:at|on|under|via|by|through)\b.*(?:\d|@|[A-Z#])/i,
  },
  {
    form: /\b(?:my|our) (?!\w+ (?:is|are) (?:to|that)\b)(?:\w+[ -]){0,4}(?:is|are|has|uses|comes from|lives in|runs) (?:called |named )?(?:(?:a |an |the )?[A-Z][\p{L}\d.]+|\d[\w.:/]*|an? \w+)/u,
    unless:
      /\b(?:problem|question|guess|bad|mistake|point|idea|error|thought|turn|next|first|only|last|is (?:A|An|The|That|Not|No|Why|How|a (?:mess|bit|joke|disaster|pain|little|problem)))\b/,
  },
  {
    form: /^(?:i|we) (?:have|own|use|run|drive|speak|know) (?:a |an |two |three |only )?(?:[A-Z][\p{L}\d.+#]+|mac\w*|linux|windows|ubuntu|vim|emacs|neovim|\w+ (?:kids|children|cats|dogs|monitors|screens))/u,
    unless: /^(?:I|We) have (?:I|A|The|To)\b/,
  },
];

const THING =
  '(?!(?:error|problem|issue|bug|reason|cause|output|result|response|log|diff|line|message|trace|exception|code|fix|answer|point|thing|variable|loop|function|method|test|tests|build|step|commit|patch|stack)\\b)';
const DEFINITE = `(?:the|our|my|your|their|its|this|all|each|every)?\\s*(?:[\\w.'’/-]+ ){0,4}?`;
const ATTRIBUTE =
  '(?:names?|code ?name|ports?|address(?:es)?|ips?|hosts?|hostname|urls?|domains?|e-?mails?|phone|numbers?|paths?|folders?|directory|branch|versions?|time ?zones?|users?|username|accounts?|owners?|leads?|managers?|boss|contacts?|clients?|customers?|team|deadlines?|due date|limits?|size|thresholds?|timeouts?|regions?|languages?|databases?|db|editor|shell|os|laptop|machine|defaults?|licen[cs]e|ids?|keys?|tokens?|buckets?|clusters?|servers?|schedule|budget|retention|locale|currency|birthday|products?|projects?|repos?|repository|window|indentation|framework|stack|tables?|files?|counts?|levels?|intervals?|sources?|docs|documentation|registry|queue|topic|channel|endpoint|gateway|proxy|wiki|tracker|board|ci|pipeline|prefix|suffix|extension|encoding|format|charset|colou?r|font|rate|quota|capacity|ttl|expiry|lifetime|workspace|namespace|environment|staging|production|prod|dev|backend|frontend|api|orm|linter|formatter|package manager|runtime|compiler|interpreter|desktop|office|company|department|role|title|secret|password|cache|broker|provider|vendor|monitor(?:ing)?|dashboard|mirror|handle|nick(?:name)?|login|alias|slack|github|rate|cron|hosting|bastion|jump ?host|vpn|gpu|ram|cpu|disk|app|site|service|job|flag|flags)';

const VALUE_EXACT = `(?:[\\w-]*\\d[\\w.:/%-]*|https?:|[\\w-]+[./@:][\\w./@:-]+|[\\w.]*_\\w+|["“\`'][^"”\`']+["”\`']|(?:\\w+ (?:dot|slash|colon|point) ){1,})`;

const values: readonly Form[] = [
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
    form: /^(?:we|i) ?(?:always |usually |only |generally )?(?:(?:am|are|['’]m|['’]re) (?:off|out|away|on (?:holiday|vacation|leave|parental)|not (?:in|available|working))|deploy|release|ship|meet|have|work|run|freeze|publish|back up|rotate|start|end|close|review|plan|demo|am (?:off|away|out)|are (?:off|closed))\b/i,
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
