import { type Fields, isCount, isObject, isString } from '../../domain/value/json.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { fieldsOf } from './answer-fields.ts';
import { ApiRefusal, reportedFailure } from './describe-error.ts';

/**
 * The places where servers put what went wrong: `{error: {…}}`, `{error: "…"}`, `{errors: […]}`, `{message}`, `{msg}`, `{detail}`,
 * `{base_resp: {…}}`, `{x_groq: {error}}`, `{fault: {…}}`, `{…Exception: {…}}`, or a list of one of them.
 */
export function errorFields(body: unknown) {
  const outer = fieldsOf(Array.isArray(body) ? body[0] : body);
  const choice = fieldsOf(Array.isArray(outer.choices) ? outer.choices[0] : undefined);
  const listed = Array.isArray(outer.errors) ? outer.errors[0] : outer;
  const error = outer.error ?? choice.error ?? fieldsOf(outer.x_groq).error ?? exceptionIn(outer) ?? listed;
  if (!isObject(error)) return { type: outer.type, code: outer.code, message: error };
  return { type: error.type ?? error.error_type, code: error.code ?? outer.code, message: messageIn(error) };
}

/** AWS names it by its kind, Apigee `fault`. */
function exceptionIn(body: Fields): Fields | undefined {
  const [[name = '', value] = []] = Object.entries(body);
  return isObject(value) && /(?:exception|^fault)$/i.test(name) ? value : undefined;
}

function messageIn(error: Fields): unknown {
  const { detail, base_resp: base } = error;
  const [inner] = Array.isArray(detail) ? detail : [detail];
  const within = [fieldsOf(inner).msg, fieldsOf(inner).message, fieldsOf(inner).error, fieldsOf(base).status_msg];
  const own = ['message', 'msg', 'error_msg', 'errorMessage', 'error_message', 'Message', 'faultstring'].map((name) => error[name]);
  return [...own, detail, ...within].find((one) => isString(one) && one !== '');
}

/** Describes an error that stands inside a stream, or in an answer with a good status. One that has a status of its own is as if it came with it. */
export function streamedRefusal(body: unknown, typeOf = ({ type }: ReturnType<typeof errorFields>): unknown => type): ApiRefusal {
  const fields = errorFields(body);
  const text = orUndefined(() => JSON.stringify(body)) ?? '';
  return new ApiRefusal(reportedFailure({ ...fields, type: typeOf(fields), status: statusIn(fields.code), text, fallback: '' }));
}

function statusIn(code: unknown): number | undefined {
  const status = typeof code === 'string' && /^\d{3}$/.test(code) ? Number(code) : code;
  return isCount(status) && status >= 400 && status < 600 ? status : undefined;
}

const isFilled = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

/** The error that an event or a body with a good status reports; undefined for what has one of these fields of a reply, or says nothing. */
export function reportedIn(
  body: unknown,
  replyFields: readonly string[],
  describe: (body: unknown) => ApiRefusal = (one) => streamedRefusal(one),
): ApiRefusal | undefined {
  const item: unknown = Array.isArray(body) ? body[0] : body;
  if (!isObject(item)) return undefined;
  const { error, errors, object, type, base_resp: base, success } = item;
  const isNamed = (isFilled(error) && error !== false) || object === 'error' || type === 'error';
  const code = fieldsOf(base).status_code;
  if (isNamed || (isCount(code) && code > 0) || isFilled(fieldsOf(item.x_groq).error)) return describe(body);
  if (replyFields.some((name) => item[name] !== undefined && item[name] !== null)) return undefined;
  const says = (Array.isArray(errors) && errors.length > 0) || success === false || messageIn(exceptionIn(item) ?? item) !== undefined;
  return says ? describe(body) : undefined;
}
