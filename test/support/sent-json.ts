/** JSON of what is sent, in the forms in which requests are compared. What a form leaves out is rare: where it is not there, the engine's own writer does. */

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Images and documents are priced apart from text, and their base64 is no measure of it. */
const withoutMedia = (_: string, value: unknown): unknown => (isObject(value) && value.type === 'base64' ? undefined : value);

export const jsonWithoutMedia = (value: unknown): string => {
  const json = JSON.stringify(value);
  return json.includes('"base64"') ? JSON.stringify(value, withoutMedia) : json;
};

/** The bytes as they are sent, without the breakpoints. */
export const jsonWithoutMarks = (value: unknown): string => {
  const json = JSON.stringify(value ?? null);
  return json.includes('"cache_control"') ? JSON.stringify(value, withoutMarks) : json;
};

const withoutMarks = (key: string, value: unknown): unknown => (key === 'cache_control' ? undefined : value);

export const jsonWithoutMarksAndMedia = (value: unknown): string => {
  const json = JSON.stringify(value);
  if (!json.includes('"cache_control"') && !json.includes('"base64"')) return json;
  return JSON.stringify(value, (key, inner: unknown) => withoutMedia(key, withoutMarks(key, inner)));
};

/** Key order and cache breakpoints do not count, values do. */
export const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? 'null';
  const names = Object.keys(value).filter((name) => name !== 'cache_control' && value[name] !== undefined);
  return `{${names
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)
    .join(',')}}`;
};
