import { unlinkSync } from 'node:fs';
import { z } from 'zod';
import { parseJson } from '../../domain/value/json.ts';
import { writeFileAtomic } from '../files/atomic-write.ts';
import { type Disk, ensureFolder } from '../files/disk.ts';
import { ifExists, orStoreFailure } from '../files/failure.ts';
import { folderOf, type StorePaths } from '../files/paths.ts';
import { readText } from '../files/read-text.ts';
import { type ServerIdentity, serverFile } from './server-identity.ts';

const signInSchema = z.object({
  url: z.string(),
  issuer: z.string(),
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

/** What signing in to an MCP server gave. */
export type SignIn = Readonly<z.infer<typeof signInSchema>>;

const MAX_BYTES = 1024 * 1024;

/** `~/.sanbot/mcp/NAME-HASH.token.json`, readable by its owner alone. A file that cannot be read as one counts as none. */
export function createSignInFile(disk: Disk, paths: StorePaths, server: ServerIdentity) {
  const path = serverFile(paths, server, '.token.json');
  return {
    read: (): SignIn | undefined => {
      const text = readText(path, MAX_BYTES);
      const parsed = text === undefined ? undefined : signInSchema.safeParse(parseJson(text));
      return parsed?.success === true ? parsed.data : undefined;
    },
    write: (signIn: SignIn): void => {
      ensureFolder(disk, folderOf(path));
      writeFileAtomic(disk, path, Buffer.from(`${JSON.stringify(signIn)}\n`), { point: 'mcp' });
    },
    remove: (): boolean =>
      orStoreFailure('delete', path, () =>
        ifExists(() => {
          unlinkSync(path);
          return true;
        }),
      ) ?? false,
  };
}
