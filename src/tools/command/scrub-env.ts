type Env = Readonly<Record<string, string | undefined>>;

/**
 * Returns the environment for a command: no credentials, and nothing that makes a shell, a loader or a tool run or load something by
 * itself. Everything else stays: PATH, HOME, the locale and what a build needs.
 */
export function scrubEnv(env: Env): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !SECRET.test(name) && !STEERING.test(name)) result[name] = value;
  }
  return result;
}

const SECRET =
  /(?:^|_)(?:TOKENS?|SECRETS?|PASSWORDS?|PASSWD|PASSPHRASE|CREDENTIALS?|APIKEYS?|KEYS?|AUTH)(?:_(?:ID|FILE|BASE|PATH|JSON|SOCK))?$|(?:API_?KEY|TOKEN|SECRET|PASSWORD|PGPASSFILE|_PWD)$|^(?:ANTHROPIC|AWS|SANBOT)_/i;

const STEERING =
  /^(?:SSH_AUTH_SOCK|SSH_AGENT_PID|SSH_ASKPASS|GIT_.*|BASH_ENV|ENV|BASH_FUNC_.*|SHELLOPTS|BASHOPTS|PS4|PROMPT_COMMAND|LD_.*|DYLD_.*|NODE_OPTIONS|NODE_PATH|PYTHONSTARTUP|PERL5OPT|RUBYOPT|JAVA_TOOL_OPTIONS|RIPGREP_CONFIG_PATH|LESSOPEN|LESSCLOSE)$/i;
