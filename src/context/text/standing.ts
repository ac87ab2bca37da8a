/**
 * Which sentences of a user hold beyond the exchange in which they were said. All patterns are plain alternations with bounded gaps, so the
 * time is linear in the length of the sentence.
 */
import { isQuestion } from './cues.ts';
import { isOneOff } from './one-off.ts';

/**
 * True for an order, a ban or a way of working that is to hold from then on; false for the task of the moment, for questions, remarks and
 * complaints, and for code.
 */
export function isStandingOrder(sentence: string): boolean {
  const text = sentence.slice(0, MAX_CHARS).replace(OPENING, '');
  if (WORK_LIKING.test(text)) return true;
  if (looksLikeCode(text) || NO_ORDER.test(text) || NO_ORDER_ZH.test(text)) return false;
  if (isQuestion(text)) return POLITE_STANDING.test(text);
  if (isOneOff(text)) return false;
  return isGeneralOrder(text) || ENGLISH.some((pattern) => pattern.test(text)) || CHINESE.some((pattern) => pattern.test(text));
}

/** True for one that says by itself that it holds for good: "never", "from now on". Only such a word makes a rule of an answer. */
export const isGeneralOrder = (sentence: string): boolean => GENERAL.test(sentence) || GENERAL_ZH.test(sentence);

const MAX_CHARS = 500;
const OPENING =
  /^(?:(?:ok(?:ay)?|alright|all right|well|yeah|yes|yep|oh|ah|hey|and|but|also|so|then|though|oh my god|omfg|btw)(?:[,.!…]+ | ))+/i;

const looksLikeCode = (text: string): boolean =>
  /^(?:[+@#/<>{}[\]$%|=]|""")|[;{}]$|\bself\.|^\w+(?:\.\w+)* = |^(?:raise|return|throw|def|const|let|import|assert)\s+\w+[\w.]*\(|=>/.test(
    text,
  );

/** Remarks, complaints and openings of another kind, whatever word of command they have. */
const NO_ORDER = new RegExp(
  [
    String.raw`^(?:to \w+|consider|maybe|perhaps|it|this|there|they|he|she|what|why|how|which|who|hm+|thanks?|thank you|cool|like)\b(?! must\b| has to\b| have to (?:run|stay|work|be|keep)\b)`,
    String.raw`^(?:that|those|these)\b(?! must\b)`,
    String.raw`^(?:i|we)(?:'m| am|'ve| have)? (?:do ?n[o']t|dont|never|must|can(?:no|')t|cannot|only|just|did|got|think|wonder|see|know|guess|suppose)\b(?! (?:always|never)\b)(?! (?:want|like|allow|support|use|ship|deploy|commit|merge|touch|accept|push|write|edit|mock)\b)`,
    String.raw`^(?:i|we) (?:still )?(?:need|have|want|should|will|would|ought)\b(?! (?:always|never|all|every)\b)(?! (?:to )?(?:be asked)\b)`,
    String.raw`\b(?:it|you|he|she|they|which|that|this|tests?|build|one) (?:almost |nearly )?(?:always|never) (?!use|run|write|ask|do\b)\w`,
    String.raw`^(?:as always|never mind|no (?:problem|worr|idea|need|way|thanks|rush|luck|clue|doubt|wonder)|do ?n[o']t (?:worry|mind|bother|know|think|understand|see|get|have|remember|care|feel|believe|forget)|not (?:sure|yet))`,
    String.raw`\bmust(?:-|\s)(?:see|have|be (?:a |an |the |some|tired|because|why|how|wrong|missing|kidding|joking|possible))`,
    String.raw`\bno longer (?:frozen|forbidden|banned|prohibited|off[- ]limits|out of bounds|taboo|a no-go|read[- ]only)\b`,
    String.raw`\bshould (?:never|not) happen\b|\bi (?:must|have to) (?:say|admit)\b|\blet me know\b|\b(?:do ?n[o']t|not|no longer) (?:have|need) to\b|^let'?s (?:look|see|check|take a)\b`,
  ].join('|'),
  'i',
);

/** A liking that is about the work. */
const WORK_LIKING =
  /^i (?:really )?(?:like|love|hate|dislike) (?!your|the|this|that|these|it)(?:[\w-]+ ){0,3}(?:commits?|functions?|tests?|names?|comments?|answers?|code|types?|diffs?|messages?|files?|lines?)\b|^我(?:不)?(?:喜欢|偏好|讨厌)[^，。]{0,10}(?:提交|说明|注释|代码|函数|测试|文档|回答|回复|命名|变量|格式|缩进)/i;

const POLITE_STANDING =
  /^(?:and |also |ok,? |so )?(?:can|could|would|will) you (?:please )?(?:always|never|make sure|ensure|not \w|only|avoid|stop \w+ing|keep)\b/i;

const GENERAL =
  /(?:^|[,;:(] |\b(?:please|and|but|should|must|shall|to|we|you must|also|then) |\bi )(?:always|never(?: ever)?) \w|\b(?:from now on|in (?:the )?future(?=[,.!]|$)|going forward|from here on|at all times|under (?:no|any) circumstances|ever again|as a rule|every time|whenever)\b|, always$|\bno matter what\b/i;

const WORK_VERBS =
  'use|touch|change|edit|modify|write|run|call|commit|push|merge|deploy|support|allow|answer|reply|import|add|create|install|read|work|accept|return|log|store|test|publish|release|rename|delete|remove|format|mock|import|export|open|send|ship';

const ENGLISH: readonly RegExp[] = [
  // Bans: "don't touch x", "do not ever", "you must not", "no new dependencies".
  /(?:^|[,;:—–-] ?|\b(?:and|but|so|please|also|just|ok|okay|do|no,?) )(?:do not|do ?n'?t|dont) (?!worry|mind|bother|know|think|understand|see|get|have|remember|care|feel|believe|forget|hesitate|you\b(?! dare| ever)|we\b|be\b)\w/i,
  /\b(?:must ?n[o']t|must not|(?:you|nobody) may not|shall not|must never|cannot be changed|must stay|must remain|has to stay|have to stay|(?:not|never) (?:allowed|permitted|supposed) to|not (?:allowed|permitted)|forbid(?:s|den)?|prohibited|banned|taboo|no-go|off[- ]limits|out of bounds|frozen|read[- ]only)\b/i,
  /^(?!it\b|i\b|this\b|we\b)[^,]{3,60}\b(?:can(?:no|')t|can not) (?:change|break|depend|leave|be (?:changed|edited|touched|removed|renamed|broken|merged|moved|deleted))\b/i,
  /^(?:nobody|no one|nothing|only \w+) (?:may|can|gets?|is allowed|are allowed|should|goes|is to|touches|changes)\b|\bso (?:no (?!need|idea|problem|worr)\w+|nothing (?:newer|else|more|beyond))\b/i,
  /\b(?:strictly|absolutely|again|remember|rule)[,:]? no (?!need|idea|problem|it\b|i\b|we\b|that\b)\w/i,
  /^i(?: need| want|'d like| would like) (?:you to (?:always|never|stop|keep|avoid|not)|(?:all|every|each|no)\b)|^(?:please )?make it a (?:habit|rule)\b|\b(?:until|unless) (?:i|we) (?:say|tell you)\b|\bunless told otherwise\b/i,
  /^(?:please )?(?:stick to|indent (?:with|by)|treat \w+ as|prefer \w|follow (?:our|the (?:style|naming|existing|convention))|target \w+ [\d.]+|support \w+ [\d.]+)\b|\b[\d.]+ (?:and|or) (?:up|newer|later|above)\b/i,
  /\b(?:one more|new|another|our|the|hard|house) (?:rule|policy|convention|guideline|style guide)s?(?: (?:is|says|forbids|requires|demands)\b|[,:])/i,
  /\byou (?:should not|shouldn'?t|may only|can only|must only|must)\b/i,
  /^(?:please )?no (?!(?:i|we|you|it|that|this|these|those|they|he|she|the|let|but|and|not|just|one|wait|go|need|more questions)\b)[\w'`"/.-]+(?: (?!is\b|are\b|was\b|were\b|fails?\b|works?\b|found\b|yet\b|left\b|seems?\b)[\w'`"/.-]+){0,7}[,.!]?(?: please[.!]?)?$/i,
  /^(?:please |and |also |so |ok,? |but )*(?:avoid|stay away from|keep (?:away|out|your hands) (?:from|of|off)|hands off|stop \w+ing|refrain from)\b/i,
  // Musts, not those of the speaker.
  /^(?:[\w/'`".-]+ ){1,6}must (?!have\b|see\b)\w/i,
  /^(?:[\w/'`".-]+ ){0,5}(?:has|have) to (?:stay|remain|keep|work|run|support|be|pass|compile|match|exit|return|contain|use)\b/i,
  /^(?:please )?(?:all|every|each|any|no(?! (?:i|we|you|it|that|this|they)\b)|nobody|none of)\b[^,]{2,50}\b(?:should|must|needs?|has to|have to|shall|may|can't|cannot|are|is|goes?|gets?|returns?|changes?|touches)\b/i,
  /^(?:[A-Za-z]+ ){0,2}[A-Za-z]+s (?:should|are to) (?:not |always |only |never )?be\b/i,
  /^(?:please |let'?s )?(?:make sure|ensure|be sure)(?! (?:you|to) (?:know|read|understand|check|see)\b)(?=.*\b(?:never|always|no|nothing|nobody|none|still|all|every|any|everywhere|pass|passes|stays?|remains?|compatible|existing)\b)/i,
  new RegExp(`^(?:please |and |also |but |so |ok,? )*only (?:ever )?(?:${WORK_VERBS})\\b`, 'i'),
  /^(?:please )?(?:use|touch|change|edit|modify|commit|push|support|answer|reply|import|write) only\b/i,
  /^(?:please |and |also |but )*(?:limit|restrict|confine) (?:yourself|your)\b|^(?:we|you) only (?:support|use|touch|edit|change)\b/i,
  // What is to stay as it is, and bounds.
  /^(?:please |and |also |but |so )*(?:keep|leave)\b.{2,80}\b(?:as (?:it|they) (?:is|are)|unchanged|untouched|intact|alone|stable|compatible|the same|working|under|below|within|small|short|simple|in sync|private|secret|out of)\b/i,
  /\b(?:at most|no more than|not more than|no longer than|at least|no (?:less|fewer) than|up to|maximum of|must stay below|stay (?:below|under|within))\b.{0,12}(?:\d|\b(?:one|two|three|four|five|ten)\b)(?!.*\b(?:fail|failed|failing|took|was|were|so far|are)\b)/i,
  // Style that names no single thing: "use tabs instead of spaces", "comments in English".
  /^(?:please |and |also )*use (?:fucking |damn )?(?!the\b|this\b|that\b|these\b|those\b|it\b|them\b|your\b|my\b|an? )[^,]{1,60}(?:\binstead of\b|, (?:not|no)\b(?! need)|\brather than\b|\beverywhere\b|\bfor (?:all|every|any)\b|\bin (?:all|every)\b|\bin [A-Z]\w+s?\b)/i,
  /\b(?:answers?|repl(?:y|ies)|respon(?:d|ses?)|write|speak|comments?|messages?|names?|docs?|documentation|texts?)\b.{0,40}\bin (?:english|german|french|spanish|chinese|japanese|italian|portuguese|russian|dutch)\b/i,
  /^(?:please )?(?:use )?conventional commits\b/i,
  // Asking first.
  /\b(?:ask|check with|confirm with|wait for|show|tell) (?:me|us|my)\b.{0,40}\b(?:before|first|approval|ok|okay|confirmation|go)\b|\bwait for my\b|\bask me (?:first|before)\b|\bwithout (?:asking|my|telling me|checking with)\b|\bunless i\b|\bask before\b/i,
  /^(?:hard |house |general )?(?:rule|requirement|constraint|convention|policy|guideline)s?[:：] ?\S/i,
  // The speaker's own ways, and the team's.
  /^(?:i|we) (?:do ?n[o']t|dont|never|always|only) (?:want|like|allow|support|use|ship|deploy|commit|merge|touch|accept|push|write|edit|mock)\b/i,
  /^i (?:strongly |really |much |would |'d )?prefer\b(?!.*\b(?:the first|the second|option|if it's|it's moved)\b)|^i(?:'d| would) (?:rather|prefer)\b(?!.*\bit\b)|^i (?:usually|generally|normally) (?:use|write|squash|rebase|commit|prefer|format|name)\b|\bmy (?:preference|convention) is\b/i,
];

const NO_ORDER_ZH =
  /^(?:我(?:觉得|感觉|也|很|没|每天|基本|已经|还|一定要|需要|会|喜欢|最近|一直|确实|以后|可以|不知道|不能|经常)|你(?:觉得|总是|说|喜欢|也|为什么|来)|谢谢|非常感谢|不用谢|没问题|没关系|别担心|别急|别客气|如果你|希望我们|今天|昨天|最近|现在(?!起|开始)|为什么|他|她|它|总是|晚上|这(?!个规则|条规则|里的)|那(?!里的))|不用谢|要不要|能不能|是不是|不是(?:这|那)个意思|^至少有|^最多(?:也)?就|感觉|感受|心情|开心|喜欢(?!用|把|先)|有趣|启发|灵感|以后我(?:可以|也|会|还)|我必须(?:去|离开|走)/;

const GENERAL_ZH =
  /(?:以后|今后|从现在(?:起|开始)|往后|从今(?:天|以后))[^，。]{0,16}(?:都|要|请|用|先|必须|一律|不要|别|统一|每|不)|(?:永远|始终|绝对|绝|千万|切)(?:不|别|勿|都|要|用)|一律|严禁|^每(?:次|个|条)[^，。]{0,20}(?:都(?!有|会|是|能)|必须|要(?!求)|先)|凡是|无论如何/;

const CHINESE: readonly RegExp[] = [
  /不让(?:用|改|动|提|碰|加|删)|谁都(?:不|别)|^凡(?:是)?[^，。]{1,20}(?:都|要|必须|一律)|[不没未]经我|[一-龥]不要(?:用|写|加|改|动|提交|删|碰|放|出现|带|引入|使用|修改|依赖|直接|再)/,
  /(?:里头?|上|下|给我)别(?:出现|用|加|改|动|写|放|提|再)|别(?:给我|再)(?:加|改|动|碰|删|用|提|引)|(?:之前|前)(?:都)?得先|得先(?:问|跟|和|告诉)|记住[，,：:]|^(?:咱们?|我们)(?:只)?(?:统一)?用|统一(?:写|用|叫|放)|尽量(?:用|不|少|别)|不能低于|不得低于|(?:每个|所有)[^，。]{1,12}都得/,
  /必须|务必|禁止|严禁|不得|不许|不准|不允许|切勿|请勿|只允许|只准|不可以|除非我/,
  /(?:^|[，,；;：:。\s]|请|就|但|但是|而且|绝对|千万|还有|里|中|时|都|也|先|另外)不要(?!紧|担心|着急|客气|怕|误会|灰心|难过|紧张|太)/,
  /(?:^|[，,；;：:。\s]|请|就|但|也|都|先)别(?!的|人|处|名|称|墅|忘|担心|着急|急|客气|怕|说|想|误会|太)/,
  /(?<!能|就|才|还是|为什么|他|我)不能(?!用|运行|访问|打开|启动|正常|工作|登录|连接|编译|显示|理解|确定|集中|胜任|想象|够)/,
  /只能(?!说|怪|等)|只改[^，。]{1,20}(?:文件|目录|下面|代码)|一定要(?:有|用|先|写|经过|通过)/,
  /(?:不超过|不得超过|不能超过|至多|最多|不少于|不低于)\s?[\d一二三四五六七八九十百千]/,
  /(?:所有|任何|全部|凡是|每个|每次|每条)[^，。]{1,24}(?:都(?!有|会|是|能)|必须|一律|统一|存成|要(?!求)|应该|用)/,
  /(?:回答|回复|注释|文档|变量名|函数名|命名|提交信息|提交说明|日志|代码|文件名|表名|错误信息|输出)[^，。]{0,14}(?:统一|一律|必须|必是|都用|用(?:中文|英文|小写|大写)|是中文|是英文|尽量|保持)/,
  /^(?:请)?(?:都)?用(?:中文|英文|英语|汉语)|统一用|默认用/,
  /先问(?:我|过我|一下我)|(?:经|没有|得到|等)我(?:的)?(?:同意|确认|批准)|我(?:同意|确认|批准)(?:后|之后|才|再)/,
  /保持[^，。]{0,20}(?:不变|兼容|原样|稳定|简短)|(?:存成|存为|统一为)\s?[A-Z]/,
  /我(?:习惯|偏好|更愿意|希望你|要求)[^，。]{0,12}(?:用|写|都|不要|别|先|把|是)/,
];
