import fc from 'fast-check';
import { isObject } from '../../src/domain/value/json.ts';

const methods = [
  ...['initialize', 'ping', 'tools/list', 'tools/call', 'resources/list', 'resources/read', 'resources/templates/list', 'prompts/list'],
  ...['prompts/get', 'completion/complete', 'logging/setLevel', 'subscriptions/listen', 'server/discover', 'notifications/cancelled'],
];
const tools = ['recall', 'show', 'sessions', 'memories', 'context_of', 'remember', '__proto__', 'none'];

const anything = fc.jsonValue({ maxDepth: 3 });
const args = fc.oneof(
  anything,
  fc.dictionary(fc.constantFrom('query', 'ref', 'offset', 'char_offset', 'session', 'kind', 'limit', 'since', '__proto__'), anything),
);
const params = fc.oneof(
  anything,
  fc.record({ name: fc.constantFrom(...tools), arguments: args }),
  fc.record({ uri: fc.oneof(fc.string(), fc.constant('sanbot://memory/../facts'), fc.constant('sanbot://sessions/../../etc/passwd')) }),
  fc.record({ cursor: anything, requestId: anything, _meta: anything }),
);
const message = fc.record(
  {
    jsonrpc: fc.oneof({ weight: 4, arbitrary: fc.constant('2.0') }, anything),
    id: fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 1_000, max: 9_999 }) }, fc.string(), anything),
    method: fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...methods) }, fc.string(), anything),
    params,
    result: anything,
  },
  { requiredKeys: ['jsonrpc'] },
);
/** Whole, cut off, in a list, deep, or no JSON at all; always one line. */
const line = fc.oneof(
  { weight: 6, arbitrary: message.map((value) => JSON.stringify(value)) },
  fc.tuple(message, fc.nat(60)).map(([value, at]) => JSON.stringify(value).slice(0, at)),
  fc.array(message, { maxLength: 3 }).map((list) => JSON.stringify(list)),
  fc.string({ unit: 'binary' }).map((text) => text.replaceAll('\n', ' ')),
  fc.constant(`${'['.repeat(20_000)}${']'.repeat(20_000)}`),
  fc.constant(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}`),
);

/** The same for the same number. */
export const wrongMessages = (count: number): readonly string[] => fc.sample(line, { numRuns: count, seed: 38 });

/** Of what is a request in the form of the protocol, whatever it asks. */
export function requestId(text: string): unknown {
  const value: unknown = isJson(text) ? JSON.parse(text) : undefined;
  if (!isObject(value) || value.jsonrpc !== '2.0' || typeof value.method !== 'string') return undefined;
  return typeof value.id === 'string' || Number.isSafeInteger(value.id) ? value.id : undefined;
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
