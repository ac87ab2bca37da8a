import { z } from 'zod';
import { parseJson } from '../../domain/value/json.ts';
import { writeFileAtomic } from '../files/atomic-write.ts';
import { type Disk, ensureFolder } from '../files/disk.ts';
import { folderOf, type StorePaths } from '../files/paths.ts';
import { readText } from '../files/read-text.ts';
import { type ServerIdentity, serverFile } from './server-identity.ts';

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

/** What a server said of its tools, as the user has agreed to it: `~/.sanbot/mcp/NAME-HASH.json`. */
export function createKnownTools(disk: Disk, paths: StorePaths, server: ServerIdentity): KnownToolsFile {
  const path = serverFile(paths, server, '.json');
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
