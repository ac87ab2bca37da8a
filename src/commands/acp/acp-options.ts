import type { Effort } from '../../domain/config/effort.ts';
import type { PermissionMode } from '../../domain/permission.ts';
import type { GroupOptions, HomeOptions } from '../../runtime/home.ts';

/** What holds for every session of an editor, unless it changes it there. */
export type AcpOptions = HomeOptions &
  GroupOptions & {
    readonly model?: string | undefined;
    readonly effort?: Effort | undefined;
    readonly permissionMode: PermissionMode;
    readonly sandbox?: string | undefined;
    /** In dollars, for all requests of one session. */
    readonly maxCost?: number | undefined;
    /** The folders that are opened count as trusted. */
    readonly trust?: boolean | undefined;
    /** As an editor starts it in a terminal, for the person to choose a model. */
    readonly setup?: boolean | undefined;
  };
