/**
 * From the manuals of GNU Make 4.4, CMake 3.30, Ninja 1.12, GCC 12 and Clang 18, Go 1.23, Cargo 1.82, Gradle 8, Maven 3.9, .NET 8, Swift 5,
 * just 1 and mise 2024. Left out is what runs another compiler, linker, logger or script (`-B`, `-fplugin`, `-toolexec`, `-ldflags`, `--config`,
 * `--init-script`, `-D`), or builds from another place (`-C`, `-f`, `--manifest-path`).
 */
export const BUILDS = `
make, gmake: -j[=] --jobs[=] -k --keep-going -n --dry-run --just-print -s --silent --quiet -B --always-make -q --question -r -R -w
  --print-directory --no-print-directory -O[=] --output-sync[=] -l[=] --trace --no-builtin-rules --version tasks none
cmake: -B= -S= -G=* --build= --target=parts -t=parts -j[=] --parallel[=] --config=Debug|Release|RelWithDebInfo|MinSizeRel --clean-first -v --verbose
  --fresh -Wdev -Wno-dev --version --preset=words --list-presets
  -DCMAKE_BUILD_TYPE=Debug|Release|RelWithDebInfo|MinSizeRel -DBUILD_TESTING=ON|OFF -DBUILD_SHARED_LIBS=ON|OFF -DCMAKE_EXPORT_COMPILE_COMMANDS=ON|OFF files
ctest: --output-on-failure --verbose -V -VV -R=* -E=* -L=* -LE=* -N --show-only -j= --parallel= -C=Debug|Release|RelWithDebInfo --test-dir= --rerun-failed
  --timeout= --progress --stop-on-failure --no-tests=error|ignore -Q --quiet none
ninja: -v -n -k= -j= -l= --quiet --verbose --version parts
gcc, g++, cc, c++, clang, clang++, gcc-12, g++-12: -c -S -E -o= -I= -isystem= -D=* -U= -L= -l* -x=c|c++ -v -w -s -P -dM -g -g0 -g1 -g2 -g3 -ggdb -O -O0 -O1 -O2
  -O3 -Os -Og -Oz -Ofast -W -W* -Werror[=words] -pedantic -pedantic-errors -ansi -std= -m32 -m64 -march= -mtune= -msse2 -mavx -mavx2 -shared -static
  -pthread -pipe -pg --coverage -M -MM -MD -MMD -MP -MF= -MT= -MQ= -H -fPIC -fpic -fPIE -fno-pic -pie -no-pie -fsyntax-only -fopenmp -flto
  -fsanitize=address|undefined|thread|leak|address,undefined|memory -fno-omit-frame-pointer -fomit-frame-pointer -fno-exceptions -fno-rtti
  -ffreestanding -fno-builtin -fno-common -fcommon -fstack-protector -fstack-protector-strong -fvisibility=hidden|default -fno-strict-aliasing
  -fwrapv -ffast-math -fdiagnostics-color[=always|never|auto] -fcolor-diagnostics -fno-color-diagnostics -fmax-errors= -ferror-limit= -fanalyzer
  -nostdlib -nostdinc -nostartfiles -dumpversion -dumpmachine --version files
rustc: -O -g --edition= --crate-type= --crate-name= -o= -W=* -A=* -D=* --test --cap-lints= --version -V files
@go: -v -x -n -race -msan -a -tags= -trimpath -p= -mod=mod|vendor|readonly -buildvcs=true|false|auto -cover -covermode= -coverpkg= -buildmode=
go build: @go -o= files
go test: @go -run=* -skip=* -bench=* -benchmem -benchtime= -count= -failfast -short -timeout= -parallel= -cpu= -json -shuffle= -fuzz=* -fuzztime=
  -list=* -vet=off|all -fullpath files
go run: -v -race -tags= files
go vet: @go -c= -json -printf -copylocks -unusedresult files
go fmt, go generate: -n -x -v -run=* files
gofmt: -l -d -e -s -w files
go list: @go -m -json[=] -f=* -deps -test -e -u -versions -find -compiled -retracted files
go doc: -all -short -src -u -c names
go version: -m none
go clean: -testcache -n -x -i none
go mod tidy, go mod verify, go mod vendor, go mod graph: -v -e none
go mod download, go mod why: -m -x -vendor none
go work sync: none
golangci-lint run: -v --verbose --fast --fix --timeout= --new -n --new-from-rev=words --tests --no-config --max-issues-per-linter= --max-same-issues= -E=words -D=words
  --enable=words --disable=words --color= -j= --concurrency= --build-tags= files
staticcheck: -tags= -checks=* -tests -f=text|json|stylish files
@cargo: -p=names --package=names --workspace --all --lib --bins --bin=words --examples --example=words --tests --test=words --benches --bench=words
  --all-targets -r --release --profile=words --features= -F= --all-features --no-default-features -j= --jobs= --keep-going -v --verbose -q --quiet
  --locked --offline --frozen --message-format=human|short|json --color= --exclude=names --ignore-rust-version
cargo test, cargo t, cargo bench: @cargo --doc --no-run --no-fail-fast ids
cargo test --, cargo t --: --nocapture --no-capture --test-threads= --ignored --include-ignored --exact --list --skip=* --show-output -q --quiet
  --color= ids
cargo nextest run: @cargo --no-fail-fast --retries= --test-threads= --no-capture --run-ignored=default|only|all ids
cargo build, cargo b, cargo check, cargo c: @cargo none
cargo clippy: @cargo --fix --allow-dirty --allow-staged --no-deps none
cargo clippy --: -D=* -W=* -A=* -F=* none
cargo run, cargo r: @cargo files
cargo doc: @cargo --no-deps --document-private-items none
cargo fmt: --check --all -p=names -v -q none
cargo fmt --: --check -l -v --color= files
cargo tree: -p=names -i=names -e=words --depth= --prefix=depth|indent|none -d --duplicates --workspace --features= --no-dedupe --locked --offline none
cargo metadata: --no-deps --format-version= --offline --locked none
cargo clean: -p=names --release --dry-run -n none
cargo fetch, cargo generate-lockfile, cargo verify-project: --locked --offline none
cargo audit, cargo outdated, cargo deny check: none
gradle, gradlew: --tests=* --info --stacktrace --full-stacktrace -q --quiet -i -s -S -w --warn --console=plain|auto|rich|verbose --daemon --no-daemon
  --offline --parallel --no-parallel --build-cache --no-build-cache --configuration-cache --no-configuration-cache --continue --rerun-tasks
  -m --dry-run --max-workers= --warning-mode=all|fail|none|summary -x=tasks --exclude-task=tasks --rerun -v --version
  tasks build|check|test|clean|assemble|classes|testClasses|jar|tasks|dependencies
mvn, mvnw: -q -B -e -o -X -U -T= -pl=tasks -am -amd -ntp -fae -ff -fn -N -V -v -rf=tasks --no-transfer-progress --batch-mode --quiet --offline --version
  -DskipTests[=true|false] -Dmaven.test.skip[=true|false] -Dtest=* -Dit.test=* -DfailIfNoTests[=true|false] -Dsurefire.failIfNoSpecifiedTests[=true|false]
  -DskipITs[=true|false] words
  clean|validate|compile|test-compile|test|package|verify|integration-test
mvn dependency:tree, mvn dependency:analyze, mvn versions:display-dependency-updates, mvn help:effective-pom: none
@dotnet: -c= --configuration= -f=words --framework=words -v=q|m|n|d|quiet|minimal|normal|detailed --verbosity=quiet|minimal|normal|detailed --no-restore --nologo
  --no-build --no-dependencies -r=words --runtime=words --os=words --arch=words -tl
dotnet test: @dotnet --filter=* --logger=console|trx -l=console|trx --list-tests -t --blame files
dotnet build: @dotnet --no-incremental --force files
dotnet run: @dotnet --project= none
dotnet restore: --locked-mode --no-cache --force -v=q|m|n|d files
dotnet clean: @dotnet files
dotnet format: --verify-no-changes --no-restore --severity= -v=q|m|n|d --include= --exclude= files
dotnet list: none
dotnet list package: --outdated --deprecated --vulnerable --include-transitive none
swift build, swift test: -c=debug|release --configuration=debug|release -v --verbose -q --quiet --filter=* --skip=* --parallel --no-parallel
  --product=words --target=words -j= --jobs= --enable-code-coverage --build-tests none
just: -n --dry-run -l --list --summary --dump -q --quiet -v --verbose tasks none
task: -l --list -a --list-all -n --dry -s --silent -v --verbose -f --force -p --parallel tasks none
mise run, mise r: -q --quiet -j= --jobs= -f --force -n --dry-run tasks
mise ls, mise tasks, mise doctor, mise current: none
shellcheck: -x -a -s=sh|bash|dash|ksh -f=tty|gcc|json|json1|checkstyle|diff|quiet -S=error|warning|info|style -e=* -i=* -C[=] -W= files
shfmt: -d -l -s -w -i= -ci -bn -sr -ln=bash|posix|mksh|bats files
sbt, ant, lein, gulp, grunt, inv, invoke, nox, turbo, nx, lerna: none
hadolint, yamllint, actionlint, markdownlint: files`;
