/** Which orders are of the moment: they bind the task at hand, and nobody wants them kept beyond it. */
import { isOneOf } from '../../domain/value/word-list.ts';
import { namesOne, saysOne } from './form.ts';

/** True for an order that by its own words is for this one time, one place or one thing just spoken of; a word like "always" outweighs it. */
export const isOneOff = (sentence: string): boolean => describesFeature(sentence) || (!recurs(sentence) && isForOnce(sentence));

/** "The menu must close when I press escape": what one part of a program does upon an event. */
export const describesFeature = saysOne(
  () => String.raw`
upon input: {SHOULD|MUST}.{1,120}\b(?:when|if|after|once|while|until) (?:i|(?:the )?users?|some(?:one|body)|one) (?:\w+-)?{INPUT} ~ {HOLDS}
  + The menu must close when I press escape. - It must run when I am away.
upon event: ^(?:{WHOSE} )?[\w'-]+(?: [\w'-]+){0,4} (?:must|has to|needs to) (?!{SYSTEM})[a-z]+\b.{0,160}{UPON_EVENT} ~ {HOLDS} ~ ^[^.]{2,50}[^s]s (?:must|has|needs) ~ ^(?:you|we|i|they|people)\b ~ {OF_WORK} (?:must|has|needs)
  + The header must turn grey when the session ends. - The build must fail when a test fails.
`,
);

/**
 * True for a ban that only puts right how the task at hand is done: set against what was just done or asked, of a certain thing, or with
 * what to do in its place. One that protects something ("but don't touch ...") is none.
 */
export function correctsTask(sentences: readonly string[], at: number): boolean {
  const sentence = (sentences[at] ?? '').slice(0, MAX_CHARS);
  const [, opening = '', verb = '', object = ''] = BAN.exec(sentence) ?? [];
  if (verb === '' || protects(verb) || isWide(sentence)) return false;
  if (namesReplacement(object)) return true;
  const isCertain = CERTAIN.test(object);
  if (opening === '' && !isCertain) return false;
  return (opening !== '' && isCertain) || isCounterpart(sentences[at + 1], verb, object);
}

const MAX_CHARS = 500;
const BAN = /^((?:(?:no|nope|nah|(?:(?:yeah|yes|ok) )?but)\b[,.!]? ?)*)(?:please )?(?:do not|do ?n'?t) ([a-z]+) (.+)$/i;

const protects = namesOne('PROTECTS');
const isWide = namesOne('WIDE');

/** One thing: with an article, by its name in code. */
const CERTAIN = /^(?:the|an?|this|that|its|it|my|your)\b|^`[^`]+`|^[A-Z]?[a-z]+[A-Z]\w*\b|^[a-z]+(?:_[a-z\d]+)+\b/;

/** "…, just leave it out", "…, read it from the file instead". */
const namesReplacement = isOneOf(
  /,? (?:but )?(?:just|simply|rather) [a-z]+ (?:the|it|its|that|this|them|an?)\b/i,
  /, [a-z]+ [^,]{2,60} instead[.!]?$/i,
);

/** What is to be done instead, in the same words: "add a second index", "mock the client". */
function isCounterpart(next: string | undefined, verb: string, object: string): boolean {
  const [, order = '', rest = ''] = /^(?:please |just |instead,? )?([a-z]+) (.+)$/i.exec((next ?? '').slice(0, MAX_CHARS)) ?? [];
  if (order === '' || !puts(order)) return false;
  if (order.toLowerCase() === verb.toLowerCase()) return true;
  const words = new Set(rest.toLowerCase().match(/[a-z_\d]{4,}/g));
  return (object.toLowerCase().match(/[a-z_\d]{4,}/g) ?? []).some((word) => words.has(word));
}

const puts = namesOne('PUT');

const recurs = namesOne('RECURS');

const isForOnce = saysOne(
  () => String.raw`
this time: {THIS_TIME}|\b(?:for|in) this {THIS_PIECE}|\b(?:in|for|to) (?:that|those|these) (?:\w+ )?{THOSE}
  + Don't use --no-git in those tests - Don't use it in tests
thing said: {HANDLE_IT} (?:it|that|this|them|those|these)(?: {HERE})?[.!…]*$|\b(?:about|with|for|to) (?:it|that|them)[.!…]*$ ~ , (?:the|an?|our|\w+s) (?:[\w-]+ ){0,3}{HANDLE_IT}
  + Don't rename it again. - Don't rename the API.
right here: ^(?:{CHEER|AND|BAN|POLITE|PUT},? ){1,4}(?:the|an?|that|this|any|\w+) [\w -]{2,40} here[.!…]*$
  + avoid the loop here - avoid loops
ship it: ^(?:commit|push|merge|deploy|ship) (?:it|that|this|them)\b|^(?:undo|try again)\b|^revert (?:it|that|this)\b
  + commit it and push - commit small
once more: ^(?:{CHEER|POLITE}[,.!]? )*{AGAIN} (?:(?:it|that|this|all|everything|the [\w -]{1,40}) )?(?:again|once more)\b
  + please run the tests again - run the tests
try it: ^(?:{CHEER}[,.!]? )*(?:(?:let's |just )(?:try|do|run|start) (?:it|that|this)\b|should be (?:a (?:bit|little) )?\w+er\b)
  + let's try that - let's go
only this part: ^(?:{POLITE|CHEER},? )*(?:do not|don't) [^,;]{2,60}[,;] (?:but )?(?:just|only) (?:the\b|\w+(?: (?:it|that|this))?[.!]?$)
  + don't change the title, just the body - don't change titles
as it is and: \b(?:keep|leave) the [^,;]{2,60} {UNCHANGED} and (?:change|fix|edit|move|rename|remove|update|do|add)\b
  + leave the rest alone and fix the header - leave the rest alone
this time: {THIS_TIME}|(?:这里|此处)(?=不要|别|先|用|改)|这[个条些]{THIS_PIECE}|再[跑试来做改看运测]行?试?[一]?[遍次下试]
  + 这次先不提交 - 先不提交
at once: ^[改换调挪移放][成到为]?[^，。]{1,8}[，,]不要|(?:现在|马上|立刻|先)(?:提交|推送|运行|跑|部署)(?:吧|一下|了)?[。！!]?$
  + 现在提交吧 - 提交前先跑测试
`,
);

/** The words of a rule in a request: what its task is to keep to. */
export const binds = saysOne(
  () => String.raw`
binds: {BINDS}|^(?:please )?no [a-z]|\bstop \w+ing\b
  + Write it without regular expressions. - Write the parser.
binds: {BINDS}|(?:^|[，,。；\s请也就都先再])别(?![的人处名称墅])
  + 不要改这个文件 - 看看这个文件
`,
);

/** The words of a rule in a remark about people and things. */
export const isRemark = saysOne(
  () => String.raw`
remark: {REMARK}[\w' ]{0,24}\b(?:do not|don't|have to|cannot|keeps?)\b|{IT}[\w' ]{0,24}\b(?:always|never|only)\b ~ {I|WE} (?:really )?(?:do not|don't) (?:want|like|allow|support|use|touch) ~ \b(?:must|should|shall|need)\b
  + This only happens in Chrome. - We don't want another config file.
remark: {REMARK}|^(?:这|那|它|他|她|不用谢|没问题)
  + 我觉得应该没有问题 - 应该先写测试
`,
);

/** What a plan or a list of the user's lays down for the whole of a task: no library more, who will read it, which type, which file. */
export const laysDown = saysOne(
  () => String.raw`
no library: \bno (?:{FURTHER} )+[\w'.\/-]+(?: [\w'.\/-]+){0,6} ?\(|^[\w *]{3,40}:[* ]+(?:none|nothing) {MAY}
  + No new dependencies (especially not lodash) - No new errors so far
who reads: ^(?:the |its |our )?{READERS}(?: (?:is|are|will be)|:) \w+ \w
  + Audience: nurses on night shift - Users reported it
who reads: \bwho (?:read|open|see|use) (?:it|this)(?: \w+)? (?:are|will be|have) (?:\w+ \w)
  + The people who open this page are mostly on old phones. - Those who use it sent a mail
who reads: {IS_READ} (?:by|to|for) (?!{IT|I|YOU}\b)\w+ ?\w ~ \b(?:was|were|being) read
  + This will be read by auditors, not developers. - The file is read by it.
one type: {TAKES_IN} .{2,60}(?:,| )(?:{NOT_ONE}|in place of|and not) .*(?:{ARGUMENTS}|\w+ and \w+|\w+\(\))
  + The function takes a Point instead of x and y. - It takes longer than before.
new and old: \bnew (?:[\w-]+ )?{PIECE}\b.{0,80}{LEFT_ALONE}|{LEFT_ALONE}.{2,60}\bnew (?:[\w-]+ )?{PIECE}\b ~ {FAULT}
  + Write a new module and leave legacy.py as it is. - A new file was found in the old folder.
no library: (?:一个|任何).{0,4}都?不[能许得要]?[加引]|不[加引]入?(?:新|任何|额外)的?(?:依赖|库|包)
  + 不引入新依赖（尤其是 lodash） - 依赖装不上
who reads: {READERS}[^，。]{0,4}(?:是|都是|：|:)[^，。]{2} ~ 是谁|吗
  + 读者是没有技术背景的董事会成员 - 读者是谁
who reads: ^(?:会|要|将来)?[看读用](?:这|它|该)[^，。]{0,8}的(?:人|多)[^，。]{0,3}(?:是|都|不|没|大多|多半)[^，。]{2} ~ 是谁|吗
  + 看这份文档的人大多不懂技术 - 看这份文档的人是谁
who reads: ^[^，。]{1,14}(?:给|面向)[^，。]{2,20}(?:看|用|读|听)的。?$
  + 这份报告是给不懂代码的人看的 - 给我看看
who reads: ^这[^，。]{1,10}给[^，。]{3,16}[看用读听]。?$
  + 这本手册给新来的实习护士用。 - 这个给我用
one type: {TAKES_IN}[^，。]{1,30}(?:对象|类型|结构体?|参数|接口|Options|Input)[^。]{0,12}(?:不要|不再|代替|而不是|取代|替代)
  + 函数改为接收 Options 对象，代替原来的三个参数 - 接收不到参数
new and old: (?:新建|新增|新写|另建|新代码)[^。]{0,24}{LEFT_ALONE}|{LEFT_ALONE}[^。]{0,16}(?:新建|另建|新写)
  + 新建一个文件，旧的保留不动 - 新建文件失败
`,
);
