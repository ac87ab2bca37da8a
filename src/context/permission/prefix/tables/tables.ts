/**
 * What is known to be harmless behind the beginning of a command: text tables by families of programs, read once, when the first is asked
 * for. A table has one line for each subcommand, `PROGRAM WORDS, OTHER WORDS:`, where `*` stands for any characters; an indented line goes
 * on with the one before. Behind the colon stand, parted by blanks,
 *
 * - options that change nothing but how the program does what it does: `-v`; with a value `-n=`, which may also be the next word; with one
 *   that can only be in the same word `--color[=]`; `-#` for a number. The value is a word or a path in the folder, with `=*` any text, with
 *   `=a|b` one of these. `*` at the end of a name stands for more letters. An option that has several letters and one dash makes all
 *   options of its line whole words; elsewhere short ones may be written together.
 * - `@name`: the options of a group, a line that begins so.
 * - what other words may be, by the kinds of `words.ts`, the last one for all that follow; files without any.
 * - `!word` and `!-o` for words and options without a value of which is known that they do harm.
 *
 * What stands on a line holds for the lines of its subcommands too. A line that ends in `--` is for what comes behind these.
 *
 * A line says what is harmless whatever its words are, and promises nothing of what a project's own files do. Options and subcommands that
 * do harm are left out; what is left out asks.
 */

import { lazily } from '../../../../domain/value/word-list.ts';
import { type OptionLine, readOptionTables } from '../covers.ts';
import { JAVASCRIPT, LANGUAGES, REMOTE } from './languages.ts';

/**
 * From the manuals of GNU Make 4.4, CMake 3.30, Ninja 1.12, GCC 12 and Clang 18, Go 1.23, Cargo 1.82, Gradle 8, Maven 3.9, .NET 8, Swift 5,
 * just 1 and mise 2024. Left out is what runs another compiler, linker, logger or script (`-B`, `-fplugin`, `-toolexec`, `-ldflags`, `--config`,
 * `--init-script`, `-D`), or builds from another place (`-C`, `-f`, `--manifest-path`).
 */
const BUILDS = `
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

/**
 * From the manual pages of git 2.39. Left out is what runs a program or an editor (`--ext-diff`, `--exec`, `-O`, `-i`, `-S`), names another
 * repository or file (`--output`, `--upload-pack`), passes by a check (`--no-verify`), or takes away what has no other name.
 */
export const GIT = `
@diff: -p -u --patch -s --no-patch -U= --unified= --raw --stat[=] --numstat --shortstat --dirstat[=] --summary --compact-summary --name-only
  --name-status --minimal --patience --histogram --diff-algorithm= --color[=] --no-color --color-words[=*] --word-diff[=] --word-diff-regex=*
  --color-moved[=] --no-renames --find-renames[=] -M[=] -C[=] -B[=] --find-copies[=] --find-copies-harder --diff-filter= -S=* -G=*
  --pickaxe-all --pickaxe-regex -R --relative[=] -a --text -w -b --ignore-all-space --ignore-space-change --ignore-blank-lines
  --ignore-space-at-eol --ignore-cr-at-eol -W --function-context --exit-code --quiet --no-ext-diff --no-textconv --full-index --binary
  --abbrev[=] -z --check --inter-hunk-context= --submodule[=] --ignore-submodules[=] --no-prefix --merge-base -r -t --root
@revs: -# -n= --max-count= --skip= --since=* --after=* --until=* --before=* --author=* --committer=* --grep=* --all-match --invert-grep -i
  --regexp-ignore-case -E -F -P --merges --no-merges --first-parent --all --branches[=*] --tags[=*] --remotes[=*] --reverse --follow --oneline
  --graph --decorate[=] --no-decorate --format=* --pretty[=*] --abbrev-commit --no-abbrev-commit --date=* --date-order --topo-order
  --author-date-order --left-right --left-only --right-only --cherry-pick --cherry-mark --cherry --boundary --simplify-by-decoration
  --full-history --ancestry-path -g --walk-reflogs --source --no-notes -L=* -c --cc -m --relative-date --count
@merge: --no-edit --ff --ff-only --no-ff --squash --no-squash --commit --no-commit --stat --no-stat -q --quiet -v --verbose --autostash
  --no-autostash --signoff --allow-unrelated-histories -s=ort|recursive|resolve|octopus|ours|subtree
  --strategy=ort|recursive|resolve|octopus|ours|subtree -X=ours|theirs|patience|histogram|ignore-all-space|ignore-space-change
  --strategy-option=ours|theirs|patience|histogram|ignore-all-space|ignore-space-change
@fetch: -q --quiet -v --verbose --all --tags -t --no-tags -p --prune --depth= --deepen= --unshallow --shallow-since=* --progress --no-progress
  --dry-run -j= --jobs= --atomic -4 -6 --ipv4 --ipv6
@pick: --no-edit -n --no-commit -m= --mainline= --abort --continue --skip --quit -s --signoff --ff
@names: --contains[=] --no-contains[=] --merged[=] --no-merged[=] --points-at= --sort=* --format=* --column[=] --no-column -i --ignore-case
git status: -s --short -b --branch --show-stash --porcelain[=] --long -v --verbose -u[=] --untracked-files[=] --ignored[=] -z --column[=]
  --no-column --ahead-behind --no-ahead-behind --renames --no-renames --ignore-submodules[=] files
git log, git show, git whatchanged: @diff @revs revs
git reflog: @diff @revs !expire !delete !exists refs
git rev-list: @revs --objects --disk-usage --parents --children revs
git diff: @diff --cached --staged --ours --theirs --base revs
git diff-tree, git diff-index, git diff-files: @diff --cached --no-commit-id revs
git range-diff: @diff --creation-factor= --no-dual-color refs
git shortlog: -s -n -e -c --numbered --summary --email --since=* --until=* --no-merges --all --group=author|committer refs
git blame, git annotate: -L=* -l -t -s -e -f -n -w -p -c -b -M[=] -C[=] --date=* --since=* --porcelain --line-porcelain --show-name
  --show-number --show-email --root --abbrev= --first-parent --color-by-age --color-lines --show-stats refs
git branch: @names -a --all -r --remotes -l --list -v --verbose --show-current --abbrev= -q --quiet --color[=] --no-color -t --track[=]
  --no-track -u= --set-upstream-to= --unset-upstream !-d !-D !-f !-m !-M !-c !-C !--delete !--force !--move refs
git tag: @names -l --list -n[=] -a --annotate -m=* --message=* --color[=] !-d !--delete !-f !--force refs
git remote: -v --verbose none
git remote show: -n names
git remote get-url: --all --push names
git stash: -u --include-untracked -a --all -k --keep-index --no-keep-index -q --quiet -S --staged none
git stash push: -m=* --message=* files
git stash list: @diff @revs none
git stash show: @diff --include-untracked --only-untracked refs
git stash apply, git stash pop: --index refs
git fetch: @fetch !-f !--force names refs
git pull: @fetch @merge --rebase[=true|false|merges] -r --no-rebase -n !-f !--force names refs
git push: -u --set-upstream --tags --follow-tags -n --dry-run -q --quiet -v --verbose --progress --no-progress --porcelain --atomic
  !-f !--force !--force-with-lease !--force-if-includes !-d !--delete !--mirror !--prune !--all !--no-verify names refs
git ls-remote: --heads -h --tags -t --refs -q --quiet --exit-code --get-url --symref names refs
git add, git stage: -A --all -u --update -v --verbose -n --dry-run -N --intent-to-add --no-all --ignore-removal --renormalize
  --chmod=+x|-x !-f !--force files
git commit: -m=* --message=* -a --all --amend --no-edit --allow-empty --allow-empty-message -q --quiet -v --verbose --dry-run --short
  --porcelain --branch --long -s --signoff --author=* --date=* --fixup= --squash= --reset-author -F= --file= -C= --reuse-message= -o --only -i
  --include -u[=] --cleanup= !-n !--no-verify !-S !-e files
git merge: @merge -m=* --message=* -n --log[=] --no-log --abort --continue --quit refs
git rebase: @merge --continue --abort --skip --quit --onto= --keep-base --rebase-merges[=] -r --root --autosquash --no-autosquash
  --fork-point --committer-date-is-author-date !-i !--interactive refs
git cherry-pick: @pick -x --allow-empty --keep-redundant-commits --strategy-option=ours|theirs -X=ours|theirs refs
git revert: @pick -X=ours|theirs refs
git checkout: -b= -q --quiet -d --detach -t --track[=] --no-track --ours --theirs --orphan= --guess --no-guess --progress --no-progress -m
  --merge !-f !--force refs
git switch: -c= --create= -q --quiet -d --detach -t --track[=] --no-track --orphan= --guess --no-guess -m --merge --progress !-f !--force
  !--discard-changes refs
git restore: -s= --source= -S --staged -W --worktree -q --quiet --ours --theirs -m --merge files
git reset: --soft --mixed -q --quiet -N --no-refresh !--hard !--merge !--keep refs
git rm: -r --cached -q --quiet -n --dry-run --ignore-unmatch !-f !--force files
git mv: -v -n -k !-f files
git ls-files: -c -d -m -o -i -s -u -k -z -t -v --cached --deleted --modified --others --ignored --stage --unmerged -x=* --exclude=*
  --exclude-standard --directory --no-empty-directory --error-unmatch --full-name --abbrev[=] --eol --deduplicate --format=* files
git ls-tree: -r -d -t -l -z --long --name-only --name-status --full-name --full-tree --abbrev[=] --format=* revs
git grep: -# -n -i -w -v -l -L -c -h -H -E -F -G -P -o -q -a -I -p -W -z -m= -A= -B= -C= -e=* --cached --untracked --name-only --count
  --files-with-matches --line-number --ignore-case --word-regexp --heading --break --show-function --function-context --max-depth= --and --or
  --not --all-match --color[=] --no-color --column --threads= text revs
git rev-parse: --abbrev-ref[=] --short[=] --verify -q --quiet --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir
  --git-common-dir --is-inside-work-tree --is-bare-repository --is-shallow-repository --symbolic --symbolic-full-name --all revs
git describe: --tags --all --always --long --dirty[=] --abbrev= --match=* --exclude=* --candidates= --exact-match --first-parent --contains refs
git merge-base: -a --all --is-ancestor --fork-point --octopus --independent refs
git name-rev: --name-only --tags --all --always refs
git cat-file: -p -t -s -e revs
git show-ref: --heads --tags --head -d --hash[=] --verify -q --quiet --abbrev[=] refs
git for-each-ref: @names --count= text
git count-objects: -v -H none
git fsck: --full --no-dangling --no-progress --connectivity-only none
git check-ignore: -v --verbose -q -n --non-matching --no-index files
git worktree list: --porcelain -v -z none
git notes list, git notes show: refs
git format-patch: @revs --stdout refs
git apply: --check --stat --numstat --summary -R --reverse --index --cached -3 --3way -p= -v --verbose --whitespace= files
git am: --abort --continue --skip --quit -3 --3way -q files
git clean: -n --dry-run none
git version: none`;

/**
 * From the manual pages of coreutils 9.1, tar 1.34, zip 3, unzip 6, gzip 1.12, procps 4 and jq 1.6. Left out is what runs a program (`--to-command`,
 * `-I`, `-TT`), reads names or words from a file (`-T`, `-f`), or leaves the folder (`-C`, `-P`).
 */
export const EVERYDAY = `
mkdir: -p --parents -v --verbose -m=* files
rmdir: -p --parents -v --verbose --ignore-fail-on-non-empty files
touch: -a -c --no-create -m -d=* --date=* -t=* files
rm: -f --force -r -R --recursive -v --verbose -d --dir -i -I files
mv: -n --no-clobber -v --verbose -f --force -u -i -T files
cp: -r -R --recursive -a --archive -p -v --verbose -n --no-clobber -f --force -u -i -d -T -L -P files
ln: -s --symbolic -v --verbose -n -T -f files
chmod: -R --recursive -v --verbose -c -f text files
truncate: -s= --size= -c files
tar: -c -x -t -z -j -J -v -f= -k -O -p -m -h --create --extract --list --gzip --bzip2 --xz --zstd --verbose --file= --exclude=* --keep-old-files
  --strip-components= --no-same-owner --no-same-permissions --to-stdout --wildcards --sort=name letters files
zip: -# -1 -9 -r -q -v -j -y -x=* files
unzip: -l -q -o -n -t -v -j -p -Z -d= files
gzip, gunzip, zcat, xz, unxz, bzip2, bunzip2, zstd: -# -c -d -k -f -l -t -v -q files
ps: -e -f -A -a -x -l -w -F -L -o=* -p= -u= -C= --forest --sort=* --no-headers --ppid= words
jq: -r -c -n -s -e -S -j -a -M -C --raw-output --compact-output --null-input --slurp --exit-status --sort-keys --join-output --tab --indent= filters files
yq, yq e, yq eval: -r -P -o= -p= -N -M -C -e -j --output-format= --input-format= filters files
sleep: words
convert, magick, mogrify, ffmpeg: none
brew list, brew info, brew search, brew outdated, apt list, apt show, apt search, apt-cache show, dnf list, dnf info: --installed --upgradable --versions -q names`;

/** By the names of programs. */
export const optionTables: () => ReadonlyMap<string, OptionLine> = lazily(() =>
  readOptionTables([GIT, JAVASCRIPT, LANGUAGES, BUILDS, REMOTE, EVERYDAY]),
);

/** What is known of a program by its name. */
export const tableOf = (program: string): OptionLine | undefined => optionTables().get(program);
