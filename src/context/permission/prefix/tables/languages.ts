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

/**
 * From the manuals of Docker 27, kubectl 1.31, Helm 3.16, Terraform 1.9, AWS CLI 2, gcloud 500, az 2.65, gh 2.62, glab 1.48, curl 8, wget 1.24, and of
 * clients of databases. Left out is what names another server, account or key (`-s`, `--context`, `--endpoint-url`, `-H`, `--profile`, `-h`), prints
 * or takes along secrets, mounts, runs something in a container, or changes what is there: such a subcommand has to stand in the beginning.
 */
export const REMOTE = `
docker ps, docker container ls, docker container list, podman ps: -a --all -q --quiet -n= --last= -l --latest --no-trunc -s --size --format=* -f=* --filter=* none
docker images, docker image ls, docker image list, podman images: -a --all -q --quiet --no-trunc --digests --format=* -f=* --filter=* names
docker logs, docker container logs, podman logs: -f --follow -n= --tail= --since=* --until=* -t --timestamps --details names
docker inspect, docker container inspect, docker image inspect, docker volume inspect, docker network inspect, podman inspect: -f=* --format=*
  -s --size --type= names
docker volume ls, docker network ls, docker context ls, docker system df, docker version, docker info, docker search: -q --quiet --format=* -f=*
  --filter=* --no-trunc -v --verbose none
docker top, docker port, docker diff, docker container top: names
docker history, docker image history, docker stats: --no-trunc -q --quiet -H --human --no-stream -a --all --format=* names
docker build, docker image build, docker buildx build, podman build: -t=* --tag=* -f= --file= --no-cache --pull -q --quiet --target=words --progress=plain|auto|tty
  --platform= --rm --force-rm --load --check files
docker pull, docker start, docker stop, docker restart, docker rm, docker rmi, docker kill, podman rm, podman stop, podman start: !-f !--force !-v
  !--volumes names
docker compose ps, docker-compose ps, podman compose ps: -a --all -q --quiet --services --status= --format=* --no-trunc names
docker compose logs, docker-compose logs: -f --follow -n= --tail= --since=* --until=* -t --timestamps --no-color --no-log-prefix names
docker compose config, docker-compose config: -q --quiet --services --volumes --images --profiles none
docker compose images, docker compose ls, docker compose top, docker compose version, docker-compose top: -a --all -q --quiet names
docker compose build, docker-compose build: --no-cache --pull -q --quiet --progress= names
docker compose up, docker-compose up: -d --detach --build --no-build --wait --wait-timeout= --no-deps --force-recreate --no-recreate --no-start
  --abort-on-container-exit --exit-code-from=names --no-color --no-log-prefix --pull=missing|never|always -t= --timeout= --quiet-pull names
docker compose down, docker-compose down: -t= --timeout= !-v !--volumes none
docker compose start, docker compose stop, docker compose restart, docker compose pull, docker-compose start, docker-compose stop,
  docker-compose restart, docker-compose pull: -t= --timeout= -q --quiet --no-deps names
@cluster: -n=words --namespace=words
kubectl get, oc get: @cluster -A --all-namespaces -o=json|yaml|wide|name --output=json|yaml|wide|name -w --watch -l=* --selector=* --show-labels
  --show-kind --sort-by=* --field-selector=* --no-headers --ignore-not-found -L= --chunk-size= !secret !secrets resources
kubectl describe, oc describe: @cluster -A --all-namespaces -l=* --selector=* --show-events[=true|false] !secret !secrets resources
kubectl logs, oc logs: @cluster -f --follow --tail= --since= --since-time= -c=words --container=words -p --previous --timestamps --all-containers[=true|false]
  --prefix -l=* --selector=* --max-log-requests= --limit-bytes= --ignore-errors resources
kubectl top pod, kubectl top pods, kubectl top node, kubectl top nodes: @cluster -A --all-namespaces --containers -l=* --sort-by=words --no-headers resources
kubectl rollout status, kubectl rollout history: @cluster -w --watch[=true|false] --timeout= --revision= -l=* resources
kubectl events: @cluster -A --all-namespaces -w --watch --for=* --types= --no-headers none
kubectl explain, kubectl api-resources, kubectl api-versions: --recursive --api-version= --namespaced[=true|false] -o=wide|name --verbs= --api-group= names
kubectl version, kubectl cluster-info: --client -o=json|yaml --output=json|yaml none
kubectl config current-context, kubectl config get-contexts: -o=name none
kubectl auth can-i: @cluster --list -q --quiet -A resources
kubectl wait: @cluster --for=* --timeout= -l=* --all resources
kubectl delete, kubectl drain, kubectl scale, kubectl cordon, kubectl uncordon: @cluster !--all !--force !--now resources
helm list, helm ls: @cluster -A --all-namespaces -a --all -o=table|json|yaml -q --short -f=* --filter=* -m= none
helm status, helm history: @cluster -o=table|json|yaml --revision= --max= --show-resources names
helm lint, helm dependency list: --strict --quiet --set=* -f= --values= files
helm version, helm repo list, helm env: --short -o=table|json|yaml none
helm search repo: -l --versions -o=table|json|yaml --devel names
@terraform: -no-color -json -compact-warnings
terraform plan, tofu plan: @terraform -input=false -refresh=true|false -detailed-exitcode -parallelism= -lock-timeout= -target=words none
terraform validate, tofu validate, terraform providers, tofu providers, terraform version, tofu version, terraform graph: @terraform none
terraform fmt, tofu fmt: @terraform -check[=true|false] -recursive -diff -list=true|false -write=true|false files
terraform init, tofu init: @terraform -input=false -backend=false -get=false -lockfile=readonly none
terraform state list, tofu state list, terraform workspace list, terraform workspace show, tofu workspace list: @terraform names
@aws: --region=words --output=json|text|table|yaml|yaml-stream --query=* --no-cli-pager --no-paginate --max-items= --page-size= --no-cli-auto-prompt
aws * describe-*, aws * list-*: @aws none
aws s3 ls: @aws --recursive --human-readable --summarize names
aws sts get-caller-identity, aws configure list, aws configure list-profiles: @aws none
@gcloud: --format=* --filter=* --limit= --page-size= --sort-by=* --region=words --zone=words --uri --quiet -q
gcloud * list, gcloud * * list, gcloud * * * list, gcloud * describe, gcloud * * describe: @gcloud names
gcloud info, gcloud version: none
gcloud secrets list, gcloud auth list, gcloud config list, gcloud config configurations list: @gcloud none
@az: -o=json|jsonc|table|tsv|yaml|none --output=json|jsonc|table|tsv|yaml|none --query=* -g=words --resource-group=words -n=words --name=words --only-show-errors
az * list, az * show: @az none
az keyvault list, az keyvault secret list, az keyvault key list, az account list, az account show, az version: @az none
az storage account list, az appconfig list, az cosmosdb list: @az none
gh pr view, gh pr diff, gh pr checks, gh pr list, gh pr status, gh issue view, gh issue list, gh issue status: --json= -q=filters --jq=filters --template=* -c --comments
  --name-only --patch --color= --watch --required --fail-fast -i= --interval= -s=open|closed|merged|all --state=open|closed|merged|all -L= --limit= -l= --label=*
  -A= --author= -a= --assignee= -S=* --search=* -B= --base= -d --draft -m=* --milestone=* names
gh run list, gh run view, gh run watch, gh workflow list, gh workflow view: --json= -q=filters --jq=filters -L= --limit= -b= --branch= -w= --workflow= -s= --status= -e= --event=
  -u= --user= -c= --commit= -j= --job= --log --log-failed -v --verbose --exit-status -a --all names
gh release list, gh release view, gh repo list, gh label list, gh cache list, gh gist list: --json= -q=filters --jq=filters -L= --limit= names
gh repo view: --json= -q=filters --jq=filters -b= --branch= none
gh search prs, gh search issues, gh search repos, gh search code, gh search commits: --json= -q=filters --jq=filters -L= --limit= --state=open|closed --language=words text
gh api: --paginate --slurp -q=filters --jq=filters --cache= -i --include --silent -X=GET --method=GET routes none
gh status, gh auth status: --active none
glab mr view, glab mr list, glab mr diff, glab issue view, glab issue list, glab ci status, glab ci list: -c --comments -P= --per-page= -p= --page= -A --all names
curl: -s --silent -S --show-error -f --fail --fail-with-body -i --include -I --head -v --verbose -L --location -N --no-buffer -4 -6 -G --get -m=
  --max-time= --connect-timeout= --retry= --retry-delay= --compressed --http1.1 --http2 --no-progress-meter -o=/dev/null --output=/dev/null none
wget: -q --quiet -nv --spider -S --server-response -T= --timeout= -t= --tries= --no-verbose -4 -6 none
psql: -l --list -A -t -x -q -X -b --csv --no-align --tuples-only --expanded --quiet --no-psqlrc -w --no-password -V --version none
mysql, mariadb, mysqldump, mysqladmin, pg_dump, pg_restore, pg_dumpall, redis-cli, valkey-cli, mongosh, mongo, mongodump, mongorestore, sqlcmd, cqlsh,
  clickhouse-client, duckdb, bq, influx, cockroach, snowsql: --version none
sqlite3: -readonly -header -noheader -csv -json -column -line -list -table -markdown -box -batch -version none
flyctl, fly, heroku, vercel, netlify, firebase, wrangler, railway, supabase, serverless, pulumi, ansible, ansible-playbook, doctl, gsutil, rclone: --version none
systemctl status, systemctl is-active, systemctl is-enabled, systemctl is-failed, systemctl list-units, systemctl list-unit-files, systemctl list-timers,
  systemctl list-dependencies, systemctl cat: -a --all -l --full --no-pager -n= --lines= -q --quiet --user --system --type= --state= --no-legend --plain names
journalctl: -u=names --unit=names -n= --lines= -f --follow -e --pager-end -x --catalog -b[=] --boot[=] -k --dmesg -r --reverse --no-pager -p= --priority= --since=* --until=*
  -S=* -U=* -o=short|short-iso|short-precise|json|json-pretty|cat|verbose --output=short|short-iso|short-precise|json|json-pretty|cat|verbose
  -q --quiet -g=* --grep=* --user --system --list-boots --disk-usage --no-hostname --utc -t=names --identifier=names none`;
