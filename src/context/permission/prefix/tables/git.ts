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
