/**
 * `sanbot acp`: an agent of the Agent Client Protocol over standard input and output, so that an editor is the front end of a conversation.
 *
 * Requests of the editor come in; answers and `session/update` go out, and nothing else is written to standard output. `agent.ts` answers
 * requests, `session.ts` is one session with its chat and its stored messages, `updates.ts` turns events into updates, `asking.ts` asks.
 *
 * It decides nothing: what may run, what is compacted and what a slash command does is said by the same code as at a terminal. Files and
 * commands are SanBot's own; of the editor's it only reads whether a buffer is saved.
 *
 * This file is the one place that knows the library.
 */

export type {
  AgentContext,
  AgentRequestHandlersByMethod,
  AvailableCommand,
  ClientCapabilities,
  ContentBlock as PromptBlock,
  CreateElicitationRequest,
  CreateElicitationResponse,
  McpServer,
  PermissionOption,
  PlanEntry,
  ReadTextFileRequest,
  ReadTextFileResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionConfigOption,
  SessionModeState,
  SessionUpdate,
  StopReason as PromptStopReason,
  Stream,
  ToolCall,
  ToolCallContent,
  ToolKind,
} from '@agentclientprotocol/sdk';
export { agent, methods, PROTOCOL_VERSION, RequestError } from '@agentclientprotocol/sdk';
