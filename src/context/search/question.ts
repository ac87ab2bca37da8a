import type { RecallKind } from '../../domain/recall.ts';

/** What a question in words says of the text that answers it. */
export type Question = {
  /** What the answer has in it. */
  readonly wants: 'time' | 'number' | undefined;
  /** Who said it. */
  readonly saidBy: Extract<RecallKind, 'user' | 'assistant'> | undefined;
};

const OPENERS = 'and|so|but|then|in|on|at|for|to|from|with|by|about|during|after|before';
const AUXILIARIES = 'did|does|do|is|are|was|were|has|have|had|can|could|would|will|should';
const ASKS = new RegExp(
  `^\\W*(?:(?:${OPENERS}) )?(?:what|when|where|who|whom|whose|which|why|how|${AUXILIARIES})\\b.* |[?？]\\s*$|什么|怎么|怎样|哪|谁|多少|多久|何时|为何|吗`,
  'i',
);
const WHEN = /\bwhen\b|\b(?:what|which) (?:date|day|month|year|time|deadline)\b|\bhow long ago\b|什么时候|何时|哪天|几号|几月|哪年/i;
const HOW_MANY = /\bhow (?:many|much|long|old|far|high|big|large|often|tall|cold|hot|fast|slow)\b|多少|几个|多久|多长/i;
const OF_ASSISTANT = /\byou(?:r|'ve|'d)?\b(?! (?:tell|remind|help|explain|summari[sz]e|walk|list))|你(?!能|可以)/i;
const OF_USER = /\b(?:I|I've|I'm|I'd|my|me|mine|we|our|us)\b|the user|我/;

/** Returns undefined for words that are no question. */
export function questionOf(query: string): Question | undefined {
  if (!ASKS.test(query)) return undefined;
  return {
    wants: WHEN.test(query) ? 'time' : HOW_MANY.test(query) ? 'number' : undefined,
    saidBy: OF_ASSISTANT.test(query) ? 'assistant' : OF_USER.test(query) ? 'user' : undefined,
  };
}

const MONTHS =
  'jan(?:uary)?|feb(?:ruary)?|march|april|(?:in|of) may|may \\d|june|july|aug(?:ust)?|sept(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';
const SPANS = '(?:a|two|three|few|couple of|this) (?:days?|weeks?|months?|years?|morning|afternoon|evening)';
const TIME = new RegExp(
  `\\b(?:yesterday|today|tonight|tomorrow|last|next|ago|weekend|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|${MONTHS}|${SPANS}|\\d{1,2}(?:st|nd|rd|th)|(?:19|20)\\d\\d|\\d{1,2}:\\d\\d)\\b|[昨今明前]天|上周|下周|\\d[日号月年]|星期|去年`,
  'i',
);
const NUMBER_WORDS = 'two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|twenty|thirty|forty|fifty|hundreds?|thousands?|half';
const NUMBER = new RegExp(`\\d|\\b(?:${NUMBER_WORDS})\\b|[一二两三四五六七八九十百千万][个次年月天周小分公块元]`, 'i');

/** True when a text has in it what the question wants to know. */
export function hasAnswer({ wants }: Question, text: string): boolean {
  return wants !== undefined && (wants === 'time' ? TIME : NUMBER).test(text);
}

/** True for what ends by asking: it has the words of the question and not the answer. */
export const onlyAsks = (text: string): boolean => /[?？]\s*$/.test(text);

/** Returns the name before a text that comes from a chat ("Anna: I will come"), in small letters. */
export const speakerOf = (text: string): string | undefined => /^\s*(\p{L}[\p{L}'-]{1,30}):\s/u.exec(text)?.[1]?.toLowerCase();

/** The words that only make a sentence of others: they are in every text and tell none from another. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an the of to in on at for with by from about into onto as and or if than then so too also just very that this these those there here
  it its he him his she her hers they them their theirs we us our ours i me my mine you your yours s t d ll ve re m
  am is are was were be been being do does did doing done has have had having will would could should can may might must shall
  what when where who whom whose which why how ever yet still please some any`.split(/\s+/),
);
