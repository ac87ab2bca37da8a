/** Which sentences say that work is left, or put work off. The patterns are linear, as in all of this folder. */
import { isAnnouncement, isQuestion } from './cues.ts';

/** True when a reply says with this sentence what is still to be done. */
export const statesRemaining = (sentence: string): boolean =>
  !isQuestion(sentence) && !isAnnouncement(sentence) && (REMAINING.test(sentence) || REMAINING_ZH.test(sentence));

const REMAINING =
  /^(?:\W{0,4})(?:(?:open|outstanding|unfinished) (?:items?|points?|issues?|tasks?|work|questions?)(?=:| are\b| is\b)|what remains(?: to be done)?|left for (?:later|another day|tomorrow|now)|remaining(?: (?:work|tasks?|steps?|items?))?(?=:| is\b| are\b)|still (?:to do|open|missing)|next steps?|todo|to do|not (?:yet )?done|open points?|follow-?ups?|what(?:'s| is) left)\b(?: is| are)?\W|\b(?:is|are|was|were|has|have) (?:still )?not (?:yet )?(?:been )?(?:done|implemented|finished|written|updated|tested|wired|ported|fixed|migrated|deployed|documented)(?: it| the \w+)?(?: yet)?\b|\bnot (?:yet )?(?:updated|written|implemented|tested|finished|done) (?:the \w+ )?yet\b|\b(?:(?:is|are) still (?:missing|outstanding|pending|open|to come|to be done)|(?:has|have) not (?:yet )?been \w+(?:ed|en)|(?:is|are) left to do)[.!]?$|\b(?:tasks?|items?|steps?|tests?|points?) remain\b|\bstill (?:need|needs|has|have) to be\b|\bleft to do\b|\bdid(?: not|n't) get (?:to|around to)\b/i;
const REMAINING_ZH =
  /剩下的(?:工作|任务)|尚需|尚待|有待|遗留|还差|还有[^，。]{1,12}(?:没|未)|还没有?(?:迁|做|改|修|写|测|处理|完成)|还剩|还没(?:有)?做|下一步(?:需要|是|要|：)|待办|尚未(?:完成|实现|处理|修复)|还需要(?:做|补|改|处理)|未完成/;

/** True when a user puts something off: it is wanted, and not now. */
export const defersWork = (sentence: string): boolean => !isQuestion(sentence) && (DEFERRED.test(sentence) || DEFERRED_ZH.test(sentence));

const DEFERRED =
  /^(?:and |also |then |but |oh,? )*(?:later|afterwards?|after (?:that|this)|once (?!upon)|when (?:that|this|you|it)(?:'s| is|'re| are) (?:done|finished|ready))\b.{3,}|\b(?:do ?n[o']t|dont) forget (?:to|about)\b|\bremind me\b|\b(?:on the list|for later)\b/i;
const DEFERRED_ZH =
  /^(?:之后|回头|稍后|晚点|等.{1,14}(?:再|以后|之后))[^，。]{0,8}(?:还|再|要|得|把|做|处理)|别忘了|记得(?:最后|之后|稍后)|提醒我/;
