import { sep } from 'node:path';
import type { Bilingual } from '../../domain/language.ts';
import { gitReason } from './git-files.ts';
import { indexPatterns, isOnTheWay, type PathIndex, type PathPattern, pathPatterns, plainName } from './path-patterns.ts';

/**
 * Returns why a change of this file can make something run later by itself: when a folder is opened, at the next git or build command, at the
 * next login. Undefined for all other files. A person is asked about each such change, wherever the file lies.
 *
 * The table has what runs, or decides what runs, without being named by whoever starts it; it is ordered by who loads it, and has families of
 * names where a tool takes any of them. A program's own source does not belong into it, nor do tests, nor a script that somebody has to call.
 * Names are compared as a file system does that ignores case and Unicode forms.
 */
export function runsLater(path: string): Bilingual | undefined {
  const parts = path.split(sep).map(plainName);
  index ??= indexPatterns(TABLE);
  return gitReason(parts) ?? index(parts);
}

/** The same for a link: what stands where it leads is reached by another name, so each folder on the way to such a file counts. */
export function linkRunsLater(path: string): Bilingual | undefined {
  const parts = path.split(sep).map(plainName);
  ways ??= TABLE.flatMap(({ value, names }) =>
    pathPatterns(names).flatMap((pattern) => (pattern.names.length > 1 ? { pattern, value } : [])),
  );
  return runsLater(path) ?? ways.find(({ pattern }) => isOnTheWay(pattern, parts))?.value;
}

let index: PathIndex<Bilingual> | undefined;
let ways: readonly { readonly pattern: PathPattern; readonly value: Bilingual }[] | undefined;

const row = (why: Bilingual, names: string) => ({ value: why, names });

const TABLE = [
  row(
    { en: 'a shell runs it when it starts', zh: 'shell 启动时会运行它' },
    `.profile .bash_* .bashenv .bash.d/ .bashrc.d/ .zshenv .zprofile .zlogin .zlogout .zshrc.d/ .zsh/ .zfunc/ .p10k.zsh .oh-my-*/ .login
     .logout .environment .pam_environment .profile.d/ .config/{bash,zsh,fish,powershell,xonsh,nushell,elvish}/ config.fish
     {config,env}.nu {config,rc}.{elv,xsh} *.{plugin.zsh,zsh-theme} bash_completion.d/ {conf.d,functions,completions}/*.fish .elvish/ profile.ps1 *_profile.ps1 *.ps1xml autoexec.bat
     etc/{profile,environment,bash*,zsh*,csh*,inputrc} etc/{profile.d,zsh,fish}/`,
  ),
  row(
    { en: 'it runs when a folder is entered or a tool starts in it', zh: '进入文件夹或在其中启动工具时会运行它' },
    `.envrc* .{nvm,sdkman,fvm,jabba,rvm,ondir,volta}rc .env .env.{local,development,production,test,staging} .env.*.local .env.{vault,keys,me,defaults} .flaskenv
     .autoenv* .autoenv/ .smartcd/ .in.zsh {,.}mise*.toml .mise/ {,.}mise-tasks/ mise/tasks/ .rtx*.toml .tool-versions .*-version
     .prototools .proto/ .vfox.toml {,.}devbox.* .devbox/ .flox/ devenv.* .devenv/ .direnv/ .ruby-gemset .versions.conf .pyenv/ .rbenv-*
     .asdf/ {,.}aqua*.y*ml .aqua/ hermit.hcl {,.}pkgx.y*ml tea.yaml *.nix flake.lock {guix,channels}.scm .guix-channel .guix-authorizations
     rust-toolchain* lean-toolchain .config/{mise,rtx,direnv,atuin,starship.toml}/`,
  ),
  row(
    { en: 'it runs when you log in, at a fixed time, or as a service', zh: '登录时、定时或作为服务会运行它' },
    `.xprofile .xclients* .xsession* .config/{autostart,autostart-scripts,systemd,environment.d,plasma-workspace,upstart}/
     .local/share/{systemd,applications,dbus-1,kservices5,kio}/ *.desktop *.{service,timer,socket}
     etc/{systemd,init,init.d,udev,xdg,dbus-1}/ lib/systemd/
     .config/{i3,sway,hypr,openbox,bspwm,awesome,qtile,xmonad,niri,river,labwc,sxhkd,waybar}/ .{i3,xmonad,fluxbox,icewm}/ launchagents/
     launchdaemons/ crontab *.{crontab,cron} etc/cron* etc/cron*/ etc/{anacrontab,inittab,rc.local,sudoers,crypttab,fstab,hosts.allow}
     etc/{sudoers.d,pam.d,modprobe.d,modules-load.d,tmpfiles.d,sysctl.d,logrotate.d,update-motd.d,apt}/ spool/{cron,at}/ cron.d/ init.d/
     rc.local programs/startup/ autorun.inf desktop.ini *.{lnk,scf} {,.}tmuxinator.y*ml .tmuxp.* .teamocil.yml .zellij* .config/zellij/ {,.}byobu/ {,.}mprocs.*
     process-compose*.y*ml {,.}supervisord.conf`,
  ),
  row(
    { en: 'it says who may log in, or what runs at a connection', zh: '它规定谁可以登录，或连接时运行什么' },
    '.ssh/ authorized_keys* sshd_config ssh_config sshrc etc/ssh/ .rhosts .shosts .gnupg/ etc/{passwd,shadow,group}',
  ),
  row(
    { en: 'commands that it names are run to get credentials', zh: '会运行其中写明的命令以取得凭据' },
    '.aws/ .kube/ kubeconfig* *.kubeconfig .docker/ .netrc .azure/ .config/{gcloud,gh,glab-cli,containers}/ .dockercfg',
  ),
  row(
    { en: 'an editor runs what it names when the folder is opened', zh: '打开文件夹时，编辑器会运行其中写明的内容' },
    `.vscode*/ *.code-workspace .idea/ .run/ *.{iml,ipr,iws} .{zed,fleet,vs,nova,theia,lapce,c9,coder}/ {,.}devcontainer*.json
     .devcontainer*/ .gitpod* {,.}devfile.y*ml .che/ .replit* replit.nix .codesandbox/ sandbox.config.json .idx/ .codespaces/ .settings/
     .{project,classpath,factorypath,cproject,pydevproject,buildpath} .externaltoolbuilders/ *.launch {,.}nbproject/ *.sublime-* .atom/
     .atom-build* .vimrc* _vimrc* .gvimrc* _gvimrc* .nvimrc* .nvim* .vim/ .nvim/ .local.vim .vim.local .lvim* .vimspector.json .vimlocal* .project-vimrc
     init.{vim,lua,el} early-init.el {ts,js}config*.json *.rproj coc-settings.json .coc/ .neoconf.json neoconf.json .nlsp-settings/
     .config/{nvim,vim,helix,emacs,doom,zed,kak,micro,sublime-text,code}/ .emacs* .emacs.d/ .dir-locals* .projectile .spacemacs*
     .spacemacs.d/ .doom.d/ .helix/ .kak* .tm_properties .ycm_extra_conf.py .clangd compile_commands.json compile_flags.txt .ccls .cquery
     {,.}rust-analyzer.toml rust-project.json .luarc.json* .solargraph.yml omnisharp.json .omnisharp/ .ropeproject/ .spyproject/
     .spyderproject/ .metals/ .bsp/ .bloop/ .ensime* .calva/ .qtcreator/ .kateproject .kateconfig .kdev4/ *.{kdev4,geany,cbp,creator.user}
     pyrightconfig.json .lsp.json`,
  ),
  row(
    { en: 'an agent reads it as instructions, or runs what it names', zh: '智能体会把它当作指令，或运行其中写明的内容' },
    `.claude*/ claude_desktop_config.json .cursor*/ .codex*/ .gemini*/ .sanbot/ .sanbot.json .continue*/ .windsurf*/ .codeium/ .cline*/
     .roo*/ .kilo*/ .kiro*/ .amazonq*/ .aider*/ .opencode*/ opencode.json* .junie*/ .trae*/ .qwen*/ .qoder*/ .crush*/ crush.json .goose*/
     .augment*/ .pi/ .agents*/ .agent/ .copilot*/ .mcp*/ mcp*.json .vscode-mcp.json
     {agent,agents,claude,codex,gemini,qwen,warp,sanbot,crush,jules,iflow,replit,skill}.md {agents,claude,gemini}.*.md .rules .rules/
     copilot-instructions.md *.{instructions,prompt,chatmode,agent}.md
     .github/{instructions,prompts,agents,skills,hooks,copilot,chatmodes}/ .config/{claude,sanbot,opencode,goose,crush,github-copilot}/
     .{devin,factory,openhands,cody,sourcegraph,serena,ruler,rovodev,bolt,amp,ampcode,warp,zencoder,qodo,tabnine,codegpt,codebuddy,lingma,pearai,llm,antigravity,vibe,iflow,specify,taskmaster,bmad-core,openai,openclaw,jules}/
     .void*/ .firebender*/ firebender.json .plandex*/ .mentat*/ {,.}sweep.y*ml .coderabbit.y*ml {,.}pr_agent.toml {,.}greptile.json
     .ellipsis/ ellipsis.y*ml .sourcery.y*ml .bito*/ .codiumai.toml`,
  ),
  row(
    { en: 'git or another version control runs what it names', zh: 'git 或其他版本控制工具会运行其中写明的内容' },
    `.gitconfig* .config/{git,hg,jj,sapling}/ etc/{gitconfig,mercurial} .gitmodules .gitattributes .lfsconfig .gitreview
     .{hg,svn,jj,sl,bzr,pijul,repo,west,fossil-settings}/ _darcs/ .hgrc .hgsub .hgeol .p4config .gclient* west.yml .gitlint .arcconfig
     .arclint`,
  ),
  row(
    { en: 'it runs at a commit or a push', zh: '提交或推送时会运行它' },
    `.husky*/ {,.}git-hooks*/ {,.}githooks*/ .hooks/ .pre-commit*/ {,.}prek.toml {,.}lefthook*/ .overcommit*/ .lintstaged* lint-staged.*
     {,.}simple-git-hooks.* .commitlint* commitlint.* .yorkie/ .ghooks* {,.}captainhook* {,.}grumphp.* .cargo-husky/ {,.}rusty-hook.toml
     .bun-git-hooks* {,.}hk.pkl .trunk/ .cz* .committed.toml {,.}cliff.toml .mega-linter.y*ml`,
  ),
  row(
    { en: 'a build server or a host runs it at the next push', zh: '下次推送时，构建服务器或托管平台会运行它' },
    `.github/{workflows,actions,scripts,codeql}/ action.y*ml .github/{dependabot,settings,renovate}.* *.gitlab-ci.y*ml .gitlab-ci*
     .{gitlab,circleci,buildkite,forgejo,gitea,teamcity,semaphore,tekton,concourse,harness,pipelines,azuredevops,azure-pipelines,builds,ci,do,jenkins,codefresh,buddy,prow,argo,dagger,earthly,ddev,docksal,fmf,copr,platform,upsun,ebextensions,kamal,spacelift,vercel,netlify,wrangler,screwdriver,amplify,nx}/
     circle.yml .drone.* .travis* *azure-pipelines*.y*ml .vsts-ci.yml jenkinsfile* *.jenkinsfile vars/*.groovy bitbucket-pipelines.*
     {,.}appveyor*.y*ml cloudbuild*.{yaml,yml,json} .woodpecker* .woodpecker/ buildspec*.y*ml appspec.y*ml wercker.yml bitrise.y*ml
     codemagic.y*ml .cirrus.* .screwdriver.* .sourcehut.yml .build.y*ml bors.toml .bors.toml .mergify.y*ml .kodiak.toml .readthedocs.y*ml
     {,.}codeship* {,.}codefresh.y*ml shippable.yml .scrutinizer.yml .codeclimate.y*ml *.gocd.y*ml {,.}evergreen.yml {,.}zuul.y*ml
     {,.}zuul.d/ .prow.yaml .taskcluster.yml .lando*.yml .packit.y*ml dagger.{json,cue} .qodana* qodana.y*ml .space.kts
     .onedev-buildspec.yml ci_scripts/ netlify.toml {vercel,now,app,eas,railway,railpack,zbpack,firebase}.json wrangler.* fly*.toml
     render.y*ml app.y*ml heroku.yml railway.toml nixpacks.toml apphosting.y*ml apprunner.y*ml captain-definition project.toml .buildpacks
     .deployment azure.y*ml amplify.yml .platform.app.yaml .upsun.* {,.}garden.y*ml *.garden.y*ml devspace.y*ml okteto.y*ml werf*.yaml
     waypoint.hcl atlantis.y*ml renovate*.json* .renovate* .release* release.toml release-it.* .goreleaser* goreleaser.* .bumpversion.*
     tbump.toml .changeset/config.json *procfile* earthfile* .earthfile* .auto-changelog* {,.}lgtm.yml .rultor.yml .s2i/ .openshift/
     .dependabot/ {,.}binder/ jreleaser.y*ml gbp.conf .gbp.conf snapcraft.y*ml snap/hooks/ debian/ {pkg,apk}build *.ebuild`,
  ),
  row(
    {
      en: 'npm, pnpm, yarn, bun or deno run what it names, also at an installation',
      zh: 'npm、pnpm、yarn、bun 或 deno 会运行其中写明的内容，安装时也会',
    },
    `package.{json,json5,yaml,yml} .yarn*/ {,.}pnpmfile.* pnpm-workspace.yaml .pnp.* {,.}bunfig.toml deno.json* import{_,-}map.json
     jsr.json bower.json nx.json turbo.json* lerna.json rush.json common/config/rush/ {project,workspace,node.config}.json binding.gyp
     .moon/ moon.y*ml`,
  ),
  row(
    { en: 'it is installed code that other programs load', zh: '它是已安装的代码，其他程序会加载它' },
    `node_modules/ {site,dist}-packages/ {,.}venv/ pyvenv.cfg *.{pth,egg-link} .tox/ .nox/ vendor/{bundle,bin,composer}/
     vendor/autoload.php vendor/modules.txt .bundle/ .terraform/ .local/{bin,lib}/ lua_modules/ .luarocks/ .local/share/{nvim,gem}/ .gem/
     .composer/ .m2/ .ivy2/ .sbt/ .stack/ .cabal/ .opam/ _opam/ .nuget/ .dub/ .hex/ .mix/ .julia/`,
  ),
  row(
    { en: 'the next installation fetches and runs what it names', zh: '下次安装时会下载并运行其中写明的内容' },
    `{package-lock,npm-shrinkwrap}.json yarn.lock pnpm-lock.yaml bun.lock* deno.lock *requirements*.{txt,in} requirements/*.{txt,in}
     requirements.{y*ml,psd1} constraints*.txt {conda-lock,environment}*.y*ml pipfile* pylock*.toml
     {poetry,uv,pdm,pixi,devbox,mix,rebar,composer,symfony,gemfile,podfile,shard,stack,pubspec,paket,flake,berksfile,puppetfile}.lock
     cargo.{toml,lock} go.{mod,sum,work} go.work.sum gemfile* gems.{rb,locked} *.gemspec composer.json packages.{config,lock.json} paket.*
     .paket/ gradle.lockfile *.lockfile .terraform.lock.hcl pubspec*.yaml melos.yaml package.resolved conanfile.* conandata.y*ml vcpkg*.json *.wrap
     {spago,packages}.{yaml,dhall} elm*.json *.{rockspec,nimble,opam,cabal,ipkg,podspec} shard.yml dub.* {julia,}{project,manifest}.toml
     localpreferences.toml artifacts.toml cpanfile* renv.lock stack.yaml.lock renv/ packrat/ description lake-manifest.json lakefile.*
     esy.json haxelib.json build.zig.zon v.mod gleam.toml rebar.config* packages/manifest.json {cart,mint,brew,bers,puppet}file* buf.yaml
     buf.*.yaml galaxy.yml`,
  ),
  row(
    { en: 'tools and extensions of editors run it when they load their settings', zh: '工具和编辑器扩展加载设置时会运行它' },
    `*.{config,conf,rc,setup}.{js,mjs,cjs,ts,mts,cts,coffee} *.config.*.{js,mjs,cjs,ts,mts,cts} *.conf.*.{js,mjs,cjs,ts} .*rc .*rc.*
     {adonis,lighthouse,craco,babel,eslint,umi,dumi,father}rc.* .eslintplugin*/ eslint-local-rules*/ .markdownlint*.{js,cjs,mjs}
     .markdownlint-cli2* {,.}tslint*.json setupproxy.*
     {gulp,grunt,broc,jake,cake,webpack,plop,knex,locust,fab,task,rake,danger,policy,thor,helm}file.* gulpfile*/ webpack.*.{js,mjs,cjs,ts}
     metro.*.js ember-cli-build.* .ember-cli* {,.}testem.* {,.}angular*.json nest-cli.json config-overrides.*
     gatsby-{config,node,browser,ssr}.* brunch-config.* metalsmith.{js,cjs,mjs,json} {babel,jest,pm2,ecosystem}.config.json quasar.conf.* keystone.{js,ts} *.wasp alchemy.run.* saofile.* .ladle/ .percy.* cosmos.config.json .node-dev.json
     turbo/generators/ _plugins/ _config*.yml .eleventy.* .vuepress/config* .vitepress/
     .storybook/ .dumi/ .umi/ .hygen* .hygen/ _templates/ {,.}nodemon* *.nodemon.json {ecosystem,pm2}.json ormconfig.* *.prisma
     graphql.config.* codegen.{js,ts,yml,yaml,json} sqlc.* {,.}knip.* .dependency-cruiser* {,.}size-limit* {,.}typedoc.* {,.}jsdoc.*
     sgconfig.yml .cspell.* .pa11yci* .xo-config.* truffle*.js .solcover.js gridsome.*.js {,.}backstop.* {,.}artillery.*
     {tauri,tauri.*}.conf.* wails.json electron-builder.* config.xml {,.}web-ext-config.* antora*.y*ml mkdocs.y*ml book.toml _quarto*.yml
     _bookdown.yml hugo.toml nanoc.yaml config.rb {,.}araraconfig.yaml doxyfile.* .vale.ini {,.}dprint.json .golangci.* {,.}air.toml
     {,.}modd.conf {,.}reflex.conf .realize.y*ml {,.}bacon.toml .watchr .foreman .overmind.env .guard.rb .autotest .minitest.rb .powenv
     .ansible-lint .scalafmt.conf {,.}sqlfluff .skeema flyway*.{conf,toml} {after,before}migrate*.sql dbt_project.yml atlas.hcl
     liquibase.properties migrate-mongo-config.js`,
  ),
  row(
    { en: 'a test runner loads it before the tests', zh: '测试运行器会在测试之前加载它' },
    `{,*_,*-}{spec,test,rails,feature}_helper.* {,*_,*-}{spec,test}-helper.* {spec,test}/support/*.{rb,ex,exs} {spec,test}/support/*/*.rb
     spec/helpers/*.{js,mjs,ts} conftest.py jest*.{js,mjs,cjs,ts,mts,cts,json} vitest*.{js,mjs,cjs,ts,mts,cts}
     {karma,mocha,jasmine,wdio,protractor,nightwatch,codecept,stryker,cucumber,playwright,cypress}{.,-}*.{js,mjs,cjs,ts,json,yml}
     cucumber.{js,cjs,mjs,json,yml,yaml} {nightwatch,cypress,stryker,intern}.json playwright/index.* cypress/{support,plugins}/
     cypress.env.json {test,tests,mocha,e2e,dom,env,global,unit}{-,_,}{setup,teardown}.{js,mjs,cjs,ts,mts,tsx}
     setup{-,_,}{jest,vitest,test,tests,env,files,globals}.{js,mjs,cjs,ts,mts,jsx,tsx}
     setup.{jest,vitest,tests,env}.{js,mjs,cjs,ts,mts,jsx,tsx}
     {test,tests,spec,e2e,__tests__}/{setup,globalsetup,bootstrap,global-setup}.{js,mjs,cjs,ts,mts,jsx,tsx,py,rb} global.{setup,teardown}.*
     mocha.opts jasmine*.json .{c8,nyc,lab}.* features/{support,step_definitions}/ features/environment.py .cucumber* behave.ini terrain.py
     karate-config.js {,.}pytest.{ini,toml} tox.{ini,toml} .tox.ini noxfile* nose*.cfg unittest.cfg asv.conf.json .coveragerc coverage.cfg
     robot.{toml,yaml} __init__.robot locust.conf phpunit*.xml* {,.}{psalm,phpcs}.xml* {infection,phpbench}.json* codeception*.y*ml
     *.suite.y*ml behat*.y*ml* phpspec*.y*ml* pest.php tests/testcase.php {test,tests}/bootstrap.* kahlan-config.php peridot.php
     testng*.xml junit-platform.properties spockconfig.groovy testthat/{setup,helper,teardown}*.r tests/testthat.r runtests.jl .busted
     *.{runsettings,testsettings} xunit.runner.json testconfig.json {flutter_test_config,dart_test}.* linuxmain.swift *.xctestplan
     nextest.toml .config/nextest.toml ctestcustom* ctestconfig.* dartttestfile* ct_hooks* cover.spec *.bats.bash
     {test,tests}/{test,common}-setup* {,.}shellspec* psakefile.ps1 *.build.ps1`,
  ),
  row(
    { en: 'Python runs it when it starts or builds', zh: 'Python 启动或构建时会运行它' },
    `{site,user}customize.py* setup.{py,cfg} pyproject.toml fabfile* fabfile/ invoke.y*ml .pythonrc* .pythonstartup .python_startup*
     .{ipython,jupyter,ptpython}/ ipython_config.py jupyter_*config.* .config/{pip,ptpython,matplotlib}/ pip.{conf,ini} .pip/
     {,.}pydistutils.cfg distutils.cfg buildout.cfg versioneer.py {docs,doc,source,sphinx,documentation,manual}/conf.py pelicanconf.py
     publishconf.py dodo.py pavement.py {tasks,duties,shovel}.py tasks/__init__.py poe_tasks.* uv.toml poetry.toml {,.}pdm.{toml,lock} hatch*.toml hatch_build.py pdm_build.py pixi.{toml,lock} matplotlibrc
     condarc conda.recipe/ recipe/meta.yaml recipe.yaml alembic.ini {alembic,migrations}/env.py scrapy.cfg celeryconfig.py
     gunicorn*conf*.py airflow.cfg airflow_local_settings.py superset_config.py snakefile* dvc.yaml .dvc/ mlproject .flake8 {,.}pylint*
     {,.}mypy.ini .importlinter .pyre_configuration* babel.{cfg,ini} copier.y*ml hooks/{pre,post}_gen_project.* hooks/pre_prompt.*
     zappa_settings.* .chalice/`,
  ),
  row(
    { en: 'a build runs it', zh: '构建时会运行它' },
    `*makefile makefile.* *.{mk,mak,make,am,ac,m4} kbuild* kconfig kconfig.* makevars* {,.}justfile maskfile.md *.just taskfile*.y*ml *.{rake,thor}
     rakelib/ configure configure.{ac,in,win,ucrt} bootstrap.sh autogen.sh cmakelists.txt* *.cmake *.cmake.in cmake*presets.json
     meson.build meson.options meson_options.txt
     *.{ninja,bzl,bxl,bazel,star,sky,gn,gni,gyp,gypi,jam,pro,pri,prf,qbs,cake,nuspec,proj,tt,t4,nims} *nim.cfg .gn .qmake.conf .plzconfig*
     .bazel* *.bazelrc workspace workspace.bzlmod build buck targets {,.}buckconfig* pants .pants.* pants.toml tools/bazel sconstruct*
     sconscript* site_scons/ wscript* waf tup{file,rules}* {jam,tup}{root,rules}* {xmake,premake*,genie}.lua
     build.{rs,zig,sc,mill*,boot,clj,hs,jl,pl,cake,fsx,xml,properties} deps/build.jl docs/make.jl hook/{build,link}.dart build.yaml
     {build,settings,init}.gradle* *.gradle *.gradle.kts gradle.properties local.properties gradle/ gradlew* .gradle/ buildsrc/
     build-logic/ pom.* .mvn/ mvnw* *.sbt project/*.{sbt,scala,properties} .sbtopts .jvmopts .mill* mill mill.bat package.mill
     .scalafix.conf .ammonite/ ivy*.xml jitpack.yml lombok.config meta-inf/{services,spring}/ spring.factories checkstyle.xml project.clj
     profiles.clj {deps,bb,shadow-cljs,tests}.edn user.clj data_readers.clj .{clojure,lein,clj-kondo}/ directory.*.{props,targets,rsp}
     *.{props,targets,tasks,rsp,ruleset,user,suo,sln,slnx,slnf,runsettings,globalconfig} .globalconfig *.*proj *.*proj.* *.sln.*
     nuget.config global.json dotnet-tools.json launchsettings.json {web,app}.config *.exe.config libman.json .nuke/
     psscriptanalyzersettings.psd1 *.{xcconfig,xcscheme,xcfilelist} *.xcodeproj/ *.xcworkspace/ package.swift .swiftpm/ tuist.swift tuist/
     {project,workspace}.swift project.yml slither.config.* swiftgen.yml .sourcery.yml fastlane/ *file mix.exs config/*.exs .*.exs rel/*.{exs,eex} erlang.mk relx.config*
     sys.config* vm.args* elvis.config .erlang user_default.erl dune dune-* *.opam* .ocamlinit .merlin _tags myocamlbuild.ml setup.{hs,lhs}
     cabal.project* {stack,hie,package}.yaml .ghci* .hspec* _coqproject makefile.pl dist.ini .re.pl/ .{rprofile,renviron,rdata,lintr}
     rprofile.site renviron.site _targets* startup.jl .cargo/ {cross,dylint,trunk,dioxus,cargo-generate}.toml magefile.go magefiles/
     gqlgen.y*ml .mockery.y*ml .ko.yaml analysis_options.yaml .fvm/ mason.yaml artisan
     {ext_conf,rector,ecs,deploy,robofile,castor,scoper.inc}.php .castor/ .php* phpstan* phinx.* .phan/ .psysh.php .phpactor.json
     {wp-config,preload}.php wp-cli*.yml mu-plugins/ drush/ box.json* config.ru
     config/{boot,application,environment,spring,puma,unicorn,deploy,importmap}.rb config/{initializers,environments}/*.rb config/deploy.yml config/deploy/ .rubocop* .standard.yml
     .{erb,haml,slim}-lint.yml .erb_lint.yml .yardopts appraisals steepfile sorbet/config .rspec* .simplecov*
     {foundry,anchor,scarb,move,alire,fpm,aftman,rokit,wally,foreman,tectonic}.toml platformio.ini library.json colcon.{pkg,meta}
     idf_component.yml zephyr/module.yml .xcode.env* toolchains.xml jbang-catalog.json bleep.yaml .nrepl.edn *.cljs.edn
     *.{bnd,asd,gpr,build.cs,target.cs} info.rkt pkgindex.tcl cask eask .fake/ {startup,finish,pathdef,buildfile}.m profile.do autoexec.sas
     *.{hxml,uproject,uplugin,gdextension,vsixmanifest} project.godot addons/*/plugin.cfg`,
  ),
  row(
    { en: 'it says what runs in containers and on other machines', zh: '它规定容器和其他机器上运行什么' },
    `*dockerfile* *.dockerfile *containerfile* {docker-,}compose*.y*ml docker-bake.* {docker-entrypoint-initdb,initdb,docker-entrypoint}.d/
     vagrantfile* .vagrant/ .vagrant.d/ *.pkr.hcl *.pkrvars.hcl packer.json *.{tf,tf.json,tofu,tfvars,tfvars.json} terragrunt* .tflint.hcl
     .terraform* terraform.rc ansible.cfg .ansible* .ansible/
     {,filter,callback,action,lookup,connection,inventory,vars,strategy,cache,become,shell,doc}_plugins/ {group,host}_vars/
     {tasks,handlers,meta}/main.y*ml inventory inventory.{ini,yml,yaml} molecule/*/*.y*ml environment.conf hiera.y*ml manifests/*.pp .chef/
     knife.rb {,.}kitchen*.y*ml top.sls chart.y*ml helmfile* helmfile.d/ templates/*hook*.y*ml kustomization.y*ml .config/{k9s,helm}/
     skaffold*.y*ml tiltfile* pulumi*.y*ml {cdk,cdktf}*.json serverless.* .serverless* bicepconfig.json .checkov.y*ml`,
  ),
  row(
    { en: 'a program runs what it names when it starts', zh: '程序启动时会运行其中写明的内容' },
    `.htaccess .user.ini php.ini .*.rc .tmux.conf*
     .config/{tmux,kitty,wezterm,alacritty,ghostty,mutt,htop,ranger,lf,nnn,yazi,mpv,nix,lldb,gdb,rofi,dunst}/
     .{tmux,mpv,hammerspoon,nixpkgs,gdb}/ .gdb* *-gdb.{py,gdb,scm} .lldb* .wezterm.lua .alacritty.* .hammerspoon/ .my.cnf .my*.cnf
     .pg_service.conf .lesskey .lessfilter .aria2/ .mailcap .forward .forward+* .ghci latexmkrc .gtkrc* .xresources .xdefaults etc/ld.so.*
     etc/ld.so.conf.d/ ccache.conf .perldb .gnuplot .guile {,.}rootlogon.c .perfconfig vivado_init.tcl texmf.cnf .rpmmacros mimeapps.list
     user-dirs.dirs my.cnf`,
  ),
];
