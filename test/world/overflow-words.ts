import fc from 'fast-check';

/** A refusal in some server's words: `IN` stands for what was sent, `MAX` for the limit, `OUT` for what was asked of the reply. */
const tooLong: readonly (readonly [who: string, words: string])[] = [
  ['SiliconFlow', '{"code":20015,"message":"length of prompt_tokens (IN) must be less than max_seq_len (MAX).","data":null}'],
  ['SiliconFlow', '{"code":20015,"message":"The parameter is invalid: input length IN exceeds the context length MAX"}'],
  [
    'SambaNova',
    '{"error":{"message":"Requested generation length OUT and prompt length IN exceed maximum sequence length MAX","code":400}}',
  ],
  ['SambaNova', 'Input length IN exceeds the maximum allowed length MAX'],
  [
    'Cloudflare',
    '{"errors":[{"message":"AiError: AiError: The estimated number of input and maximum output tokens (IN) exceeded this model context window limit (MAX).","code":5021}],"success":false}',
  ],
  [
    'watsonx',
    '{"errors":[{"code":"invalid_input_argument","message":"Invalid input argument for Model: the number of input tokens IN cannot exceed the total tokens limit MAX for this model"}]}',
  ],
  ['Volcengine', '{"error":{"code":"InvalidParameter","message":"Input length IN exceeds the maximum length MAX. Request id: 0217413"}}'],
  ['TensorRT-LLM', 'Prompt length (IN) exceeds maximum input length (MAX). Set log level to info and check TRTGptModel logs'],
  ['TensorRT-LLM', 'The sum of prompt length (IN.0) and query length max_tokens (OUT) should not exceed max_num_tokens (MAX)'],
  ['DeepInfra', '{"detail":{"error":"Requested input length IN exceeds maximum input length MAX"}}'],
  ['LiteLLM', 'litellm.BadRequestError: Input is IN tokens which is more than the model context of MAX'],
  ['vLLM', 'The decoder prompt (length IN) is longer than the maximum model length of MAX.'],
  ['vLLM', "This model's maximum context length is MAX tokens. However, your request has IN input tokens."],
  ['llama.cpp', 'the request exceeds the available context size. n_prompt_tokens = IN, context = MAX tokens'],
  ['Ollama', 'input length IN is more than the context length MAX'],
  ['Together', 'Input validation error: the sequence has IN tokens but the model takes MAX tokens'],
  ['Groq', 'messages have IN tokens, and context is limited to MAX tokens'],
  ['Mistral', 'The number of tokens in the prompt (IN) is larger than the context of MAX'],
  ['Cohere', 'total number of tokens in the prompt is IN, which must be below MAX tokens'],
  ['Azure', 'The input of IN tokens does not fit the deployment, which has a context of MAX'],
  ['Bedrock', 'ValidationException: input token count of IN is above the model limit of MAX tokens'],
  ['Vertex', 'The input has IN tokens; the supported sequence length is MAX'],
  ['limit first', 'a MAX-token window, but IN tokens were sent'],
  ['in short', 'context: IN/MAX tokens'],
  ['in short', 'prompt_tokens=IN n_ctx=MAX'],
  ['an inequality', 'context_len=MAX < required_len=IN'],
  ['an inequality', 'n_tokens IN > max_tokens_per_seq MAX'],
  ['a cache', 'KV cache is full: need IN tokens, have MAX'],
  ['Spanish', 'La longitud del contexto (IN) supera el máximo de MAX tokens'],
  ['German', 'Eingabe zu lang: IN Tokens, erlaubt sind MAX Tokens'],
  ['limit first', 'max sequence length is MAX, but the input has IN'],
  ['limit first', 'This endpoint supports a context of at most MAX tokens; you have provided IN tokens'],
  ['Japanese', '入力が長すぎます：IN トークン（上限 MAX トークン）'],
  ['Russian', 'Слишком длинный запрос: IN токенов при максимуме MAX токенов'],
  ['French', 'La requête contient IN tokens, la limite est de MAX tokens'],
  ['Korean', '입력 토큰 IN개가 최대 MAX개를 초과했습니다'],
  ['Portuguese', 'O prompt tem IN tokens e o contexto aceita MAX tokens'],
  ['Italian', "l'input supera la lunghezza massima: IN token su MAX"],
  ['Turkish', 'Girdi çok uzun: IN token, en fazla MAX token'],
  ['Chinese', '你的輸入有 IN 個詞元，超過上限 MAX'],
  ['limit first', 'Limit: MAX tokens. Received: IN tokens.'],
  ['Chinese', '输入长度 IN 超过模型允许的最大长度 MAX'],
  ['Chinese', '请求的 token 数（IN）大于模型最大上下文（MAX）'],
  ['Chinese', '模型最大上下文长度为 MAX，实际输入 IN'],
  ['Chinese', '{"code":"1261","message":"Prompt 超长：当前 IN token，上限 MAX token"}'],
];

/** What has two numbers and is something else. */
const otherwise: readonly (readonly [who: string, words: string])[] = [
  ['a range', 'thinking budget must be >= MAX and < IN tokens'],
  ['a rate', 'Rate limit reached on tokens per minute: Limit MAX, Used IN, Requested OUT'],
  ['a rate', 'Used IN of MAX tokens per day. Try again in 5m'],
  ['a rate', 'This organization may send MAX input tokens per min; this request has IN tokens'],
  ['a rate', '已超出每分钟 token 限制：IN 大于 MAX'],
  ['a rate', 'tokens per minute: limit MAX, requested IN'],
  ['a rate', 'IN tokens/min exceeds MAX tokens/min'],
  ['a rate', 'input tokens/minute limit MAX, got IN tokens'],
  ['a rate', 'Límite de tokens por minuto: MAX, solicitados IN tokens'],
  ['a rate', 'limite de tokens par minute : MAX, demandés IN tokens'],
  ['a rate', 'Tokens pro Minute: Limit MAX, angefragt IN tokens'],
  ['a rate', '1分あたりのトークン上限 MAX、要求 IN トークン'],
  ['a rate', '분당 토큰 한도 MAX, 요청 IN 토큰'],
  ['a rate', 'Лимит токенов в минуту: MAX, запрошено IN токенов'],
  ['a rate', 'TPM exceeded: IN tokens > MAX tokens'],
  ['a bill', 'This request requires more credits. You requested up to IN tokens, but can only afford MAX tokens'],
  ['a bill', 'Monthly token budget used up: IN of MAX tokens'],
  ['a bill', '额度不足：本次需要 IN token，剩余 MAX token'],
  ['the reply', 'max_tokens (IN) is larger than the maximum of MAX'],
  ['the reply', 'max_tokens must be less than or equal to MAX, got IN'],
  ['the reply', 'max_completion_tokens is too large: IN. This model supports at most MAX completion tokens'],
  ['the reply', '`max_new_tokens` is IN and the maximum is MAX output tokens'],
  ['a size', 'The file has IN bytes, and the maximum length is MAX bytes'],
  ['a code', '{"code":20015,"message":"the length of the name is not valid","status":400}'],
  ['no numbers', 'the context of this request is not what the model expects'],
];

/** Numbers as people and servers write them. */
const written = (value: number): fc.Arbitrary<string> =>
  fc.constantFrom(String(value), ...[',', '_', ' ', '，'].map((mark) => grouped(value, mark)));
const grouped = (value: number, mark: string): string => String(value).replace(/\B(?=(?:\d{3})+$)/g, mark);

export type Refusal = { readonly who: string; readonly text: string; readonly sent: number; readonly limit: number };

const refusalsOf = (rows: typeof tooLong): fc.Arbitrary<Refusal> =>
  fc
    .record({
      row: fc.constantFrom(...rows),
      limit: fc.integer({ min: 2_000, max: 2_000_000 }),
      share: fc.integer({ min: 0, max: 9_000 }),
    })
    .chain(({ row: [who, words], limit, share }) => {
      const sent = limit + 1 + Math.floor((limit * share) / 1_000);
      return fc.tuple(written(sent), written(limit), fc.constantFrom('512', '4096'), dressings).map(([inText, maxText, out, dress]) => ({
        ...{ who, sent, limit },
        text: dress(words.replaceAll('IN', inText).replaceAll('MAX', maxText).replaceAll('OUT', out)),
      }));
    });

/** What gateways put around the words of others. */
const dressings = fc.constantFrom<(words: string) => string>(
  (words) => words,
  (words) => JSON.stringify({ error: { message: words, code: 400 } }),
  (words) => JSON.stringify({ object: 'error', message: words, type: 'BadRequestError', param: null, code: 400 }),
  (words) => `Error code: 400 - ${words}`,
  (words) => `litellm.APIConnectionError: ${words}. Received Model Group=x-70b-2507\nAvailable Model Group Fallbacks=None`,
  (words) => JSON.stringify({ error: { message: 'Provider returned error', code: 502, metadata: { raw: words } } }),
);

export const tooLongRefusals = refusalsOf(tooLong);
export const otherRefusals = refusalsOf(otherwise);
