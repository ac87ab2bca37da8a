import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { withOffer } from '../../context/permission/prefix-rule.ts';
import { configError, resolveConfig } from '../../domain/config/config-layers.ts';
import { setValue } from '../../domain/config/config-text.ts';
import type { PermissionRule, PermissionSettings } from '../../domain/config/permission-rule.ts';
import { errorReason, SanbotError } from '../../domain/errors.ts';
import { because, type Warn } from '../../domain/language.ts';
import { type PermissionMode, type PermissionOffer, permissionModes } from '../../domain/permission.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { configPaths, editUserConfig, readChangedConfig } from '../../store/config-file.ts';
import type { Environment } from '../environment.ts';
import { storeEnvironmentOf } from '../open-store.ts';
import { findRepositoryRoot, repositoryIdentity } from '../trust/repository.ts';

/** Rules that hold beside those of the file. */
export type FlagRules = { readonly allow: readonly PermissionRule[]; readonly deny: readonly PermissionRule[] };

export type PermissionBook = ReturnType<typeof openPermissions>;

/** The person's rules, as their settings file and their command line have them; no other source can set any. */
export function openPermissions(
  environment: Environment,
  {
    home,
    settings,
    warn,
    rules = { allow: [], deny: [] },
    folders = () => [],
  }: {
    readonly home: string;
    readonly settings: PermissionSettings;
    readonly warn: Warn;
    readonly rules?: FlagRules | undefined;
    readonly folders?: () => readonly string[];
  },
) {
  let written = settings;
  let stamp = '';
  /** What another process has written since: above all a rule that forbids must not wait for the next start. */
  const refresh = (): void => {
    try {
      const changed = readChangedConfig(home, stamp);
      if (changed === undefined) return;
      stamp = changed.stamp;
      written = permissionsIn(changed.text ?? '{}', home);
    } catch (error) {
      warn(because({ en: 'The rules for permissions stay as they were', zh: '权限规则保持原样' }, errorReason(error)));
    }
  };
  /** Writes into the file what `edit` makes of what it holds by then. Throws SanbotError with the file unchanged. */
  const change = (edit: (before: PermissionSettings) => PermissionSettings): void => {
    const disk = { ...storeEnvironmentOf(environment, home), warn };
    editUserConfig(disk, home, (text) => {
      const before = permissionsIn(text, home);
      const after = withRepositories(edit(before), before);
      const keys = (['allow', 'ask', 'deny', 'readOnlyCommands', 'sandboxedCommands'] as const).filter((key) => after[key] !== before[key]);
      const edited = keys.reduce((result, key) => setValue(result, `permissions.${key}`, after[key]), text);
      written = permissionsIn(edited, home);
      return edited;
    });
  };
  return {
    written: () => {
      refresh();
      return written;
    },
    current: () => {
      refresh();
      const all = { ...written, allow: [...written.allow, ...rules.allow], deny: [...written.deny, ...rules.deny] };
      const placed = withFolders(withHomePaths(ofThisRepository(all), orUndefined(environment.homedir)), folders());
      return withLinks(withContents(placed), environment.cwd());
    },
    change,
    keep: (offer: PermissionOffer) => change((before) => withOffer(before, offer)),
  };
}

/** What the text of a user's settings file says; throws config_invalid when it is wrong anywhere, so that nothing is built on it. */
function permissionsIn(text: string, home: string): PermissionSettings {
  const resolved = resolveConfig([{ kind: 'file', path: configPaths(home, home).user, trust: 'user', text }]);
  if (resolved.kind === 'bad') throw configError(resolved.problems);
  return resolved.config.permissions;
}

/** A yes in a folder is one for what lies there, as trust is: with each new rule stands which repository it is. */
function withRepositories(after: PermissionSettings, before: PermissionSettings): PermissionSettings {
  if (after.allow === before.allow) return after;
  const allow = after.allow.map((rule) =>
    rule.folder === undefined || rule.repository !== undefined || before.allow.includes(rule)
      ? rule
      : { ...rule, repository: repositoryOf(rule.folder) },
  );
  return { ...after, allow };
}

/** Without the rules that were written when another repository lay in their folder. */
function ofThisRepository(settings: PermissionSettings): PermissionSettings {
  const allow = settings.allow.filter(
    ({ folder, repository }) => folder === undefined || repository === undefined || repositoryOf(folder) === repository,
  );
  return allow.length === settings.allow.length ? settings : { ...settings, allow };
}

function repositoryOf(folder: string): string | null {
  const root = findRepositoryRoot(folder);
  return root === undefined ? null : repositoryIdentity(root);
}

/** A path with ~/ in front is one in the person's home. */
function withHomePaths(settings: PermissionSettings, homedir: string | undefined): PermissionSettings {
  const expand = (rule: PermissionRule): readonly PermissionRule[] => {
    if (!rule.path?.startsWith('~/') || homedir === undefined) return [rule];
    // Of the second form namesPath knows where the home ends.
    const forms = rule.path.startsWith('~/*') ? ['', '/.'] : [''];
    return forms.map((form) => ({ ...rule, path: `${homedir}${form}${rule.path?.slice(1)}` }));
  };
  return { ...settings, allow: settings.allow.flatMap(expand), ask: settings.ask.flatMap(expand), deny: settings.deny.flatMap(expand) };
}

/** A relative path that a rule forbids or asks about is one in each added folder too; what a rule allows is in the working folder alone. */
function withFolders(settings: PermissionSettings, folders: readonly string[]): PermissionSettings {
  if (folders.length === 0) return settings;
  const inEach = (rule: PermissionRule): readonly PermissionRule[] =>
    rule.path === undefined || isAbsolute(rule.path)
      ? [rule]
      : [rule, ...folders.map((folder) => ({ ...rule, path: resolve(folder, rule.path ?? '.') }))];
  return { ...settings, ask: settings.ask.flatMap(inEach), deny: settings.deny.flatMap(inEach) };
}

/** What forbids or asks about a folder does so about all that is in it. */
function withContents(settings: PermissionSettings): PermissionSettings {
  const both = (rule: PermissionRule): readonly PermissionRule[] =>
    rule.path === undefined || /\*[^/]*$/.test(rule.path) ? [rule] : [rule, { ...rule, path: `${rule.path.replace(/\/$/, '')}/**` }];
  return { ...settings, ask: settings.ask.flatMap(both), deny: settings.deny.flatMap(both) };
}

/** What forbids or asks is about files, also where a link leads to them: it holds for where they are as well. */
function withLinks(settings: PermissionSettings, cwd: string): PermissionSettings {
  const both = (rule: PermissionRule): readonly PermissionRule[] => {
    const real = realPattern(rule.file ?? rule.path, cwd);
    if (real === undefined) return [rule];
    return [rule, rule.file === undefined ? { ...rule, path: real } : { ...rule, file: real }];
  };
  return { ...settings, ask: settings.ask.flatMap(both), deny: settings.deny.flatMap(both) };
}

/** The pattern with links and `..` resolved up to its first `*`; undefined where there are none. */
function realPattern(pattern: string | undefined, cwd: string): string | undefined {
  if (pattern === undefined) return undefined;
  const folder = orUndefined(() => realpathSync(cwd)) ?? cwd;
  const parts = resolve(folder, pattern).split('/');
  const star = parts.findIndex((part) => part.includes('*'));
  const end = star < 0 ? parts.length : star;
  const literal = parts.slice(0, end).join('/') || '/';
  const real = orUndefined(() => realpathSync(literal)) ?? literal;
  return real === literal && !/(?:^|\/)\.\.(?:\/|$)/.test(pattern)
    ? undefined
    : [real, ...parts.slice(end)].join('/').replace(/^\/\//, '/');
}

/** False in the person's home and above it: there, what later runs lies beside the work. */
export function canTrustFolder({ homedir, cwd }: Pick<Environment, 'homedir' | 'cwd'>): boolean {
  const home = orUndefined(() => realpathSync(homedir()));
  const folder = orUndefined(() => realpathSync(cwd()));
  if (home === undefined || folder === undefined) return true;
  const path = relative(folder, home);
  return path === '..' || path.startsWith(`..${sep}`);
}

/** The permission mode of a process, which a person at the terminal can change. Throws usage as `checkMode` does. */
export function createModes(first: PermissionMode, environment: Pick<Environment, 'homedir' | 'cwd'>) {
  checkMode(first, environment);
  let current = first;
  return {
    current: () => current,
    /** The next of those that can be changed to by a key, of which `bypass` is none; it holds from the next call on. */
    next: () => {
      const modes = permissionModes.filter((mode) => mode !== 'bypass' && (mode !== 'accept-edits' || canTrustFolder(environment)));
      current = modes[(modes.indexOf(current) + 1) % modes.length] ?? 'ask';
      return current;
    },
    /** Throws usage for a mode that is not changed to in a conversation; then the mode is as it was. */
    change: (mode: PermissionMode): void => {
      if (mode === 'bypass' && current !== 'bypass')
        throw new SanbotError(
          'usage',
          { en: 'A conversation cannot change to bypass', zh: '对话中不能切换到 bypass' },
          {
            en: 'It is for a machine of its own: start SanBot with --permission-mode bypass.',
            zh: '它用于专用的机器：请用 --permission-mode bypass 启动 SanBot。',
          },
        );
      checkMode(mode, environment);
      current = mode;
    },
  };
}

/** Throws usage for a mode that would change files of the whole home without asking. */
function checkMode(mode: PermissionMode, environment: Pick<Environment, 'homedir' | 'cwd'>): void {
  if (mode !== 'accept-edits' || canTrustFolder(environment)) return;
  throw new SanbotError(
    'usage',
    {
      en: 'The permission mode accept-edits is not available in your home folder or above it',
      zh: '权限模式 accept-edits 不能用于你的个人主文件夹或其上级文件夹',
    },
    {
      en: 'Change into the folder of a project, or leave the mode out and be asked.',
      zh: '请进入项目的文件夹，或不指定此模式，由 SanBot 询问。',
    },
  );
}
