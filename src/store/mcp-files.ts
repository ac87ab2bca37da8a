import { createHash } from 'node:crypto';
import { unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { parseJson } from '../domain/value/json.ts';
import { writeFileAtomic } from './files/atomic-write.ts';
import { type Disk, ensureFolder, faultPoint, fsyncFolder } from './files/disk.ts';
import { ifExists, orStoreFailure } from './files/failure.ts';
import type { StorePaths } from './files/paths.ts';
import { readText } from './files/read-text.ts';

/** `identity` is all that makes the server this one: another program under the same name has files of its own. */
export type ServerIdentity = { readonly name: string; readonly identity: string };

const knownToolSchema = z.object({ name: z.string(), description: z.string(), inputSchema: z.record(z.string(), z.unknown()) });

/** A tool of an MCP server, as the user has agreed to it. */
type KnownTool = Readonly<z.infer<typeof knownToolSchema>>;

/** What a server said of its tools, as the user has agreed to it: `~/.sanbot/mcp/NAME-HASH.json`. */
export function createKnownTools(disk: Disk, paths: StorePaths, server: ServerIdentity) {
  const { read, write } = serverFile(disk, paths, server, {
    ending: '.json',
    maxBytes: 24 * 1024 * 1024,
    schema: z.looseObject({ tools: z.array(z.unknown()) }),
  });
  return {
    /** Undefined for a server that has never answered, and where the file cannot be read. An entry that is no tool was not agreed to. */
    read: (): readonly KnownTool[] | undefined => read()?.tools.flatMap((tool) => knownToolSchema.safeParse(tool).data ?? []),
    write: (tools: readonly KnownTool[]): void => write({ tools: [...tools] }),
  };
}

const signInSchema = z.object({
  url: z.string(),
  issuer: z.string(),
  endpoints: z
    .object({
      ...{ issuer: z.string(), authorization: z.string(), token: z.string(), registration: z.string().optional() },
      authMethods: z.array(z.string()).readonly().optional(),
    })
    .optional(),
  resource: z.string().optional(),
  client: z.object({
    client_id: z.string(),
    client_secret: z.string().optional(),
    token_endpoint_auth_method: z.string().optional(),
  }),
  tokens: z.object({
    access_token: z.string(),
    token_type: z.string(),
    refresh_token: z.string().optional(),
    scope: z.string().optional(),
  }),
});

/** What signing in to a server gave: `~/.sanbot/mcp/NAME-HASH.token.json`, readable by its owner alone. */
export function createSignInFile(disk: Disk, paths: StorePaths, server: ServerIdentity) {
  const { path, read, write } = serverFile(disk, paths, server, { ending: '.token.json', maxBytes: 1024 * 1024, schema: signInSchema });
  return {
    read,
    write,
    /** False when there was none. It does not come back after a power cut. */
    remove: (): boolean =>
      orStoreFailure('delete', path, () =>
        ifExists(() => {
          faultPoint(disk, 'mcp.delete');
          unlinkSync(path);
          fsyncFolder(disk, paths.mcp, 'mcp');
          return true;
        }),
      ) ?? false,
  };
}

type ServerFileKind<T> = { readonly ending: string; readonly maxBytes: number; readonly schema: z.ZodType<T> };

/** A file that cannot be read as one of its kind counts as none. */
function serverFile<T>(
  disk: Disk,
  { mcp }: StorePaths,
  { name, identity }: ServerIdentity,
  { ending, maxBytes, schema }: ServerFileKind<T>,
) {
  const path = join(mcp, `${name}-${createHash('sha256').update(identity).digest('hex').slice(0, 16)}${ending}`);
  return {
    path,
    read: (): Readonly<T> | undefined => schema.safeParse(parseJson(readText(path, maxBytes) ?? '')).data,
    write: (value: Readonly<T>): void => {
      ensureFolder(disk, mcp);
      writeFileAtomic(disk, path, Buffer.from(`${JSON.stringify(value)}\n`), { point: 'mcp' });
    },
  };
}
