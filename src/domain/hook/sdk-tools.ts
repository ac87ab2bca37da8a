import { type PermissionMode, permissionModes } from '../permission.ts';

/** A tool as the Claude Agent SDK knows it, and the fields of its input that have other names there. */
type SdkTool = {
  readonly name: string;
  /** Our field, the SDK's, and whether it is a path, which is absolute there. */
  readonly fields: readonly (readonly [own: string, sdk: string, kind?: 'path'])[];
};

const PATH = ['path', 'file_path', 'path'] as const;

/** Tools without a row have the same name and input for hooks as for the model. */
const sdkTools: Readonly<Record<string, SdkTool>> = {
  run_command: {
    name: 'Bash',
    fields: [
      ['timeout_ms', 'timeout'],
      ['background', 'run_in_background'],
    ],
  },
  read_output: { name: 'BashOutput', fields: [['job', 'bash_id']] },
  stop_command: { name: 'KillShell', fields: [['job', 'shell_id']] },
  fetch_url: { name: 'WebFetch', fields: [] },
  read_file: { name: 'Read', fields: [PATH] },
  write_file: { name: 'Write', fields: [PATH] },
  edit_file: { name: 'Edit', fields: [PATH] },
  search: { name: 'Grep', fields: [] },
  list_files: { name: 'Glob', fields: [] },
  todo: { name: 'TodoWrite', fields: [] },
  ask_user: { name: 'AskUserQuestion', fields: [] },
  task: { name: 'Task', fields: [['task', 'prompt']] },
  present_plan: { name: 'ExitPlanMode', fields: [] },
};

const otherNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(sdkTools).map(([own, { name }]) => [name, own])),
  ...{ MultiEdit: 'edit_file', LS: 'list_files', Agent: 'task', Skill: 'skill' },
};

/** Tools of Claude Code's for whose work there is none here. */
export const isForeignTool = (name: string): boolean =>
  /^(?:WebSearch|Notebook(?:Edit|Read)|EnterPlanMode|EnterWorktree|ToolSearch|LSP)$/.test(name);

/** The names that scripts and files for Claude Code use. */
export const otherToolNames: readonly string[] = Object.keys(otherNames);

/** A tool by our name, whichever it is given; what is no name of a tool stays as it is. */
export const ownToolName = (name: string): string => (Object.hasOwn(otherNames, name) ? (otherNames[name] ?? name) : name);

export type HookCall = { readonly tool: string; readonly input: Readonly<Record<string, unknown>> };

export const namesOfTool = (tool: string): readonly string[] => [sdkNameOf(tool), tool];

export const sdkNameOf = (tool: string): string => rowOf(tool)?.name ?? tool;

const rowOf = (tool: string): SdkTool | undefined => (Object.hasOwn(sdkTools, tool) ? sdkTools[tool] : undefined);

/** The input of a call as a hook is told of it: our own fields, and beside them those of the SDK. */
export function sdkInput({ tool, input }: HookCall, cwd: string): Readonly<Record<string, unknown>> {
  const fields = (rowOf(tool)?.fields ?? []).flatMap(([own, sdk, kind]) => {
    const value = input[own];
    if (value === undefined) return [];
    return [[sdk, kind === 'path' && typeof value === 'string' ? absolutePath(value, cwd) : value]];
  });
  return { ...input, ...Object.fromEntries(fields) };
}

/** What a hook answered, in our own fields: of two names of a field the one that it changed; a field that it left out stays out. */
export function ownInput(answered: Readonly<Record<string, unknown>>, call: HookCall, cwd: string): Readonly<Record<string, unknown>> {
  const sentInput = sdkInput(call, cwd);
  const result = { ...answered };
  for (const [own, sdk] of rowOf(call.tool)?.fields ?? []) {
    const isChanged = Object.hasOwn(answered, sdk) && answered[sdk] !== sentInput[sdk];
    if (isChanged) result[own] = answered[sdk];
    else if (!Object.hasOwn(answered, own) && Object.hasOwn(answered, sdk) && call.input[own] !== undefined) result[own] = call.input[own];
    if (own !== sdk) delete result[sdk];
  }
  return result;
}

const absolutePath = (path: string, cwd: string): string =>
  path.startsWith('/') ? path : `${cwd.replace(/\/$/, '')}/${path.replace(/^(?:\.\/)+/, '')}`;

export const sdkModes: Readonly<Record<PermissionMode, string>> = {
  ask: 'default',
  'accept-edits': 'acceptEdits',
  plan: 'plan',
  'read-only': 'plan',
  bypass: 'bypassPermissions',
};

/** A mode by its own name or the SDK's. */
export const modeNamed = (word: string): PermissionMode | undefined =>
  permissionModes.find((mode) => mode === word) ?? permissionModes.find((mode) => sdkModes[mode] === word);
