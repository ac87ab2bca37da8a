import { safeLine, safeText } from '../text/safe-text.ts';
import { table } from '../text/table.ts';

export type ServerRow = {
  readonly name: string;
  /** What it runs, or where it is: as its setting has it. */
  readonly target: string;
  readonly source: 'user' | 'project';
  /** Nothing is known of a server before it has answered once. */
  readonly tools: number | undefined;
  readonly changed: number;
  readonly status: string;
  /** What signing in gave is kept. */
  readonly signedIn: boolean;
  /** Why it does not answer. */
  readonly problem: string | undefined;
};

/** Texts are on one line, without anything that a terminal would obey. */
export type ToolRow = { readonly name: string; readonly description: string };

export type ChangedRow = ToolRow & {
  readonly before: string | undefined;
  readonly schema: string;
  readonly schemaBefore: string | undefined;
};

const NONE = 'There are no MCP servers. sanbot mcp add NAME -- COMMAND adds one; docs/mcp.md says more.\n';

export function serversText(rows: readonly ServerRow[], columns: number): string {
  if (rows.length === 0) return NONE;
  const shown = table(
    [{ title: 'server' }, { title: 'runs or calls', minWidth: 16 }, { title: 'from' }, { title: 'tools' }, { title: 'state' }],
    rows.map(({ name, target, source, tools, status, signedIn }) => [
      safeLine(name),
      safeLine(target),
      source === 'user' ? 'you' : 'this project',
      tools === undefined ? '–' : String(tools),
      signedIn ? `${status}, signed in` : status,
    ]),
    columns,
  );
  const notes = rows.flatMap(({ name, problem, changed }) => [
    ...(problem === undefined ? [] : [`${name} does not answer: ${safeLine(problem)}`]),
    ...(changed === 0 ? [] : [`${changed} of the tools of ${name} changed and are not used: sanbot mcp approve ${name}`]),
  ]);
  return `${shown}${notes.map((line) => `${line}\n`).join('')}`;
}

export const toolsText = (server: string, tools: readonly ToolRow[]): string =>
  [
    `${safeLine(server)} answers, and has ${toolCount(tools.length)}.`,
    ...tools.map(({ name, description }) => `  ${safeLine(name)}: ${safeLine(description)}`),
    '',
  ].join('\n');

const toolCount = (tools: number): string => (tools === 1 ? '1 tool' : `${tools} tools`);

export const signInText = {
  open: (address: string): string => `Sign in here with your browser; this waits for five minutes:\n${address}`,
  done: (server: string, tools: number): string => `You are signed in to ${server}. It answers, and has ${toolCount(tools)}.\n`,
  notNeeded: (server: string, tools: number): string => `${server} asks for no sign-in. It answers, and has ${toolCount(tools)}.\n`,
  signedOut: (server: string): string =>
    `You are signed out of ${server}: what signing in gave is deleted here. The server may have a page to end it there too.\n`,
  wasNotSignedIn: (server: string): string => `You were not signed in to ${server}.\n`,
};

/** What is to be agreed to, beside what was agreed to before. */
export function changedText(server: string, rows: readonly ChangedRow[]): string {
  const lines = rows.flatMap(({ name, description, before, schema, schemaBefore }) => [
    `  ${safeLine(name)}${before === undefined ? ' (new)' : ''}`,
    ...(before === undefined || before === description ? [] : [`    said: ${safeLine(before)}`]),
    `    says: ${safeLine(description)}`,
    ...(schemaBefore === undefined || schemaBefore === schema ? [] : [`    took: ${safeLine(schemaBefore)}`]),
    `    takes: ${safeLine(schema)}`,
  ]);
  return safeText(`${[`Of the MCP server ${server}, this is not what you agreed to:`, ...lines].join('\n')}\n`);
}
