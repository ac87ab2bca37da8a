import { errorKinds, type SanbotError } from '../../domain/errors.ts';
import { type Bilingual, joinTexts, localize, sameInBoth } from '../../domain/language.ts';
import { formatCount } from '../../terminal/text/format.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import { padEnd } from '../../terminal/text/text-width.ts';
import type { Trial } from './try-model.ts';

/** `note`: it can be worked with, but a person should know. */
export type EndpointFinding = {
  readonly what: 'settings' | 'address' | 'key' | 'answer' | 'model' | 'window' | 'tools' | 'embeddings';
  readonly state: 'ok' | 'note' | 'wrong';
  readonly text: Bilingual;
};

/** The model is null where no endpoint is set: then no model was asked. */
export type EndpointCheck = {
  readonly model: string | null;
  readonly host: string | null;
  readonly findings: readonly EndpointFinding[];
};

export function endpointText({ model, host, findings }: EndpointCheck): string {
  const isOffline = findings.every(({ what }) => what === 'embeddings');
  const place = host === null ? sameInBoth('') : { en: ` at ${host}`, zh: `，位于 ${host}` };
  const asked = { en: `model: ${model}${place.en}`, zh: `模型：${model}${place.zh}` };
  const head = isOffline ? offlineHead : model === null ? unaskedHead : asked;
  const row = ({ what, state, text }: EndpointFinding): string =>
    padEnd(localize(states[state]), 10) + localize({ en: `${what}: ${text.en}`, zh: `${places[what]}：${text.zh}` });
  return [localize(head), ...findings.map(row)].map((line) => `${safeLine(line)}\n`).join('');
}

const offlineHead: Bilingual = {
  en: 'model: offline, so there is no endpoint to check. sanbot setup chooses a model.',
  zh: '模型：离线，没有可检查的端点。用 sanbot setup 选择模型。',
};
const unaskedHead: Bilingual = { en: 'model: it cannot be asked', zh: '模型：无法询问' };

export const checkJson = ({ findings, ...check }: EndpointCheck) => ({
  ...check,
  findings: findings.map((finding) => ({ ...finding, text: finding.text.en })),
});

const states = {
  ok: { en: 'ok', zh: '正常' },
  note: { en: 'note', zh: '注意' },
  wrong: { en: 'wrong', zh: '有误' },
} as const satisfies Readonly<Record<EndpointFinding['state'], Bilingual>>;

const places = {
  settings: '设置',
  address: '地址',
  key: '密钥',
  answer: '回答',
  model: '模型',
  window: '窗口',
  tools: '工具',
  embeddings: '嵌入',
} as const satisfies Readonly<Record<EndpointFinding['what'], string>>;

const causes = { model_key: 'key', model_unreachable: 'address', model_failed: 'answer' } as const;

const checkAddress: Bilingual = {
  en: 'Check that the server runs, the address, and the network.',
  zh: '请检查服务器是否运行、地址和网络。',
};

export function errorFinding({ code, shown: { message, hint } }: SanbotError): EndpointFinding {
  const what = code === 'model_key' || code === 'model_unreachable' || code === 'model_failed' ? causes[code] : 'settings';
  // The general hint would send people here.
  const remedy = hint.en === errorKinds.model_unreachable.hint.en ? checkAddress : hint;
  const text = {
    en: `${/[.!?]$/.test(message.en) ? message.en : `${message.en}.`} ${remedy.en}`,
    zh: `${/[。！？.!?]$/.test(message.zh) ? message.zh : `${message.zh}。`}${remedy.zh}`,
  };
  return { what, state: 'wrong', text };
}

export const embeddingsFinding = (name: string, outcome: number | SanbotError): EndpointFinding =>
  typeof outcome === 'number'
    ? { what: 'embeddings', state: 'ok', text: embeddingsText(name, formatCount(outcome)) }
    : { ...errorFinding(outcome), what: 'embeddings' };

const embeddingsText = (name: string, length: string): Bilingual => ({
  en: `${name} answers with vectors of ${length} numbers`,
  zh: `${name} 返回 ${length} 维向量`,
});

type Listed = { readonly name: string; readonly listed: readonly string[] };

export function endpointFindings(trial: Trial, list: Listed): readonly EndpointFinding[] {
  if (trial.kind === 'failed') return [errorFinding(trial.error), ...(list.listed.length === 0 ? [] : [listFinding(list)])];
  const { windowTokens, assumed } = trial.facts;
  const window = { en: `${formatCount(windowTokens)} tokens`, zh: `${formatCount(windowTokens)} token` };
  return [
    { what: 'address', state: 'ok', text: { en: 'reachable', zh: '可访问' } },
    { what: 'key', state: 'ok', text: { en: 'accepted, or none needed', zh: '已接受，或不需要' } },
    { what: 'answer', state: 'ok', text: { en: 'it answers', zh: '有回答' } },
    listFinding(list),
    assumed
      ? {
          what: 'window',
          state: 'note',
          text: {
            en: `${window.en}, assumed: set contextWindow to what the server has`,
            zh: `${window.zh}，为假定值：请将 contextWindow 设为服务器的实际值`,
          },
        }
      : said('window', trial.aboutWindow, window),
    said('tools', trial.aboutTools, { en: 'taken', zh: '支持' }),
  ];
}

const said = (what: 'window' | 'tools', about: readonly Bilingual[], well: Bilingual): EndpointFinding =>
  about.length === 0 ? { what, state: 'ok', text: well } : { what, state: 'note', text: joinTexts(about, { en: ' ', zh: '' }) };

const MAX_NAMES = 5;

function listFinding({ name, listed }: Listed): EndpointFinding {
  if (listed.length === 0) return { what: 'model', state: 'note', text: { en: 'the server lists no models', zh: '服务器没有列出模型' } };
  if (listed.includes(name)) return { what: 'model', state: 'ok', text: { en: `${name} is listed`, zh: `${name} 在列表中` } };
  const some = `${listed.slice(0, MAX_NAMES).join(', ')}${listed.length > MAX_NAMES ? ', …' : ''}`;
  return {
    what: 'model',
    state: 'note',
    text: { en: `${name} is not listed; listed are ${some}`, zh: `${name} 不在列表中；列出的有 ${some}` },
  };
}
