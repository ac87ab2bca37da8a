import { sep } from 'node:path';
import { matchesPath, pathPatterns, plainName } from './path-patterns.ts';

/** True for files that are there to hold keys and passwords: reading one is asked about in the working folder too. */
export function holdsSecrets(path: string): boolean {
  const parts = path.split(sep).map(plainName);
  const name = parts.at(-1) ?? '';
  return !SAMPLES.some((ending) => name.endsWith(ending)) && SECRETS.some((pattern) => matchesPath(pattern, parts));
}

/** True for a path from the folder of a search on that its patterns leave out: samples too. */
export const isLeftOutOfSearch = (path: string): boolean => {
  const parts = path.split(/[/\\]/).map(plainName);
  return SECRETS.some((pattern) => matchesPath(pattern, parts));
};

const SAMPLES: readonly string[] = ['.example', '.sample', '.template', '.dist', '.pub'];

/** The patterns, for a search that goes through whole folders. */
export const secretPatterns: readonly string[] = `.env .env.* *.env .netrc .pgpass .pypirc .git-credentials .htpasswd .npmrc .yarnrc.yml
  id_rsa id_dsa id_ecdsa id_ed25519 *.pem *.key *.p12 *.pfx *.jks *.keystore *.kdbx *.ppk credentials credentials.json
  service-account*.json client_secret*.json secrets.json secrets.yml secrets.yaml *.tfvars .vault-token .my.cnf .dockercfg
  .ssh/ .gnupg/ .aws/ .azure/ .kube/ .config/gcloud/ .config/gh/ .docker/config.json .password-store/
  .mozilla/ .config/google-chrome/ .config/chromium/ .config/bravesoftware/ library/keychains/ application*support/google/chrome/`
  .trim()
  .split(/\s+/);

/** Attributes of git with which it shows no lines of these files. */
export const secretAttributes = (): string =>
  [
    ...secretPatterns.map((pattern) => `${pattern.includes('/') ? `**/${pattern}` : pattern}${pattern.endsWith('/') ? '**' : ''} -diff`),
    ...SAMPLES.map((ending) => `*${ending} !diff`),
  ].join('\n');

const SECRETS = pathPatterns(secretPatterns.join(' '));
