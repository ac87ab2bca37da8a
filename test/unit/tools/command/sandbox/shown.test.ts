import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sampleOf } from '../../../../support/runs.ts';
import { canSandbox, makeWorld, users } from './sandbox-world.ts';

/** Where programs keep what opens something, or what a person has said and done. */
const KEYS: readonly string[] = `
  .ssh/id_ed25519 .ssh/config .ssh/known_hosts .gnupg/private-keys-v1.d/a.key .aws/credentials .aws/sso/cache/a.json .azure/msal_token_cache.json
  .kube/config .docker/config.json .netrc .pgpass .pypirc .npmrc .yarnrc .yarnrc.yml .git-credentials .config/git/credentials .vault-token .my.cnf
  .password-store/a.gpg .config/gcloud/credentials.db .config/gh/hosts.yml .config/glab-cli/config.yml .config/hub .config/google-chrome/Default/Cookies
  .config/chromium/Default/Cookies .config/BraveSoftware/a .config/op/config .mozilla/firefox/a/logins.json .thunderbird/a/logins.json
  .local/share/keyrings/login.keyring .local/share/kwalletd/a.kwl .cargo/credentials .cargo/credentials.toml .config/containers/auth.json
  .terraform.d/credentials.tfrc.json .terraformrc .bash_history .zsh_history .local/share/fish/fish_history .python_history .node_repl_history
  .psql_history .mysql_history .sqlite_history .irb_history .lesshst .viminfo .claude/.credentials.json .claude.json .claude/history.jsonl
  .local/share/uv/credentials/credentials.toml .local/share/gem/credentials .nimble/github_api_token .wasmer/wasmer.toml .rye/credentials
  .nvm/.npmrc .mix/hex.config miniconda3/.condarc .foundry/.env .cache/torch/.netrc .local/bin/.env
  .codex/auth.json .gemini/oauth_creds.json .config/github-copilot/hosts.json .config/rclone/rclone.conf .m2/settings.xml .m2/settings-security.xml
  .gradle/gradle.properties .gem/credentials .pub-cache/credentials.json .composer/auth.json .config/composer/auth.json .nuget/NuGet/NuGet.Config
  .bundle/config .config/pypoetry/auth.toml .config/pip/pip.conf .pip/pip.conf .cache/huggingface/token .huggingface/token .kaggle/kaggle.json
  .config/doctl/config.yaml .config/hcloud/cli.toml .config/heroku/a .netlify/config.json .config/netlify/config.json .fly/config.yml .railway/config.json
  .config/vercel/auth.json .local/share/com.vercel.cli/auth.json .config/wrangler/a.toml .wrangler/config/default.toml .config/stripe/config.toml
  .config/sops/age/keys.txt .age/key.txt .config/Signal/config.json .config/Slack/Cookies .config/discord/a .electrum/wallets/a .bitcoin/wallet.dat
  .ethereum/keystore/a .config/solana/id.json .foundry/keystores/a .config/1Password/a .config/Bitwarden/data.json .config/keepassxc/a.ini
  .purple/accounts.xml .irssi/config .msmtprc .fetchmailrc .mbsyncrc .config/neomutt/a .s3cfg .boto .oci/config .ibm/a .bluemix/config.json
  .databrickscfg .snowflake/config.toml .dbt/profiles.yml .config/filezilla/sitemanager.xml .config/remmina/a .vnc/passwd .rdp/a .config/Code/User/globalStorage/state.vscdb
  .vscode-server/data/a .jupyter/jupyter_server_config.json .local/share/jupyter/runtime/a.json .config/syncthing/key.pem .config/tailscale/a .wakatime.cfg
  .config/sanbot/config.json .sanbot/config.json Documents/taxes.txt letters/one.txt .env other/project/.env`
  .trim()
  .split(/\s+/);

describe.skipIf(!canSandbox)('the home of a user in the sandbox (skipped where bubblewrap does not work)', () => {
  test.each(
    sampleOf(
      users.flatMap((user) => [false, true].map((inHome) => ({ user, inHome }))),
      3,
    ),
  )('shows none of %o', ({ user, inHome }) => {
    const world = makeWorld({ inHome, user });
    for (const key of KEYS) world.putHome(key, `the secret of ${key}`);
    const { out } = world.run(
      `cat ${KEYS.map((key) => join(world.userHome, key)).join(' ')} 2>/dev/null; grep -rs "the secret" ${world.userHome}`,
    );
    expect(out).toBe('');
    expect(KEYS.length).toBeGreaterThan(120);
    // Outside of the sandbox they can all be read.
    expect(world.run('pwd').out).toBe(`${world.cwd}\n`);
  });

  test('nor does it show another user’s, or SanBot’s own files wherever they are', () => {
    const world = makeWorld();
    const own = join(world.cwd, 'state');
    mkdirSync(own);
    writeFileSync(join(own, 'config.json'), 'the api key');
    const seen = 'ls -A /root /home | grep -v :; cat state/config.json; mv state away; ls';
    expect(world.run(seen, { home: own }).out.trim()).toBe('state');
    expect(world.run('echo x > state/new', { home: own }).code).toBe(0);
    expect(() => world.run('true', { cwd: own, home: own })).toThrow('where SanBot keeps its own files');
  });

  test.each(sampleOf(users))(
    'shows tools with what they have fetched, which nobody changes, and caches of the command’s own [%s]',
    (user) => {
      const world = makeWorld({ user });
      const tool = world.putHome('.nvm/versions/node/v20/bin/tool', '#!/bin/sh\necho it runs\n');
      world.putHome('.cargo/registry/src/crate/lib.rs', 'a crate');
      world.putHome('.cargo/config.toml', '[net]\noffline = true\n');
      world.putHome('dotfiles/tools/mine', '#!/bin/sh\necho mine\n');
      world.putHome('.cache/pip/a', 'cached');
      symlinkSync('dotfiles/tools', join(world.userHome, 'bin'));
      const env = { PATH: `${dirname(tool)}:${join(world.userHome, 'bin')}:/usr/bin:/bin` };
      const seen = (command: string) => world.run(command, { env }).out;
      expect(seen(`chmod +x x 2>/dev/null; sh ${tool}; sh ~/bin/mine; cat ~/.cargo/registry/src/crate/lib.rs ~/.cargo/config.toml`)).toBe(
        'it runs\nmine\na crate[net]\noffline = true\n',
      );
      for (const path of ['.cargo/registry/new', '.nvm/new', 'bin/new', '.bashrc', '.config/new'])
        expect([path, world.run(`mkdir -p ~/.config; echo x > ~/${path}`, { env }).code]).not.toEqual([path, 0]);
      expect(
        seen('ls ~/.cache; mkdir -p ~/.cache/go-build ~/.npm/_cacache && echo x > ~/.cache/go-build/a && cat ~/.cache/go-build/a'),
      ).toBe('x\n');
    },
  );

  test('shows git’s identity and what it names, without credentials', () => {
    const world = makeWorld();
    world.putHome(
      'dotfiles/gitconfig',
      ['[user]', '\tname = Ada', '[include]', '\tpath = ~/work.inc', '[core]', '\texcludesFile = ~/.ignored', ''].join('\n'),
    );
    symlinkSync('dotfiles/gitconfig', join(world.userHome, '.gitconfig'));
    world.putHome('.ignored', '*.tmp\n');
    world.putHome(
      'work.inc',
      [
        '[user]',
        '\temail = ada@example.com',
        '[url "https://ada:hunter2secret@git.example.com/"]',
        '\tinsteadOf = work:',
        '[http "https://git.example.com"]',
        '\textraHeader = "Authorization: Basic YWRhOmh1bnRlcjJzZWNyZXQ="',
        '[alias]',
        '\tst = status\n',
      ].join('\n'),
    );
    const { out } = world.run(
      'git config user.name; git config user.email; git config alias.st; git config --list; git init -q . ; touch a.tmp; git status --short',
    );
    expect(out).toMatch(/^Ada\nada@example.com\nstatus\n/);
    expect(out).toContain('url.https://git.example.com/.insteadof=work:');
    expect(out).not.toMatch(/hunter2|YWRh|a\.tmp/);
  });

  test('is not shown where the working folder is the home, has one in it, or the home is the system’s', () => {
    const world = makeWorld({ inHome: true });
    for (const cwd of [world.userHome, world.root, '/', '/home'])
      expect([cwd, world.refusal({ cwd })]).toEqual([cwd, expect.stringContaining('the working folder is a home or has one in it')]);
    for (const userHome of ['/', '/usr', '/usr/sbin/', '/etc/../usr'])
      expect([userHome, world.refusal({ userHome })]).toEqual([userHome, expect.stringContaining('your home is a folder of the system')]);
  });

  test('shows what a setting adds, and never a home through it', () => {
    const world = makeWorld();
    world.putHome('letters/one.txt', 'one');
    world.putHome('letters/other.txt', 'other');
    world.putHome('.sanbot/config.json');
    const shown = [join(world.userHome, 'letters', 'one.txt'), world.userHome, world.home, '/'];
    expect(world.run('cat ~/letters/*; ls -A ~/.sanbot', { shown }).out).toBe('one');
  });
});
