import { quantity } from '../tool.ts';

/** What a person reads of servers, and the model of their tools. */
export const mcpText = {
  missing: (names: readonly string[], isWithheld: boolean): string =>
    isWithheld
      ? `it asks for ${names.join(', ')} of your environment, which a project gets only after you have seen that it does: sanbot trust add`
      : `it needs ${names.join(', ')} from the environment, which is not set`,
  lost: (server: string, why: string): string =>
    `The MCP server ${server} does not answer: ${why}. It is tried again when one of its tools is called.`,
  throughProxy: (server: string): string =>
    `The MCP server ${server} of this project is reached through the proxy, which alone knows what address that is.`,
  changed: (server: string, count: number): string =>
    `The MCP server ${server} has changed what it says of ${quantity(count, 'tool')}, or has more. They are not used until you agree: /mcp approve ${server}, or sanbot mcp approve ${server}.`,
  notAgreed: 'the server has changed what it says of this tool, so it cannot be used until the user agrees (/mcp approve). Tell the user.',
  noSuchTool: 'the server has no such tool. tool_search finds tools.',
  notKnown: (server: string): string =>
    `The tools of the MCP server ${server} are not known yet, so alwaysLoad takes effect in the next session; until then tool_search finds them.`,
  tooMany: (server: string, count: number): string =>
    `Of the MCP server ${server}, ${quantity(count, 'tool')} of alwaysLoad would take too much of the context; tool_search finds them.`,
};
