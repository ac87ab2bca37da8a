import { type ParsedCommand, programName, type SimpleCommand } from '../../domain/permission.ts';

type Manager = { readonly acts: ReadonlySet<string>; readonly files: readonly string[] };

const manager = (acts: string, files: string): Manager => ({ acts: new Set(acts.split(' ')), files: files.split(' ') });

/** What a package manager does to its list of packages, and the files that it writes then. */
const MANAGERS: ReadonlyMap<string, Manager> = new Map([
  [
    'npm',
    manager(
      'install i add uninstall un remove rm update up upgrade version dedupe prune ci',
      'package.json package-lock.json npm-shrinkwrap.json',
    ),
  ],
  ['pnpm', manager('install i add remove rm un update up upgrade dedupe', 'package.json pnpm-lock.yaml')],
  ['yarn', manager('install add remove up upgrade version dedupe', 'package.json yarn.lock')],
  ['bun', manager('install i add remove rm update', 'package.json bun.lock bun.lockb')],
  ['cargo', manager('add remove rm update', 'Cargo.toml Cargo.lock')],
  ['go', manager('get mod', 'go.mod go.sum')],
]);

/**
 * The names of the files that a command line writes as package managers are told to by it: whoever says yes to that says yes to these. None
 * where another program is in it.
 */
export function writtenManifests({ commands, hasUnknown }: ParsedCommand): readonly string[] {
  const files = commands.map(filesOf);
  return hasUnknown || files.includes(undefined) ? [] : [...new Set(files.flatMap((each = []) => each))];
}

function filesOf({ words: [program = '', ...args], isElsewhere }: SimpleCommand): readonly string[] | undefined {
  if (isElsewhere === true) return undefined;
  const known = MANAGERS.get(programName(program));
  const act = args.find((arg) => arg?.startsWith('-') !== true);
  return act !== undefined && known?.acts.has(act) === true ? known.files : undefined;
}
