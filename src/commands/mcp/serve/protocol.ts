// The one place that knows the library.
export {
  createMcpHandler,
  type JSONRPCMessage,
  McpServer,
  ProtocolError,
  parseJSONRPCMessage,
  ResourceNotFoundError,
  type Transport,
} from '@modelcontextprotocol/server';
export { serveStdio } from '@modelcontextprotocol/server/stdio';
