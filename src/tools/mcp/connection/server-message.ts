import { type Fields, isObject, isString } from '../../../domain/value/json.ts';

/**
 * What a server sent, as messages in the form of the specification; none where it is no message. What servers do beyond that form is
 * mended where it says what is meant: several messages in a list, an `error` of null beside a result, fields that nobody knows, an error
 * that is a text or has no code, a response without `jsonrpc`, and in the greeting a capability that is no object or a name that is none.
 * A response whose result says nothing is an error, so that the request ends.
 */
export function serverMessages(value: unknown): readonly Fields[] {
  const messages: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_BATCH) : [value];
  return messages.flatMap((message) => {
    const mended = isObject(message) ? messageOf(message) : undefined;
    return mended === undefined ? [] : [mended];
  });
}

const MAX_BATCH = 1_000;
const INTERNAL_ERROR = -32_603;

function messageOf(message: Fields): Fields | undefined {
  const { id, method, params, result, error } = message;
  const isNumbered = isString(id) || Number.isSafeInteger(id);
  if (isString(method)) {
    const isRequest = isNumbered && result === undefined && error === undefined;
    return message.jsonrpc === '2.0'
      ? { jsonrpc: '2.0', ...(isRequest && { id }), method, ...(isObject(params) && { params }) }
      : undefined;
  }
  if (!isNumbered || !('result' in message || 'error' in message)) return undefined;
  if (error !== undefined && error !== null) return { jsonrpc: '2.0', id, error: errorOf(error) };
  if (isObject(result)) return { jsonrpc: '2.0', id, result: resultOf(result) };
  return { jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message: 'it answered without a result' } };
}

function errorOf(error: unknown): Fields {
  const fields = isObject(error) ? error : { message: error };
  const { code, message, data } = fields;
  const text = [message, fields.error, fields.detail].find((each) => isString(each) && each !== '') ?? JSON.stringify(error);
  return { code: Number.isSafeInteger(code) ? code : INTERNAL_ERROR, message: text, ...(data !== undefined && { data }) };
}

/** Nothing here reads `_meta`. What a result is that is no result yet is told in a field of its own: the library takes `resultType` away. */
function resultOf({ _meta, ...result }: Fields): Fields {
  const { resultType } = result;
  if (isString(resultType) && resultType !== 'complete') return { ...result, unfinished: resultType };
  if (!isString(result.protocolVersion)) return result;
  const { capabilities, serverInfo: info, instructions, protocolVersion } = result;
  const { name, version } = isObject(info) ? info : {};
  return {
    protocolVersion,
    capabilities: { tools: capabilitiesIn(capabilities) },
    serverInfo: { name: isString(name) ? name : '', version: isString(version) ? version : '' },
    ...(isString(instructions) && { instructions }),
  };
}

/** Of its capabilities only that of tools is used; one that is said in another way than by an object is there all the same. */
function capabilitiesIn(capabilities: unknown): Fields | undefined {
  const tools = isObject(capabilities) ? capabilities.tools : undefined;
  if (tools === undefined || tools === null || tools === false) return undefined;
  return isObject(tools) && tools.listChanged === true ? { listChanged: true } : {};
}
