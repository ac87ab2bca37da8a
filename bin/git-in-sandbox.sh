#!/bin/sh
# Stands in the place of git in the sandbox, whoever calls it: a script, a hook, an alias, git itself. There some files of a work tree cannot be
# written, so git that goes to another state of its files would stop half way, or go on without them: that is refused before it begins.
# All else is handed on as it came. It holds nothing: what a command may write, the mounts say.
real=/run/sanbot/git
set -f

# True where a command of git with these words leaves the files of the work tree as they are.
leaves() {
  name=$1
  shift
  case $name in
    switch) [ $# = 2 ] && case $1 in -c | -C | -qc | -qC | --create | --force-create) true ;; *) false ;; esac ;;
    checkout) [ $# = 2 ] && case $1 in -b | -B | -qb | -qB) true ;; *) false ;; esac ;;
    stash) case ${1-push} in list | show | drop | clear | create | store) true ;; *) false ;; esac ;;
    bisect) case ${1-help} in log | view | visualize | terms | help) true ;; *) false ;; esac ;;
    worktree) [ "${1-}" != add ] ;;
    sparse-checkout) [ "${1-}" = list ] ;;
    submodule | submodule--helper) ! has 'add deinit update clone' "$(verb "$@")" ;;
    subtree) ! has 'add merge pull' "$(verb "$@")" ;;
    merge | rebase | cherry-pick | revert | am) has '--quit --show-current-patch --edit-todo --help -h' "$@" ;;
    reset) ! has '--hard --merge --keep --recurse-submodules' "$@" ;;
    restore) has '--staged -S' "$@" && ! has '--worktree -W -SW -WS' "$@" ;;
    read-tree) ! has '-u -mu -um --reset' "$@" ;;
    apply) has '--stat --numstat --summary --check --cached' "$@" ;;
    rm) has --cached "$@" || ! meets_held rm "$@" ;;
    mv | clean) ! meets_held "$name" "$@" ;;
    pull | checkout-index | checkout--worker | merge-recursive* | merge-resolve | merge-octopus | merge-subtree | merge-one-file) false ;;
    filter-branch | filter-repo | cvsimport | quiltimport) false ;;
    *) follows_alias "$name" "$@" ;;
  esac
}

# True where one of the words is among those of the first argument.
has() {
  among=$1
  shift
  for each; do
    case " $among " in *" $each "*) return 0 ;; esac
  done
  return 1
}

verb() {
  for each; do
    case $each in -*) ;; *) echo "$each" && return ;; esac
  done
}

# git itself, with the options that stood before the command.
plain() { eval "\"\$real\" -c core.quotePath=false $options \"\$@\"" 2>/dev/null; }

# git follows an alias within itself, unless that is a command line, in which it calls itself again.
follows_alias() {
  depth=$((${depth-0} + 1))
  [ "$depth" -lt 9 ] || return 1
  told=$(plain config --get "alias.$1") || return 0
  shift
  case $told in '!'*) ;; *) leaves $told "$@" ;; esac
}

# The mounts below the work tree, one a line.
mounts() {
  while read -r _ _ _ _ mount _; do
    case $mount in "$1" | "$1"/*) echo "$mount" ;; esac
  done </proc/self/mountinfo
}

# True where what this would remove or move has something among it that is held.
meets_held() {
  would=$1
  shift
  for word; do
    shift
    case $word in --*) ;; -*q*) word=$(printf %s "$word" | tr -d q) ;; esac
    case $word in - | --quiet) ;; *) set -- "$@" "$word" ;; esac
  done
  list=$(plain "$would" -n "$@")
  for held in $mounts; do
    case $held in "$top" | "$top"/.git | "$top"/.git/*) continue ;; esac
    case $list in *"$(printf %b "$(echo "${held##*/}" | sed 's/\\\([0-7]\)/\\0\1/g')")"*) return 0 ;; esac
  done
  return 1
}

options=
valued=
command=
case ${0##*/} in
  git-*) command=${0##*/git-} ;;
  *)
    at=0
    for word; do
      case $valued$word in
        -C | -c | --git-dir | --work-tree | --namespace | --config-env | --attr-source) valued=+ ;;
        -* | +*) valued= ;;
        *)
          command=$word
          break
          ;;
      esac
      at=$((at + 1))
      case $word in *\'*) word=$(printf %s "$word" | sed "s/'/'\\\\''/g") ;; esac
      options="$options '$word'"
    done
    # What is called most, and what is no command, at once.
    case $command in
      '' | status | add | commit | diff | log | show | rev-parse | config | ls-files | branch | tag | fetch | push | cat-file) exec "$real" "$@" ;;
    esac
    ;;
esac

# In a work tree in which nothing is held, as in one that a test makes, git does all that it is to do.
[ -n "${at-}" ] || set -- "$command" "$@"
top=$(plain rev-parse --show-toplevel) || exec "$real" "$@"
case $top in *[\ \\]*) top=$(printf %s "$top" | sed 's/\\/\\134/g; s/ /\\040/g') ;; esac
mounts=$(mounts "$top")
[ -n "$mounts" ] && ! (
  shift "${at-0}"
  leaves "$@"
) && {
  echo "fatal: git $command was not begun: in the sandbox some files of this work tree are on a read-only file system, so it would stop half way; needs: everything runs it as a whole" >&2
  exit 128
}
exec "$real" "$@"
