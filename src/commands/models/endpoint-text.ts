import { errorKinds, type SanbotError } from '../../domain/errors.ts';
import { type Bilingual, localize } from '../../domain/language.ts';
import { formatCount } from '../../terminal/text/format.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import type { Trial } from './try-model.ts';

/** `note`: it can be worked with, but a person should know. */
export type EndpointFinding = {
  readonly what: 'settings' | 'address' | 'key' | 'answer' | 'model' | 'window' | 'tools' | 'embeddings';
  readonly state: 'ok' | 'note' | 'wrong';
  readonly text: string;
};

/** The model is null where no endpoint is set: then no model was asked. */
export type EndpointCheck = {
  readonly model: string | null;
  readonly host: string | null;
  readonly findings: readonly EndpointFinding[];
};

/** One line for each finding. Ends with a newline. */
export function endpointText({ model, host, findings }: EndpointCheck): string {
  const place = host === null ? '' : ` at ${host}`;
  const isOffline = findings.every(({ what }) => what === 'embeddings');
  const head = isOffline ? OFFLINE : model === null ? 'model: it cannot be asked' : `model: ${model}${place}`;
  return [head, ...findings.map(({ what, state, text }) => `${state.padEnd(10)}${what}: ${text}`)]
    .map((line) => `${safeLine(line)}\n`)
    .join('');
}

const OFFLINE = 'model: offline, so there is no endpoint to check. sanbot setup chooses a model.';

const places = { model_key: 'key', model_unreachable: 'address', model_failed: 'answer' } as const;

const CHECK_ADDRESS = 'Check that the server runs, the address, and the network.';

export function errorFinding({ code, message, hint }: SanbotError): EndpointFinding {
  const what = code === 'model_key' || code === 'model_unreachable' || code === 'model_failed' ? places[code] : 'settings';
  // The general hint would send people here.
  const remedy = hint === errorKinds.model_unreachable.hint.en ? CHECK_ADDRESS : hint;
  return { what, state: 'wrong', text: `${/[.!?]$/.test(message) ? message : `${message}.`} ${remedy}` };
}

/** What the endpoint for embeddings answers. `outcome`: the length of a vector, or why there is none. */
export const embeddingsFinding = (name: string, outcome: number | SanbotError): EndpointFinding =>
  typeof outcome === 'number'
    ? { what: 'embeddings', state: 'ok', text: embeddingsText(name, formatCount(outcome)) }
    : { ...errorFinding(outcome), what: 'embeddings' };

const embeddingsText = (name: string, length: string): string =>
  localize({ en: `${name} answers with vectors of ${length} numbers`, zh: `${name} 返回 ${length} 维向量` });

export const noAnswerWithin = (name: string, seconds: number): Bilingual => ({
  en: `${name} did not answer within ${seconds} s.`,
  zh: `${name} 在 ${seconds} 秒内没有回答。`,
});

type Listed = { readonly name: string; readonly listed: readonly string[] };

/** What a trial says about an endpoint, each with what to do. `listed` is empty where nothing is listed. */
export function endpointFindings(trial: Trial, list: Listed): readonly EndpointFinding[] {
  if (trial.kind === 'failed') return [errorFinding(trial.error), ...(list.listed.length === 0 ? [] : [listFinding(list)])];
  const { windowTokens, assumed } = trial.facts;
  const window = `${formatCount(windowTokens)} tokens`;
  return [
    { what: 'address', state: 'ok', text: 'reachable' },
    { what: 'key', state: 'ok', text: 'accepted, or none needed' },
    { what: 'answer', state: 'ok', text: 'it answers' },
    listFinding(list),
    assumed
      ? { what: 'window', state: 'note', text: `${window}, assumed: set contextWindow to what the server has` }
      : said('window', trial.aboutWindow, window),
    said('tools', trial.aboutTools, 'taken'),
  ];
}

/** What was said about it, else that it is well. */
const said = (what: 'window' | 'tools', about: readonly string[], well: string): EndpointFinding =>
  about.length === 0 ? { what, state: 'ok', text: well } : { what, state: 'note', text: about.join(' ') };

const MAX_NAMES = 5;

function listFinding({ name, listed }: Listed): EndpointFinding {
  if (listed.length === 0) return { what: 'model', state: 'note', text: 'the server lists no models' };
  if (listed.includes(name)) return { what: 'model', state: 'ok', text: `${name} is listed` };
  const some = listed.slice(0, MAX_NAMES).join(', ');
  return { what: 'model', state: 'note', text: `${name} is not listed; listed are ${some}${listed.length > MAX_NAMES ? ', …' : ''}` };
}
