import { rulesAbout } from '../../context/permission/rules.ts';
import type { PermissionSettings } from '../../domain/config/permission-rule.ts';
import { type IsLeftOut, realpathOf } from './project-context.ts';

/** What SanBot reads of a project without a call is left out where a rule forbids to read it, or says to ask: nobody is asked then. */
export const leftOutBy =
  (rules: Pick<PermissionSettings, 'deny' | 'ask'>, folder: string): IsLeftOut =>
  (path) =>
    rulesAbout(rules, { tool: 'read_file', cwd: realpathOf(folder), paths: [path] }) !== undefined;
