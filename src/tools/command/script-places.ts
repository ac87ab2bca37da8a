import type { ParsedCommand } from '../../domain/permission.ts';

/** Programs that run what a file of the project defines, and the names that file may have; also of those that say with what it is run. */
const runners: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...['npm', 'npx'].map((name): [string, readonly string[]] => [name, ['package.json', '.npmrc']]),
  ['pnpm', ['package.json', '.npmrc', 'pnpm-workspace.yaml', '.pnpmfile.cjs', '.pnpmfile.mjs']],
  ['yarn', ['package.json', '.npmrc', '.yarnrc', '.yarnrc.yml']],
  ...['bun', 'bunx'].map((name): [string, readonly string[]] => [name, ['package.json', 'bunfig.toml', '.npmrc']]),
  ['git', ['.git/config', '.git/config.worktree', '.git/commondir', '.gitattributes']],
  ['cargo', ['.cargo/config.toml', '.cargo/config', 'build.rs', 'rust-toolchain.toml', 'rust-toolchain']],
  ['go', ['go.work', 'go.env']],
  ...['pytest', 'py.test'].map((name): [string, readonly string[]] => [
    name,
    ['pytest.ini', '.pytest.ini', 'pyproject.toml', 'tox.ini', 'setup.cfg', 'conftest.py'],
  ]),
  ['tox', ['tox.ini', 'tox.toml', 'pyproject.toml', 'setup.cfg']],
  ['nox', ['noxfile.py']],
  ...['pip', 'pip3', 'pipx', 'black', 'ruff', 'mypy', 'pylint', 'flake8', 'coverage', 'pre-commit'].map(
    (name): [string, readonly string[]] => [
      name,
      [
        'pyproject.toml',
        'setup.py',
        'setup.cfg',
        'tox.ini',
        'mypy.ini',
        '.mypy.ini',
        '.pylintrc',
        'pylintrc',
        '.flake8',
        '.coveragerc',
        '.pre-commit-config.yaml',
      ],
    ],
  ),
  ['direnv', ['.envrc', '.env']],
  ['mise', ['mise.toml', '.mise.toml', 'mise.local.toml', '.tool-versions']],
  ...['uv', 'poetry', 'pdm', 'hatch', 'pixi'].map((name): [string, readonly string[]] => [
    name,
    ['pyproject.toml', 'uv.toml', 'poetry.toml', 'pdm.toml', 'hatch.toml', 'pixi.toml'],
  ]),
  ...['gradle', 'gradlew'].map((name): [string, readonly string[]] => [
    name,
    ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts', 'gradle.properties', 'gradlew'],
  ]),
  ...['mvn', 'mvnw'].map((name): [string, readonly string[]] => [
    name,
    ['pom.xml', '.mvn/jvm.config', '.mvn/maven.config', '.mvn/extensions.xml', 'mvnw'],
  ]),
  ['mix', ['mix.exs']],
  ['docker', ['compose.yaml', 'compose.yml', 'docker-compose.yml', 'docker-compose.yaml']],
  ...['make', 'gmake'].map((name): [string, readonly string[]] => [name, ['GNUmakefile', 'makefile', 'Makefile']]),
  ['just', ['justfile', 'Justfile', '.justfile']],
  ['task', ['Taskfile.yml', 'Taskfile.yaml']],
  ['deno', ['deno.json', 'deno.jsonc', 'package.json', '.npmrc']],
  ['composer', ['composer.json']],
  ['rake', ['Rakefile', 'rakefile']],
]);

const FOLDER_OPTION = /^(?:cd|pushd|-C|--prefix|--cwd|--dir|--directory|-w|--workspace)$/;
const FILE_OPTION = /^(?:-f|--file|--makefile|--justfile|-t|--taskfile)$/;

/** Where what a command runs may be defined: names of files, and the folders and files that the command itself names. */
export type ScriptPlaces = { readonly names: readonly string[]; readonly folders: readonly string[]; readonly files: readonly string[] };

/**
 * Undefined for a command that starts no such program. Read widely: a word that only looks like a program or a folder makes a rule ask once
 * more, no less.
 */
export function scriptPlaces({ commands }: ParsedCommand): ScriptPlaces | undefined {
  const words = commands.flatMap((command) => command.words);
  const runsScript = words.some((word) => word !== undefined && /^--run(?:=|$)/.test(word));
  const names = words.flatMap(
    (word) =>
      (runsScript && word === 'node' ? ['package.json'] : undefined) ?? runners.get(word?.slice(word.lastIndexOf('/') + 1) ?? '') ?? [],
  );
  if (names.length === 0) return undefined;
  const folders = words.flatMap((word, i) => {
    const next = words[i + 1];
    const joined = /^(?:--prefix|--cwd|--dir|--directory|--workspace)=(.+)$/.exec(word ?? '')?.[1];
    return joined ?? (word !== undefined && next !== undefined && FOLDER_OPTION.test(word) ? next : []);
  });
  const files = words.flatMap((word, i) => {
    const next = words[i + 1];
    const joined = /^(?:--file|--makefile|--justfile|--taskfile)=(.+)$/.exec(word ?? '')?.[1];
    return joined ?? (word !== undefined && next !== undefined && FILE_OPTION.test(word) ? next : []);
  });
  return { names: [...new Set(names)], folders: [...new Set(['.', ...folders])], files: [...new Set(files)] };
}
