import { isOneOf } from '../../domain/value/word-list.ts';

/** What a refused request reports; `message` may be the whole response, including its figures. */
type OverflowReport = { readonly status: number | undefined; readonly type: string | undefined; readonly message: string };

/**
 * Returns the figures of a refusal that means that the request was larger than the model's window. `sentTokens` is the input alone when the
 * response tells it apart from the requested output. Undefined for everything else, above all rate limits, billing, a max_tokens that is
 * too large, and malformed requests: taking one of those for an overflow would compact for nothing.
 */
export function readOverflow({ status, type, message }: OverflowReport): OverflowFigures | undefined {
  // Gateways quote the JSON of others in their own, again and again.
  const text = joinThousands(
    message
      .slice(0, MAX_CHARS_READ)
      .replace(/(?<!\\)\\+"/g, '"')
      .replace(/\s+/g, ' '),
  );
  if (status !== undefined && nonOverflowStatuses.has(status)) return undefined;
  if (isOtherRefusal(text)) return undefined;
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (match === null) continue;
    const [own, more] = [toFigures(match.groups ?? {}), figuresIn(text)];
    const isSame = more !== undefined && (own.limitTokens ?? more.limitTokens) === more.limitTokens;
    return own.sentTokens === undefined && isSame ? more : own;
  }
  const figures = figuresIn(text);
  if (figures !== undefined) return figures;
  return status === 413 || (type !== undefined && overflowTypes.has(type)) ? toFigures({}) : undefined;
}

/** Read as two numbers, 131 072 would be a window of 131 tokens. */
const joinThousands = (text: string): string =>
  text.replace(/(?<![\d.,_])[1-9]\d{0,2}(?:([.,_'’，\u00a0\u202f ])\d{3})(?:\1\d{3})*(?![\d])/gu, (number) => number.replace(/\D/g, ''));

const MAX_CHARS_READ = 8_000;

/** Statuses about the key, the bill, the address or the rate, whatever their text. */
const nonOverflowStatuses: ReadonlySet<number> = new Set([401, 402, 403, 404, 429]);

const overflowTypes: ReadonlySet<string> = new Set(
  'context_length_exceeded exceed_context_size_error model_context_window_exceeded request_too_large string_above_max_length'.split(' '),
);

const vetoes: readonly RegExp[] = [
  // The rate: "Request too large … on tokens per minute (TPM): Limit 6000, Requested 8000".
  /rate.?limit|tokens per (?:min|minute|hour|day)\b|\bTP[MD]\b/i,
  /too many requests|throttl|please wait before/i,
  // The bill.
  /\bquota\b|billing|credit balance|insufficient (?:balance|credits?|funds)|spend(?:ing)? limit/i,
  /余额|欠费|额度|配额|频率|每(?:秒|分钟?|小时|天|日|月)/,
  // A requested output longer than the model can ever produce.
  /maximum allowed number of output tokens|supports at most [\d,]+ (?:completion|output) tokens/i,
  /max_(?:completion_|output_)?tokens must be (?:less|lower|at most)/i,
  // A malformed history.
  /tool_use_id|`tool_(?:use|result)`|tool_calls? must be|roles must alternate/i,
  /invalid `signature`|`thinking` blocks?/i,
];

/** Whether a refusal says why, and it is not the length of the request. */
export const isOtherRefusal = (text: string): boolean => vetoes.some((veto) => veto.test(text.slice(0, MAX_CHARS_READ)));

const LIMIT = String.raw`(?<limit>\d[\d,]*)`;
const SENT = String.raw`(?<sent>\d[\d,]*)`;
const ALSO = String.raw`(?<also>\d[\d,]*)`;
const MAXIMUM = `maximum context length is ${LIMIT} tokens`;
const pattern = (source: string): RegExp => new RegExp(source, 'i');

/**
 * Wordings as reported from the providers' responses, those with figures before those without. The first match wins; what matches none may
 * still be known by its figures (at the end).
 */
const patterns: readonly RegExp[] = [
  // Anthropic, also through Bedrock and Vertex; before 4.5 also for input and output together.
  pattern(`prompt is too long: ${SENT} tokens > ${LIMIT}`),
  pattern(`exceed context limit: ${SENT} \\+ [\\d,]+ > ${LIMIT}`),
  // vLLM, for input and output together.
  pattern(`${MAXIMUM}.{0,120}your (?:request has|prompt contains)(?: at least)? ${SENT}`),
  pattern(`passed ${SENT} input tokens.{0,80}context length is only ${LIMIT}`),
  // OpenAI, Azure, DeepSeek, OpenRouter.
  pattern(`${MAXIMUM}.{0,60}\\(${SENT} of text input(?:, ${ALSO} of tool input)?`),
  pattern(`${MAXIMUM}.{0,60}\\(${SENT} in (?:the|your) (?:messages|prompt)(?:, ${ALSO} in the functions)?`),
  pattern(`${MAXIMUM}.{0,40}(?:resulted in|requested(?: about)?) ${SENT} tokens`),
  pattern(`maximum context length of ${LIMIT} tokens.{0,60}: ${SENT} tokens from the input`),
  pattern(`exceed the configured limit of ${LIMIT} tokens.{0,20} messages resulted in ${SENT}`),
  pattern(`maximum context length (?:is|of) ${LIMIT}`),
  // Gemini and Vertex.
  pattern(`input token count (?:is )?\\(?${SENT}\\)? (?:but|exceeds the maximum).{0,60}?(?:up to|allowed) \\(?${LIMIT}`),
  pattern('input token count.{0,20}exceeds the maximum'),
  // xAI; GitHub Copilot; Mistral; Kimi; Fireworks; Cohere; DS4.
  pattern(`maximum prompt length is ${LIMIT} but the request contains ${SENT}`),
  pattern(`prompt token count of ${SENT} exceeds the limit of ${LIMIT}`),
  pattern(`prompt contains ${SENT} tokens.{0,40}too large for model with ${LIMIT} maximum`),
  pattern(`exceeded model token limit: ${LIMIT} ?\\((?:re ?)?quested: ${SENT}`),
  pattern(`prompt is too long: ${SENT}, model maximum context length: ${LIMIT}`),
  pattern(`tokens in the prompt cannot exceed ${LIMIT}.{0,12}received ${SENT}`),
  pattern(`prompt has ${SENT} tokens?, but the configured context size is ${LIMIT}`),
  // Bedrock Mantle; Cerebras; RKLLM.
  pattern(`prompt tokens \\(${SENT}\\) exceed(?:s|ed)? (?:customer )?model maximum \\(${LIMIT}`),
  pattern(`reduce the length of the messages or completion\\. current length is ${SENT} while limit is ${LIMIT}`),
  pattern(`prompt is ${SENT} tokens but the model context window is ${LIMIT}`),
  // llama.cpp, its Python binding, LM Studio.
  pattern(`"n_prompt_tokens": ?${SENT}, ?"n_ctx": ?${LIMIT}`),
  pattern(`request \\(${SENT} tokens\\) exceeds the available context size \\(${LIMIT}`),
  pattern(`requested tokens \\(${SENT}\\) exceed context window of ${LIMIT}`),
  pattern(`keep the first ${SENT} tokens when.{0,80}context length of only ${LIMIT}`),
  pattern(`n_keep:? ?\\(?${SENT}\\)? ?>= ?n_ctx:? ?\\(?${LIMIT}`),
  // oMLX.
  pattern(`prompt too long: ${SENT} tokens exceeds max context window of ${LIMIT}`),
  // SGLang, Together, older vLLM, text-generation-inference, DashScope.
  pattern(`input \\(${SENT} tokens\\) is longer than the model'?s context length \\(${LIMIT}`),
  pattern(`input length \\(${SENT} tokens\\) exceeds the maximum allowed length \\(${LIMIT}`),
  pattern(
    `prompt \\((?:length )?${SENT}(?: tokens)?\\) is (?:too long and exceeds limit|longer than the maximum model length) of ${LIMIT}`,
  ),
  pattern(`prompt \\(total length ${SENT}\\) is too long to fit into the model \\(context length ${LIMIT}`),
  pattern(`\`inputs\`.{0,60}(?:must be <=|less than) ${LIMIT}.{0,20}given: ${SENT}`),
  pattern(`range of input length should be \\[\\d+, ${LIMIT}\\]`),
  // GitHub Models.
  pattern(`request body too large.{0,60}max size: ${LIMIT} tokens`),
  // The same and others (Bedrock, Ollama, Groq, MiniMax, GLM, Z.ai, Qianfan, Spark), when they give no figures.
  pattern('prompt (?:tokens )?(?:is )?too (?:long|large)|prompt exceeds max length'),
  // What vLLM leaves for the reply of a prompt that fills the window.
  pattern('max_(?:completion_)?tokens must be (?:at least|greater than) [01], got -'),
  pattern('(?:token|prompt|输入|上下文|文本).{0,8}(?:过长|超长|超(?:过|出)?(?:模型)?(?:上限|最大))'),
  pattern('input is too long for requested model|input tokens exceeds maximum length'),
  pattern("exceeds? (?:the |this |its )?(?:model'?s? )?(?:max(?:imum)? |available )?context (?:window|length|size|limit)"),
  pattern('context[ _](?:length|window|size)[ _](?:(?:has been|was|is) )?exceed(?:ed|s)|exceeded (?:max )?context length'),
  pattern('ContextWindowExceeded|exceeds? max(?:imum)? message tokens|too many (?:input )?tokens'),
  pattern('model_context_window_exceeded|reduce the length of the messages or completion'),
  pattern('exceeded model token limit|greater than the context length'),
  pattern('超(?:过|出|限).{0,20}(?:上下文|输入).{0,10}(?:长度|窗口|限制)'),
  pattern('(?:上下文|输入).{0,10}(?:长度|窗口).{0,12}超(?:过|出|限)'),
  // About the bytes of the request, not its tokens.
  pattern('request exceeds the maximum size|total message size [\\d,]+ exceeds'),
  pattern('request entity too large|payload too large|request_too_large'),
];

const toFigures = (groups: Readonly<Record<string, string | undefined>>): OverflowFigures => {
  const sent = tokens(groups.sent);
  const also = tokens(groups.also);
  return { limitTokens: tokens(groups.limit), sentTokens: sent === undefined ? undefined : sent + (also ?? 0) };
};

/** Far more than any window; a longer number is something else. */
const MAX_TOKENS = 1_000_000_000;

const tokens = (digits: string | undefined): number | undefined => {
  const count = Number(digits?.replaceAll(',', ''));
  return Number.isInteger(count) && count > 0 && count <= MAX_TOKENS ? count : undefined;
};

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
  /max_?(?:new_|completion_|output_|gen(?:erated)?_)?tokens(?!_per_seq)/i,
  /thinking[_ ]budget|budget_tokens/i,
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
  /input|prompt|your|result|requir|need|actual|current|sum|实际|当前|输入|请求|收到/i,
);

/** Numbers that a limit of another kind stands beside: a rate, a bill, a number of tools or bytes. */
const isOtherLimit = isOneOf(
  /per (?:sec|min|hour|day|month)|daily|hourly|monthly|allowance|afford|credits?\b/i,
  /\b[RT]P[SMHD]\b|concurren|queue|\bbytes?\b|\b[KMG]i?B\b|temperature|top_[pk]|seed/i,
  /tokens? ?\/ ?(?:s|sec|m|min|h|d)|(?:por|pro|par|al) minut[eo]|\/分|1分|毎分|분당|в минуту/i,
  /每(?:秒|分钟?|小时|天|日|月)|配额|额度|频率|字节/,
  /\b(?:image|file|tool|message|array|string)s? (?:count|limit|too)/i,
);

type Figure = { readonly value: number; readonly from: number; readonly to: number; readonly before: string; readonly after: string };

/**
 * The figures of a refusal in words that nobody has seen before: two numbers beside "token", "length", "context" or "sequence", of which
 * the first is the larger; or a limit, and behind it what was sent, which is more; or what fits, but not together with what is asked of the
 * reply. Undefined for all else. The thousands of a number are joined.
 */
export function figuresIn(text: string): OverflowFigures | undefined {
  if (isOtherLimit(text)) return undefined;
  const all = [...text.matchAll(NUMBER)].map((match): Figure => {
    const [whole, digits, short = '', unit] = match;
    const value = digits === undefined ? Math.round(Number(short) * (unit?.toLowerCase() === 'k' ? 1_000 : 1_000_000)) : Number(digits);
    const [from, to] = [match.index, match.index + whole.length];
    return { value, from, to, before: text.slice(Math.max(0, from - BESIDE_CHARS), from), after: text.slice(to, to + BESIDE_CHARS) };
  });
  const isCounted = (figure: Figure): boolean => figure.value >= LEAST_TOKENS && figure.value <= MOST_TOKENS && isTokens(figure);
  const figures = all.filter((figure) => isCounted(figure) && !isOfReply(figure));
  return exceeded(figures) ?? limitFirst(text, figures) ?? filled(figures, all.filter(isOfReply));
}

const isTokens = ({ before, after }: Figure): boolean => !isLabel(before) && (isSubject(before) || isSubject(after));

function isOfReply({ before, after }: Figure): boolean {
  const own = before.slice(Math.max(0, before.search(/[^\d]*$/)));
  return (
    (saysReply(own) && !/input|prompt|sum|total|context/i.test(own)) || /^\W{0,2}(?:in the )?(?:completion|output|max_?new)/i.test(after)
  );
}

/** The limit is the largest of what is smaller: a sum may stand there in its parts. */
function exceeded([first, ...rest]: readonly Figure[]): OverflowFigures | undefined {
  if (first === undefined) return undefined;
  const limit = Math.max(0, ...rest.map(({ value }) => value).filter((value) => value < first.value));
  return limit === 0 || rest.some(({ value }) => value > first.value) ? undefined : figuresOf(first.value, limit);
}

function limitFirst(text: string, [limit, sent]: readonly Figure[]): OverflowFigures | undefined {
  if (limit === undefined || sent === undefined || sent.value <= limit.value) return undefined;
  const isLimit = /^-tokens? (?:window|limit|context)/i.test(limit.after) || saysLimit(limit.before);
  if (/^\s*<\s*[a-z_.-]{0,24}\s*[=:]?\s*$/i.test(text.slice(limit.to, sent.from))) return figuresOf(sent.value, limit.value);
  return isLimit && saysSent(text.slice(limit.to, sent.to + BESIDE_CHARS)) ? figuresOf(sent.value, limit.value) : undefined;
}

function filled([sent, limit]: readonly Figure[], [reply, ...more]: readonly Figure[]): OverflowFigures | undefined {
  if (sent === undefined || limit === undefined || reply === undefined || more.length > 0) return undefined;
  const isOver = Math.max(sent.value, reply.value) < limit.value && sent.value + reply.value > limit.value;
  return isOver ? figuresOf(sent.value, limit.value) : undefined;
}

const figuresOf = (sentTokens: number, limitTokens: number): OverflowFigures => ({
  limitTokens: limitTokens < sentTokens * LEAST_SHARE ? undefined : limitTokens,
  sentTokens,
});
