import { isChinese } from './sentences.ts';

/** True for a short answer that says nothing without what it answers: "yes, do it all", "option 2", "#3", "那就第二个吧". */
export function needsReferent(text: string): boolean {
  const answer = text.trim();
  if (answer === '' || answer.startsWith('/') || answer.length > (isChinese(answer) ? 60 : 200)) return false;
  if (POINTS.test(answer)) return true;
  return answer.length <= (isChinese(answer) ? SHORT_ZH : SHORT) && (ACCEPTS.test(answer) || ACCEPTS_ZH.test(answer));
}

/** Who says more than this behind a "yes" says what. */
const SHORT = 46;
const SHORT_ZH = 16;

const ACCEPTS =
  /^(?:(?:and|ok(?:ay)?|hm+|well|so|then|great|perfect|nice|cool|good)[,.! ]+){0,3}(?:y|yes|yep|yeah|yup|sure|ok(?:ay)?|go ahead|go for it|go on|continue|proceed|please do|do (?:it|that|so|this|them|all|both)|sounds good|looks good|lgtm|agreed|correct|exactly|right|fine|both|all(?: of (?:them|it|those))?|neither|no|nope|nah|the (?:first|second|third|last|former|latter|other)|let'?s (?:do|go|tackle|start)|ship it|why not|minor|major|patch|[a-h1-9])\b/i;
/** Names something by its place in what was said before. */
const POINTS =
  /(?:^|\s)#\d{1,2}\b|\b(?:options?|number|no\.|points?|items?|tasks?|steps?|issues?|variants?|approach(?:es)?|suggestions?|findings?|critical|minor|questions?) ?#?\d{1,2}\b|\b[1-9](?:,? (?:and|&|or) |, ?)[1-9]\b|\b(?:first|second|third|last|former|latter) (?:one|option|approach|way|variant|suggestion)\b|\bis [1-9]\b|\b[1-9] is\b|^(?:i think |let'?s do |use |take )?[1-9]\b/i;
const ACCEPTS_ZH =
  /^(?:好|行|可以|是|对|嗯|要|继续|同意|没问题|就这样|都(?:要|做|改)|全部|不用|不要|选|第[一二三四五六七八\d]|方案)|第[一二三四五六\d]+(?:个|种|项|条|点)|(?:选项|方案)\s?[A-Da-d\d一二三四]/;
