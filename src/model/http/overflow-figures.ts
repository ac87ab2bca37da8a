import { isOneOf } from '../../domain/value/word-list.ts';

export type OverflowFigures = { readonly limitTokens: number | undefined; readonly sentTokens: number | undefined };

/** What is counted in a window, in the words of any server. Han has no spaces between words. */
const isSubject = isOneOf(
  /tokens?|length|context|sequence|seq(?:_|\b)|prompt/i,
  /窗口|长度|上下文|令牌|序列|[词詞]元|トークン|토큰|токен/i,
);
/** So far from a number such a word is beside it. */
const BESIDE_CHARS = 48;
/** Smaller numbers are statuses, versions and counts of messages. */
const LEAST_TOKENS = 256;
const MOST_TOKENS = 1_000_000_000;
/** A window that is this much smaller than what was sent is another limit, such as that of the reply. */
const LEAST_SHARE = 1 / 64;

/** A number of its own, not the part of a name or a date. */
const NUMBER = /(?<![\w.,#-])(?:(\d{3,10})(?:\.0+)?|(\d{1,4}(?:\.\d\d?)?)([km]))(?![\w#]|-(?!token)|[.,:]\d)/gi;
/** What is asked of the reply is no part of what was sent. */
const saysReply = isOneOf(
  /max_?(?:new_|completion_|output_|gen(?:erated)?_)?tokens/i,
  /max(?:imum)? (?:new |completion |output |generated )?tokens/i,
  /(?:completion|output|new|generat(?:ed|ion))[ _](?:tokens?|length)|in the completion/i,
);
/** What stands before a number that counts nothing. */
const isLabel = isOneOf(
  /(?:\b|_)(?:code|status|error|http|port|id|line|column)[\\"')\]]{0,3}[:=\s(["'\\]{1,4}$/i,
  /\b(?:created|time(?:stamp)?|param)[\\"')\]]{0,3}[:=\s(["'\\]{1,4}$/i,
);
const saysLimit = isOneOf(/max|limit|at most|up to|window|capacity|allow|support|budget|less than/i, /不超过|最大|最长|上限|限制|макс/i);
const saysSent = isOneOf(
  /got|given|request|receiv|provid|has|have|contain|was|were/i,
  /input|prompt|your|result|actual|current|sum|实际|当前|输入|请求|收到/i,
);

/** Numbers that a limit of another kind stands beside: a rate, a bill, a number of tools or bytes. */
const isOtherLimit = isOneOf(
  /per (?:sec|min|hour|day|month)|daily|hourly|monthly|allowance|afford|credits?\b/i,
  /\b[RT]P[SMHD]\b|concurren|queue|\bbytes?\b|\b[KMG]i?B\b|temperature|top_[pk]|seed/i,
  /tokens? ?\/ ?(?:s|sec|m|min|h|d)|(?:por|pro|par|al) minut[eo]|\/分|1分|毎分|분당|в минуту/i,
  /每(?:秒|分钟?|小时|天|日|月)|配额|额度|频率|字节/,
  /\b(?:image|file|tool|message|array|string)s? (?:count|limit|too)/i,
);

type Figure = { readonly value: number; readonly from: number; readonly to: number };

/**
 * The figures of a refusal in words that nobody has seen before: two numbers beside "token", "length", "context" or "sequence", of which
 * the first is the larger; or a limit, and behind it what was sent, which is more. Undefined for all else. The thousands of a number are joined.
 */
export function figuresIn(text: string): OverflowFigures | undefined {
  if (isOtherLimit(text)) return undefined;
  const figures = [...text.matchAll(NUMBER)].flatMap((match): readonly Figure[] => {
    const [whole, digits, short = '', unit] = match;
    const value = digits === undefined ? Math.round(Number(short) * (unit?.toLowerCase() === 'k' ? 1_000 : 1_000_000)) : Number(digits);
    const figure = { value, from: match.index, to: match.index + whole.length };
    return value >= LEAST_TOKENS && value <= MOST_TOKENS && isCounted(text, figure) ? [figure] : [];
  });
  return exceeded(figures) ?? limitFirst(text, figures);
}

function isCounted(text: string, { from, to }: Figure): boolean {
  const before = text.slice(Math.max(0, from - BESIDE_CHARS), from);
  const after = text.slice(to, to + BESIDE_CHARS);
  if (isLabel(before)) return false;
  const own = before.slice(Math.max(0, before.search(/[^\d]*$/)));
  const isOfReply =
    (saysReply(own) && !/input|prompt|sum|total|context/i.test(own)) || /^\W{0,2}(?:in the )?(?:completion|output|max_?new)/i.test(after);
  return !isOfReply && (isSubject(before) || isSubject(after));
}

/** The limit is the largest of what is smaller: a sum may stand there in its parts. */
function exceeded([first, ...rest]: readonly Figure[]): OverflowFigures | undefined {
  if (first === undefined) return undefined;
  const limit = Math.max(0, ...rest.map(({ value }) => value).filter((value) => value < first.value));
  return limit === 0 || rest.some(({ value }) => value > first.value) ? undefined : figuresOf(first.value, limit);
}

function limitFirst(text: string, [limit, sent]: readonly Figure[]): OverflowFigures | undefined {
  if (limit === undefined || sent === undefined || sent.value <= limit.value) return undefined;
  const isNamed = /^-tokens? (?:window|limit|context)/i.test(text.slice(limit.to, limit.to + BESIDE_CHARS));
  const isLimit = isNamed || saysLimit(text.slice(Math.max(0, limit.from - BESIDE_CHARS), limit.from));
  return isLimit && saysSent(text.slice(limit.to, sent.to + BESIDE_CHARS)) ? figuresOf(sent.value, limit.value) : undefined;
}

const figuresOf = (sentTokens: number, limitTokens: number): OverflowFigures => ({
  limitTokens: limitTokens < sentTokens * LEAST_SHARE ? undefined : limitTokens,
  sentTokens,
});
