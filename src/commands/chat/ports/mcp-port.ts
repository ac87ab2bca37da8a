import type { McpPort } from '../../../terminal/chat/mcp-port.ts';
import { changedRows, serverRows, viewOf } from '../../mcp/mcp-rows.ts';
import type { Current } from './current.ts';

export const createMcpPort = ({ runtime: { mcp } }: Current): McpPort => ({
  // Before the first message none has been asked for yet.
  servers: () => {
    mcp.start();
    return serverRows(mcp);
  },
  changed: (server) => changedRows(viewOf(mcp, server)),
  approve: (server) => mcp.server(viewOf(mcp, server).name)?.server.agree(),
});
