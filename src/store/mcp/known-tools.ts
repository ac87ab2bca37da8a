import { createHash } from 'node:crypto';
import { z } from 'zod';
import { parseJson } from '../../domain/value/json.ts';
import { writeFileAtomic } from '../files/atomic-write.ts';
import { type Disk, ensureFolder } from '../files/disk.ts';
import { folderOf, type StorePaths } from '../files/paths.ts';
import { readText } from '../files/read-text.ts';

const knownToolSchema = z.object({ name: z.string(), description: z.string(), inputSchema: z.record(z.string(), z.unknown()) });

const fileSchema = z.looseObject({ tools: z.array(knownToolSchema) });

/** A tool of an MCP server, as the user has agreed to it. */
export type KnownTool = Readonly<z.infer<typeof knownToolSchema>>;

export type KnownToolsFile = {
  /** Undefined for a server that has never answered, and where the file cannot be read. */
  readonly read: () => readonly KnownTool[] | undefined;
  readonly write: (tools: readonly KnownTool[]) => void;
};

const MAX_BYTES = 24 * 1024 * 1024;

/** `~/.sanbot/mcp/NAME-HASH.json`. `identity` is all that makes the server this one: another program under the same name has another file. */
export function createKnownTools(
  disk: Disk,
  paths: StorePaths,
  { name, identity }: { readonly name: string; readonly identity: string },
): KnownToolsFile {
  const path = paths.mcpTools(name, createHash('sha256').update(identity).digest('hex').slice(0, 16));
  return {
    read: () => {
      const text = readText(path, MAX_BYTES);
      const parsed = text === undefined ? undefined : fileSchema.safeParse(parseJson(text));
      return parsed?.success === true ? parsed.data.tools : undefined;
    },
    write: (tools) => {
      ensureFolder(disk, folderOf(path));
      writeFileAtomic(disk, path, Buffer.from(`${JSON.stringify({ tools })}\n`), { point: 'mcp' });
    },
  };
}
