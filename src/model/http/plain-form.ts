import { type Fields, isObject, isString, parseJson } from '../../domain/value/json.ts';

/** The one place where what a server dresses in another way becomes what the wire says it is. */

/** An object, also one that came as a text of JSON. */
const objectIn = (value: unknown): Fields | undefined => {
  const object = isString(value) && value.trimStart().startsWith('{') ? parseJson(value) : value;
  return isObject(object) ? object : undefined;
};

const WRAPPERS = ['data', 'result', 'body', 'response'];
const MAX_WRAPPERS = 3;

/** What a gateway has put an answer into is taken off: an object that has none of the fields of a reply, while one in it has. */
export function unwrapped(body: unknown, replyFields: readonly string[], event = '', levels = MAX_WRAPPERS): unknown {
  const own = replyFields.filter((name) => name !== 'response' && name !== 'usage');
  if (!isObject(body) || levels === 0 || isString(body.type) || own.some((name) => name in body)) return body;
  const known = ['type', 'error', ...own];
  for (const name of WRAPPERS) {
    // An event that is named has its response there.
    if (name === 'response' && event.startsWith('response.')) continue;
    const inner = unwrapped(objectIn(body[name]), replyFields, event, levels - 1);
    if (isObject(inner) && known.some((field) => field in inner)) return { ...('usage' in body && { usage: body.usage }), ...inner };
  }
  return body;
}

const CALL = /^(?:custom_?)?(?:tool|function)[_-]?(?:use|call)$|^(?:function|custom)$/i;

/** Whether something of this type is a call that the agent is to run; what a server runs itself has other names. */
export const isCallType = (type: unknown): boolean => isString(type) && CALL.test(type);

const DRESSES = ['function', 'custom', 'function_call', 'tool_call', 'tool_use'];
const INPUTS = ['arguments', 'input', 'parameters', 'args'];

/** The fields that say what is called; all others are a server's own. */
export const callFields: ReadonlySet<string> = new Set(['index', 'id', 'call_id', 'type', 'name', ...DRESSES, ...INPUTS]);

/**
 * What a call says: flat, or in an object of its own that may be a text of JSON. `dress` is that object. What it takes has one of four names;
 * where two are there, the one that says something counts.
 */
export function callIn(raw: Fields): { readonly id: unknown; readonly name: unknown; readonly input: unknown; readonly dress?: Fields } {
  const dress = DRESSES.map((name) => objectIn(raw[name])).find((one) => one !== undefined);
  const said = dress === undefined ? raw : { ...raw, ...dress };
  const inputs = INPUTS.map((name) => said[name]).filter((value) => value !== undefined && value !== null);
  const name = said.name ?? (isString(raw.function) && dress === undefined ? raw.function : undefined);
  return { id: [raw.id, raw.call_id, dress?.id].find(isFilled), name, input: inputs.find(isFilled) ?? inputs[0], ...(dress && { dress }) };
}

const isFilled = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(isObject(value) && Object.keys(value).length === 0);

/** A call in the words of a wire, where a server uses others; what is said in those of the wire stays as it came. */
export function plainCall(raw: Fields, wire: { readonly type: string; readonly id: string; readonly input: string }): Fields {
  const { id, name, input, dress } = callIn(raw);
  const isPlain = raw.type === wire.type && dress === undefined && raw.name === name && (input === undefined || raw[wire.input] === input);
  if (!isCallType(raw.type) || isPlain) return raw;
  const rest = Object.fromEntries(Object.entries(raw).filter(([field]) => field === 'id' || field === 'index' || !callFields.has(field)));
  return { ...rest, type: wire.type, [wire.id]: raw[wire.id] ?? id, name, [wire.input]: input };
}
