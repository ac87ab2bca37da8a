import { type Form, hasForm } from './form.ts';

/** True when a clause says who somebody is, what they are called, what they do and can, or what is called what. */
export const isAboutPeople = (clause: string): boolean => hasForm(clause, people);

const people: readonly Form[] = [
  {
    form: /^our [\w][\w -]{1,30} (?:always |only |usually |also |all )?(?!is\b|was\b|has\b|does\b|keeps\b|fails|crashes|breaks|seems|looks|hates)\w{2,}s \w/i,
    unless: /\b(?:today|now|again|too|still)\b/i,
  },
  { form: /^(?:the |all )?(?:two|three|four|five|six|\d+) of us (?:share|work|use|have|are|live|sit|meet)\b/i },
  {
    form: /^in (?:our|my) (?:jargon|terms|world|language|vocabulary|team|company|case|shop|field|slang|office),? \w+ \w+/i,
    unless: /\b(?:is (?:down|broken|red)|today)\b/i,
  },
  {
    form: /^there(?:['’]s| is) (?:only|exactly|just) one \w+ (?:who|that|for|in|with)\b/i,
    unless: /\b(?:error|problem|bug|test|warning|way to find)\b/i,
  },
  {
    form: /^(?:the )?(?:thing|one|place|tool|server|system|part|bit) (?:that )?(?:everyone|everybody|we|people|i|they) calls? .{2,40} is \w/i,
  },
  {
    form: /""\s?(?:really |just |simply |actually )?(?:is|means|stands for|refers to) (?!the (?:problem|error)|wrong|right|fine|missing)\w/i,
  },
  {
    form: /^i (?:only )?work (?:only )?(?:mornings?|evenings?|afternoons?|nights?|weekends?|part[- ]time|full[- ]time|half days?|remotely|from home|four days)\b/i,
  },
  { form: /^[Ii] go by [A-Z]/ },
  {
    form: /^i (?:mostly |always |usually |only |mainly |still )?(?:use|run|work with|code on|type on) [\w.+-]+(?: [\w.+-]+)? (?:with|and|as|for|on|under|in) \w/i,
    unless: /\b(?:it|this|that|now|today|here|again|the (?:wrong|same))\b/i,
  },
  {
    form: /^(?:when|if|by) (?:i|we) (?:say|write|talk about|type) .{1,60} (?:i|we) mean \w|^what (?:i|we|they) call .{1,40} (?:is|are) \w|^(?:a|an|the) ["“]?[\w -]{1,30}["”]? (?:here )?(?:means|is what we call|stands for)\b/i,
  },
  {
    form: /^(?:[Ii]|[Ww]e) (?:can )?(?:speak|read|write|understand|code in|program in|know|learn|am learning) (?:only |some |a little |fluent |good )?[A-Z]/u,
    unless: /^[Ii] (?:read|know) (?:The|That|A|It|This)\b/,
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
