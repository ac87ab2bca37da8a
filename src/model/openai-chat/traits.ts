import type { ModelRequest } from '../../agent/ports/model.ts';
import { noEffortText } from '../../domain/config/effort.ts';
import type { Bilingual, Warn } from '../../domain/language.ts';
import { type ContentBlock, isToolResult } from '../../domain/session/message.ts';
import { isObject } from '../../domain/value/json.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { anyOf, isOneOf } from '../../domain/value/word-list.ts';
import type { Endpoint } from '../http/choose-endpoint.ts';
import type { RequestFailure } from '../http/failure.ts';
import { originOf, REPLY_FIELDS } from '../openai/opaque-fields.ts';

/** What a model takes at its endpoint, as far as a refusal has told. */
export type ChatTraits = {
  readonly tools: boolean;
  readonly images: boolean;
  /** Whether a reply's reasoning may be sent back with it. */
  readonly reasoning: boolean;
  /** How this endpoint is named beside what only it takes back; undefined for one that takes nothing. */
  readonly origin?: string | undefined;
  /** What it takes back of the fields that it added itself: to replies and calls, to calls alone, or none. */
  readonly opaque?: 'all' | 'calls' | 'none' | undefined;
  /** Whether ids of calls have nine letters or digits, and nothing else. */
  readonly shortIds: boolean;
  /** `none`: the system prompt stands before the user's first words. */
  readonly systemRole: 'system' | 'developer' | 'none';
  readonly streams: boolean;
  readonly streamUsage: boolean;
  readonly limitField: 'max_tokens' | 'max_completion_tokens';
  /** Which efforts it takes: without `xhigh` when `high`. */
  readonly effort: 'all' | 'high' | 'none';
  /** Whether the request may say where its prefix is kept: OpenAI reads it, others refuse it or do not. */
  readonly cacheKey: boolean;
};

/** The same for one request, which may have a limit of its own. */
export type RequestTraits = ChatTraits & { readonly maxOutputTokens: number | undefined };

type BookOptions = { readonly endpoint: () => Endpoint; readonly warn: Warn };

/** What is known of the models of one endpoint. OpenAI itself refuses the older name of the limit for its newer models, others know only that. */
export function createTraits({ endpoint, warn }: BookOptions) {
  const known = new Map<string, ChatTraits>();
  const caps = new Map<string, number>();
  const rooms = new WeakMap<ModelRequest, number>();
  const traitsOf = (model: string): ChatTraits =>
    known.get(model) ?? { ...unrefused, ...(isOpenAi(endpoint) ? openAiOnly : elsewhere), origin: originAt(endpoint) };
  return {
    of: (request: ModelRequest): RequestTraits => ({
      ...traitsOf(request.model),
      maxOutputTokens: least(caps.get(request.model), rooms.get(request)),
    }),
    /** Learns from a refusal; true when the next body will be another one. */
    learn: (failure: RequestFailure, request: ModelRequest): boolean => {
      if (failure.origin === 'connection' || failure.origin === 'broken' || NOT_ABOUT_FIELDS.has(failure.status ?? 0)) return false;
      const text = failure.text.slice(0, MAX_CHARS_READ).replace(/\s+/g, ' ');
      const { model } = request;
      const room = roomIn(text);
      if (room !== undefined) return lower(rooms, request, room);
      const cap = capIn(text);
      if (cap !== undefined) return lower(caps, model, cap);
      const traits = traitsOf(model);
      const lesson = lessons.find(
        ({ change, applies, says }) => isNew(change, traits) && (applies?.(request, traits) ?? true) && says(text, request),
      );
      if (lesson === undefined) return false;
      known.set(model, { ...traits, ...lesson.change });
      if (lesson.tell !== undefined) warn(lesson.tell(model, orUndefined(() => endpoint().host) ?? 'endpoint'));
      return true;
    },
  };
}

const MAX_CHARS_READ = 8_000;
/** About the key, the bill, the address or the rate. */
const NOT_ABOUT_FIELDS: ReadonlySet<number> = new Set([401, 402, 403, 408, 413, 429, 502, 503, 504, 529]);

const openAiOnly = { limitField: 'max_completion_tokens', cacheKey: true } as const;
const elsewhere = { limitField: 'max_tokens', cacheKey: false } as const;

const unrefused: Omit<ChatTraits, 'limitField' | 'cacheKey'> = {
  ...{ tools: true, images: true, reasoning: true, opaque: 'all', shortIds: false, systemRole: 'system', streams: true, streamUsage: true },
  effort: 'all',
};

const isOpenAi = (endpoint: () => Endpoint): boolean => orUndefined(() => endpoint().host) === 'api.openai.com';

const originAt = (endpoint: () => Endpoint): string => originOf('chat', orUndefined(() => endpoint().baseUrl) ?? '');

const least = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b);

type Limits<Key> = { get(key: Key): number | undefined; set(key: Key, limit: number): unknown };

/** True when it was not yet known to be so low. */
function lower<Key>(limits: Limits<Key>, key: Key, limit: number): boolean {
  if (limit >= (limits.get(key) ?? Number.POSITIVE_INFINITY)) return false;
  limits.set(key, limit);
  return true;
}

const isNew = (change: Partial<ChatTraits>, traits: ChatTraits): boolean =>
  JSON.stringify({ ...traits, ...change }) !== JSON.stringify(traits);

/** A reply of fewer tokens is not worth asking for: then it is the request that is too long. */
const LEAST_ROOM_TOKENS = 256;

/** The limit of a reply by either of its names; other counts of tokens are no limit of it. */
const REPLY_LIMIT = 'max_(?:completion_)?tokens';
const WINDOW = String.raw`maximum context length is (\d+) tokens`;
const NO_MORE = anyOf('less than or equal to, at most, greater than, <=');
const noRoom = new RegExp(String.raw`${REPLY_LIMIT}.{0,40}too large.{0,80}${WINDOW} and your request has (\d+) input tokens`, 'i');
const tooLong = new RegExp(String.raw`${REPLY_LIMIT}\W{0,3} (?:must|should|cannot) be.{0,24}?${NO_MORE} \W?(\d+)`, 'i');

/** What the window leaves for the reply, where the input fits and only the asked-for reply is too long. */
function roomIn(text: string): number | undefined {
  const [, limit, input] =
    noRoom.exec(text) ?? /maximum context length is (\d+) tokens.{0,80}\((\d+) in the messages, \d+ in the completion\)/i.exec(text) ?? [];
  const room = Number(limit) - Number(input);
  return room >= LEAST_ROOM_TOKENS ? room : undefined;
}

/** The longest reply of a model, where it was asked for a longer one. */
function capIn(text: string): number | undefined {
  const [, cap] =
    /supports at most (\d+) (?:completion|output) tokens/i.exec(text) ??
    tooLong.exec(text) ??
    /valid range of max_tokens is \[1, ?(\d+)\]/i.exec(text) ??
    [];
  return cap !== undefined && Number(cap) > 0 ? Number(cap) : undefined;
}

type Lesson = {
  readonly change: Partial<ChatTraits>;
  /** Whether the request held what is refused; it always did without this. */
  readonly applies?: (request: ModelRequest, traits: ChatTraits) => boolean;
  readonly says: (text: string, request: ModelRequest) => boolean;
  readonly tell?: (model: string, host: string) => Bilingual;
};

const isRefusal = isOneOf(
  /not? (?:\w+ )?support|unsupported|unrecogni[sz]ed|unknown|unexpected|extra (?:inputs|fields)/i,
  /not (?:permitted|allowed|implemented|available|a (?:multimodal|vision))/i,
  /forbidden|invalid|must be verified|cannot/i,
);
const refuses =
  (what: RegExp) =>
  (text: string): boolean =>
    what.test(text) && isRefusal(text);

const hasImages = ({ messages }: ModelRequest): boolean => messages.some(({ content }) => content.some(holdsImage));
const hasThinking = ({ messages }: ModelRequest): boolean =>
  messages.some(({ content }) => content.some(({ type }) => type === 'thinking'));
const hasOpaque = ({ messages }: ModelRequest): boolean => messages.some(({ content }) => content.some(({ opaque }) => isObject(opaque)));
const hasReplyFields = ({ messages }: ModelRequest): boolean =>
  messages.some(({ content }) => content.some(({ type }) => type === REPLY_FIELDS));
const opaqueNames = ({ messages }: ModelRequest): readonly string[] =>
  messages.flatMap(({ content }) =>
    content.flatMap(({ opaque }) => (isObject(opaque) ? [opaque.fields, opaque.called].filter(isObject).flatMap(Object.keys) : [])),
  );
const holdsImage = (block: ContentBlock): boolean =>
  block.type === 'image' || (isToolResult(block) && Array.isArray(block.content) && block.content.some(holdsImage));

/** In the order in which they are tried: the more special wordings first. */
const lessons: readonly Lesson[] = [
  {
    change: { tools: false },
    applies: ({ tools }) => tools.length > 0,
    says: isOneOf(
      /(?:does not|doesn't|not) support (?:tool|function)|support tool use/i,
      /tool(?:s| calling| use)?\W{0,3} (?:is|are) not (?:supported|available)/i,
      /enable-auto-tool-choice|tools param requires/i,
    ),
    tell: (model, host) => ({
      en: `${model} at ${host} takes no tools: it can talk here, but not read files or run commands. For that use another model, or start the server with tools on.`,
      zh: `${host} 的 ${model} 不支持工具：它可以对话，但不能读取文件或运行命令。需要时请改用另一个模型，或以支持工具的方式启动服务器。`,
    }),
  },
  { change: { limitField: 'max_completion_tokens' }, says: refuses(/max_tokens.*max_completion_tokens/i) },
  { change: { limitField: 'max_tokens' }, says: refuses(/max_completion_tokens/i) },
  { change: { streamUsage: false }, applies: (_, { streams }) => streams, says: refuses(/stream_options|include_usage/i) },
  { change: { shortIds: true }, says: (text) => /tool call id.{0,120}length of 9/i.test(text) },
  {
    change: { images: false },
    applies: hasImages,
    says: refuses(/image|vision|multi-?modal|content must be a string/i),
    tell: (model, host) => ({
      en: `${model} at ${host} takes no images: they are left out of what it is sent.`,
      zh: `${host} 的 ${model} 不支持图片：发送给它的内容中不含图片。`,
    }),
  },
  {
    change: { opaque: 'none' },
    applies: hasOpaque,
    says: (text, request) => isRefusal(text) && opaqueNames(request).some((name) => text.includes(name)),
  },
  // Signed for a past that has changed since.
  {
    change: { opaque: 'calls' },
    applies: (request, { opaque }) => opaque === 'all' && hasReplyFields(request),
    says: (text) => isRefusal(text) && /signature|encrypted|thinking|reasoning/i.test(text) && !/thought_signature/i.test(text),
  },
  {
    change: { effort: 'high' },
    applies: ({ effort: wanted }, { effort }) => wanted === 'max' && effort === 'all',
    says: (text) => isRefusal(text) && /\bxhigh\b/.test(text),
  },
  {
    change: { effort: 'none' },
    applies: ({ effort }) => effort !== undefined,
    says: refuses(/reasoning[_.]effort/i),
    tell: noEffortText,
  },
  { change: { reasoning: false }, applies: hasThinking, says: refuses(/reasoning/i) },
  {
    change: { systemRole: 'developer' },
    applies: ({ system }, { systemRole }) => system.length > 0 && systemRole === 'system',
    says: refuses(/\bsystem\b.{0,120}developer/i),
  },
  {
    change: { systemRole: 'none' },
    applies: ({ system }) => system.length > 0,
    says: refuses(/system role|\brole\b.{0,60}(?:system|developer)/i),
  },
  { change: { streams: false }, says: refuses(/\bstream(?:ing|ed)?\b/i) },
];
