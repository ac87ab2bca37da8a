/** Names that tools load or obey by themselves, by who loads them. */
export const runLaterNames: Readonly<Record<string, string>> = {
  jest: `
    jest.config.ts jest.config.cjs jest.config.json jest.setup.js jest.setup.ts jest-setup.ts jest.preset.js jest-preset.js
    jest.e2e.config.js test/jest-e2e.json jest.global-setup.ts src/setupTests.ts src/setupTests.js setup-jest.ts setupJest.ts
    test/setup.ts tests/setup.js test/globalSetup.ts globalSetup.js global-setup.ts global-teardown.ts globalTeardown.js
    src/test/setup.ts test-setup.ts testSetup.ts .jestrc`,
  vitest: `
    vitest.config.ts vitest.config.mts vitest.workspace.ts vitest.setup.ts vitest-setup.ts vite.config.ts vite.config.prod.ts
    vite.config.mjs`,
  'mocha and others': `
    .mocharc.js .mocharc.cjs .mocharc.json .mocharc.yml test/mocha.opts mocha.setup.js karma.conf.js karma.ci.conf.js karma.conf.ts
    wdio.conf.js wdio.shared.conf.ts protractor.conf.js nightwatch.conf.js nightwatch.json codecept.conf.js stryker.conf.js
    stryker.conf.json stryker.config.mjs ava.config.js ava.config.cjs .taprc .c8rc.json .nycrc .nycrc.json nyc.config.js
    spec/support/jasmine.json jasmine.json spec/helpers/env.js web-test-runner.config.mjs testem.js testem.json .testem.json wct.conf.js
    intern.json .testcaferc.js .testcaferc.json backstop.json .labrc.js setup.jest.ts setupFiles.js e2e-setup.ts`,
  browsers: `
    cypress.config.ts cypress.json cypress.env.json cypress/support/e2e.ts cypress/support/commands.js cypress/plugins/index.js
    playwright.config.ts playwright-ct.config.ts playwright/index.ts auth.setup.ts global.setup.ts .storybook/main.ts
    .storybook/preview.js puppeteer.config.cjs .puppeteerrc.cjs jest-puppeteer.config.js cucumber.js cucumber.yml cucumber.json
    features/support/env.js features/support/hooks.rb features/step_definitions/x.js lighthouserc.js .lighthouserc.js .pa11yci
    .pa11yci.json`,
  'ruby tests': `
    spec/spec_helper.rb spec/rails_helper.rb test/test_helper.rb spec_helper.rb features/support/env.rb spec/support/db.rb .rspec
    .rspec-local .simplecov .minitest.rb config/cucumber.yml`,
  'python tests': `
    conftest.py tests/unit/conftest.py pytest.ini .pytest.ini pytest.toml tox.ini tox.toml noxfile.py .coveragerc nose.cfg unittest.cfg
    behave.ini features/environment.py robot.toml tests/__init__.robot locustfile.py locust.conf asv.conf.json setup.cfg`,
  'php tests': `
    phpunit.xml phpunit.xml.dist phpunit.dist.xml tests/bootstrap.php codeception.yml codeception.dist.yml tests/unit.suite.yml
    behat.yml behat.yml.dist phpspec.yml tests/Pest.php tests/TestCase.php infection.json infection.json5 phpbench.json`,
  'other tests': `
    test/test_helper.exs tests/testthat/setup.R tests/testthat/helper-db.R tests/testthat/setup-env.R tests/testthat.R test/runtests.jl
    .busted spec/spec_helper.lua flutter_test_config.dart test/flutter_test_config.dart dart_test.yaml Tests/LinuxMain.swift
    App.xctestplan .config/nextest.toml src/test/resources/junit-platform.properties testng.xml src/test/resources/SpockConfig.groovy
    karate-config.js x.runsettings xunit.runner.json CTestCustom.cmake CTestConfig.cmake .shellspec psakefile.ps1 my.build.ps1 tests.edn`,
  'node builds': `
    webpack.config.js webpack.config.babel.js webpack.config.prod.ts webpack.dev.js webpack.common.js webpackfile.js webpack.mix.js
    rollup.config.js rollup.config.mjs esbuild.config.mjs rspack.config.ts rsbuild.config.ts tsup.config.ts tsdown.config.ts
    unbuild.config.ts build.config.ts parcel.config.js .parcelrc snowpack.config.mjs gulpfile.js gulpfile.babel.js gulpfile.ts
    gulpfile.mjs gulpfile.js/index.js Gruntfile.js Gruntfile.coffee Brocfile.js Jakefile Jakefile.js Cakefile ember-cli-build.js
    .ember-cli .ember-cli.js metro.config.js metro.transform.js babel.config.js babel.config.json babel.config.cjs .babelrc .babelrc.js
    .babelrc.json .swcrc postcss.config.js .postcssrc.js .postcssrc.json tailwind.config.js tailwind.config.ts svelte.config.js
    astro.config.mjs next.config.js next.config.mjs nuxt.config.ts remix.config.js gatsby-config.js gatsby-node.js gatsby-ssr.tsx brunch-config.js metalsmith.js
    docusaurus.config.js vue.config.js quasar.conf.js quasar.config.js angular.json .angular-cli.json nest-cli.json config-overrides.js
    craco.config.js .cracorc.js react-native.config.js forge.config.js electron-builder.yml electron-builder.json5
    electron.vite.config.ts capacitor.config.ts tauri.conf.json src-tauri/tauri.conf.json wails.json .eleventy.js eleventy.config.js
    .vuepress/config.js .vitepress/config.mts .umirc.ts .dumirc.ts .fatherrc.ts .adonisrc.json adonisrc.ts src/setupProxy.js .svgrrc.js
    svgo.config.js panda.config.ts uno.config.ts unocss.config.ts windi.config.ts`,
  'node lint and others': `
    .eslintrc .eslintrc.js .eslintrc.cjs .eslintrc.json .eslintrc.yml eslint.config.js eslint.config.mjs eslint.config.ts
    eslint-local-rules.js eslint-local-rules/index.js .prettierrc .prettierrc.js .prettierrc.mjs prettier.config.js .stylelintrc.js
    stylelint.config.js .commitlintrc.js commitlint.config.js lint-staged.config.js .lintstagedrc .lintstagedrc.mjs .markdownlint.cjs
    .markdownlint-cli2.mjs .remarkrc.js .textlintrc.js tslint.json .jshintrc .oxlintrc.json xo.config.js .xo-config.js .ncurc.js
    .depcheckrc .madgerc .dependency-cruiser.js .dependency-cruiser.cjs .size-limit.js .size-limit.json knip.ts knip.json typedoc.json
    typedoc.js jsdoc.json jsdoc.conf.json .cz-config.js .czrc .versionrc.js .release-it.json .releaserc release.config.js
    .changeset/config.json plopfile.js plopfile.mjs .hygen.js _templates/component/new/prompt.js .yo-rc.json nodemon.json
    .nodemonrc.json ecosystem.config.js ecosystem.config.cjs ecosystem.config.json pm2.json .graphqlrc.ts .graphqlrc.yml
    graphql.config.js graphql.config.yml codegen.yml codegen.ts apollo.config.js relay.config.js orval.config.ts knexfile.js knexfile.ts
    ormconfig.js ormconfig.json .sequelizerc prisma/schema.prisma drizzle.config.ts mikro-orm.config.ts migrate-mongo-config.js
    firebase.json .firebaserc serverless.yml serverless.ts sst.config.ts app.json eas.json .detoxrc.js web-ext-config.mjs
    .web-ext-config.mjs sandbox.config.json .lintstagedrc.yaml .cspell.config.js cspell.config.cjs sgconfig.yml`,
  'package managers': `
    package.json package.json5 package.yaml .npmrc .yarnrc .yarnrc.yml .yarn/plugins/x.cjs .pnpmfile.cjs pnpmfile.js pnpm-workspace.yaml
    .pnp.cjs bunfig.toml .bunfig.toml bun.lock deno.json deno.jsonc import_map.json bower.json .bowerrc nx.json project.json
    workspace.json turbo.json lerna.json rush.json common/config/rush/command-line.json moon.yml .moon/tasks.yml .moonrc lage.config.js
    yarn.lock pnpm-lock.yaml npm-shrinkwrap.json`,
  python: `
    sitecustomize.py usercustomize.py x.pth setup.py pyproject.toml .pylintrc pylintrc .pylintrc.toml mypy.ini .mypy.ini .flake8
    .importlinter pyrightconfig.json .pdbrc .pdbrc.py .pythonrc .pythonrc.py .pythonstartup .ipython/profile_default/startup/x.py
    ipython_config.py jupyter_notebook_config.py jupyter_server_config.d jupyter_lab_config.py pip.conf pip.ini .pypirc .pydistutils.cfg
    buildout.cfg fabfile.py fabfile/__init__.py invoke.yaml dodo.py pavement.py wscript SConstruct SConscript site_scons/site_init.py
    Snakefile dvc.yaml .dvc/config MLproject conanfile.py alembic.ini alembic/env.py migrations/env.py scrapy.cfg celeryconfig.py
    gunicorn.conf.py airflow.cfg airflow_local_settings.py superset_config.py docs/conf.py source/conf.py pelicanconf.py mkdocs.yml
    mkdocs.yaml .readthedocs.yaml hatch.toml hatch_build.py pdm_build.py pdm.toml uv.toml pixi.toml poetry.lock uv.lock Pipfile Pipfile.lock
    requirements.txt requirements-dev.txt dev-requirements.txt requirements/base.in constraints.txt environment.yml environment.yaml
    conda-lock.yml .condarc condarc matplotlibrc versioneer.py babel.cfg copier.yml hooks/post_gen_project.py hooks/pre_gen_project.sh
    .flaskenv .ropeproject/config.py .python-version .chalice/config.json zappa_settings.json pylock.toml`,
  'make and native': `
    Makefile makefile GNUmakefile BSDmakefile Makefile.am Makefile.inc rules.mk config.mak x.make Kbuild Kconfig configure.ac
    configure.in aclocal.m4 m4/x.m4 configure autogen.sh CMakeLists.txt cmake/FindX.cmake CMakePresets.json CMakeUserPresets.json
    meson.build meson.options subprojects/x.wrap build.ninja x.ninja BUILD BUILD.bazel WORKSPACE WORKSPACE.bazel WORKSPACE.bzlmod
    MODULE.bazel x.bzl .bazelrc user.bazelrc .bazelversion .bazeliskrc tools/bazel BUCK .buckconfig .buckconfig.local TARGETS x.bxl
    pants.toml .plzconfig BUILD.gn args.gn x.gni .gn binding.gyp common.gypi x.pro x.pri x.prf x.qbs Jamroot Jamfile boost-build.jam
    Tupfile Tuprules.tup xmake.lua premake5.lua genie.lua justfile Justfile .justfile x.just Taskfile.yml Taskfile.dist.yaml Earthfile
    Tiltfile Doxyfile vcpkg.json vcpkg-configuration.json conanfile.txt waf compile_commands.json compile_flags.txt .clangd .ccls
    .gdbinit x-gdb.py .lldbinit ccache.conf debian/rules debian/postinst PKGBUILD APKBUILD x.ebuild snapcraft.yaml flake.nix flake.lock
    shell.nix default.nix overlay.nix guix.scm magefile.go`,
  jvm: `
    build.gradle build.gradle.kts settings.gradle settings.gradle.kts init.gradle gradle/x.gradle libs.gradle.kts gradle.properties
    local.properties gradlew gradlew.bat gradle/wrapper/gradle-wrapper.properties gradle/libs.versions.toml
    buildSrc/src/main/kotlin/x.kt build-logic/x.kt pom.xml .mvn/extensions.xml .mvn/jvm.config .mvn/maven.config mvnw lombok.config
    src/main/resources/META-INF/services/javax.annotation.processing.Processor META-INF/spring.factories build.sbt plugins.sbt
    project/plugins.sbt project/Build.scala project/build.properties .sbtopts .sbtrc .jvmopts .scalafix.conf build.sc build.mill
    package.mill .mill-version .mill-jvm-opts mill build.xml ivy.xml ivysettings.xml project.clj profiles.clj deps.edn bb.edn
    shadow-cljs.edn user.clj dev/user.clj build.boot .clj-kondo/hooks/x.clj .sdkmanrc .java-version jitpack.yml .bsp/sbt.json
    .bloop/root.json build.clj data_readers.clj`,
  dotnet: `
    x.csproj x.fsproj x.vbproj x.vcxproj x.csproj.user x.vcxproj.filters x.proj x.sqlproj Directory.Build.props Directory.Build.targets
    Directory.Packages.props Directory.Build.rsp Directory.Solution.props x.props x.targets MSBuild.rsp x.sln x.slnx x.sln.targets x.suo
    x.user nuget.config NuGet.Config packages.config packages.lock.json global.json .config/dotnet-tools.json dotnet-tools.json
    paket.dependencies paket.lock .paket/Paket.Restore.targets Properties/launchSettings.json x.nuspec build.cake x.cake build.fsx x.tt
    x.t4 web.config App.config x.exe.config omnisharp.json libman.json x.ruleset .globalconfig .nuke/parameters.json
    PSScriptAnalyzerSettings.psd1 requirements.psd1 profile.ps1`,
  ruby: `
    Gemfile Gemfile.lock gems.rb x.gemspec Rakefile rakefile.rb lib/tasks/x.rake rakelib/x.rake Guardfile Capfile config/deploy.rb
    config/deploy/production.rb config/deploy.yml Brewfile Thorfile x.thor Dangerfile Fastfile fastlane/Fastfile Podfile Appraisals
    Steepfile Vagrantfile Berksfile Policyfile.rb Puppetfile config.ru config/boot.rb config/spring.rb config/puma.rb .irbrc .pryrc
    .byebugrc .railsrc .gemrc .rubocop.yml .standard.yml .erb_lint.yml .haml-lint.yml .slim-lint.yml .yardopts .solargraph.yml
    .overcommit.yml .autotest .bundle/config sorbet/config .ruby-version .rvmrc .ruby-gemset _plugins/x.rb`,
  'elixir and erlang': `
    mix.exs mix.lock config/config.exs config/runtime.exs .formatter.exs .credo.exs .iex.exs rel/env.sh.eex rel/config.exs rebar.config
    rebar.config.script rebar.lock erlang.mk relx.config sys.config sys.config.src vm.args .erlang user_default.erl Emakefile
    elvis.config gleam.toml`,
  'perl, r, julia, lua': `
    Makefile.PL Build.PL cpanfile cpanfile.snapshot .proverc .perltidyrc .perlcriticrc dist.ini .perldb .Rprofile .Renviron
    Rprofile.site .RData .lintr renv/activate.R renv.lock x.Rproj packrat/init.R src/Makevars src/Makevars.win _targets.R DESCRIPTION
    Project.toml Manifest.toml JuliaProject.toml startup.jl .julia/config/startup.jl deps/build.jl docs/make.jl LocalPreferences.toml
    x.rockspec .luacheckrc .luarc.json .luarc.jsonc lua_modules/x.lua _quarto.yml`,
  go: `
    go.mod go.sum go.work go.work.sum .golangci.yml .golangci.toml magefiles/x.go .air.toml gqlgen.yml .mockery.yaml .goreleaser.yml
    .goreleaser.yaml vendor/modules.txt .ko.yaml buf.gen.yaml buf.yaml sqlc.yaml`,
  rust: `
    build.rs Cargo.toml Cargo.lock .cargo/config.toml .cargo/config rust-toolchain rust-toolchain.toml Cross.toml Makefile.toml
    cargo-generate.toml dylint.toml Trunk.toml Dioxus.toml bacon.toml rust-analyzer.toml .rust-analyzer.toml rust-project.json
    release.toml book.toml cliff.toml`,
  'haskell, ocaml and others': `
    Setup.hs Setup.lhs x.cabal cabal.project cabal.project.local stack.yaml stack.yaml.lock .ghci hie.yaml .hspec dune dune-project
    dune-workspace x.opam x.opam.template .ocamlinit _tags myocamlbuild.ml .merlin esy.json lakefile.lean lakefile.toml
    lake-manifest.json lean-toolchain _CoqProject spago.yaml spago.dhall packages.dhall elm.json x.nimble config.nims x.nims nim.cfg
    shard.yml shard.lock dub.json dub.sdl build.zig build.zig.zon v.mod x.hxml haxelib.json x.ipkg`,
  'swift, dart and games': `
    Package.swift Package.resolved .swiftpm/config x.xcconfig x.xcodeproj/project.pbxproj x.xcodeproj/xcshareddata/xcschemes/x.xcscheme
    x.xcworkspace/contents.xcworkspacedata Cartfile Mintfile project.yml Project.swift Tuist.swift Tuist/Config.swift swiftgen.yml
    ci_scripts/ci_post_clone.sh pubspec.yaml pubspec.lock build.yaml analysis_options.yaml melos.yaml hook/build.dart .fvmrc x.uproject
    x.uplugin project.godot addons/x/plugin.cfg x.gdextension Packages/manifest.json`,
  php: `
    composer.json composer.lock artisan phpstan.neon phpstan.neon.dist phpstan.dist.neon psalm.xml .php-cs-fixer.php
    .php-cs-fixer.dist.php .php_cs rector.php ecs.php phpcs.xml phpcs.xml.dist .phpcs.xml scoper.inc.php box.json RoboFile.php
    deploy.php castor.php grumphp.yml captainhook.json phinx.php phinx.yml .user.ini php.ini wp-config.php wp-cli.yml
    wp-content/mu-plugins/x.php .psysh.php .phpactor.json .phan/config.php symfony.lock vendor/autoload.php .htaccess .php-version`,
  'containers and machines': `
    Dockerfile Dockerfile.dev dev.Dockerfile app.dockerfile Containerfile docker-compose.yml docker-compose.override.yaml compose.yaml
    compose.override.yml docker-bake.hcl docker-bake.override.json docker-entrypoint-initdb.d/x.sql x.pkr.hcl main.tf override.tf
    x.tf.json terraform.tfvars x.auto.tfvars terragrunt.hcl .terraformrc .terraform.lock.hcl .tflint.hcl ansible.cfg .ansible.cfg
    filter_plugins/x.py group_vars/all.yml host_vars/x.yml roles/x/tasks/main.yml roles/x/handlers/main.yml roles/x/meta/main.yml
    inventory.ini molecule/default/converge.yml requirements.yml hiera.yaml manifests/site.pp .chef/knife.rb .kitchen.yml kitchen.yml
    top.sls Chart.yaml helmfile.yaml helmfile.d/x.yaml templates/pre-install-hook.yaml kustomization.yaml kustomization.yml
    skaffold.yaml Pulumi.yaml Pulumi.dev.yaml cdk.json cdktf.json bicepconfig.json .checkov.yaml atlantis.yaml devspace.yaml okteto.yml
    garden.yml werf.yaml`,
  'databases and generators': `
    .psqlrc .sqliterc .my.cnf .mongorc.js .mongoshrc.js .pg_service.conf flyway.conf flyway.toml afterMigrate.sql dbt_project.yml
    .sqlfluff atlas.hcl .skeema liquibase.properties .duckdbrc`,
  agents: `
    AGENTS.md sub/AGENTS.md AGENTS.override.md AGENT.md CLAUDE.md CLAUDE.local.md GEMINI.md QWEN.md WARP.md CODEX.md JULES.md
    .claude/settings.json .claude/agents/x.md .claude/hooks/x.sh .claude.json .claude-plugin/plugin.json .cursor/rules/x.mdc
    .cursorrules .cursorignore .windsurf/rules/x.md .windsurfrules .clinerules .clinerules/x.md .clineignore .roo/rules/x.md .roomodes
    .roorules .roorules-code .kilocode/rules/x.md .kilocodemodes .kiro/steering/x.md .amazonq/rules/x.md .aider.conf.yml .aiderignore
    .aider.model.settings.yml .codex/config.toml .gemini/settings.json .geminiignore .continue/config.yaml .continuerules
    .continuerc.json .github/copilot-instructions.md .github/instructions/x.instructions.md .github/prompts/x.prompt.md
    .github/chatmodes/x.chatmode.md .github/agents/x.agent.md docs/x.prompt.md .copilot/x .mcp.json mcp.json mcp_config.json
    mcp-servers.json .mcp/servers.json claude_desktop_config.json opencode.json opencode.jsonc .opencode/agent/x.md .junie/guidelines.md
    .trae/rules/x.md .qwen/settings.json .qoder/x .crush.json crush.json CRUSH.md .goosehints .goose/x .augment-guidelines
    .augment/rules/x.md .pi/settings.json .agents/skills/x/SKILL.md .agent/rules/x.md .devin/x .factory/x .openhands/microagents/x.md
    .cody/x .sourcegraph/x .serena/project.yml .ruler/x .rovodev/x .bolt/prompt .tabnine/x .codebuddy/x .lingma/x .voidrules .void_rules
    .firebender.json firebender.json .warp/x .zencoder/x .sweep.yaml sweep.yaml .coderabbit.yaml .pr_agent.toml greptile.json .vibe/x
    .specify/x .taskmaster/config.json replit.md .rules SANBOT.md .sanbot/skills/x.md .sanbot.json`,
  hooks: `
    .husky/pre-commit .husky/_/husky.sh .huskyrc .huskyrc.js lefthook.yml lefthook.yaml lefthook.toml .lefthook.yml lefthook-local.yml
    .lefthook/pre-commit/x .pre-commit-config.yaml .pre-commit-hooks.yaml prek.toml .githooks/pre-push .git-hooks/x .hooks/x
    .simple-git-hooks.json simple-git-hooks.js .cargo-husky/hooks/x .rusty-hook.toml .trunk/trunk.yaml hk.pkl .gitlint .mega-linter.yml
    .yorkie/x .bun-git-hooks.json .talismanrc`,
  editors: `
    .vscode/tasks.json .vscode/launch.json .vscode-test.mjs x.code-workspace .idea/runConfigurations/x.xml .run/x.run.xml x.iml x.ipr
    .devcontainer/devcontainer.json .devcontainer.json devcontainer.json .gitpod.yml .gitpod.Dockerfile devfile.yaml .replit replit.nix
    .codesandbox/tasks.json .idx/dev.nix .zed/settings.json .fleet/run.json .vs/x .nova/x .settings/x.prefs .project .classpath
    .factorypath .cproject nbproject/project.properties x.sublime-project x.sublime-build x.sublime-settings .vimrc .exrc .nexrc .gvimrc
    .nvimrc .nvim.lua .lvimrc .local.vim .vimspector.json coc-settings.json .neoconf.json .emacs .emacs.d/init.el .dir-locals.el
    .dir-locals-2.el .projectile .helix/config.toml .kakrc .tm_properties .ycm_extra_conf.py .metals/x .spacemacs .doom.d/init.el
    .theia/x .stackblitzrc`,
  'git and others': `
    .git/config .git/hooks/x .git .gitconfig .gitmodules .gitattributes .lfsconfig .hg/hgrc .hgrc .svn/x .jj/repo .sl/x .gclient
    .gitreview west.yml .p4config .arcconfig .arclint`,
  ci: `
    .github/workflows/x.yml .github/actions/x/action.yml .github/dependabot.yml .github/scripts/x.sh .github/settings.yml action.yml
    .gitlab-ci.yml x.gitlab-ci.yml .gitlab/x.yml .circleci/config.yml circle.yml .travis.yml azure-pipelines.yml
    azure-pipelines-release.yaml .azuredevops/x.yml Jenkinsfile Jenkinsfile.release x.jenkinsfile vars/x.groovy bitbucket-pipelines.yml
    .drone.yml .drone.star .woodpecker.yml .woodpecker/x.yml .buildkite/pipeline.yml appveyor.yml .appveyor.yml cloudbuild.yaml
    buildspec.yml appspec.yml .cirrus.yml .semaphore/semaphore.yml .teamcity/settings.kts codemagic.yaml bitrise.yml codefresh.yml
    codeship-steps.yml .builds/x.yml .build.yml .forgejo/workflows/x.yml .gitea/workflows/x.yml .screwdriver.yaml .tekton/x.yaml
    .harness/x.yaml .taskcluster.yml .zuul.yaml zuul.d/x.yaml .prow.yaml .packit.yaml .evergreen.yml .scrutinizer.yml .codeclimate.yml
    .lando.yml .ddev/config.yaml dagger.json qodana.yaml .space.kts netlify.toml vercel.json wrangler.toml fly.toml render.yaml app.yaml
    heroku.yml Procfile Procfile.dev railway.json nixpacks.toml amplify.yml .platform.app.yaml .ebextensions/x.config azure.yaml
    renovate.json renovate.json5 .renovaterc.json .mergify.yml bors.toml .bumpversion.cfg .bumpversion.toml tbump.toml project.toml
    .deployment captain-definition`,
  'shells and environments': `
    .bashrc .bash_profile .bash_login .bash_logout .bash_aliases .bash_completion .profile .zshrc .zshenv .zprofile .zlogin .p10k.zsh
    .config/fish/config.fish .config/fish/functions/x.fish .inputrc .kshrc .cshrc .tcshrc .xonshrc .config/nushell/env.nu
    .config/powershell/profile.ps1 Microsoft.PowerShell_profile.ps1 .envrc .envrc.local .env .env.local .env.production .autoenv.zsh
    mise.toml .mise.toml mise.local.toml .mise/tasks/x mise-tasks/x .config/mise/config.toml .tool-versions .nvmrc .node-version
    .terraform-version .prototools devbox.json .flox/env.json devenv.nix .asdfrc aqua.yaml hermit.hcl pkgx.yaml .environment
    .pam_environment`,
  'login and services': `
    .config/autostart/x.desktop x.desktop .config/systemd/user/x.service x.service x.timer Library/LaunchAgents/x.plist .xinitrc
    .xprofile .xsession .Xresources .config/i3/config .config/hypr/hyprland.conf .xmonad/xmonad.hs crontab etc/cron.d/x
    etc/systemd/system/x.service etc/sudoers.d/x etc/profile.d/x.sh etc/ld.so.preload autorun.inf desktop.ini x.lnk .tmux.conf
    .tmuxinator.yml mprocs.yaml process-compose.yaml .ssh/config .ssh/rc authorized_keys .kube/config .aws/config .docker/config.json
    .netrc .forward .procmailrc .muttrc .mailcap .wgetrc .curlrc .screenrc .ripgreprc .ackrc .latexmkrc latexmkrc .octaverc .wezterm.lua
    .hammerspoon/init.lua .gtkrc-2.0 init.lua nvim/init.lua tsconfig.json tsconfig.build.json jsconfig.json tasks.py tasks/__init__.py duties.py
    maskfile.md config.nu x.plugin.zsh early-init.el x.Rproj .perfconfig bash_completion.d/x poe_tasks.toml`,
};

/** Names of source, tests, documents and data, some of them close to one of the above. */
export const ordinaryNames = `
  .git/objects/ab/cdef .git/objects/pack/x .gitignore .gitkeep .mailmap .github/CODEOWNERS .github/FUNDING.yml
  .github/ISSUE_TEMPLATE/bug.md .github/pull_request_template.md vscode/tasks.json src/a.ts src/index.ts src/main.rs src/lib.rs src/app.py
  app.py main.py manage.py README.md README.zh.md docs/config/index.md src/config.ts src/config/index.ts src/config.py config.py
  src/hooks/use-thing.ts src/objects/player.ts src/refs/list.ts src/head.ts hooks/readme.txt data.json
  src/git/config.ts package.ts makefile-notes.txt src/setup.ts test/agents.test.ts index.html .editorconfig LICENSE
  LICENSE.txt NOTICE AUTHORS CHANGELOG.md CONTRIBUTING.md SECURITY.md CODE_OF_CONDUCT.md src/build/index.ts build/x.ts src/conf.py
  src/workspace/a.ts src/package/json.ts .env.example .env.sample .prettierignore .eslintignore .dockerignore .npmignore src/bucket.ts
  src/million.ts src/inventory.ts src/inventory.py src/configure-store.ts src/configureStore.js src/molecule/bond.py src/codegen.rs
  src/codegen.py src/codegen.go src/plop.ts src/tap.ts src/lab.ts src/intern.ts src/process.json src/profile.ts src/user-profile.tsx
  src/read-file.ts src/upload-file.tsx src/graphql.ts src/drizzle.ts src/pixi.ts src/playwright.ts src/mix.ts src/railway.ts src/dagger.py
  src/gem.rb src/waf.ts src/targets.ts src/dune.py src/serverless-client.py src/setup.py.md src/docker.ts src/compose.ts src/container.ts
  src/jenkins.py src/vagrant.rb src/terraform.go src/kustomize.go test/setup.test.ts test/unit-tests.ts test/helpers.ts tests/test_app.py
  tests/test_setup.py tests/__init__.py test/support/fake-model.ts spec/models/user_spec.rb spec/helpers/users_helper_spec.rb
  app/helpers/users_helper.rb app/models/user.rb app/controllers/users_controller.rb app/settings.py app/views.py
  app/models.py app/urls.py config/database.yml config/routes.rb config/locales/en.yml db/schema.rb db/migrate/001_x.rb lib/app.ex
  lib/app_web/router.ex test/app_test.exs src/app.erl src/app.hrl src/Main.hs src/main.ml src/main.zig src/main.nim src/main.cr src/main.d
  src/Main.elm src/main.dart lib/main.dart src/main.swift Sources/App/main.swift src/main/java/App.java src/main/kotlin/App.kt
  src/main/scala/App.scala src/test/java/AppTest.java src/main/resources/application.properties src/main/resources/application.yml
  src/main/resources/messages.properties src/Program.cs src/App.razor src/app.vue src/App.svelte src/app.component.ts
  src/app.component.html src/user.service.ts src/app.module.ts src/style.css src/style.scss src/theme.less public/index.html
  public/robots.txt public/favicon.svg public/manifest.json main.go main_test.go cmd/app/main.go internal/store/store.go pkg/api/types.go
  src/x.c src/x.h src/x.cpp include/x.hpp kernel.cu shader.glsl x.sql queries/users.sql x.proto x.graphql x.thrift x.avsc schema.json
  openapi.yaml swagger.json values.yaml values.schema.json templates/deployment.yaml templates/webhook.html templates/index.html
  k8s/deployment.yaml k8s/service.yaml locales/zh.json i18n/en.json data/x.csv data/x.tsv data/x.parquet x.ipynb notebooks/x.ipynb
  analysis.R R/model.R src/model.jl x.lua x.pl lib/X.pm t/01-basic.t x.php src/Controller.php x.sh scripts/deploy.sh bin/run
  x.ps1 x.bat x.tex x.bib x.rst docs/index.rst docs/guide.md docs/agents-of-change.md docs/claude-shannon.md docs/prompting.md notes.txt
  todo.md TODO x.xml x.yaml x.toml settings.toml config.toml config.yaml config.json x.ini x.log x.svg x.png 说明.md 数据/表.csv rustfmt.toml
  clippy.toml .clang-format ruff.toml .rgignore biome.json llms.txt src/agents.ts src/agent.py src/mcp.ts src/skills.ts src/rules.ts
  src/claude.ts src/cursor.ts src/windsurf.py src/environment.ts src/requirements.ts src/crontab.ts src/desktop.ts src/launch.ts
  src/hooks.py src/plugins/a.ts src/plugin.ts src/conftest.md src/jest.md vite-env.d.ts next-env.d.ts src/env.d.ts src/vendor.ts
  vendor/github.com/x/y.go third_party/x.c Assets/x.cs assets/logo.ai`;
