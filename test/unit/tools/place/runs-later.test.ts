import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { plainName } from '../../../../src/tools/place/path-patterns.ts';
import { runsLater } from '../../../../src/tools/place/runs-later.ts';
import { holdsSecrets } from '../../../../src/tools/place/secret-files.ts';
import { holdsForEach } from '../../../support/each-row.ts';
import { ordinaryNames, runLaterNames } from '../../../support/run-later-names.ts';
import { createWorld } from '../world.ts';

/** Each runs, or makes something run, without being named by whoever starts it. */
const RUN_LATER = `
  .git/hooks/pre-commit .git/config .git/HEAD .git/info/attributes .git/modules/x/config .git/worktrees/w/commondir .git
  .git/hooks/.git/objects/x .git/hooks/.git/objects/ab/cd .git/objects/.git/hooks/x .git/objects/info/alternates sub/.git/config
  HEAD config objects/x objects/info/alternates refs/heads/main refs/x hooks/pre-commit hooks/post-checkout deep/er/HEAD deep/er/config
  deep/er/hooks/post-merge config.worktree packed-refs git~1/config .GIT/hooks/x .Git/config .git./config head HOOKS/PRE-COMMIT
  .gitconfig .gitmodules .gitattributes sub/.gitattributes .hg/hgrc .jj/config .lfsconfig
  .bashrc .bash_profile .profile .zshrc .zshenv .config/fish/config.fish .inputrc .bashrc. .bash_aliases .envrc sub/.envrc .mise.toml
  .vscode/tasks.json .vscode/settings.json .idea/workspace.xml .zed/tasks.json x.code-workspace .devcontainer/devcontainer.json .exrc
  .dir-locals.el .vimrc .claude/settings.json .claude/commands/x.md .cursor/mcp.json .cursor/rules/x.mdc .cursorrules .codex/config.toml
  .gemini/settings.json .sanbot.json .sanbot/skills/x.md .mcp.json AGENTS.md sub/AGENTS.md CLAUDE.md CLAUDE.local.md GEMINI.md SANBOT.md
  agents.md .windsurfrules .clinerules .aider.conf.yml opencode.json .github/copilot-instructions.md
  .github/workflows/ci.yml .github/actions/x/action.yml .gitlab-ci.yml .circleci/config.yml .travis.yml Jenkinsfile .drone.yml
  azure-pipelines.yml bitbucket-pipelines.yml .buildkite/pipeline.yml .woodpecker.yml netlify.toml vercel.json .github/dependabot.yml
  .pre-commit-config.yaml .husky/pre-push lefthook.yml .lintstagedrc.json .githooks/pre-commit
  package.json sub/package.json .npmrc .yarnrc.yml .yarn/releases/yarn.cjs .pnpmfile.cjs node_modules/x/index.js node_modules/.bin/tsc
  package-lock.json bunfig.toml binding.gyp vite.config.ts eslint.config.js .eslintrc.cjs .prettierrc.js jest.config.js
  conftest.py tests/conftest.py sitecustomize.py usercustomize.py x.pth setup.py setup.cfg pyproject.toml tox.ini noxfile.py
  venv/lib/python3/site-packages/x.py .pypirc Makefile GNUmakefile rules.mk justfile Rakefile Gemfile x.gemspec build.rs .cargo/config.toml
  build.gradle build.gradle.kts gradlew gradle/wrapper/gradle-wrapper.properties pom.xml .mvn/extensions.xml CMakeLists.txt x.cmake
  Dockerfile requirements.txt requirements-dev.txt Cargo.toml go.mod poetry.lock Directory.Build.props x.csproj composer.json mix.exs docker-compose.yml Vagrantfile
  .envrc.local .sdkmanrc devfile.yaml .arclint requirements/base.txt requirements.in conda-lock.yml gradle.lockfile webpack.mix.js
  gatsby-node.js .detoxrc.js .vitepress/config.ts docs/conf.py conanfile.py BUILD rules.bzl BUCK Setup.hs config.nims cdk.json moon.yml
  .htaccess .user.ini web.config nightwatch.conf.js .terraform.lock.hcl skaffold.yaml .bazelversion
  .ssh/authorized_keys .ssh/config authorized_keys .aws/config .kube/config .docker/config.json .netrc
  .config/autostart/x.desktop x.desktop .config/systemd/user/x.service .local/share/applications/x.desktop
  Library/LaunchAgents/x.plist .config/environment.d/x.conf .xprofile .pam_environment .local/bin/ls .gdbinit .ripgreprc .tmux.conf .irbrc
  .Xclients .config/zellij/config.kdl .byobu/keybindings .aria2/aria2.conf .env.vault .env.defaults conandata.yml keystone.ts main.wasp
  alchemy.run.ts saofile.js .ladle/config.mjs .percy.js cosmos.config.json .node-dev.json turbo/generators/config.ts _plugins/x.rb _config.yml
  config/importmap.rb config/initializers/x.rb config/environments/test.rb Move.toml Workspace.swift slither.config.json _vimrc
`
  .trim()
  .split(/\s+/);

const HARMLESS = `
  .git/objects/ab/cdef .git/objects/pack/x .gitignore .github/CODEOWNERS .github/FUNDING.yml vscode/tasks.json src/a.ts README.md
  docs/config/index.md src/config.ts src/config/index.ts src/hooks/use-thing.ts src/objects/player.ts src/refs/list.ts src/head.ts
  hooks/readme.txt data.json src/tasks.ts src/init.ts src/git/config.ts package.ts makefile-notes.txt src/setup.ts test/agents.test.ts index.html
  .editorconfig LICENSE CHANGELOG.md src/build/index.ts build/x.ts src/conf.py src/workspace/a.ts src/package/json.ts .env.example
`
  .trim()
  .split(/\s+/);

test('a change of what runs later is asked about each time, with the reason [S-07]', async () => {
  const world = createWorld();
  await holdsForEach(RUN_LATER, String, async (path) => {
    const { caution, place } = await world.ready('write_file', { path, content: 'x' });
    expect({ caution, place }).toEqual({
      caution: { why: { en: expect.stringMatching(/\w/), zh: expect.stringMatching(/\p{Script=Han}/u) }, eachTime: true },
      place: 'inside',
    });
  });
});

test('a change of what does not needs no more than any other [S-07]', async () => {
  const world = createWorld();
  await holdsForEach(HARMLESS, String, async (path) =>
    expect((await world.ready('write_file', { path, content: 'x' })).caution).toBeUndefined(),
  );
});

const wordsOf = (text: string): readonly string[] => text.trim().split(/\s+/);

test('of several families the most exact one gives the reason', () => {
  const reasons: Readonly<Record<string, string>> = {
    '.envrc': 'folder is entered',
    'sub/.envrc': 'folder is entered',
    '.nvmrc': 'folder is entered',
    '.bashrc': 'editors',
    '.npmrc': 'editors',
    'babel.config.json': 'editors',
    'tsconfig.build.json': 'an editor',
    'config/deploy.rb': 'a build',
    '.vscode/package.json': 'an editor',
  };
  for (const [path, why] of Object.entries(reasons))
    expect([path, runsLater(`/ws/${path}`)?.en]).toEqual([path, expect.stringMatching(why)]);
});

test('what tools load by themselves is known by families, and source, tests, documents and data are not among it', () => {
  const named = Object.values(runLaterNames).flatMap(wordsOf);
  const ordinary = wordsOf(ordinaryNames);
  expect(named.filter((path) => runsLater(`/ws/${path}`) === undefined)).toEqual([]);
  expect(ordinary.filter((path) => runsLater(`/ws/${path}`) !== undefined)).toEqual([]);
  expect([named.length > 1_200, ordinary.length > 250]).toEqual([true, true]);
});

test('names are judged as a file system sees them that ignores case, Unicode forms and what has no look [S-06]', async () => {
  const world = createWorld();
  const spellings = [
    '.SanBot.JSON',
    'PACKAGE.JSON',
    '.g\u200cit/config',
    '.git\u200d/hooks/x',
    'package.json. .',
    '.ba\u017fhrc',
    '.git:$DATA/config',
  ];
  for (const path of spellings)
    expect([path, (await world.ready('write_file', { path, content: '' })).caution?.eachTime]).toEqual([path, true]);
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (name) => plainName(plainName(name)) === plainName(name)));
});

test('the reason is found for the real path as well as for the one that was given [S-03, S-05]', async () => {
  const world = createWorld();
  world.put('.git/config', '[core]\n');
  world.link('.git', 'store');
  world.link('.git/config', 'video.mp4');
  mkdirSync(join(world.cwd, 'plain'));
  world.link('plain', '.vscode');
  for (const path of ['store/hooks/post-merge', 'video.mp4', '.vscode/tasks.json'])
    expect([path, (await world.ready('write_file', { path, content: 'x' })).caution?.eachTime]).toEqual([path, true]);
});

test('what is reached by a link is asked about each time, though it lies in the working folder', async () => {
  const world = createWorld();
  world.put('real/a.txt', 'a\n');
  world.link('real', 'alias');
  expect((await world.ready('edit_file', { path: 'alias/a.txt', old_string: 'a', new_string: 'b' })).caution).toMatchObject({
    why: { en: 'it is reached by a link' },
    eachTime: true,
  });
  expect((await world.ready('edit_file', { path: 'real/a.txt', old_string: 'a', new_string: 'b' })).caution).toBeUndefined();
});

test('folders named as parts of a repository count where another part of one lies beside them', async () => {
  const world = createWorld();
  const cautionOf = async (path: string) => (await world.ready('write_file', { path, content: 'x' })).caution?.eachTime;
  expect(await cautionOf('r/objects/a.txt')).toBeUndefined();
  world.put('r/objects/a.txt', 'x');
  expect(await cautionOf('r/refs/a.txt')).toBe(true);
  world.put('s/HEAD', 'ref: refs/heads/main\n');
  for (const path of ['s/objects/a.txt', 's/refs/deep/a.txt', 's/hooks/a.txt']) expect([path, await cautionOf(path)]).toEqual([path, true]);
});

test('a folder where commands are looked for is no place to write without asking', async () => {
  const base = createWorld();
  mkdirSync(join(base.cwd, 'tools'));
  const world = createWorld({ cwd: base.cwd, env: { PATH: `/usr/bin:${join(base.cwd, 'tools')}` } });
  expect((await world.ready('write_file', { path: 'tools/ls', content: 'x' })).caution?.why.en).toBe(
    `commands are looked for in ${join(base.cwd, 'tools')}`,
  );
});

test('a read of such a file needs no more than any other, but one of a file of secrets asks', async () => {
  const world = createWorld();
  for (const path of ['package.json', '.bashrc', '.git/config']) {
    world.put(path, 'x\n');
    expect([path, (await world.ready('read_file', { path })).caution]).toEqual([path, undefined]);
  }
  for (const path of ['.env', '.env.local', 'sub/prod.env', 'id_rsa', 'key.pem', '.ssh/known', '.aws/credentials', '.ENV', '.npmrc'])
    expect([path, holdsSecrets(path), (await world.ready('read_file', { path })).caution?.eachTime]).toEqual([path, true, false]);
  for (const path of ['.env.example', 'id_rsa.pub', 'keyboard.ts', 'environment.ts', 'src/pem.ts'])
    expect([path, holdsSecrets(path)]).toEqual([path, false]);
});

test('judging a path takes time that grows with its length only', () => {
  for (const path of ['a'.repeat(4_000), './'.repeat(2_000), '.'.repeat(4_000), `${' .'.repeat(2_000)}x`, '.git/'.repeat(800)])
    expect(typeof (runsLater(`/ws/${path}`)?.en ?? '')).toBe('string');
});
