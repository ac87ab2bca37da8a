/** When the user does not accept what was just said or done. Careful: what is not plain is no dispute. */
import { isQuestion } from './cues.ts';
import { sentencesOf } from './sentences.ts';

/** True when a request begins by saying that the reply before it is wrong or did not work. After a question, a "no" is only its answer. */
export function disputes(request: string, reply: string): boolean {
  const [first = '', second = ''] = sentencesOf(request.slice(0, HEAD_CHARS));
  const last = sentencesOf(reply.slice(-HEAD_CHARS)).at(-1);
  if (ACCEPTS.test(first)) return false;
  if (DISPUTES.test(first) || DISPUTES_ZH.test(first)) return true;
  return (last === undefined || !isQuestion(last)) && SAYS_NO.test(first) && !ACCEPTS.test(second);
}

const HEAD_CHARS = 600;

const ACCEPTS =
  /\b(?:this|that|it|all)(?:'s| is| looks)? (?:fine|ok(?:ay)?|good|great|correct|right|works|perfect)\b|\bno (?:problem|worries|rush|hurry|thanks)\b|没问题|不用谢|不错|没关系/i;
const SAYS_NO =
  /^(?:no|nope|nah|wrong|incorrect)(?:[,.!:;—–-]| (?:that|it|you|this|don'?t|not|i (?:said|mean|meant|want))\b)|^不(?:，|,|。|是这)/i;
const DISPUTES =
  /^(?:(?:no|but|hm+|well|and|ok(?:ay)?|uh|um|omg|wait)[,.!… ]+){0,3}(?:(?:that|this|it)(?:'s| is|s| was) (?:still )?(?:not (?:it|right|true|correct|what i|how|the)|wrong|incorrect|broken)|(?:that|this|it) (?:still )?(?:does ?n[o']t|did ?n[o']t|is ?n[o']t) (?:work|help|fix|right|it\b)|(?:it |that |this )?still (?:fails|broken|does ?n[o']t|not working|wrong|crashes|the same error)|not what i (?:asked|meant|said|want)|you (?:fucked|broke|missed|forgot|misunderstood|messed|screwed|did ?n[o']t)\b|i (?:undid|reverted) your)/i;
const DISPUTES_ZH =
  /^(?:不对|错了|不是这样|不是这个|还是(?:不行|报错|不对|失败|有问题)|没(?:用|修好|解决)|你(?:搞错|弄错|漏了|忘了|理解错))/;
