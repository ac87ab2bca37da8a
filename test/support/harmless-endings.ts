/** What people give programs day by day behind a beginning that they allow, and that is covered. Written as the harmful ones are. */
export const HARMLESS_ENDINGS = `
git log: --oneline -5 | -n 3 --stat | main..HEAD | --since="2 weeks ago" --author=ann | -p -- src/a.ts | --format='%h %s' | -S 'foo(bar)' | --graph --all | -1 HEAD~2 | origin/main -- 'a b.txt' | --follow src/a.ts
  | @{u}.. | v1.0^{} | --grep='fix: a/b' | -L 1,5:src/a.ts
git diff: --stat | --cached | HEAD~1 HEAD -- src | main...HEAD --name-only | --name-only --diff-filter=U | -w | a.ts b.ts | --word-diff=color | 文件.md | -U10
git show: HEAD | HEAD:src/a.ts | --stat HEAD~1 | stash@{0} | v1.0 -- a.ts
git status: -s | --short --branch | --porcelain=v1 -uno | src
git add: . | -A | src/a.ts b.md | -u | '*.ts' | .github/workflows/ci.yml | 'app/(shop)/[id]/page.tsx' | -- a.ts | .gitignore
git commit: -m 'fix: it' | -am 'a; b' | --amend --no-edit | --no-edit | -m x -m y | --allow-empty -m x | -F message.txt | -s -m x
git push: origin main | -u origin feature/x | --tags | --dry-run | origin v1.0 | origin HEAD | --follow-tags origin main
git push origin: main | feature/x | HEAD --tags
git fetch: origin | --all --prune | origin main | -p | --tags origin | origin feature/x --depth=1
git pull: --rebase | --ff-only | origin main | --rebase origin main | --no-edit
git merge: main | origin/main --no-edit | --abort | --no-ff -m x feature | --squash x
git rebase: main | --continue | --abort | origin/main | --onto a b
git stash: -u | list | show -p stash@{0} | push -m x | pop | apply stash@{1} | push src/a.ts
git branch: -a | -vv | --show-current | x | x main | --list 'f*' | --merged main | --sort=-committerdate | --contains HEAD
git tag: -l 'v1*' | v1.0 | -a v1.0 -m x | --sort=-v:refname | -n
git remote: -v | show origin | get-url origin
git checkout: main | -b x | -b x origin/main | -- src/a.ts | - | HEAD~1 | --theirs a.ts | .
git switch: main | -c x | - | --detach HEAD~1
git restore: a.ts | --staged a.ts | -s HEAD~1 a.ts | .
git reset: HEAD~1 | --soft HEAD~1 | HEAD a.ts | -q
git rm: a.ts | -r src | --cached a.ts
git mv: a b
git blame: a.ts | -L 1,10 a.ts | HEAD~1 -- a.ts
git grep: -n foo | foo src | -e foo --and -e bar | 'a b' HEAD~1 -- src
git ls-files: src | --others --exclude-standard | '*.ts'
git rev-parse: HEAD | --abbrev-ref HEAD | --show-toplevel | --short HEAD
git worktree: list | list --porcelain
git cherry-pick: abc123 | -x abc123 | --continue
git apply: --check a.patch | a.patch
npm test: -- --bail | -- -t 'adds two' | -- src/a.test.ts | --silent | -w packages/a | -w @scope/a | -- --run src | -- --coverage | -- -u | src/a.test.ts
npm test --: --bail | src/a.test.ts | -t 'x y'
npm run: build | test:unit | lint -- --fix | build -w packages/a | dev --silent | test -- --watch=false
npm install: --no-audit | --ignore-scripts
npm ls: --depth=0 | react | -a
npm view: react | react version
npx tsc: --noEmit | -p tsconfig.build.json | -p packages/a --noEmit | --noEmit --skipLibCheck | -b | --build --force | --version
npx jest: src/a.test.ts | -t 'adds (two)' | --coverage | -i | --watch=false | -u src | --testPathPattern='a/b' | --maxWorkers=2
npx vitest: run | run src/a.test.ts | run -t 'x y' | --run | run --coverage | --reporter=dot | run --project unit
npx mocha: test/a.js | -g 'x y' | --bail | -t 5000 | -R dot | 'test/**/*.js'
npx playwright test: a.spec.ts | -g 'x y' | --headed | --project=chromium | a.spec.ts:12 | --reporter=list
npx eslint: . | src --fix | --ext .ts,.tsx src | --max-warnings=0 . | 'src/**/*.ts' | --quiet src | -f json .
npx prettier: --check . | --write src/a.ts | -c 'src/**/*.css' | --write 'src/**/*.ts' | -l .
npx biome check: src | --write src | --write . | --error-on-warnings src
yarn test: --bail | src/a.test.ts | --coverage | -t 'x y'
pnpm test: -t x | src/a.test.ts | -- --run
node scripts/a.js: all | src/a.ts | test:unit
python manage.py: test | check | showmigrations
python manage.py test: app.tests | -v 2 --keepdb | --parallel | app.tests.TestA.test_b --failfast
pytest: -q | -x tests/a.py | tests/a.py::TestA::test_b | -k 'a and not b' | -m slow -v | 'tests/a.py::test_b[x-1]' | --lf | --tb=short -rA | -n auto | --cov=src --cov-report=term-missing | --maxfail=1 --durations=10 | -p no:cacheprovider | -xvs tests
python -m pytest: -q tests | -k x
python -m unittest: -v tests.test_a | discover -s tests
uv run pytest: -q | tests/a.py -x
mypy: src | --strict src/a.py | --ignore-missing-imports .
ruff check: . | --fix src | --select E,F . | --output-format=concise
black: . | --check src | -l 100 a.py
pip list: --outdated | --format=json
rspec: spec/a_spec.rb | spec/a_spec.rb:12 | -e 'x y' | --fail-fast | -fd
rubocop: -a | app | --only Style/X app
phpunit: tests/A.php | --filter=testX | --testdox
go build: ./... | -o bin/x ./cmd/x | -v ./cmd/x | -tags=integration ./... | -race .
go test: ./... | -run TestA ./pkg | -run 'TestA|TestB' -v ./... | -count=1 -race ./... | -tags=e2e ./x | -bench=. -benchmem | -short -timeout 30s ./... | -cover ./... | -run=X/Y ./a | -v ./a -run 'A(b|c)'
go vet: ./... | -tags=e2e ./x
go mod: tidy | tidy -v | verify
cargo test: name | -p a | --lib module::tests | -- --nocapture | --release --all-features | name -- --exact --test-threads=1 | --workspace --no-fail-fast
cargo build: --release | -p a --features x,y | --all-targets | -j 4 | -v
cargo clippy: --all-targets -- -D warnings | --fix --allow-dirty | -p a
cargo run: --release | --bin a | -- a.txt | -q
make test: -j4 | -k | -n | -s
cmake: -B build -S . | --build build | --build build -j 4 | -DCMAKE_BUILD_TYPE=Release -B build | --build build --target test --config Release | -S . -B build -G Ninja
gcc: -Wall -Wextra -O2 -o a a.c | -c a.c | -std=c11 -g a.c -lm | -Iinclude -Isrc a.c b.c -o out/a | -fPIC -shared -o liba.so a.c | -Werror=return-type a.c | -DX=1 a.c | -fsyntax-only a.c | -fsanitize=address a.c
gradle test: --tests 'a.B.c' | --info | -q | --no-daemon --stacktrace | --continue -x lint
./gradlew build: -x test | --offline | clean
mvn test: -q | -Dtest=A#b | -pl a -am | -DskipTests | -B -ntp | -T1C
dotnet test: --filter 'Name=x' | -c Release --no-build | a.csproj | -v q | --logger trx | --nologo
kubectl get: pods | pods -n shop | -A pods -o wide | deployment/x -o yaml | pods -l app=x --watch | svc,deploy | nodes --show-labels
kubectl logs: pod-1 | -f deploy/x -c app --tail=100 | -n shop pod-1 --previous
kubectl rollout: status deploy/x | history deploy/x
helm list: -A | -n shop -o json
terraform plan: -no-color | -input=false | -target=module.a
terraform fmt: -check -recursive | a.tf
aws s3: ls | ls --recursive
aws ec2: describe-instances --region eu-west-1 --output json | describe-vpcs --query 'Vpcs[].Id'
gcloud compute: instances list | instances list --format=json --filter='name:x'
docker ps: -a | --filter name=x | -q | --format '{{.Names}}'
docker logs: -f c | --tail 100 c | --since 1h c
docker build: -t app:1.0 . | --no-cache -t app . | -f docker/Dockerfile . | --progress=plain .
docker compose: up -d | ps | logs -f web | build | down | restart web | config
docker compose up: -d | -d --build web | --wait
gh pr: view 1 | list | diff 1 --name-only | checks 1 | view 1 --json title,body -q .title | list --state open --limit 10
gh run: list --limit 5 | view 1 --log-failed
gh api: repos/a/b | 'repos/a/b/pulls?state=open&per_page=5' | repos/{owner}/{repo}/pulls --paginate | /user --jq .login
curl https://api.example.com: -s | -sS -f | -i | --max-time 5 -L | -sSLo /dev/null | -I --compressed | -fsSL
psql shop: -l | -At
journalctl: -u nginx -n 50 | -f | --since '1 hour ago' -p err | -b -k --no-pager | -xe | -o json
systemctl status: nginx | nginx.service --no-pager | user@1000.service
tar: -czf a.tgz src | -xzf a.tgz | -tf a.tar | czf a.tgz src | xzvf a.tgz --strip-components=1 | -cf a.tar --exclude=node_modules .
zip: -r a.zip src | -qr9 a.zip src -x '*.log'
unzip: -l a.zip | -o a.zip -d out
mkdir: a | -p a/b..c | -p 文件夹 'a b'
cp: a b | -r src out | -av a b
mv: a b | -n a b
rm: a | -rf out | -f a b
touch: a | -d '1 hour ago' a
chmod: +x a.sh | 755 a | -R u+w src
jq: .a a.json | -r '.a[]|select(.b == "c")|.d' | 'map({id, name})' a.json
cat: a.txt | -n src/a.ts
grep: -n foo src/a.ts | 'a b' a.txt
find: . -name '*.ts' | src -type f
foo: src/a.ts | a.b-c_d b/c | ./a | 3
./run.sh: a | a b | src/a.ts | test:unit | 3
yq: .a a.yaml | -r '.a.b[0]' a.yaml
./run.sh: a | src/a.ts 3
mise run: lint | test:ci | --force lint`;
