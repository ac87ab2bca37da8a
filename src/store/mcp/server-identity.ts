import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { StorePaths } from '../files/paths.ts';

/** `identity` is all that makes the server this one: another program under the same name has files of its own. */
export type ServerIdentity = { readonly name: string; readonly identity: string };

/** `~/.sanbot/mcp/NAME-HASH` with this ending. */
export function serverFile({ mcp }: StorePaths, { name, identity }: ServerIdentity, ending: string): string {
  return join(mcp, `${name}-${createHash('sha256').update(identity).digest('hex').slice(0, 16)}${ending}`);
}
