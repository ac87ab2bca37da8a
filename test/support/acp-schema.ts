import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { isObject, isString } from '../../src/domain/value/json.ts';
import { root } from './source.ts';

type Definition = Readonly<Record<string, unknown>> & { readonly 'x-side'?: string; readonly 'x-method'?: string };

const file = join(root, 'node_modules/@agentclientprotocol/sdk/schema/v1/schema.json');
const { $schema, $defs }: { readonly $schema: string; readonly $defs: Readonly<Record<string, Definition>> } = JSON.parse(
  readFileSync(file, 'utf8'),
);
const parsers = new Map<string, z.ZodType>();

/** Variants that stand for those of a future version: nothing that is written now is one. */
const withoutOthers = (_: string, value: unknown): unknown =>
  Array.isArray(value) ? value.filter((each: unknown) => !isObject(each) || each.not === undefined) : value;

/** What of a value is no `name` of the protocol's own schema; empty for one that is. */
function problemsOf(name: string, value: unknown): readonly string[] {
  const parser =
    parsers.get(name) ?? z.fromJSONSchema(JSON.parse(JSON.stringify({ $schema, $defs, $ref: `#/$defs/${name}` }, withoutOthers)));
  parsers.set(name, parser);
  const parsed = parser.safeParse(value);
  return parsed.success ? [] : [`${name}: ${parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`];
}

const definitionOf = (method: string, side: string, kind: RegExp): string | undefined =>
  Object.entries($defs).find(([name, each]) => each['x-method'] === method && each['x-side'] === side && kind.test(name))?.[0];

/** Checks all that an agent writes, line by line, against the protocol's schema; `sent` is what its client wrote. */
export function createLineCheck() {
  const asked = new Map<unknown, string>();
  return {
    sent: (line: unknown): void => {
      if (isObject(line) && isString(line.method) && 'id' in line) asked.set(line.id, line.method);
    },
    problems: (line: unknown): readonly string[] => {
      if (!isObject(line) || line.jsonrpc !== '2.0') return ['no message of JSON-RPC'];
      const { method, id, result, error, params } = line;
      if (isString(method)) {
        if (method === '$/cancel_request') return problemsOf('CancelRequestNotification', params);
        const name = definitionOf(method, 'client', 'id' in line ? /Request$/ : /Notification$/);
        return name === undefined ? [`${method} is no method of a client`] : problemsOf(name, params);
      }
      if (error !== undefined) return problemsOf('Error', error);
      const name = definitionOf(asked.get(id) ?? '', 'agent', /Response$/);
      return name === undefined ? [`an answer to nothing: ${JSON.stringify(line).slice(0, 200)}`] : problemsOf(name, result);
    },
  };
}
