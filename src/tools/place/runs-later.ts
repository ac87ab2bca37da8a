import { sep } from 'node:path';
import type { Bilingual } from '../../domain/language.ts';
import { gitReason } from './git-files.ts';
import { matchesPath, pathPatterns, plainName } from './path-patterns.ts';

/**
 * Returns why a change of this file can make something run later by itself: when a folder is opened, at the next git or build command, at the
 * next login. Undefined for all other files. A person is asked about each such change, wherever the file lies.
 *
 * The table has what runs without being named by whoever starts it. A program's own source does not belong into it, nor does a script that
 * somebody has to call. Names are compared as a file system does that ignores case and Unicode forms.
 */
export function runsLater(path: string): Bilingual | undefined {
  const parts = path.split(sep).map(plainName);
  return gitReason(parts) ?? TABLE.find(({ patterns }) => patterns.some((pattern) => matchesPath(pattern, parts)))?.why;
}

const row = (why: Bilingual, names: string) => ({ why, patterns: pathPatterns(names) });

const TABLE = [
  row(
    { en: 'a shell runs it when it starts', zh: 'shell 启动时会运行它' },
    `.bashrc .bash_profile .bash_login .bash_logout .bash_aliases .bashenv .profile .zshrc .zshenv .zprofile .zlogin .zlogout .kshrc
     .mkshrc .cshrc .tcshrc .login .logout .inputrc .environment .pam_environment config.fish .config/fish/ .oh-my-zsh/ .zsh/ .bash.d/
     .bashrc.d/ .zshrc.d/ profile.ps1 *_profile.ps1 .config/powershell/ etc/profile etc/profile.d/ etc/environment etc/bash.bashrc .profile.d/ .bash_completion .config/zsh/ .xonshrc .config/xonsh/ .config/nushell/ .elvish/`,
  ),
  row(
    { en: 'it runs when a folder is entered or a tool starts in it', zh: '进入文件夹或在其中启动工具时会运行它' },
    `.envrc .envrc.* .autoenv .autoenv.zsh mise.toml .mise.toml .mise/ mise.local.toml .tool-versions .rtx.toml devbox.json .sdkmanrc flake.nix shell.nix
     default.nix devenv.nix`,
  ),
  row(
    { en: 'it runs when you log in, at a fixed time, or as a service', zh: '登录时、定时或作为服务会运行它' },
    `.xinitrc .xprofile .xsession .xsessionrc .xserverrc .config/autostart/ .config/autostart-scripts/ .config/systemd/
     .config/environment.d/ .config/plasma-workspace/ .local/share/systemd/ .local/share/applications/ .local/share/dbus-1/
     *.desktop etc/systemd/ lib/systemd/ .config/i3/ .config/sway/ .config/hypr/ .i3/ library/launchagents/ library/launchdaemons/
     launchagents/ launchdaemons/ crontab etc/cron*/ etc/cron* etc/anacrontab spool/cron/ spool/at/ cron.d/ init.d/ rc.local
     etc/sudoers etc/sudoers.d/ etc/xdg/ programs/startup/ .xbindkeysrc .config/sxhkd/`,
  ),
  row(
    { en: 'it says who may log in, or what runs at a connection', zh: '它规定谁可以登录，或连接时运行什么' },
    '.ssh/ authorized_keys authorized_keys2 .rhosts .shosts .gnupg/',
  ),
  row(
    { en: 'commands that it names are run to get credentials', zh: '会运行其中写明的命令以取得凭据' },
    '.aws/ .kube/ .docker/ .netrc .config/gcloud/ .azure/ .config/gh/',
  ),
  row(
    { en: 'an editor runs what it names when the folder is opened', zh: '打开文件夹时，编辑器会运行其中写明的内容' },
    `.vscode/ .idea/ .zed/ .fleet/ .vs/ .nova/ .theia/ .devcontainer/ .devcontainer.json devcontainer.json *.code-workspace .gitpod.yml .gitpod.dockerfile devfile.yaml
     *.sublime-project *.iml .project .vimrc .gvimrc .exrc .nexrc .nvimrc .nvim.lua .lvimrc .vim/ .config/nvim/ .config/helix/ .helix/
     init.vim .emacs .emacs.d/ .config/emacs/ .doom.d/ .dir-locals.el .dir-locals-2.el .nanorc .kakrc .spacemacs .ycm_extra_conf.py .clangd compile_commands.json rust-analyzer.toml .luarc.json .solargraph.yml .replit
     .stackblitzrc .codesandbox/ .idx/`,
  ),
  row(
    { en: 'an agent reads it as instructions, or runs what it names', zh: '智能体会把它当作指令，或运行其中写明的内容' },
    `.claude/ .claude.json .cursor/ .cursorrules .codex/ .gemini/ .sanbot/ .sanbot.json .continue/ .windsurf/ .windsurfrules .clinerules
     .clinerules/ .roo/ .roomodes .roorules .kilocode/ .kiro/ .amazonq/ .aider.conf.yml .aider* .opencode/ opencode.json opencode.jsonc
     .junie/ .trae/ .qwen/ .crush/ crush.json .goosehints .goose/ .augment/ .augment-guidelines .pi/ .agents/ .agent/ .mcp.json mcp.json
     .vscode-mcp.json agents.md agents.*.md agent.md claude.md claude.*.md gemini.md qwen.md warp.md sanbot.md crush.md skill.md
     .rules copilot-instructions.md .github/instructions/ .github/prompts/ .github/agents/ .github/skills/ .github/hooks/
     .github/copilot/ .config/claude/ .config/sanbot/ .devin/ .factory/ .openhands/ .cody/ .serena/ .ruler/ .rovodev/ .bolt/`,
  ),
  row(
    { en: 'git runs what it names, or leaves it to commands of its configuration', zh: 'git 会运行其中写明的内容，或交给其配置中的命令' },
    '.gitconfig .config/git/ etc/gitconfig .gitmodules .gitattributes .lfsconfig .hg/ .hgrc .hgsub .svn/ .jj/ .sl/ .bzr/ _darcs/',
  ),
  row(
    { en: 'it runs at a commit or a push', zh: '提交或推送时会运行它' },
    `.husky/ .githooks/ .git-hooks/ githooks/ git-hooks/ .pre-commit-config.yaml .pre-commit-config.yml .pre-commit-hooks.yaml
     prek.toml .lefthook/ .lefthook-local/ lefthook.yml lefthook.yaml lefthook.toml lefthook.json lefthook-local.* .lefthook.*
     .overcommit.yml .arcconfig .arclint .git-hooks.* .lintstagedrc* lint-staged.config.* .simple-git-hooks.* simple-git-hooks.* .commitlintrc*
     commitlint.config.* .huskyrc* .yorkie/ .ghooks*`,
  ),
  row(
    { en: 'a build server runs it at the next push', zh: '下次推送时，构建服务器会运行它' },
    `.github/workflows/ .github/actions/ action.yml action.yaml .gitlab-ci.yml .gitlab-ci.yaml *.gitlab-ci.yml .gitlab/ .circleci/
     .buildkite/ .drone.yml .drone.jsonnet .travis.yml azure-pipelines*.yml azure-pipelines*.yaml .azure-pipelines/ .pipelines/
     jenkinsfile* bitbucket-pipelines.yml appveyor.yml .appveyor.yml cloudbuild.yaml cloudbuild.yml .woodpecker/ .woodpecker.yml
     .woodpecker.yaml .forgejo/ .gitea/ buildspec*.yml buildspec*.yaml wercker.yml .teamcity/ .semaphore/ codemagic.yaml .cirrus.yml
     .cirrus.star .screwdriver.yaml .tekton/ .concourse/ .harness/ .sourcehut.yml .build.yml .builds/ .ci/ bors.toml .mergify.yml
     .readthedocs.yml .readthedocs.yaml netlify.toml vercel.json .vercel/ now.json wrangler.toml wrangler.jsonc fly.toml render.yaml
     app.yaml heroku.yml app.json procfile* railway.json railway.toml amplify.yml .platform.app.yaml .do/ renovate.json* .renovaterc*
     .github/dependabot.yml .github/renovate.json* .releaserc* release.config.* .goreleaser.y*ml earthfile`,
  ),
  row(
    {
      en: 'npm, pnpm, yarn or bun run what it names, also at an installation',
      zh: 'npm、pnpm、yarn 或 bun 会运行其中写明的内容，安装时也会',
    },
    `package.json .npmrc .yarnrc .yarnrc.yml .yarn/ .pnpmfile.cjs .pnpmfile.mjs pnpm-workspace.yaml .pnp.cjs .pnp.loader.mjs bunfig.toml
     deno.json deno.jsonc nx.json turbo.json lerna.json rush.json common/config/rush/ node_modules/ binding.gyp
     package-lock.json npm-shrinkwrap.json yarn.lock pnpm-lock.yaml bun.lock bun.lockb deno.lock`,
  ),
  row(
    { en: 'the next installation fetches and runs what it names', zh: '下次安装时会下载并运行其中写明的内容' },
    `requirements*.txt requirements*.in requirements/*.txt requirements/*.in constraints*.txt conda-lock.yml pipfile.lock poetry.lock uv.lock pdm.lock cargo.toml cargo.lock go.mod go.sum go.work gemfile.lock
     composer.lock mix.lock packages.config environment.y*ml podfile.lock gradle.lockfile .terraform.lock.hcl pubspec.yaml pubspec.lock`,
  ),
  row(
    { en: 'tools and extensions of editors run it when they load their settings', zh: '工具和编辑器扩展加载设置时会运行它' },
    `*.config.js *.config.mjs *.config.cjs *.config.ts *.config.mts *.config.cts .eslintrc* .prettierrc* .babelrc* .stylelintrc*
     .mocharc* .jestrc* .nycrc* .swcrc .svgrrc* .markdownlint-cli2* gulpfile* gruntfile* karma.conf.* wdio.conf.* nightwatch.conf.* protractor.conf.* webpack.mix.js gatsby-config.* gatsby-node.* gatsby-browser.* gatsby-ssr.*
     .detoxrc* .vitepress/config.* .storybook/
     babel.config.json jest.config.json .postcssrc* .parcelrc tslint.json angular.json .remarkrc* .textlintrc* jest.setup.* vitest.setup.* vitest.workspace.* .rubocop.yml .flake8 .pylintrc pylintrc mypy.ini .mypy.ini .dprint.json dprint.json
     phpstan.neon* .php-cs-fixer* rector.php`,
  ),
  row(
    { en: 'Python runs it when it starts, tests or builds', zh: 'Python 启动、测试或构建时会运行它' },
    `conftest.py sitecustomize.py usercustomize.py *.pth *.egg-link setup.py setup.cfg pyproject.toml tox.ini noxfile.py pytest.ini
     .pytest.ini fabfile.py .pythonrc .pythonrc.py .pythonstartup .pdbrc .pdbrc.py .ipython/ .jupyter/ jupyter_*config.py pip.conf
     .pip/ .config/pip/ .pypirc docs/conf.py doc/conf.py docs/source/conf.py dodo.py pavement.py conanfile.py conanfile.txt uv.toml poetry.toml pdm.toml .pdm.toml hatch.toml pixi.toml pipfile site-packages/ dist-packages/ .venv/ pyvenv.cfg
     hatch_build.py wscript sconstruct`,
  ),
  row(
    { en: 'a build runs it', zh: '构建时会运行它' },
    `makefile makefile.* *.mk gnumakefile bsdmakefile justfile .justfile *.just taskfile.y*ml taskfile.dist.y*ml rakefile rakefile.rb
     *.rake *.gemspec gemfile guardfile capfile brewfile podfile fastfile dangerfile* vagrantfile tiltfile magefile.go build.rs .cargo/
     rust-toolchain rust-toolchain.toml build.gradle* settings.gradle* init.gradle* gradle.properties gradlew gradlew.bat gradle/wrapper/
     .gradle/ buildsrc/ pom.xml .mvn/ mvnw mvnw.cmd build.sbt project/*.sbt project/build.properties build.xml ivy.xml cmakelists.txt
     *.cmake cmakepresets.json cmakeuserpresets.json meson.build .bazelrc .bazelversion workspace workspace.bazel module.bazel build *.bzl buck .buckconfig pants.toml tools/bazel directory.build.* dockerfile* containerfile* configure configure.ac build.bazel sconscript config.ru serverless.y*ml ansible.cfg .ansible.cfg *.pbxproj
     *.xcscheme
     directory.packages.props *.csproj *.fsproj *.vbproj *.vcxproj *.targets *.props nuget.config global.json dotnet-tools.json
     docker-compose*.y*ml compose.y*ml compose.*.y*ml rebar.config mix.exs config/config.exs dune dune-project composer.json
     artisan ext_conf.php stack.yaml cabal.project .terraformrc terraform.rc shard.yml package.swift build.zig xmake.lua premake5.lua setup.hs config.nims nim.cfg .jvmopts waf cdk.json pulumi.yaml skaffold.yaml docker-bake.* .moon/ moon.yml .gclient`,
  ),
  row(
    { en: 'a program runs what it names when it starts', zh: '程序启动时会运行其中写明的内容' },
    `.htaccess .user.ini web.config .ripgreprc .wgetrc .curlrc .screenrc .tmux.conf .config/tmux/ .irbrc .pryrc .gdbinit .gdb/ .lldbinit .psqlrc .sqliterc .my.cnf
     .rprofile .renviron rprofile.site .octaverc .ghci .lesskey .lessfilter .mailcap .muttrc .config/mutt/ .forward .procmailrc .perltidyrc
     .proverc .ackrc .agignore.rc .config/htop/ .config/kitty/ .config/wezterm/ .wezterm.lua .config/alacritty/ .alacritty.* .hammerspoon/
     .config/mpv/scripts/ .mpv/ .latexmkrc latexmkrc .config/ranger/ .config/lf/ .config/nnn/ .config/yazi/ .valgrindrc .gtkrc* .drirc
     .xresources .xdefaults etc/ld.so.preload etc/ld.so.conf etc/ld.so.conf.d/ .bundle/ .rspec .simplecov .config/nix/ .nixpkgs/
     .local/bin/ .config/atuin/ .config/starship.toml .config/mise/ .config/direnv/ .asdfrc`,
  ),
];
