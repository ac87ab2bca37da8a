/**
 * From the manuals of npm 10, pnpm 9, yarn 4, bun 1, Jest 29, Vitest 3, Mocha 11, Playwright 1.5x, TypeScript 5, ESLint 9, Prettier 3 and
 * Biome 2. Left out is what loads code or a configuration that may be code (`-r`, `--config`, `--plugin`, `--globalSetup`, other reporters),
 * another folder or registry (`--prefix`, `--registry`), and what installs packages by name. `@script` is what all runners of tests take
 * without harm: which of them stands behind a script of package.json is not known.
 */
export const JAVASCRIPT = `
@script: -t=phrase -g=phrase -u -i -v --run --bail[=] --verbose --silent --quiet --coverage --no-coverage --watch=false --watchAll=false --no-watch --ci
  --passWithNoTests --runInBand --maxWorkers= --testNamePattern=phrase --testPathPattern=phrase --testPathPatterns=phrase --updateSnapshot --forceExit
  --detectOpenHandles --onlyChanged --grep=phrase --timeout= --testTimeout= --retries= --workers= --shard= --fix --check --write --max-warnings=
  --reporter=default|verbose|basic|dot|tap|json|list|line|min|spec --noEmit --no-color --color --help --version --dry-run
npm test, npm t, npm tst: -s --silent -w=names --workspace=names --workspaces --if-present files
npm run, npm run-script: -s --silent -w=names --workspace=names --workspaces --if-present --include-workspace-root parts files
npm start, npm stop, npm restart: -s --silent none
npm test --, npm t --, npm run --, npm start --: @script files
npm install, npm i, npm ci: --no-audit --no-fund --ignore-scripts --prefer-offline --offline --omit=dev|optional|peer --legacy-peer-deps
  --no-save --silent -s --dry-run --package-lock-only none
npm ls, npm list, npm ll: -a --all --depth= --json --long --prod --dev -w=names --workspace=names names
npm outdated, npm explain, npm why, npm fund, npm root, npm prefix, npm bin, npm ping: --json --depth= --long -g --global names
npm view, npm info, npm show, npm v: --json names
npm audit: --json --omit=dev --audit-level= --production none
npm pack: --dry-run --json none
npm search: names
npm version: --json none
npm uninstall, npm rm, npm remove, npm prune, npm dedupe: --no-audit --no-fund --dry-run --no-save names
npm query: text
pnpm test, pnpm t, yarn test: @script targets files
pnpm run, yarn run, bun run: @script parts files
pnpm test --, pnpm run --, yarn run --, yarn test --: @script files
pnpm install, pnpm i: --frozen-lockfile --no-frozen-lockfile --prefer-offline --offline --ignore-scripts --prod -P --dev -D --silent none
yarn install: --frozen-lockfile --immutable --ignore-scripts --prefer-offline --offline --silent none
bun install: --frozen-lockfile --production --ignore-scripts --dry-run none
pnpm list, pnpm ls, pnpm why, pnpm outdated, yarn list, yarn why, yarn info, yarn outdated, bun outdated: --json --depth= -r --recursive names
deno test, deno check, deno lint, deno fmt: --no-run --quiet -q --check --fail-fast[=] --filter=* --coverage --parallel files
bun test: -t=* --test-name-pattern=* --timeout= --bail[=] --coverage -u --update-snapshots --todo --only --rerun-each= files
tsc: -p= --project= --noEmit --pretty --noErrorTruncation --skipLibCheck --strict --incremental --watch=false --listFiles --listFilesOnly
  --showConfig --diagnostics --extendedDiagnostics --explainFiles --traceResolution --target= --module= --moduleResolution= --jsx= --lib=
  --esModuleInterop --resolveJsonModule --allowJs --checkJs --noUnusedLocals --noUnusedParameters --noImplicitAny --declaration
  --emitDeclarationOnly --sourceMap -b --build --verbose --force --dry --clean -v --version -h --help --all files
tsgo, vue-tsc: -p= --project= --noEmit --pretty --skipLibCheck --strict -b --build --force --verbose --version files
jest: -t=* --testNamePattern=* --testPathPattern=* --testPathPatterns=* -u --updateSnapshot -b --bail[=] -i --runInBand -w= --maxWorkers= --ci
  --silent --verbose --coverage --no-coverage --passWithNoTests --onlyChanged -o --onlyFailures -f --changedSince= --lastCommit --listTests
  --detectOpenHandles --forceExit --no-cache --clearCache --findRelatedTests --runTestsByPath --testTimeout= --selectProjects= --shard=
  --randomize --seed= --color --no-color --colors --expand --json --logHeapUsage --noStackTrace --showConfig --watchAll=false --watch=false
  --version files
@vitest: -t=* --testNamePattern=* -u --update --run --watch=false --no-watch --bail= --coverage --coverage.enabled[=true|false] --silent[=true|false]
  --reporter=default|verbose|basic|dot|tap|tap-flat|json|tree --passWithNoTests --changed[=] --shard= --project= --maxWorkers= --minWorkers=
  --testTimeout= --hookTimeout= --retry= --sequence.shuffle --no-file-parallelism --pool=threads|forks|vmThreads|vmForks --isolate
  --no-isolate --logHeapUsage --allowOnly --hideSkippedTests --expandSnapshotDiff --no-color --color -v --version
vitest: @vitest !init files
vitest run, vitest related, vitest list, vitest bench: @vitest files
mocha: -g=* --grep=* -f=* --fgrep=* -i --invert -b --bail -t= --timeout= -s= --slow= --forbid-only --forbid-pending --check-leaks --dry-run
  -R=spec|dot|min|list|tap|json|progress --reporter=spec|dot|min|list|tap|json|progress --exit --recursive --retries= -C --no-color -c --color
  --diff --no-diff --full-trace --sort -p --parallel -j= --jobs= files
playwright test: -g=* --grep=* --grep-invert=* -x --headed -j= --workers= --project= --retries= --repeat-each= --shard= --timeout= --max-failures=
  --reporter=list|line|dot|json|null --list -u --update-snapshots --last-failed --only-changed[=] --pass-with-no-tests --fully-parallel --quiet
  --forbid-only ids
eslint: --fix --fix-dry-run --fix-type= --ext= --quiet --max-warnings= --cache --no-cache --color --no-color --no-error-on-unmatched-pattern
  --report-unused-disable-directives --no-inline-config -f=stylish|json|html|json-with-metadata --format=stylish|json|html|json-with-metadata
  --debug --exit-on-fatal-error --stats --pass-on-no-patterns --no-warn-ignored -v --version files
prettier: -c --check -w --write -l --list-different --ignore-unknown -u --log-level= --no-color --cache --no-error-on-unmatched-pattern
  --print-width= --tab-width= --use-tabs --no-semi --single-quote --trailing-comma= --parser=typescript|babel|babel-ts|json|json5|css|scss|less|html|vue|markdown|mdx|yaml|graphql --version files
@biome: --write --fix --unsafe --staged --changed --since= --max-diagnostics= --diagnostic-level= --error-on-warnings --no-errors-on-unmatched
  --files-ignore-unknown=true|false --colors=off|force --verbose --skip-parse-errors --reporter=summary|json|github|gitlab|json-pretty files
biome check, biome lint, biome format, biome ci: @biome
stylelint: --fix --quiet -q --allow-empty-input --max-warnings= --color --no-color --cache --formatter=compact|json|string|tap|unix|verbose -f=compact|json|string|tap|unix|verbose files`;
