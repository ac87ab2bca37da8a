/** What a refused request reports; `message` may be the whole response, including its figures. */
export type OverflowReport = { readonly status: number | undefined; readonly type: string | undefined; readonly message: string };

export type OverflowFigures = { readonly limitTokens: number | undefined; readonly sentTokens: number | undefined };

/**
 * Returns the figures of a refusal that means that the request was larger than the model's window. `sentTokens` is the input alone when the
 * response tells it apart from the requested output. Undefined for everything else, above all rate limits, billing, a max_tokens that is
 * too large, and malformed requests: taking one of those for an overflow would compact for nothing.
 */
export function readOverflow({ status, type, message }: OverflowReport): OverflowFigures | undefined {
  const text = message.slice(0, MAX_CHARS_READ).replace(/\s+/g, ' ');
  if (status !== undefined && nonOverflowStatuses.has(status)) return undefined;
  if (vetoes.some((veto) => veto.test(text))) return undefined;
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (match !== null) return toFigures(match.groups ?? {});
  }
  return status === 413 || (type !== undefined && overflowTypes.has(type)) ? toFigures({}) : undefined;
}

const MAX_CHARS_READ = 8_000;

/** Statuses about the key, the bill, the address or the rate, whatever their text. */
const nonOverflowStatuses: ReadonlySet<number> = new Set([401, 402, 403, 404, 429]);

const overflowTypes: ReadonlySet<string> = new Set([
  'context_length_exceeded',
  'exceed_context_size_error',
  'model_context_window_exceeded',
  'request_too_large',
  'string_above_max_length',
]);

const vetoes: readonly RegExp[] = [
  // The rate: "Request too large … on tokens per minute (TPM): Limit 6000, Requested 8000".
  /rate.?limit|tokens per (?:min|minute|hour|day)\b|\bTP[MD]\b|too many requests|throttl|please wait before/i,
  // The bill.
  /\bquota\b|billing|credit balance|insufficient (?:balance|credits?|funds)|spend(?:ing)? limit|余额|欠费/i,
  // A requested output longer than the model can ever produce.
  /maximum allowed number of output tokens|supports at most [\d,]+ (?:completion|output) tokens|max_(?:completion_|output_)?tokens must be (?:less|lower|at most)/i,
  // A malformed history.
  /tool_use_id|`tool_(?:use|result)`|tool_calls? must be|roles must alternate|invalid `signature`|`thinking` blocks?/i,
];

const n = (name: 'limit' | 'sent' | 'also'): string => String.raw`(?<${name}>\d[\d,]*)`;
const pattern = (source: string): RegExp => new RegExp(source, 'i');

/** Wordings as reported from the providers' responses, those with figures before those without. The first match wins. */
const patterns: readonly RegExp[] = [
  // Anthropic, also through Bedrock and Vertex; before 4.5 also for input and output together.
  pattern(`prompt is too long: ${n('sent')} tokens > ${n('limit')}`),
  pattern(`exceed context limit: ${n('sent')} \\+ [\\d,]+ > ${n('limit')}`),
  // vLLM, for input and output together.
  pattern(`maximum context length is ${n('limit')} tokens.{0,120}your (?:request has|prompt contains)(?: at least)? ${n('sent')}`),
  // OpenAI, Azure, DeepSeek, OpenRouter.
  pattern(`maximum context length is ${n('limit')} tokens.{0,60}\\(${n('sent')} of text input(?:, ${n('also')} of tool input)?`),
  pattern(
    `maximum context length is ${n('limit')} tokens.{0,60}\\(${n('sent')} in (?:the|your) (?:messages|prompt)(?:, ${n('also')} in the functions)?`,
  ),
  pattern(`maximum context length is ${n('limit')} tokens.{0,40}(?:resulted in|requested(?: about)?) ${n('sent')} tokens`),
  pattern(`maximum context length of ${n('limit')} tokens.{0,60}: ${n('sent')} tokens from the input`),
  pattern(`exceed the configured limit of ${n('limit')} tokens.{0,20} messages resulted in ${n('sent')}`),
  pattern(`maximum context length (?:is|of) ${n('limit')}`),
  // Gemini and Vertex.
  pattern(`input token count (?:is )?\\(?${n('sent')}\\)? (?:but|exceeds the maximum).{0,60}?(?:up to|allowed) \\(?${n('limit')}`),
  pattern('input token count.{0,20}exceeds the maximum'),
  // xAI; GitHub Copilot; Mistral; Kimi; Fireworks; Cohere; DS4.
  pattern(`maximum prompt length is ${n('limit')} but the request contains ${n('sent')}`),
  pattern(`prompt token count of ${n('sent')} exceeds the limit of ${n('limit')}`),
  pattern(`prompt contains ${n('sent')} tokens.{0,40}too large for model with ${n('limit')} maximum`),
  pattern(`exceeded model token limit: ${n('limit')} ?\\((?:re ?)?quested: ${n('sent')}`),
  pattern(`prompt is too long: ${n('sent')}, model maximum context length: ${n('limit')}`),
  pattern(`tokens in the prompt cannot exceed ${n('limit')}.{0,12}received ${n('sent')}`),
  pattern(`prompt has ${n('sent')} tokens?, but the configured context size is ${n('limit')}`),
  // Bedrock Mantle; Cerebras; RKLLM.
  pattern(`prompt tokens \\(${n('sent')}\\) exceed(?:s|ed)? (?:customer )?model maximum \\(${n('limit')}`),
  pattern(`reduce the length of the messages or completion\\. current length is ${n('sent')} while limit is ${n('limit')}`),
  pattern(`prompt is ${n('sent')} tokens but the model context window is ${n('limit')}`),
  // llama.cpp, its Python binding, LM Studio.
  pattern(`"n_prompt_tokens": ?${n('sent')}, ?"n_ctx": ?${n('limit')}`),
  pattern(`request \\(${n('sent')} tokens\\) exceeds the available context size \\(${n('limit')}`),
  pattern(`requested tokens \\(${n('sent')}\\) exceed context window of ${n('limit')}`),
  pattern(`keep the first ${n('sent')} tokens when.{0,80}context length of only ${n('limit')}`),
  pattern(`n_keep:? ?\\(?${n('sent')}\\)? ?>= ?n_ctx:? ?\\(?${n('limit')}`),
  // oMLX.
  pattern(`prompt too long: ${n('sent')} tokens exceeds max context window of ${n('limit')}`),
  // SGLang, Together, older vLLM, text-generation-inference, DashScope.
  pattern(`input \\(${n('sent')} tokens\\) is longer than the model'?s context length \\(${n('limit')}`),
  pattern(`input length \\(${n('sent')} tokens\\) exceeds the maximum allowed length \\(${n('limit')}`),
  pattern(
    `prompt \\((?:length )?${n('sent')}(?: tokens)?\\) is (?:too long and exceeds limit|longer than the maximum model length) of ${n('limit')}`,
  ),
  pattern(`prompt \\(total length ${n('sent')}\\) is too long to fit into the model \\(context length ${n('limit')}`),
  pattern(`\`inputs\`.{0,60}(?:must be <=|less than) ${n('limit')}.{0,20}given: ${n('sent')}`),
  pattern(`range of input length should be \\[\\d+, ${n('limit')}\\]`),
  // The same and others (Bedrock, Ollama, Groq, MiniMax, GLM, Z.ai), when they give no figures.
  pattern('prompt (?:is )?too long|prompt exceeds max length|input is too long for requested model|input tokens exceeds maximum length'),
  pattern("exceeds? (?:the |this |its )?(?:model'?s? )?(?:maximum |available |max )?context (?:window|length|size|limit)"),
  pattern('context[ _](?:length|window)[ _]exceed(?:ed|s)|exceeded (?:max )?context length|greater than the context length'),
  pattern('model_context_window_exceeded|reduce the length of the messages or completion|exceeded model token limit'),
  pattern('超(?:过|出|限).{0,20}(?:上下文|输入).{0,10}(?:长度|窗口|限制)|(?:上下文|输入).{0,10}(?:长度|窗口).{0,12}超(?:过|出|限)'),
  // About the bytes of the request, not its tokens.
  pattern(
    'request exceeds the maximum size|request entity too large|payload too large|request_too_large|total message size [\\d,]+ exceeds',
  ),
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
