import { ModelUnavailable, SanbotError, UnexplainedRefusal, UnknownModel } from '../../domain/errors.ts';
import { type Bilingual, because, quotedText, sameInBoth } from '../../domain/language.ts';
import type { ModelAnswer, ModelReply } from '../../domain/session/model-answer.ts';
import { isOneOf } from '../../domain/value/word-list.ts';
import type { Endpoint } from './choose-endpoint.ts';
import { isOtherRefusal, readOverflow } from './overflow.ts';

/** A request that did not end in a reply, described in plain words and figures. */
export type RequestFailure = {
  /** A response with an error status, an error inside the stream, a stream that broke off, or no response at all. */
  readonly origin: 'status' | 'stream_error' | 'broken' | 'connection';
  readonly status: number | undefined;
  readonly type: string | undefined;
  /** A stable name of the cause, where the API has one. */
  readonly code: string | undefined;
  /** For a person, in one line; may be empty. */
  readonly message: string;
  /** The same in Chinese, where the words are ours. */
  readonly messageZh?: string | undefined;
  /** Everything the response said. */
  readonly text: string;
  readonly retryAfterMs: number | undefined;
  /** Whether to retry, when the response says so. */
  readonly shouldRetry: boolean | undefined;
};

export type FailureContext = {
  readonly endpoint: Endpoint;
  readonly model: string;
  readonly modelSource: string;
  /** Returns the answer that a response means on this wire beside an overflow; undefined when it is a failure. */
  readonly judge: (failure: RequestFailure) => Refusal | undefined;
};

/** What a model answers when it is no reply. */
export type Refusal = Exclude<ModelAnswer, ModelReply>;

type FailureVerdict =
  | { readonly kind: 'answer'; readonly answer: Refusal }
  | { readonly kind: 'passing'; readonly why: Bilingual; readonly error: SanbotError }
  | { readonly kind: 'final'; readonly error: SanbotError };

/** Returns what a failure means: an answer after all, a failure that may pass by itself, or the end of this request. */
export function classifyFailure(failure: RequestFailure, context: FailureContext): FailureVerdict {
  const { status, type, text, message } = failure;
  const hasResponse = failure.origin === 'status' || failure.origin === 'stream_error';
  // What it says may be easier to read without the numbers around it.
  const overflow = hasResponse ? (readOverflow({ status, type, message: text }) ?? readOverflow({ status, type, message })) : undefined;
  if (overflow !== undefined) return { kind: 'answer', answer: { kind: 'overflow', ...overflow } };
  const answer = hasResponse ? context.judge(failure) : undefined;
  if (answer !== undefined) return { kind: 'answer', answer };
  const error = errorFor(failure, context);
  return isTransient(failure) ? { kind: 'passing', why: retryReason(failure), error } : { kind: 'final', error };
}

const transientStatuses: ReadonlySet<number> = new Set([408, 409, 429]);
const finalTypes: ReadonlySet<string> = new Set(
  'authentication_error billing_error invalid_request_error not_found_error permission_error request_too_large'.split(' '),
);

/** An exhausted budget is reported like a rate limit, but never recovers. */
const isQuotaExhausted = ({ code, type, text }: RequestFailure): boolean =>
  /spend_limit|insufficient_quota/.test(`${code ?? ''} ${type ?? ''}`) ||
  /insufficient_quota|spend(?:ing)? limit/i.test(text.slice(0, 4_000));

/** Whether the same request may succeed later. */
export const isTransient = (failure: RequestFailure): boolean => {
  const { origin, status, type, shouldRetry } = failure;
  if (shouldRetry !== undefined) return shouldRetry;
  if (origin === 'connection' || origin === 'broken') return true;
  if (isQuotaExhausted(failure)) return false;
  if (origin === 'stream_error') return type === undefined || !finalTypes.has(type);
  return status !== undefined && (transientStatuses.has(status) || status >= 500);
};

const retryReason = ({ origin, status, type, message, messageZh = message }: RequestFailure): Bilingual => {
  const said = messageZh === message ? quotedText(message).zh : messageZh;
  if (origin === 'connection') return { en: `no connection (${message})`, zh: `无法连接（${messageZh}）` };
  if (origin === 'broken') return { en: message, zh: messageZh };
  if (status === 429 || type === 'rate_limit_error') return withStatus({ en: 'rate limit', zh: '请求过于频繁' }, status);
  if (status === 529 || type === 'overloaded_error') return withStatus({ en: 'overloaded', zh: '服务器过载' }, status);
  if (message !== '') return withStatus({ en: message, zh: said }, status);
  return withStatus({ en: type ?? 'server error', zh: type ?? '服务器错误' }, status);
};

const withStatus = (text: Bilingual, status: number | undefined): Bilingual =>
  status === undefined ? text : { en: `${text.en} (${status})`, zh: `${text.zh}（${status}）` };

const errorFor = (failure: RequestFailure, context: FailureContext): SanbotError => {
  const { host } = context.endpoint;
  const { status, type, origin, message, messageZh = message } = failure;
  const detail = shownDetail(failure);
  if (origin === 'connection')
    return new (failure.shouldRetry === false ? SanbotError : ModelUnavailable)(
      'model_unreachable',
      { en: `No connection to ${host}: ${message}.`, zh: `无法连接 ${host}：${messageZh}。` },
      failure.shouldRetry === false ? CERTIFICATE_HINT : undefined,
    );
  if (origin === 'broken') return new ModelUnavailable('model_failed', { en: `${host}: ${message}.`, zh: `${host}：${messageZh}。` });
  if (status === 401 || status === 403 || type === 'authentication_error' || type === 'permission_error')
    return keyError(detail, context.endpoint);
  if (status === 404 || type === 'not_found_error' || deniesModel(failure, context)) return notFoundError(failure, context);
  if (status === 402 || isQuotaExhausted(failure))
    return failed({
      en: `${host} will not continue until the account is paid or its limit is raised (${detail.en}).`,
      zh: `在账户付款或提高限额之前，${host} 不会继续（${detail.zh}）。`,
    });
  if (isTransient(failure))
    return new ModelUnavailable('model_failed', {
      en: `${host} cannot answer now (${detail.en}).`,
      zh: `${host} 现在无法应答（${detail.zh}）。`,
    });
  const refused = { en: `${host} refused the request (${detail.en}).`, zh: `${host} 拒绝了请求（${detail.zh}）。` };
  return isUnexplained(failure) ? new UnexplainedRefusal('model_failed', refused, REFUSED_HINT) : failed(refused, REFUSED_HINT);
};

/** Reasons that say more than that a request was refused; those of overflow.ts beside them. */
const saysReason = isOneOf(
  /\b(?:tools?|functions?|schema|images?|pdfs?|documents?|roles?|api[ _-]?key|headers?|stream)\b/i,
  /\b(?:unsupported|unrecogni[sz]ed|unknown|deprecated|polic(?:y|ies)|safety|moderation)\b/i,
  /\b(?:content[ _]filter|signature|thinking|reasoning|max_\w*tokens|temperature|top_[pk])\b/i,
  /not (?:supported|allowed|permitted|found)|does ?n[o']t (?:support|exist)/i,
);

/** A bad request for which no reason is given that is known. */
const isUnexplained = ({ origin, status, text }: RequestFailure): boolean =>
  origin === 'status' && (status === 400 || status === 413) && !isOtherRefusal(text) && !saysReason(text.slice(0, 4_000));

export const failed = (message: Bilingual, hint?: Bilingual): SanbotError => new SanbotError('model_failed', message, hint);

/** The certificate of the server, or of what stands between, is not trusted here. */
const CERTIFICATE_HINT = {
  en: 'The certificate is not trusted. If it is of your own network, name its authority in NODE_EXTRA_CA_CERTS; else do not go on.',
  zh: '证书不受信任。如果它属于你自己的网络，请在 NODE_EXTRA_CA_CERTS 中指定其颁发机构；否则不要继续。',
};

const REFUSED_HINT = {
  en: 'Nothing is lost, but the same request will be refused again: choose another model, or start a new session.',
  zh: '没有丢失任何内容，但同样的请求会再次被拒绝：请选择另一个模型，或新建会话。',
};

const keyError = (detail: Bilingual, { key, host }: Endpoint): SanbotError => {
  if (key.kind === 'none')
    return new SanbotError('model_key', {
      en: `${host} requires a key, and none is set (${detail.en}).`,
      zh: `${host} 需要密钥，但没有设置（${detail.zh}）。`,
    });
  const isSetting = key.from.startsWith('model.');
  const hint = {
    en: `Correct ${key.from}${isSetting ? ' in the configuration' : ''}, or work offline with SANBOT_PROVIDER=offline.`,
    zh: `请更正${isSetting ? '设置中的' : ''} ${key.from}，或设置 SANBOT_PROVIDER=offline 离线使用。`,
  };
  return new SanbotError(
    'model_key',
    { en: `${host} refused the key from ${key.from} (${detail.en}).`, zh: `${host} 拒绝了来自 ${key.from} 的密钥（${detail.zh}）。` },
    hint,
  );
};

/** Some say so of a name with the status of any bad request. */
const deniesModel = ({ status, text }: RequestFailure, { model }: FailureContext): boolean =>
  status === 400 &&
  text.includes(model) &&
  /\b(?:not a valid|invalid|unknown|no such) model\b|\bmodel\b.{0,80} (?:does not exist|not found)/i.test(text);

/** When the response does not mention the model, it is the address that is wrong. */
const notFoundError = (failure: RequestFailure, { endpoint, model, modelSource }: FailureContext): SanbotError => {
  const { baseUrl, host, api } = endpoint;
  const detail = shownDetail(failure);
  if (failure.type !== 'not_found_error' && !failure.text.includes(model)) {
    const noApi = { en: `${baseUrl} has no ${api} (${detail.en}).`, zh: `${baseUrl} 不提供 ${api}（${detail.zh}）。` };
    return failed(noApi, checkHint(endpoint.addressSettings));
  }
  const noModel = {
    en: `${host} has no model "${model}", set by ${modelSource} (${detail.en}).`,
    zh: `${host} 没有模型“${model}”，它由 ${modelSource} 指定（${detail.zh}）。`,
  };
  return new UnknownModel('model_failed', noModel, {
    en: 'Name another with --model, SANBOT_MODEL or model.name; sanbot models lists what each endpoint has.',
    zh: '请用 --model、SANBOT_MODEL 或 model.name 指定另一个模型；sanbot models 列出各端点的模型。',
  });
};

export const checkHint = (settings: string): Bilingual => ({
  en: `Check ${settings}.`,
  zh: `请检查 ${settings.replace(' or ', ' 或 ')}。`,
});

/** Status and message of a failure, for the parentheses of a sentence; what the endpoint said is in its own words. */
function shownDetail({ status, message, type }: RequestFailure): Bilingual {
  const words = quotedText((message === '' ? type : message) ?? '');
  if (status === undefined) return words.en === '' ? NO_REASON : words;
  const code = sameInBoth(String(status));
  return words.en === '' ? code : because(code, words);
}

const NO_REASON: Bilingual = { en: 'without a reason', zh: '没有说明原因' };
