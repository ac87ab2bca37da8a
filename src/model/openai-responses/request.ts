import type { ModelFacts, ModelRequest } from '../../agent/ports/model.ts';
import type { Fields } from '../../domain/value/json.ts';
import { cacheKey, openAiEffort } from '../openai/shared-fields.ts';
import { outputTokens } from '../rough-tokens.ts';
import { inputItems } from './items.ts';

/** The fields, and values of them, that some servers and models refuse; a request works without each of them. */
export const optionalFields = [
  'xhigh',
  'effort',
  'reasoning',
  'include',
  'prompt_cache_key',
  'parallel_tool_calls',
  'max_output_tokens',
  'store',
] as const;

export type OptionalField = (typeof optionalFields)[number];

type ResponsesTraits = {
  readonly facts: ModelFacts;
  /** False for a model that is known not to reason; undefined when nobody has told us. */
  readonly reasons: boolean | undefined;
  /** How the endpoint is named beside what only it takes back; empty for one that wants nothing back. */
  readonly origin?: string;
  /** What the endpoint has refused for this model. */
  readonly omitted: ReadonlySet<OptionalField>;
};

/**
 * Builds the request: nothing is stored at the provider, so that reasoning comes sealed and is sent back, and the whole conversation goes
 * with every request. The same request always gives the same bytes, and a longer conversation the same beginning.
 */
export function responsesBody(request: ModelRequest, traits: ResponsesTraits): Fields {
  const tools = request.tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    name,
    description,
    parameters: inputSchema,
    // Strict schemas know no optional arguments.
    strict: false,
  }));
  const optional = {
    ...(traits.reasons === false
      ? {}
      : { reasoning: { ...effortOf(request, traits.omitted), summary: 'auto' }, include: ['reasoning.encrypted_content'] }),
    ...(tools.length === 0 ? {} : { parallel_tool_calls: true }),
    ...cacheKey(request),
    max_output_tokens: outputTokens(request, traits.facts, { thinks: traits.reasons !== false }),
    store: false,
  };
  const omitted: ReadonlySet<string> = traits.omitted;
  return {
    model: request.model,
    ...(request.system.length === 0 ? {} : { instructions: request.system.join('\n\n') }),
    input: inputItems(request.messages, traits.origin),
    ...(tools.length === 0 ? {} : { tools }),
    ...Object.fromEntries(Object.entries(optional).filter(([name]) => !omitted.has(name))),
    stream: true,
  };
}

const effortOf = ({ effort }: ModelRequest, omitted: ReadonlySet<OptionalField>) =>
  effort === undefined || omitted.has('effort') ? {} : { effort: openAiEffort(effort, !omitted.has('xhigh')) };
