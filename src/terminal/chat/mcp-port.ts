import type { ChangedRow, ServerRow } from '../views/mcp-text.ts';

/** The MCP servers of this conversation. */
export type McpPort = {
  readonly servers: () => readonly ServerRow[];
  /** What a server says of its tools and the user has not agreed to. Throws not_found when there is no such server. */
  readonly changed: (server: string) => readonly ChangedRow[];
  /** Throws store_failed when it cannot be kept. */
  readonly approve: (server: string) => void;
};
