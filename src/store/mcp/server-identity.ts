import { createHash } from 'node:crypto';

/** `identity` is all that makes the server this one: another program under the same name has files of its own. */
export type ServerIdentity = { readonly name: string; readonly identity: string };

export const hashOfIdentity = ({ identity }: ServerIdentity): string => createHash('sha256').update(identity).digest('hex').slice(0, 16);
