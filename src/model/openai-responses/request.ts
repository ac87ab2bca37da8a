import type { ModelFacts, ModelRequest } from '../../agent/ports/model.ts';
import { cacheKey } from '../openai/cache-key.ts';
import { roughRequestTokens } from '../rough-tokens.ts';
import { type InputItem, inputItems } from './items.ts';

/** The fields that some servers and models refuse; a request works without each of them. */
export const optionalFields = ['reasoning', 'include', 'prompt_cache_key', 'parallel_tool_calls', 'max_output_tokens', 'store'] as const;

export type OptionalField = (typeof optionalFields)[number];

export type ResponsesTraits = {
  readonly facts: ModelFacts;
  /** False for a model that is known not to reason; undefined when nobody has told us. */
  readonly reasons: boolean | undefined;
  /** What the endpoint has refused for this model. */
  readonly omitted: ReadonlySet<OptionalField>;
};

/** The body of a request, with the API's field names. */
export type ResponsesBody = Readonly<Record<string, unknown>> & { readonly model: string; readonly input: readonly InputItem[] };

/** Tokens that a model which reasons uses beside the summary's own. */
const REASONING_ALLOWANCE_TOKENS = 8_000;
/** A reply always gets at least this much room, however full the window looks: the count is rough. */
const LEAST_OUTPUT_TOKENS = 1_024;

/**
 * Builds the request: nothing is stored at the provider, so that reasoning comes sealed and is sent back, and the whole conversation goes
 * with every request. The same request always gives the same bytes, and a longer conversation the same beginning.
 */
export function responsesBody(request: ModelRequest, traits: ResponsesTraits): ResponsesBody {
  const { omitted } = traits;
  const tools = request.tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    name,
    description,
    parameters: inputSchema,
    // Strict schemas know no optional arguments.
    strict: false,
  }));
  const optional = {
    ...(traits.reasons === false ? {} : { reasoning: { summary: 'auto' }, include: ['reasoning.encrypted_content'] }),
    ...(tools.length === 0 ? {} : { parallel_tool_calls: true }),
    ...cacheKey(request),
    max_output_tokens: responseTokens(request, traits),
    store: false,
  };
  const names: ReadonlySet<string> = omitted;
  return {
    model: request.model,
    ...(request.system.length === 0 ? {} : { instructions: request.system.join('\n\n') }),
    input: inputItems(request.messages),
    ...(tools.length === 0 ? {} : { tools }),
    ...Object.fromEntries(Object.entries(optional).filter(([name]) => !names.has(name))),
    stream: true,
  };
}

/** Never above the model's cap, nor above what the window leaves free, nor next to nothing. */
function responseTokens(request: ModelRequest, { facts, reasons }: ResponsesTraits): number {
  const allowance = request.purpose === 'summary' && reasons !== false ? REASONING_ALLOWANCE_TOKENS : 0;
  const cap = Math.min(request.maxOutputTokens + allowance, facts.maxOutputTokens);
  return Math.min(cap, Math.max(LEAST_OUTPUT_TOKENS, facts.windowTokens - roughRequestTokens(request)));
}
