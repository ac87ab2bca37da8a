/**
 * True for what an agent says between its steps and at the head of something that is not carried over: "Now I see the issue.", "All green.",
 * "Here is the updated version:". It was worth saying then and tells nobody anything later.
 */
export const saysNothing = (sentence: string): boolean =>
  /[:：]["”*_)]{0,3}$/.test(sentence) || HEADING.test(sentence) || NOTHING.test(sentence) || NOTHING_ZH.test(sentence);

/** Two or three words in title case without a verb, or a file name alone: what stood above a block. */
const HEADING =
  /^(?:\*\*)?(?:[A-Z][a-z]+ ){0,3}(?:Summary|Conclusion|Overview|Changes|Fixes|Result|Results|Analysis|Verdict)(?:\*\*)?[.:]?$|^[\w./-]+\.\w{1,8}~?$|^(?:fixed|done|perfect|updated|excellent|great|cleaned up|pushed)[.!]{0,3}$/i;

const OPENING = String.raw`(?:(?:ok(?:ay)?|good|great|perfect|right|alright|excellent|got it|sure|wait|yes|now|and|so|hm+|ah|oh|interesting|nice)[,.!: —–-]+){0,3}`;
const NOTHING = new RegExp(
  [
    String.raw`^${OPENING}(?:now )?i(?:'ve)? (?:can )?(?:now )?(?:see|understand|have (?:a |the )?(?:good|clear|full|complete|better)\b.{0,30}\b(?:picture|understanding|idea|overview)|know what|get it|found (?:it|the (?:issue|problem|bug|cause|error))|understood)\b(?!.{0,60}\b(?:because|that the|why the)\b).{0,60}$`,
    String.raw`^${OPENING}(?:i(?:'ll| will)|i'm going to|let me|let's|we'll) (?:now |also |then |just |first |start |begin |go ahead and |continue |proceed )*(?:go(?:ing)? through|start|begin|continue|proceed|add|write|fix|update|create|enhance|implement|make|modify|apply|do|handle|remove|rename|refactor|improve|run|check|look|read|search|find|see|explore|review|examine|verify|test|use the|take|move|change|edit|clean|extract|try|help|need|investigate|inspect)\b(?!.*\b(?:because|since|instead of|rather than)\b)`,
    String.raw`^${OPENING}(?:starting|continuing|moving on|looking|going|working|checking|reading|proceeding) (?:with|on|at|to|through|over|now)\b`,
    String.raw`^${OPENING}(?:first|next|then|finally|now),? (?:let|i'll|i will|we|i need|add|update|the next)\b.{0,120}$`,
    String.raw`^(?:all (?:green|good|done|set)|done|good catch|you'?re (?:absolutely )?right|great question|i apologi[sz]e|sorry|my mistake|that makes sense|makes sense|sounds good|no problem|of course|certainly|absolutely|understood|here(?:'s| is| are)|this (?:change|approach|implementation|version) (?:does|makes) the following|good question|great)\b.{0,50}$`,
    String.raw`^.{0,40}(?:[—–-]|\.) ?let me (?:find|check|look|see|fix|read|run|try|verify)\b.{0,40}$`,
    String.raw`^(?:would you like|let me know|feel free|if you (?:have|need|want)|is there anything|hope this helps)\b`,
  ].join('|'),
  'i',
);
const NOTHING_ZH =
  /^(?:好的?|明白了?|没问题|现在|接下来|首先|然后|让我)[，,。！!]?(?:我(?:来|先|会|将|明白|知道|看到|开始|继续).{0,30})?$|^(?:现在|接下来|下面|首先|然后)我.{0,30}$|^(?:希望|如果您?有)/;

/** The text without the cheer and the thinking aloud before what it says, and without bold marks that the cut left unpaired. */
export const withoutCheer = (text: string): string => {
  const plain = withoutFirstFiller(text.replace(CHEER, '').replace(/^Now(?: we have)?: (?=\S)/, ''))
    .replace(THINKING_ALOUD, '')
    .replace(THINKING_ALOUD_ZH, '');
  return plain.split('**').length % 2 === 0 ? plain.replaceAll('**', '') : plain;
};

/** Before a list that stands in one line with its introduction. */
function withoutFirstFiller(text: string): string {
  const [first = ''] = /^[^.!?。！？]{1,120}[.!?。！？](?=\s+\S{2}.{20})/.exec(text) ?? [];
  return first !== '' && saysNothing(first) ? text.slice(first.length).trimStart() : text;
}

const THINKING_ALOUD =
  /^(?:(?:(?:hm+|wait|ah+|oh|oops|interesting|let me (?:see|think)|(?:now )?i see)(?:,(?! that)| ?[—–-](?= )|[.!…:]+|(?= ?[—–])))[ \t]*(?:[—–-] )?){1,3}(?=\S)/i;
const THINKING_ALOUD_ZH = /^(?:(?:嗯+|等等|等一下|哦|啊|让我(?:看看|想想)|我看看|有意思)[，,。.！!…：:—]+[ \t]*){1,3}(?=\S)/;

const CHEER =
  /^(?:(?:Perfect|Great|Excellent|Awesome|Wonderful|Nice|Good catch|Great question|You'?re (?:absolutely )?right)[!.] ){1,2}(?=\S)/;

/** True for what an agent says to itself between two steps: what it is about to do, or wonders about. */
export const isSelfTalk = (sentence: string): boolean => SELF_TALK.test(sentence) || SELF_TALK_ZH.test(sentence);

/** True for a guess at what is the case. Said between two steps, it is confirmed or refuted by what comes next. */
export const isGuess = (sentence: string): boolean => GUESS.test(sentence) || GUESS_ZH.test(sentence);

const GUESS =
  /\b(?:might (?:be|not|have)|may (?:be|not be|have)|could be|probably|perhaps|maybe|i (?:suspect|guess|wonder)|(?:is|are|was|were|most|more|quite|very) likely|^likely|seems? (?:like|that|to be)|looks like|apparently|presumably)\b/i;
const GUESS_ZH = /可能是|大概|也许|估计是|应该是|看起来(?:像|是)|似乎|我猜|怀疑/;

const SELF_TALK = new RegExp(
  String.raw`^${OPENING}(?:(?:but|so|now|then|hmm+|wait|actually|also|oh|oops)[,.…]* )*(?:i (?:need|should|want|have|think i|could|can) (?:to|now|also)?\b|i(?:'ll| will|'m going to| am going to)\b|let me|let's|looking at|we (?:need|should) |maybe|perhaps|so i |this needs|that needs)`,
  'i',
);
const SELF_TALK_ZH = /^(?:好的?[，,])?(?:现在|接下来|下面|首先|然后|让)?我(?:需要|要|得|应该|来|先|再|想)/;
