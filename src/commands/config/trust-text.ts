import type { FolderTrust } from '../../runtime/trust/trust.ts';
import type { TrustedFolder } from '../../store/trusted-folders.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import { table } from '../../terminal/text/table.ts';

/** What a folder would make SanBot load or run, as a list to agree to. */
export function trustRequestText({ folder, state, changed, request }: FolderTrust): string {
  const { file, settings, refused, hooks, servers, instructions, skills, commands, problem } = request;
  const rows: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ['settings', settings],
    ['ignored settings', refused.map((key) => `${key} (yours alone to set)`)],
    ['hooks (commands that run by themselves)', hooks.map(({ event, command }) => `${event}: ${command}`)],
    ['MCP servers (programs that it starts, addresses that it calls)', servers.map(({ name, does }) => `${name}: ${does}`)],
    ['instruction files', instructions],
    ['skills', skills],
    ['commands of its own', commands],
  ];
  const lists = rows.flatMap(([title, lines]) =>
    lines.length === 0 ? [] : [`  ${title}:`, ...lines.map((line) => `    ${safeLine(line)}`)],
  );
  const broken = problem === undefined || file === undefined ? [] : [`  ${safeLine(file)} cannot be used: ${safeLine(problem)}`];
  const start =
    state === 'changed'
      ? `The ${changed.map((each) => CHANGED_NAMES[each]).join(' and the ')} of ${safeLine(folder)} have changed since you trusted it. They are not used until you agree to them.`
      : `You have not trusted ${safeLine(folder)}. Its files ask SanBot to use:`;
  return `${[start, ...lists, ...broken].join('\n')}\n`;
}

const CHANGED_NAMES = { hooks: 'hooks', mcpServers: 'MCP servers', commands: 'commands' } as const;

/** What is said of instruction files in a folder that is not trusted, where nobody is asked. */
export function instructionsNotice({ state, request }: FolderTrust, { areRead }: { readonly areRead: boolean }): readonly string[] {
  const { instructions } = request;
  if (state !== 'untrusted' || instructions.length === 0) return [];
  const names = `${instructions.slice(0, 5).map(safeLine).join(', ')}${instructions.length > 5 ? ` and ${instructions.length - 5} more` : ''}`;
  if (areRead) return [`Instructions are read from ${names}, though you have not trusted this folder.`];
  return [`Instructions in ${names} are not read: in bypass mode only those of a trusted folder are (sanbot trust add, or --trust).`];
}

export const trustedFoldersText = (folders: readonly TrustedFolder[], columns: number): string =>
  folders.length === 0
    ? 'No folder is trusted.\n'
    : table(
        [{ title: 'folder', minWidth: 20 }, { title: 'repository', minWidth: 12 }, { title: 'since' }],
        folders.map(({ folder, repository, at }) => [safeLine(folder), safeLine(repository ?? '–'), at.slice(0, 10)]),
        columns,
      );
