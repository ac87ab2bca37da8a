/**
 * Cues classify a sentence by the words in it. All patterns are plain alternations without nested repetition, so the time is linear in the
 * length of the sentence.
 */
export type Strength = 0 | 1 | 2 | 3;

/**
 * How strongly a sentence of the user binds: 3 an order or a ban, 2 a rule or a preference, 1 the words of a rule in a question or in a
 * remark about something else, 0 none.
 */
export function constraintStrength(sentence: string): Strength {
  const isFirm = FIRM.test(sentence) || FIRM_ZH.test(sentence) || NEGATED_WISH.test(sentence);
  const isSoft = SOFT.test(sentence) || SOFT_ZH.test(sentence);
  if (!isFirm && !isSoft) return 0;
  if (isQuestion(sentence) && !POLITE_ORDER.test(sentence)) return 1;
  if (!NEGATED_WISH.test(sentence) && isRemark(sentence)) return 1;
  if (!isFirm && REMARK_ZH.test(sentence)) return 1;
  return isFirm ? 3 : 2;
}

const FIRM =
  /\b(?:must|mustn'?t|never|always|do ?n[o']t|dont|cannot|make sure|ensure|avoid|at most|at least|no more than|no less than|without|forbidden|not allowed|required?|requires|have to|has to|shall|unless|as long as|strictly|under no circumstances|be careful|stop \w+ing|no longer|ask me|ask first|before you)\b|^(?:please )?no [a-z]/i;
const SOFT =
  /\b(?:should|shouldn'?t|only|prefer|preferably|instead of|rather than|keep|remember|needs? to|let'?s not|stick to|limit|limited to|use|exactly|not more than|up to|constraint|requirement|rule|convention|by default|everywhere|from now on|in future)\b/i;
const FIRM_ZH =
  /必须|务必|不要|不能|不得|不可以|不可|不许|不准|禁止|严禁|请勿|切勿|勿|千万|绝不|绝对不|只能|只允许|只准|一律|始终|永远|不允许|一定要|至多|最多|至少|不超过|不少于|避免|确保|保证|(?:^|[，,。；\s请也就都先再])别(?!的|人|处|名|称|墅)/;
const SOFT_ZH =
  /应该|应当|不应|最好|尽量|记得|优先|统一|需要|只用|只要|只改|只在|仅|除非|不用|无需|以后|要求|希望|约束|规则|默认|先问|注意|总是/;
const NEGATED_WISH = /\b(?:I|we) (?:really )?(?:do ?n[o']t|dont) (?:want|like|allow|support|use|touch|break|change|accept)\b/i;
const POLITE_ORDER =
  /^(?:and |also |ok,? |okay,? |so |then )?(?:can|could|would|will) (?:you|we|u|yu)\b|\bplease\b|^let'?s\b|请|麻烦|能不能帮|帮我|可以帮/i;
/** True for remarks about people and things, not addressed to the agent: "I don't know", "it always fails". */
function isRemark(sentence: string): boolean {
  const remark = REMARK.exec(sentence)?.[0];
  if (remark === undefined || /\b(?:must|should|shall|need)\b/i.test(remark)) return false;
  const rest = sentence.replace(remark, '');
  return !FIRM.test(rest) && !SOFT.test(rest);
}
const REMARK =
  /\b(?:I|we|they|he|she|it|this|that|there|which|what|why|who|how)\b[\w' ]{0,24}\b(?:do ?n[o']t|dont|have to|cannot|keeps?)\b|\b(?:it|this|that|there|which|what|why|he|she|they)\b[\w' ]{0,24}\b(?:always|never|only)\b/i;

const REMARK_ZH = /我(?:觉得|感觉|还|也|很|没|每天|基本|已经)|^(?:这|那|它|他|她|和你|不用谢|没问题)|总是(?:可以|能|让|感觉|觉得)/;

/** 2 when the sentence states a choice, 1 when it only mentions choosing, proposing or replacing, 0 otherwise. */
export function decisionStrength(sentence: string): 0 | 1 | 2 {
  const statesChoice = CHOSEN.test(sentence) || CHOSEN_ZH.test(sentence);
  if (statesChoice && !isQuestion(sentence) && !OPEN_CHOICE.test(sentence)) return 2;
  return statesChoice || PROPOSED.test(sentence) || PROPOSED_ZH.test(sentence) ? 1 : 0;
}

const CHOSEN =
  /\b(?:decid(?:ed?|ing)|decision|chose|chosen|choose|choosing|opt(?:ed|ing)? for|settled on|agreed|go(?:ing)? with|went with|(?:I|we|was|were|have|user) (?:selected|picked)|stick(?:ing)? with|switch(?:ed|ing)? to|(?:right|best|better|chosen|simplest) (?:approach|option|choice|fix|way)|approved|we(?:'ll| will) (?:use|go|keep|take)|I(?:'ll| will) use|let'?s (?:use|go|keep|do|take|stick|make|leave|drop|skip)|determined|conclu(?:ded|sion))\b/i;
const CHOSEN_ZH = /决定|决策|选择|选定|选用|确定|采用|改用|敲定|定为|就用|最终方案|同意|拍板|方案是|改成|换成/;
const OPEN_CHOICE =
  /\b(?:if (?:you|we|the user)|whether|you can|you could|could|might|may)\b[\w' ]{0,40}\b(?:choose|decide|pick|go with|switch)|(?:可以|不错的|不同的|更多|适合|如果.{0,20})选择|选择(?:适合|一些|困难|题)|你(?:可以|也可以|要|想)?选择/i;
const PROPOSED = /\b(?:instead of|rather than|root cause|the fix is|because|so that|the plan|trade-?off|recommend|propose|approach)\b/i;
const PROPOSED_ZH = /而不是|根本原因|因为|建议|计划|方案|权衡|思路/;

export const isQuestion = (sentence: string): boolean => /[?？]["'”’)\]）]*$/.test(sentence) || /[吗呢][。.!！]?$/.test(sentence);

/** True for a question; false for an order in the form of one: "can you ...?", "why not ...?". */
export const asksToKnow = (sentence: string): boolean => {
  const text = sentence.slice(0, MAX_QUESTION_CHARS);
  return isQuestion(sentence) && !POLITE_ORDER.test(text) && !PROPOSAL.test(text);
};

const MAX_QUESTION_CHARS = 500;
const PROPOSAL =
  /\b(?:what|how) (?:about|if)\b|\bwhy (?:not|do ?n[o']t (?:we|you))\b|\b(?:do|try|run|fix|add|commit|push) (?:it|that|this|again)\b|\b(?:should|shall) (?:we|you|i)\b|(?:能|可以|可不可以|要不要|怎么不|行)[^，。]{0,40}[吗呢]?[?？]?$/i;

/** True when the user wants to be asked before something is done. */
export const asksForApproval = (sentence: string): boolean =>
  /\b(?:ask|check with|confirm with|tell|wait for|show) (?:me|us)\b|\bbefore (?:you )?(?:push|commit|merg|delet|deploy|publish|releas|chang|runn?)|\b(?:my|our) (?:approval|ok|okay|confirmation|permission)\b|先问|问我|先确认|经我(?:同意|确认)|等我(?:同意|确认|批准)|我(?:同意|确认|批准)(?:后|之后|再)|批准/i.test(
    sentence,
  );

/** True when the user states a preference, a habit, or what should stay as it is. */
export const statesPreference = (sentence: string): boolean =>
  /\b(?:I|we) (?:really |usually |always |generally |typically |would |'d )?(?:like|prefer|love|hate|dislike|favou?r|want)\b|\bI(?:'d| would) (?:rather|prefer|like)\b|\bprefer(?:s|red|ably|ence)?\b|\b(?:I|we) (?:usually|always|never|typically|normally|generally)\b|\bmy (?:preference|style|habit|convention)\b|喜欢|偏好|习惯|偏爱|更愿意|我(?:一般|通常|总是|从不|讨厌|不喜欢)|我们(?:一般|通常|总是|从不)/i.test(
    sentence,
  );

/** True when the sentence states an outcome: found, fixed, done, failing. */
export const statesOutcome = (sentence: string): boolean =>
  /\b(?:done|fixed|found|implemented|added|created|updated|removed|deleted|renamed|moved|merged|committed|pushed|deployed|released|completed?|finished|resolved|passe[sd]|passing|works?|working|fail(?:s|ed|ing|ure)?|broken|caus(?:e|ed|es)|because|issue|problem|bug|turns out|the (?:fix|reason|problem|issue|answer)|in short|summary|all (?:green|tests)|now (?:uses?|has|supports?|returns?)|no longer|verified|confirmed|correct|means)\b|完成|修复|解决|已(?:经)?|实现|新增|添加|删除|更新|通过|失败|原因|问题|发现|结论|总结|因此|所以|成功|说明/i.test(
    sentence,
  );

/** True when the sentence says that work was done, by its own words. */
export const statesDone = (sentence: string): boolean =>
  /^(?:done|fixed|implemented|added|created|updated|removed|deleted|renamed|moved|merged|committed|pushed|deployed|wrote|written|changed|reverted|rolled back|applied|resolved|completed?|finished)\b|\b(?:i|we)(?:'ve| have)? (?:now |also |just )?(?:implemented|added|created|updated|removed|deleted|renamed|moved|merged|committed|pushed|deployed|wrote|written|changed|fixed|reverted|applied|resolved|put|made|replaced|refactored)\b|\b(?:is|are|was|were|has been|have been) (?:now )?(?:implemented|added|created|updated|removed|deleted|renamed|moved|merged|committed|pushed|deployed|written|fixed|reverted|applied|resolved|done|in place)\b|\b(?:all|every) (?:\w+ )?tests? (?:still |now )?pass|已(?:经)?(?:完成|修复|添加|新增|更新|删除|实现|改|写|提交|推送|合并|处理|加)|(?:完成|修复|更新|删除|添加|改|写|加)(?:好)?了/i.test(
    sentence,
  );

/** True when the sentence only announces the next step: "Let me read the file." */
export const isAnnouncement = (sentence: string): boolean =>
  /^(?:(?:ok|okay|good|great|perfect|right|alright|now|next|first|then|and|so|excellent|got it|sure)[,.!: —-]*){0,4}(?:let me|let's (?:look|check|see|run)|i'll (?:now )?(?:read|check|look|run|start|search|find|see|explore|review|examine)|i need to (?:read|check|look)|now (?:let me|i'll|i will|i need)|i will (?:read|check|look))\b|^(?:好的?[，,。]?)?(?:让我|我(?:先|来|将|会)|现在(?:让我|我))/i.test(
    sentence,
  );
