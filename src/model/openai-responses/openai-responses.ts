/**
 * Asks a model through the Responses API of OpenAI, or of a server that speaks it. What is general to an API over HTTP is in model/http/;
 * here is only what this API says and hears: the items of a request, the body around them, the events of an answer, and its refusals.
 *
 * The conversation is kept on this side: every request carries all of it, and nothing is stored at the provider. Reasoning therefore comes
 * sealed; it is kept as it came, in a thinking block, and sent back as long as the past before it stands.
 *
 * A field that a server or a model does not take is left out from the next request on. It rejects and answers as its port promises.
 */

import type { AskModel, ModelFacts } from '../../agent/ports/model.ts';
import { noEffortText } from '../../domain/config/effort.ts';
import type { Warn } from '../../domain/language.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { askOverHttp, type HttpOptions } from '../http/ask-over-http.ts';
import { originOf } from '../openai/opaque-fields.ts';
import { refusedField, staleReasoning } from './refusal.ts';
import { collectResponse } from './reply.ts';
import { type OptionalField, responsesBody } from './request.ts';

export type ResponsesOptions = HttpOptions & {
  readonly facts: (model: string) => ModelFacts;
  /** Whether a model reasons; undefined when nobody has told us. */
  readonly reasons: (model: string) => boolean | undefined;
  /** Tells the person, once, what a model cannot do. */
  readonly warn: Warn;
};

export function createResponses(options: ResponsesOptions): AskModel {
  const learned = new Map<string, Set<OptionalField>>();
  const omittedFor = (model: string): Set<OptionalField> => {
    const known = learned.get(model) ?? new Set();
    learned.set(model, known);
    return known;
  };
  const origin = (): string => {
    const endpoint = orUndefined(options.endpoint);
    return endpoint === undefined || endpoint.host === 'api.openai.com' ? '' : originOf('responses', endpoint.baseUrl);
  };
  return askOverHttp(
    {
      path: '/responses',
      list: 'input',
      body: (request) => {
        const { model } = request;
        const { facts, reasons } = options;
        return responsesBody(request, { facts: facts(model), reasons: reasons(model), origin: origin(), omitted: omittedFor(model) });
      },
      collect: ({ model }, listener) => collectResponse(model, listener, origin()),
      adapt: (failure, request) => {
        const field = refusedField(failure, request);
        const omitted = omittedFor(request.model);
        if (field === undefined || omitted.has(field)) return false;
        omitted.add(field);
        if (field === 'effort') options.warn(noEffortText(request.model));
        return true;
      },
      judge: staleReasoning,
    },
    options,
  );
}
