const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim().replaceAll('⏎', '\n'))
    .filter((line) => line !== '');

/** Command lines, one a line (⏎ stands for a line feed), that run a program `mark`, or one that nobody can tell beforehand. */
export const programRoads = linesOf(`
  env -S "mark"
  env -S "mark a"
  env -S "a=1 mark"
  env -iS "mark"
  env -i -S "mark a b"
  env --split-string="mark a"
  env --split-string "mark a"
  env -vS "mark a"
  env -S'mark a'
  env -u X -S "mark a"
  env -S "sh -c 'mark a'"
  env -S"sh -c" mark
  env -C / mark
  env -u X mark
  env -a n mark
  bash -c -- "mark"
  bash -c -- mark
  bash -O extglob -c mark
  bash +O extglob -c mark
  bash --norc -c mark
  bash --rcfile x -c mark
  bash --init-file <(echo mark) -i
  bash --posix -c 'mark'
  bash -e -c mark
  bash -ec mark
  bash -xec mark
  sh -ec mark
  sh -o errexit -c mark
  bash -lc mark
  bash -l <<< mark
  bash - <<< mark
  bash -- /dev/stdin <<< mark
  bash -s <<< mark
  printf "mark" | bash
  printf "mark" | bash -
  printf 'mark' | sh
  printf "mark" | bash -s
  printf mark | bash /dev/stdin
  printf mark | sh /dev/fd/0
  printf mark | sh /proc/self/fd/0
  printf mark > f; bash f
  printf mark > f; bash ./f
  printf mark > f; . ./f
  printf mark > f; source f
  printf mark > f; chmod +x f; ./f
  echo mark | tee f; bash f
  bash <(echo mark)
  . <(echo mark)
  . /dev/fd/3 3<<<mark
  source /dev/stdin <<< mark
  eval "$(printf mark)"
  eval "$(echo mark)"
  $(echo mark)
  \`echo mark\`
  "$(echo mark)"
  x=$(echo mark); $x
  x=mark; "$x"
  x=(mark); "\${x[@]}"
  set -- mark; "$@"
  set -- mark; "$1"
  set -- mark; $*
  \${x:-mark}
  echo mark | xargs -I{} {}
  echo mark | xargs -I{} sh -c {}
  echo mark | xargs -I {} sh -c "{}"
  echo mark | xargs -n1 env
  echo a | xargs mark
  echo a | xargs -0 -n 1 mark
  echo mark | xargs -t sh -c
  echo "-c mark" | xargs sh
  find . -exec mark {} \\;
  find . -exec mark {} +
  find . -execdir sh -c 'mark {}' \\;
  find . -ok mark \\;
  find . -name x -exec env mark \\;
  find . -exec {} \\;
  find mark -exec {} \\;
  find /usr/bin -name mark -exec {} \\;
  awk 'BEGIN{system("mark")}'
  awk 'BEGIN { "mark" | getline x }'
  awk 'BEGIN { print "a" | "mark" }'
  gawk -e 'BEGIN{system("mark")}'
  python -c 'import os; os.system("mark")'
  python3 - <<< 'import os; os.system("mark")'
  perl -e 'system("mark")'
  perl -ne 'system "mark"' f
  ruby -e '\`mark\`'
  node -e 'require("child_process").execSync("mark")'
  php -r 'system("mark");'
  lua -e 'os.execute("mark")'
  tclsh <<< 'exec mark'
  busybox sh -c mark
  busybox mark
  busybox ash -c 'mark'
  busybox env mark
  toybox sh -c mark
  sh -ec 'mark'
  dash -c mark
  zsh -c mark
  ksh -c mark
  fish -c mark
  nice -n 5 mark
  nice -5 mark
  nice --adjustment=5 mark
  nice --adjustment 5 mark
  timeout 5 mark
  timeout -s KILL 5 mark
  timeout --signal=KILL 5 mark
  timeout -k 1 5 mark
  nohup mark
  setsid mark
  setsid -w mark
  stdbuf -o0 mark
  stdbuf -o 0 mark
  ionice -c 3 mark
  chrt -i 0 mark
  taskset 1 mark
  taskset -c 0 mark
  time mark
  time -p mark
  /usr/bin/time -f %e mark
  /usr/bin/time -o f mark
  ! mark
  sudo mark
  sudo -u u mark
  sudo -u u -- mark
  sudo -n env mark
  sudo -s mark
  sudo -i mark
  sudo -E X=1 mark
  doas -u u mark
  su -c mark
  su - u -c mark
  su u -c 'mark a'
  su --command=mark
  runuser -u u -- mark
  runuser -u u mark
  ssh host mark
  ssh host "mark a"
  ssh -p 22 host "cd x; mark"
  ssh host 'sh -c mark'
  ssh -o ProxyCommand=mark host
  ssh -o 'ProxyCommand mark a' host
  ssh -oProxyCommand=mark host
  ssh -o LocalCommand=mark -o PermitLocalCommand=yes host
  ssh host <<< mark
  scp -S mark a b
  sftp -S mark host
  rsync -e mark a b:
  rsync -e 'ssh -o ProxyCommand=mark' a b:
  rsync --rsh=mark a b:
  rsync --rsync-path=mark a b:
  git -c alias.z='!mark' z
  git -c alias.z='!mark a' z
  git -c core.pager=mark log
  git -c core.sshCommand=mark fetch
  git -c core.editor='mark' commit
  git -c core.fsmonitor=mark status
  git config alias.z '!mark'
  git config --global alias.z '!mark a'
  git bisect run mark
  git rebase --exec mark HEAD~1
  git rebase -x mark HEAD~1
  git rebase -x 'mark a' HEAD~1
  git submodule foreach mark
  git submodule foreach 'mark a'
  git difftool -x mark
  git difftool --extcmd=mark
  git grep -Omark x
  git grep --open-files-in-pager=mark x
  git filter-branch --tree-filter mark
  git filter-branch --tree-filter 'mark a'
  git clone ext::mark
  git clone 'ext::sh -c mark'
  git fetch --upload-pack=mark x
  git push --receive-pack='mark a' x
  git archive --exec=mark --remote=x
  git ls-remote --upload-pack mark x
  GIT_SSH_COMMAND=mark git fetch
  GIT_SSH_COMMAND='mark a' git fetch
  GIT_EDITOR=mark git commit
  GIT_EXTERNAL_DIFF=mark git diff
  GIT_PAGER=mark git log
  PAGER=mark man x
  EDITOR=mark crontab -e
  EDITOR='mark a' visudo
  VISUAL=mark less x
  BROWSER=mark xdg-open x
  env PAGER=mark git log
  export GIT_SSH_COMMAND=mark; git fetch
  LESSOPEN='|mark %s' less x
  make -f - <<< 'all:; mark'
  make -f - <<< $'all:\\n\\tmark'
  printf 'all:; mark' | make -f -
  make SHELL=mark
  make --eval='all:; mark'
  make --eval '$(shell mark)'
  trap mark EXIT
  trap 'mark a' EXIT
  trap "mark" INT; kill -INT $$
  x(){ mark; }; x
  function x { mark; }; x
  alias x=mark⏎x
  alias x='mark a'⏎x
  exec mark
  exec -a n mark
  exec -c mark
  exec -l mark
  exec -ca n mark
  coproc mark
  coproc X { mark; }
  { mark; }
  (mark)
  {,mark}
  {mark,}
  "mark"
  'mark'
  \\mark
  $'mark'
  $"mark"
  mark<<E⏎E
  sh <<E⏎mark⏎E
  sh <<'E'⏎mark⏎E
  bash <<E⏎$(echo mark)⏎E
  cat <<E | sh⏎mark⏎E
  command mark
  command -p mark
  command -- mark
  builtin command mark
  builtin eval mark
  enable -f x mark
  hash -p /bin/mark a; a
  parallel mark ::: a
  parallel ::: mark
  parallel ::: 'mark a'
  echo mark | parallel
  parallel 'mark {}' ::: a
  parallel -j 2 "mark {}" ::: a
  parallel --tmux mark ::: a
  sem mark
  watch mark
  watch -n 1 mark
  watch -n 1 'mark a'
  watch -x mark
  watch -n1 -x mark
  script -c mark
  script -c 'mark a' f
  script -qc mark /dev/null
  script --command=mark
  script -q -e -c "mark" f
  unbuffer mark
  expect -c 'spawn mark'
  tmux new mark
  tmux new-session -d mark
  tmux new -d 'mark a'
  tmux send-keys mark Enter
  tmux send-keys 'mark a' Enter
  tmux run-shell 'mark a'
  tmux if-shell 'mark a' x
  tmux split-window 'mark'
  screen mark
  screen -dm mark
  screen -dmS x sh -c mark
  screen -X stuff $'mark\\n'
  vim -c '!mark'
  vim -c '!mark a' x
  vim -c ':!mark' x
  vim -es +'!mark'
  vim '+!mark' x
  vim --cmd '!mark a' x
  vim -c 'call system("mark")'
  nvim -c ':!mark'
  ex -c '!mark' x
  ex <<< '!mark'
  ed <<< '!mark'
  ed -s f <<E⏎!mark a⏎E
  emacs --eval '(shell-command "mark")'
  less '+!mark' f
  man -P mark x
  man -P 'mark a' x
  man --pager=mark x
  tar --to-command=mark -xf x
  tar --checkpoint=1 --checkpoint-action=exec=mark -cf x y
  tar -I mark -cf x y
  tar -I 'mark a' -cf x y
  tar --use-compress-program=mark -cf x y
  tar --rsh-command=mark -cf h:x y
  tar -F mark -cf x y
  zip x y -TT mark
  zip x y -T -TT 'mark a'
  sed '1e mark' f
  sed -n '1e mark a' f
  sed 's/a/mark/e' f
  sed --expression='1e mark' f
  sort --compress-program=mark f
  split --filter=mark f
  split --filter='mark a' f
  m4 <<< 'syscmd(mark)'
  dc -e '!mark'
  dc <<< '!mark'
  flock f mark
  flock f -c mark
  flock f -c 'mark a'
  flock -n f sh -c mark
  chroot / mark
  chroot --userspec=u / mark
  unshare -r mark
  unshare mark
  nsenter -t 1 mark
  nsenter -t 1 -m -- mark
  systemd-run mark
  systemd-run --user -- mark
  at now <<< mark
  echo mark | at now
  batch <<< mark
  crontab - <<< '* * * * * mark'
  echo '* * * * * mark' | crontab -
  socat - EXEC:mark
  socat - EXEC:"mark a"
  socat - SYSTEM:'mark a'
  nc -e mark h 1
  nc -c 'mark a' h 1
  ncat --exec mark h 1
  gdb -ex '!mark'
  gdb -ex 'shell mark' -batch
  gdb --args mark
  strace mark
  strace -f -o x mark
  ltrace mark
  valgrind mark
  perf record mark
  perf stat -- mark
  xvfb-run mark
  xvfb-run -a mark
  dbus-run-session mark
  dbus-run-session -- mark
  fakeroot mark
  fakeroot -- mark
  firejail mark
  bwrap --ro-bind / / mark
  proot -r / mark
  setarch x86_64 mark
  linux64 mark
  prlimit --nofile=1 mark
  numactl -N 0 mark
  start-stop-daemon --start --exec /bin/mark
  start-stop-daemon -S -x mark
  entr mark
  echo f | entr mark
  ls | entr -r mark a
  ls | entr -s 'mark a'
  watchexec mark
  watchexec 'mark a'
  watchexec -- mark
  nodemon --exec mark
  nodemon --exec 'mark a' x
  npx -c mark
  npx -c 'mark a'
  npx --call 'mark a'
  npx mark
  npx -y mark
  npm exec mark
  npm exec -- mark
  npm exec -c 'mark a'
  npm x mark
  pnpm exec mark
  pnpm dlx mark
  yarn exec mark
  yarn dlx mark
  yarn mark
  bunx mark
  bun x mark
  bun run mark
  npm run x --script-shell=mark
  uvx mark
  uv run mark
  uv tool run mark
  uv run --with x mark
  poetry run mark
  pipenv run mark
  pdm run mark
  hatch run mark
  conda run mark
  conda run -n x mark
  bundle exec mark
  mise exec -- mark
  mise x -- mark
  direnv exec . mark
  asdf exec mark
  nix-shell --run mark
  nix-shell --run 'mark a'
  nix-shell --command 'mark a'
  nix develop -c mark
  nix run x -- mark
  nix shell x -c mark
  devbox run mark
  docker run x mark
  docker run --rm -v .:/w x sh -c mark
  docker run --rm x sh -c 'mark a'
  docker exec c mark
  docker exec -it c sh -c 'mark a'
  docker compose run x mark
  docker compose exec x mark
  docker-compose exec x mark
  podman run x mark
  podman exec c mark
  podman exec c sh -c 'mark a'
  kubectl exec p -- mark
  kubectl exec p -- sh -c 'mark a'
  kubectl run x --image=y -- mark
  kubectl debug p -- mark
  lxc exec c -- mark
  vagrant ssh -c mark
  vagrant ssh -c 'mark a'
  heroku run mark
  fly ssh console -C mark
  fly ssh console -C 'mark a'
  gcloud compute ssh x --command=mark
  gcloud compute ssh x --command='mark a'
  aws ecs execute-command --command mark
  ansible all -a mark
  ansible all -m shell -a 'mark a'
  ansible all -m command -a mark
  wsl mark
  wsl -e mark
  wsl -- mark
  cmd.exe /c mark
  cmd.exe /c "mark a"
  cmd /c "mark a"
  powershell -c mark
  powershell -Command "mark a"
  pwsh -c 'mark a'
  osascript -e 'do shell script "mark"'
  open -a mark
  cargo run mark
  cargo run -- mark
  cargo mark
  go run x mark
  go test -exec mark ./...
  go test -exec 'mark a' ./...
  go vet -vettool=mark
  go build -toolexec mark
  go build -toolexec 'mark a'
  go tool mark
  deno run mark
  cmake -E env mark
  cmake -E env X=1 mark
  cmake -E time mark
  cmake -DCMAKE_C_COMPILER=mark .
  meson test --wrap=mark
  meson test --wrap 'mark a'
  meson devenv -C x mark
  mvn exec:exec -Dexec.executable=mark
  ant -Dx=mark
  gcc -wrapper mark x.c
  gcc -wrapper mark,a x.c
  tee >(mark)
  cat <(mark)
  diff <(mark) <(mark)
  coproc X { mark; }; wait
  [[ -n $(mark) ]]
  : \${x:=$(mark)}
  : "\${x:=\`mark\`}"
  ((x=$(mark)))
  select x in $(mark); do :; done
  case $(mark) in x) ;; esac
  mapfile -t x < <(mark)
  mapfile -C mark -c 1 x < f
  readarray -C 'mark a' -c 1 x < f
  complete -C mark x
  compgen -C mark
  compgen -C 'mark a'
  bind -x '"a":mark'
  fc -s mark
  fc -e mark
  history -s mark
  PROMPT_COMMAND=mark bash -i
  PS1='$(mark)' bash -i
  SHELL=mark script
  SHELL=/bin/mark vim -c '!x'
  cp /usr/bin/mark ./n; ./n
  ln -s /usr/bin/mark n; ./n
  ln -s $(which mark) n && ./n
  install /usr/bin/mark n; ./n
  cp "$(command -v mark)" n; ./n
  cat /usr/bin/mark > n; chmod +x n; ./n
  /lib64/ld-linux-x86-64.so.2 /usr/bin/mark
  /usr/bin/{mark,x}
  ~/bin/mark
  ./mark
  pkexec mark
  pkexec --user u mark
  runas x mark
  gosu u mark
  su-exec u mark
  setpriv --reuid 1 mark
  capsh -- -c mark
  capsh -- -c 'mark a'
  cgexec -g x mark
  catchsegv mark
  chpst -u x mark
  softlimit mark
  setuidgid u mark
  envdir x mark
  envuidgid u mark
  s6-setuidgid u mark
  dumb-init mark
  tini -- mark
  tini mark
  dotenv mark
  dotenv run mark
  dotenv -- mark
  cross-env X=1 mark
  cross-env-shell 'mark a'
  env-cmd mark
  op run -- mark
  aws-vault exec x -- mark
  doppler run -- mark
  doppler run --command='mark a'
  chamber exec x -- mark
  sops exec-env x mark
  sops exec-env x 'mark a'
  infisical run -- mark
  concurrently mark
  concurrently 'mark a' b
  npm-run-all mark
  hyperfine mark
  hyperfine 'mark a'
  hyperfine -p 'mark a' b
  fd -x mark
  fd x -x mark
  fd --exec mark
  fd -X mark
  fd . -x sh -c mark
  rg --pre mark x
  rg --pre=mark x
  rg --hostname-bin=mark x
  fzf --preview 'mark a'
  fzf --bind 'start:execute(mark)'
  psql -c '\\! mark'
  psql <<< '\\! mark'
  sqlite3 x '.shell mark'
  sqlite3 x '.system mark a'
  mysql -e '\\! mark'
  mysql --pager=mark
  ftp x <<< '!mark'
  telnet x <<< '!mark'
  gnuplot -e 'system "mark"'
  R -e 'system("mark")'
  Rscript -e 'system("mark")'
  julia -e 'run(\`mark\`)'
  guile -c '(system "mark")'
  octave --eval 'system("mark")'
  groovy -e '"mark".execute()'
  wget --use-askpass=mark x
  wget -e use_askpass=mark x
  ip netns exec x mark
  ip vrf exec x mark
  tcpdump -z mark -w x
  tcpdump -zmark -w x
  run0 mark
  uptime; mark
  wait; mark
  nsenter mark
  dtach -n x mark
  abduco -c x mark
  xterm -e mark
  xterm -e 'mark a'
  gnome-terminal -- mark
  konsole -e mark
  kitty mark
  alacritty -e mark
  wezterm start mark
  x-terminal-emulator -e mark
  env -S 'm\\ark'
  xargs -I% sh -c %
  xargs -I % %
  echo x | xargs python3
  python3 -W ignore -c 'x'
  python3 <<< 'print(1)'
  echo 'import os' | python3
  perl -e 'exec chr(109)'
  perl -pi -e 's/a/b/' f
  node -p 1
  node --eval '1'
  deno eval 'x'
  awk "$x" f
  sed "$x" f
  sed -f - f
  sed 's/x/y/e' f
  sed -n '/a/,/b/{s/x/y/ge;p}' f
  sed -e 1d -e 'e ls' f
  vim -S f
  ssh h
  ssh h 'm\\ark'
  ssh h "$x"
  git -c alias.z='!ls' z
  git --config-env=alias.z=X z
  tar -I 'l\\s' -cf x y
  split --filter='l"s"' f
  echo bWFyaw== | base64 -d > f; sh f
  echo bWFyaw== | base64 -d | xargs env
  echo 'ma\\x72k' | tee -a f; . ./f
  curl -o i.sh h; sh i.sh
  curl h > i.sh && bash ./i.sh
  printf x > M; make -f M
  cp /usr/bin/ma[r]k n; ./n
  at -f f now
  crontab f
  powershell -EncodedCommand bQBhAHIAawA=
`);

/** What people and models run day by day, some with the name in a text that nothing runs. */
export const ordinaryCommands = linesOf(`
  echo mark
  echo mark | xargs
  grep -rn mark src
  cd a && grep mark b | head -5
  which mark
  cat mark.txt
  ls marks
  git status && git diff
  git add -A && git commit -m 'use mark "now"'
  git -c user.name=x commit -m y
  git -c core.quotepath=off log
  git stash push
  npm test 2>&1 | tail -20
  npm test > out.txt 2>&1; tail out.txt
  npm run build -- --x='a'
  npx vitest run -t 'a or b'
  node x.js -p 1
  node --test x.js
  python3 x.py -c y
  python3 -m pytest -k 'a or b'
  python manage.py test
  pip install -r requirements.txt
  make -j4 all
  make CC=gcc
  cmake -S . -B build && cmake --build build
  cargo test -- --nocapture
  go test -run 'Test.*' ./...
  docker run -e 'X={a}' i
  docker ps --format '{{.Names}}'
  kubectl get pods -o jsonpath='{.x}'
  awk '{print $1}' f | sort | uniq -c
  awk -F, '$2 > 3 || $3 == "a" {n++} END {print n}' f
  sed -n 1,5p f
  sed -i 's/a/b/g' f
  sed -i.bak -e 's|e|e|g;/x/d' f
  sed -i '' '/^import (/a\\ x e' f
  sed 's/a/b/w out' f
  find . -name '*.o' -exec rm {} +
  find . -name x -print0 | xargs -0 grep y
  fd -e ts -x wc -l
  xargs -0 rm < l
  ssh h ls
  ssh -p 2 h 'ls -l'
  tar -czf a.tgz b
  tar -xzf a.tgz -C b
  rsync -a --delete a/ b/
  chmod +x b.sh && ./b.sh
  cp a b && ls b
  curl -sS -o page.html https://example.com
  psql -c 'select 1'
  sqlite3 x.db 'select 1'
  timeout 60 npm test
  nohup node server.js
  sudo apt-get install -y x
  time make
  vim f
  tmux ls
`);
