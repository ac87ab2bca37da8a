/** What a sentence tells of the work: done, found, guessed, about to be done, or nothing that anybody needs later. */
import { anyOf } from '../../domain/value/word-list.ts';
import { says } from './form.ts';
import { announcementForms, doneForms, guessForms, nothingForms, outcomeForms, selfTalkForms } from './forms-work.ts';

/** True when the sentence states an outcome: found, fixed, done, failing. */
export const statesOutcome = (sentence: string): boolean => says(sentence, outcomeForms);

/** True when the sentence says that work was done, by its own words. */
export const statesDone = (sentence: string): boolean => says(sentence, doneForms);

/** True when the sentence only announces the next step: "Let me read the file." */
export const isAnnouncement = (sentence: string): boolean => says(sentence, announcementForms);

/** True for a guess at what is the case. Said between two steps, it is confirmed or refuted by what comes next. */
export const isGuess = (sentence: string): boolean => says(sentence, guessForms);

/** True for what an agent says to itself between two steps: what it is about to do, or wonders about. */
export const isSelfTalk = (sentence: string): boolean => says(sentence, selfTalkForms);

/**
 * True for what an agent says between its steps and at the head of something that is not carried over: "Now I see the issue.", "All green.",
 * "Here is the updated version:". It was worth saying then and tells nobody anything later.
 */
export const saysNothing = (sentence: string): boolean =>
  /[:：]["”*_)]{0,3}$/.test(sentence) || HEADING.test(sentence) || says(sentence, nothingForms);

/** Two or three words in title case without a verb, or a file name alone: what stood above a block. */
const HEADS = anyOf('Summary, Conclusion, Overview, Changes, Fixes, Result, Results, Analysis, Verdict');
const HEADING = new RegExp(`^(?:\\*\\*)?(?:[A-Z][a-z]+ ){0,3}${HEADS}(?:\\*\\*)?[.:]?$|^[\\w./-]+\\.\\w{1,8}~?$`, 'i');

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

const THINKS = `(?:hm+|ah+|${anyOf('wait, oh, oops, interesting, let me see, let me think, now i see, i see')})`;
const THINKING_ALOUD = new RegExp(`^(?:${THINKS}(?:,(?! that)| ?[—–-](?= )|[.!…:]+)[ \\t]*(?:[—–-] )?){1,3}(?=\\S)`, 'i');
const THINKING_ALOUD_ZH = /^(?:(?:嗯+|等等|等一下|哦|啊|让我(?:看看|想想)|我看看|有意思)[，,。.！!…：:—]+[ \t]*){1,3}(?=\S)/;
const CHEERS = anyOf('Perfect, Great, Excellent, Awesome, Wonderful, Nice, Good catch, Great question');
const CHEER = new RegExp(`^(?:(?:${CHEERS}|You'?re (?:absolutely )?right)[!.] ){1,2}(?=\\S)`);
