import { jsonWithoutMarksAndMedia } from './sent-json.ts';

type Body = Readonly<Record<string, unknown>>;
export type Envelope = { readonly id: string; readonly diagnostics: unknown };
type Fingerprint = readonly { readonly part: string; readonly text: string }[];

type Diagnostics = {
  /** Everything for which the API would refuse the field. */
  readonly problems: (body: Body) => readonly string[];
  /** The head of the reply to a request. */
  readonly envelope: (body: Body) => Envelope;
};

/**
 * Cache diagnostics as the Messages API has them: it remembers the shape of each request that has the field, by the id of its reply, and
 * says where the next one that names that id first differs, other than by growing. What is only marked for the cache is the same.
 */
export function createDiagnostics(countTokens: (text: string) => number): Diagnostics {
  const known = new Map<string, Fingerprint>();
  let n = 0;
  const found = (body: Body, next: Fingerprint): unknown => {
    const { previous_message_id: id } = record(body.diagnostics);
    if (typeof id !== 'string') return null;
    const before = known.get(id);
    if (before === undefined) return { cache_miss_reason: { type: 'previous_message_not_found' } };
    const at = before.findIndex(({ part, text }, i) => next[i]?.part !== part || next[i]?.text !== text);
    if (at === -1) return null;
    const part = before[at]?.part ?? '';
    if (part === 'settings') return { cache_miss_reason: { type: 'unavailable' } };
    const missed = before.slice(at).reduce((sum, { text }) => sum + countTokens(text), 0);
    return { cache_miss_reason: { type: `${part}_changed`, cache_missed_input_tokens: missed } };
  };
  return {
    problems: ({ diagnostics }) => {
      if (diagnostics === undefined) return [];
      const { previous_message_id: id, ...more } = record(diagnostics);
      const isKnownForm = (id === null || typeof id === 'string') && Object.keys(more).length === 0;
      return isKnownForm ? [] : ['diagnostics is not of the known form'];
    },
    envelope: (body) => {
      const id = `msg_${++n}`;
      if (body.diagnostics === undefined) return { id, diagnostics: null };
      const next = fingerprint(body);
      const diagnostics = found(body, next);
      known.set(id, next);
      return { id, diagnostics };
    },
  };
}

const fingerprint = ({ model, system, tools, messages, thinking, tool_choice: choice, output_config: output }: Body): Fingerprint => [
  { part: 'model', text: String(model) },
  { part: 'tools', text: jsonWithoutMarksAndMedia(tools ?? []) },
  { part: 'system', text: jsonWithoutMarksAndMedia(system ?? []) },
  { part: 'settings', text: JSON.stringify([thinking, choice, output]) },
  ...list(messages).flatMap(({ role, content }) =>
    (typeof content === 'string' ? [content] : list(content)).map((block) => ({
      part: 'messages',
      text: `${String(role)} ${jsonWithoutMarksAndMedia(block)}`,
    })),
  ),
];

const record = (value: unknown): Body => (typeof value === 'object' && value !== null ? { ...value } : {});
const list = (value: unknown): readonly Body[] => (Array.isArray(value) ? value.map(record) : []);
