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

/**
 * From the manuals of pytest 8, unittest of Python 3.12, mypy 1, Ruff 0.6, Black 24, isort 5, Flake8 7, Pylint 3, coverage 7, pip 24, uv 0.5,
 * Poetry 1.8, tox 4, Django 5, RSpec 3, RuboCop 1, Rails 7, PHPUnit 11, PHPStan 1, Composer 2 and Mix 1.17. Left out is what loads a module, a
 * plugin or a configuration (`-p`, `-c`, `--rcfile`, `--settings`, `--require`), another index of packages (`-i`), and packages by name.
 */
export const LANGUAGES = `
pytest, py.test: -k=* -m=* -x -v -q -s -l -r=* -n= -p=no:cacheprovider|no:warnings|no:randomly|no:xdist|no:cov|no:logging --verbose --quiet
  --exitfirst --maxfail= --lf --last-failed --ff --failed-first --nf --sw --stepwise --tb=auto|long|short|line|native|no --capture=fd|sys|no
  --showlocals --durations= --durations-min= --collect-only --co --no-header --no-summary --disable-warnings --strict-markers --color=
  --cov[=] --no-cov --cov-branch --cov-report=term|term-missing|html|xml --cov-fail-under= --timeout= --reruns= --dist= --numprocesses=
  --deselect=ids --ignore= --ignore-glob= --cache-clear --cache-show[=] --setup-show --setup-only --fixtures --markers --version --runxfail ids
unittest: -v --verbose -q --quiet -f --failfast -c --catch -b --buffer -k=* --locals --durations= ids
unittest discover: -s= --start-directory= -p= --pattern= ids
doctest: -v files
mypy: --strict --ignore-missing-imports --pretty --show-error-codes --show-error-context --no-incremental --no-error-summary
  --check-untyped-defs --disallow-untyped-defs --warn-unused-ignores --warn-return-any --no-implicit-optional --follow-imports= -p=words -m=words
  --python-version= --platform= --exclude=* --namespace-packages --explicit-package-bases --no-color-output --install-types=false files
pyright: --stats --warnings --outputjson --level= --skipunannotated files
ruff check: --fix --unsafe-fixes --no-fix --show-fixes --diff --select=* --ignore=* --extend-select=* --extend-ignore=* --fixable=* --statistics --exit-zero
  --output-format=concise|full|json|grouped|github --preview --no-cache -n -q --quiet -v --verbose --exclude=* --target-version= --line-length= files
ruff format: --check --diff --preview -n --no-cache -q --quiet -v --exclude=* --line-length= --target-version= files
ruff rule, ruff version, ruff linter: names
black: --check --diff --color --no-color -q --quiet -v --verbose -l= --line-length= -S --skip-string-normalization -C -t= --target-version=
  --fast --safe --preview --exclude=* --extend-exclude=* --include=* --pyi --version files
isort: -c --check --check-only --diff --df -q --quiet -v --profile=black|django|pycharm|google -l= --line-length= --atomic --color --version files
flake8: --max-line-length= --max-complexity= --select=* --ignore=* --extend-ignore=* --extend-select=* --exclude=* --count --statistics --show-source -q -v
  --version files
pylint: -E --errors-only --disable=* --enable=* -d=* -e=* -j= --jobs= -f=text|json|colorized|parseable --output-format=text|json|colorized|parseable
  -r=y|n --reports=y|n -s=y|n --score=y|n --max-line-length= --recursive=y|n --fail-under= --ignore=* --version files
coverage report: -m --show-missing --skip-covered --skip-empty --include=* --omit=* --fail-under= --precision= --sort=* -i files
coverage html, coverage xml, coverage json, coverage combine, coverage erase: none
tox: -e=words -l -q -v -p[=] -r --recreate --skip-missing-interpreters none
tox --: files
pip list, pip3 list: -o --outdated --format=columns|freeze|json -l --local --user none
pip show, pip3 show: -f --files --verbose names
pip freeze, pip3 freeze, pip check, pip3 check: -l --local --user --all none
pip install, pip3 install: -q --quiet -v --upgrade -U --no-deps --no-cache-dir --dry-run --disable-pip-version-check none
pip uninstall, pip3 uninstall: -y --yes names
uv sync, uv lock: --frozen --locked --all-extras --no-dev --dev --all-groups --offline -q -v --check --dry-run --upgrade -U none
uv tree, poetry show: --depth= --outdated -t --tree -l --latest -o names
uv pip list, uv pip freeze, uv pip check, uv pip tree: none
poetry install: --no-root --no-dev --sync --all-extras --with=names --without=names --only=names --dry-run -q -v none
poetry check, poetry lock, poetry env info, poetry version: --lock --no-update --short -s none
manage.py test: -v= --verbosity= --keepdb --parallel[=] --failfast -k=* --noinput --no-input --reverse --shuffle[=] --tag=names
  --exclude-tag=names --timing --buffer -b --debug-mode --no-color ids
manage.py check, manage.py showmigrations: --deploy --list -l --plan -p --tag=names --fail-level= -v= --no-color names
manage.py makemigrations: --dry-run --check -n=words --name=words -v= --noinput --no-color names
manage.py runserver: --noreload none
rspec: -f=d|p|documentation|progress|json --format=d|p|documentation|progress|json -e=* --example=* -t=* --tag=* -P= --pattern= --fail-fast[=]
  --no-fail-fast --order= --seed= -b --backtrace --only-failures -n --next-failure --dry-run --color --no-color --force-color --profile[=] ids
rubocop: -a -A --autocorrect --autocorrect-all -l --lint -x -L -D -S -P --parallel --only=* --except=* --format=progress|simple|json|clang|offenses|emacs
  -f=progress|simple|json|clang|offenses|emacs|p|s|j|c|o --display-cop-names --fail-level= --no-color --force-exclusion files
rake: -T -n -s -q -v --tasks --dry-run --trace --silent --quiet -j= tasks none
bundle install, bundle check: --quiet --local --jobs= -j= --retry= --frozen --dry-run none
bundle list, bundle info, bundle outdated, bundle show: names
rails test, rails test:system, rails test:models: -v --verbose -n=* --name=* -b --backtrace -d --defer-output -f --fail-fast -s= --seed= -c --color ids
rails routes, rails stats, rails about, rails notes: -c=* --controller=* -g=* --grep=* --expanded none
phpunit: --filter=* --testsuite=* --group=* --exclude-group=* --testdox --stop-on-failure --stop-on-error --stop-on-defect --no-coverage --colors[=]
  --debug --list-tests --list-groups --list-suites --order-by= --random-order-seed= --display-warnings --display-deprecations --no-progress
  --no-output --version files
pest: --filter=* --group=* --parallel --bail --compact --ci --retry --dirty --colors[=] files
phpstan analyse, phpstan analyze: -l= --level= --no-progress --memory-limit= --error-format=table|raw|json|github|gitlab --debug -v --ansi --no-ansi files
artisan test: --filter=* --testsuite=* --group=* --parallel -p --stop-on-failure --compact --coverage files
artisan route:list, artisan migrate:status, artisan about, artisan list: --json --path= none
composer install, composer validate, composer check-platform-reqs: --no-dev --no-interaction -n --prefer-dist --no-scripts --no-progress --dry-run
  --strict --no-ansi -q -v none
composer show, composer outdated, composer why, composer depends: -t --tree -l --latest -D --direct -o --outdated --format=text|json names
mix test: --trace --failed --stale --seed= --max-failures= --only=* --include=* --exclude=* --cover --slowest= --color --no-color --no-start
  --warnings-as-errors --partitions= --raise ids
mix compile: --warnings-as-errors --force --all-warnings none
mix format: --check-formatted --dry-run --check-equivalent files
mix credo: --strict --all -a --format=flycheck|oneline|json|sarif files
mix deps: --all none
mix deps.get, mix deps.compile: none`;
