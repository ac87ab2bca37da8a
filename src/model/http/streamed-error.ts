import { type Fields, isCount, isObject, isString } from '../../domain/value/json.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { fieldsOf } from './answer-fields.ts';
import { ApiRefusal, reportedFailure } from './describe-error.ts';

/**
 * The places where servers put what went wrong: `{error: {…}}`, `{error: "…"}`, `{errors: […]}`, `{message}`, `{msg}`, `{detail}`,
 * `{base_resp: {…}}`, or a list of one of them.
 */
export function errorFields(body: unknown) {
  const outer = fieldsOf(Array.isArray(body) ? body[0] : body);
  const choice = fieldsOf(Array.isArray(outer.choices) ? outer.choices[0] : undefined);
  const { error = choice.error ?? (Array.isArray(outer.errors) ? outer.errors[0] : outer) } = outer;
  if (!isObject(error)) return { type: outer.type, code: outer.code, message: error };
  return { type: error.type, code: error.code ?? outer.code, message: messageIn(error) };
}

function messageIn(error: Fields): unknown {
  const { detail, base_resp: base } = error;
  const [inner] = Array.isArray(detail) ? detail : [detail];
  const within = [fieldsOf(inner).msg, fieldsOf(inner).message, fieldsOf(inner).error, fieldsOf(base).status_msg];
  return [error.message, error.msg, error.error_msg, error.errorMessage, detail, ...within].find((one) => isString(one) && one !== '');
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

/** The error that an event or a body with a good status reports; undefined for what has one of these fields of a reply, or says nothing. */
export function reportedIn(
  body: unknown,
  replyFields: readonly string[],
  describe: (body: unknown) => ApiRefusal = (one) => streamedRefusal(one),
): ApiRefusal | undefined {
  const item: unknown = Array.isArray(body) ? body[0] : body;
  if (!isObject(item)) return undefined;
  const { error, errors, object, type, base_resp: base, success } = item;
  const isNamed = (error !== undefined && error !== null && error !== false && error !== '') || object === 'error' || type === 'error';
  if (isNamed) return describe(body);
  if (replyFields.some((name) => item[name] !== undefined && item[name] !== null)) return undefined;
  const code = fieldsOf(base).status_code;
  const says = (Array.isArray(errors) && errors.length > 0) || success === false || messageIn(item) !== undefined;
  return says || (isCount(code) && code > 0) ? describe(body) : undefined;
}
