import { isQuestion } from '../../text/cues.ts';

/** True when a sentence asks, leaves open, supposes or denies what it would state. */
export const isOpen = (sentence: string): boolean =>
  isAsked(sentence) ||
  REPORTED.test(sentence) ||
  UNSETTLED.test(sentence) ||
  UNSETTLED_ZH.test(sentence) ||
  (SUPPOSED.test(sentence) && !BINDING.test(sentence));

/** With or without a question mark; dictation has none. */
const isAsked = (sentence: string): boolean =>
  (isQuestion(sentence) && !RULE_IN_QUESTION.test(sentence)) || ASKED.test(sentence) || ASKED_ZH.test(sentence);

const ASKED =
  /^(?:(?:and|so|but|well|hey|then|or|now|also|oh|sorry|quick question)[,:]? )*(?:what(?!ever| (?:we|i|they|you) call| matters| counts)|which|who(?!ever)|whose|whom|why|how(?!ever)|(?:where|when)(?:['’]s| (?:is|are|do|does|did|will|should|can|was|were|would|have|has))\b|(?:is|are|do|does|did|was|were|should|shall|could|would|will|won['’]?t|wouldn['’]?t|shouldn['’]?t|couldn['’]?t|isn['’]?t|aren['’]?t|don['’]?t (?:we|they|i)|doesn['’]?t|didn['’]?t|can['’]?t|can|has|have|had|may|might|must|am) (?:i|we|it|there|this|that|they|he|she|the|my|our|any|anyone|anybody|someone|somebody|everyone|these|those|[a-z]+s)\b(?! tests? )|any (?:idea|chance|reason)|do you|did you|are you|have you|would you (?:say|choose|pick|rather|prefer)|you (?:sure|think)\b|remind me|tell me (?:what|which|who|why|how|where|when|if|whether))\b/i;
const RULE_IN_QUESTION =
  /^(?:can|could|would|will) (?:you|u|we)\b.*\b(?:always|never|from now on|in future|every time|by default)\b|(?:以后|始终|一律|每次).*(?:好吗|行吗|可以吗)/i;

/** What somebody else says, or a page. */
const REPORTED =
  /^(?:and |so |but )?(?:it|he|she|they|somebody|someone|the (?:\w+ )?(?:docs?|documentation|logs?|error|message|page|output|compiler|linter|manual|readme|tool|test|warning|article|tutorial|book|internet)) (?:just |also |only |always |still )?(?:says?|said|tells?|told|claims?|reports?|complains?|warns?|states?|prints?|insists?|thinks?|wants? (?:me|us))\b|^(?:它|他|她|他们|有人|文档|日志|报错|提示|系统|编译器|页面|网上|教程|书)(?:里|上|中)?(?:面)?(?:都|又|还|老|总)?(?:说|提示(?!用|要|信息|都|文)|写着|写的|显示|讲|告诉|要求我|觉得|认为)/i;

const UNSETTLED =
  /\b(?:(?:not|n['’]t|n['’]?t yet|never|nothing|no one|nobody|none|hardly) (?:\w+ ){0,4}(?:decided?|settled?|agreed?|chosen|choose|picked?|sure|certain|clear|final|decision|conclusion)|no (?:decision|agreement|conclusion|consensus)|undecided|unsure|unclear|undetermined|torn between|up to you|you (?:decide|choose|pick|can choose)\b|you(?:['’]re| are) free to|your (?:call|choice|decision)|whatever you|as you (?:like|wish|prefer)|maybe|perhaps|might(?: as well)?|i suppose|i guess|i wonder|i think|i(?:['’]d)? assume|i believe|i imagine|i doubt|probably|possibly|presumably|thinking (?:of|about)|thought about|considering|consider \w+ing|contemplating|leaning|let me (?:think|sleep|check|see)|sleep on it|still open|open question|remains open|to be (?:decided|determined|discussed|defined)|tb[dc]|don['’]?t know|do not know|no idea|not sure|depends on (?:whether|what|how|who)|it depends|whether|what if|how about|what about|should (?:i|we)\b(?=[^.]*\?)|i never said|nobody said|never said|we['’]?ll see|we will see|can['’]?t decide|cannot decide|hesitat|on the fence|wishful|would be (?:nice|great|cool|better)|wouldn['’]?t it|could (?:also |just )?(?:go|be|use|try|do|have|move|switch|take|pick|choose)|might want|some day|someday|one day|in theory|hypothetically|haven['’]?t (?:yet )?(?:looked|thought|talked)|unless you|sounds? like|pros and cons|either way|or so i|don['’]?t care|do not care|doesn['’]?t matter|not that i|rumou?r|proposal|proposed|suggest)/i;
/** Conditions and wishes, unless the sentence orders something: "if you change the schema, you must ...". */
const SUPPOSED =
  /\bif (?:we|i|they) (?:\w+ed|chose|went|took|had|were|was|did|got|could|ever|want|decide|choose|go|use|pick|switch|need)\b|\b(?:i|we) (?:would|could|may|wish)\b|['’]d be (?:nice|great)|如果|假如|(?<!主|重|需|只)要是|万一|倘若|的话/i;
const BINDING =
  /\b(?:must|always|never|have to|has to|shall|required|do not|don['’]?t|rather|prefer)\b|必须|务必|一定要|不要|不得|不能|禁止|都要|都得|先问|一律/i;

const ASKED_ZH =
  /[吗么](?:[，。,.!！\s]|$)(?<!什么.?|怎么.?|那么.?|这么.?)|(?<![不无])(?:是不是|要不要|能不能|可不可以|行不行|好不好|会不会|该不该|对不对|需不需要|用不用|有没有|係咪|系咪|使唔使|得唔得|是否)|多少(?!都)|几(?:点|个|号|时|台|次)(?=[^，。]{0,6}$)|(?<!不管|无论|不论|任凭|没)(?:什么(?!都|也)|哪(?!怕|里都|个都)|怎么(?!都|也|改都)|怎样|咋(?!都|也)|为啥|为何|何时|边个|点解|点样|几时|乜嘢)|(?<!谁|不管|无论)谁(?!都|也|改|写|要是)|来着|呢[？?。]?$|(?:对吧|是吧|对不|没错吧|是不)[？?。]?$|^帮我(?:看|查|睇)|到底/;

const UNSETTLED_ZH =
  /还没(?!有人)|还未|尚未|未定|未决|没(?:有)?(?:想好|决定|定(?!期|义|位|制)|确定|谈|商量|讨论|敲定|说过|拍板|个准)|仲未|未谂|待定|没准|不确定|说不准|不一定|不好说|拿不准|吃不准|可能(?!性)|也许|或许|大概(?!率)|好像|似乎|应该(?:是|会|可以|没|不会|还|就|行|快)|估计|我猜|我想想|想想(?:再|看)|早知道|要是当初|本来想|差点|再看看|看看再|再说吧|再议|再商量|再讨论|再考虑|考虑(?:考虑|一下|中|换|用|要)|在考虑|正在考虑|在想|想着|打算(?:要)?(?:不|看)|随便|随你|都行(?!不)|都可以$|都可以[，。,]|都得(?:得地)?$|无所谓|你(?:来|自己|们)?(?:看着)?(?:决定|定|选|挑|拿主意)(?!的)|你话事|看你|听你的|看情况|要不(?:试|用|换|就|还是|我们|先)|要么.{1,12}要么|不如(?:试|用|换)?|纠结|犹豫|举棋|左右为难|试试(?:看)?|是(?:[^，。]{1,12})还是|建议(?!用户)|提议|设想|理论上|据说|听说|万一|不急着/;
