/** What every helper has, as far as the session has it. */
export const READING_TOOLS: ReadonlySet<string> = new Set([
  ...['read_file', 'list_files', 'search', 'recall', 'fetch_url', 'skill', 'read_output', 'tool_search'],
]);
/** What belongs to the conversation with the person, and what would make helpers of helpers. */
const OWN_TOOLS: ReadonlySet<string> = new Set(['task', 'ask_user', 'todo', 'remember']);
/** What is of no use without another. */
const COMPANIONS: Readonly<Record<string, readonly string[]>> = { run_command: ['stop_command'] };

/** What a helper can be given beyond reading, of the tools that a session has. */
export const grantableTools = (names: readonly string[]): readonly string[] =>
  names.filter((name) => !OWN_TOOLS.has(name) && !READING_TOOLS.has(name));

/** The tools of a helper that is given these beyond reading, in the order of the session's. */
export function helperTools<Named extends { readonly name: string }>(all: readonly Named[], given: readonly string[]): readonly Named[] {
  const wanted = new Set([...READING_TOOLS, ...given, ...given.flatMap((name) => COMPANIONS[name] ?? [])]);
  return all.filter(({ name }) => wanted.has(name) && !OWN_TOOLS.has(name));
}
