import { type AskedOfServer, startJsonServer } from './json-server.ts';

export type FakeEmbeddingsOptions = {
  readonly key?: string;
  readonly model?: string;
  readonly length?: number;
  /** Words of one list mean the same. */
  readonly synonyms?: readonly (readonly string[])[];
  /** Whether it knows the field `dimensions`. */
  readonly shortens?: boolean;
  /** What it answers instead, while this returns something. */
  readonly misbehaves?: () => unknown;
};

export type FakeEmbeddings = {
  /** The base address, with its path. */
  readonly url: string;
  readonly asked: readonly AskedOfServer[];
  /** The texts of each request. */
  readonly inputs: () => readonly (readonly string[])[];
};

/**
 * The embeddings API over loopback, as strict as the strictest server: unknown fields, empty texts, another model and a wrong key are refused
 * in OpenAI's words. The vector of a text counts its words, so that texts with words of one meaning are near each other.
 */
export async function startFakeEmbeddings(options: FakeEmbeddingsOptions = {}): Promise<FakeEmbeddings> {
  const { length = 64, model = 'embed-small', synonyms = [], misbehaves } = options;
  const server = await startJsonServer({
    'POST /v1/embeddings': (text: string) => {
      const other = misbehaves?.();
      if (other !== undefined) return other;
      const asked = server.asked.at(-1);
      if (options.key !== undefined && asked?.headers.authorization !== `Bearer ${options.key}`)
        return refusal(401, `Incorrect API key provided: ${asked?.headers.authorization?.slice(7) ?? ''}.`, 'invalid_request_error');
      const body: { model?: unknown; input?: unknown; dimensions?: unknown } = JSON.parse(text);
      const unknown = Object.keys(body).find((name) => !['model', 'input', ...(options.shortens ? ['dimensions'] : [])].includes(name));
      if (unknown !== undefined) return refusal(400, `Unrecognized request argument supplied: ${unknown}`);
      if (body.model !== model) return refusal(404, `The model \`${String(body.model)}\` does not exist.`);
      const texts = Array.isArray(body.input) ? body.input : [];
      const isGood = texts.length > 0 && texts.length <= 2_048 && texts.every((each) => typeof each === 'string' && each.trim() !== '');
      if (!isGood) return refusal(400, "'$.input' is invalid. Please check the API reference.");
      const size = typeof body.dimensions === 'number' ? body.dimensions : length;
      const data = texts.map((each: string, index) => ({ object: 'embedding', index, embedding: vectorOf(each, size, synonyms) }));
      const tokens = texts.join(' ').length;
      return { object: 'list', model, data: data.reverse(), usage: { prompt_tokens: tokens, total_tokens: tokens } };
    },
    'GET /v1/models': { object: 'list', data: [{ id: model, object: 'model' }] },
  });
  const inputs = () => server.asked.flatMap(({ line, body }) => (line === 'POST /v1/embeddings' ? [JSON.parse(body).input] : []));
  return { url: `${server.url}/v1`, asked: server.asked, inputs };
}

const refusal = (status: number, message: string, type = 'invalid_request_error') => ({
  status,
  text: JSON.stringify({ error: { message, type, param: null, code: null } }),
});

/** Always something, so that no vector is nothing. */
function vectorOf(text: string, length: number, synonyms: readonly (readonly string[])[]): readonly number[] {
  const vector = Array.from({ length }, () => 0.01);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const meaning = synonyms.find((list) => list.includes(word))?.[0] ?? word;
    const place = [...meaning].reduce((sum, char) => (sum * 31 + (char.codePointAt(0) ?? 0)) % 9_973, 7) % length;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  return vector;
}
