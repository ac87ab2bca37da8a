import { delimiter, isAbsolute } from 'node:path';
import type { CommandPlan } from '../../agent/ports/tools.ts';
import type { SandboxNeeds } from '../../domain/config/sandbox-mode.ts';
import { isBilingual } from '../../domain/language.ts';
import { orUndefined } from '../../domain/value/or-undefined.ts';
import { isOrUnder } from '../place/folders.ts';
import { resolvePath } from '../place/place.ts';
import type { ToolContext } from '../tool-context.ts';
import { parseShell } from './parse-command.ts';
import { scriptDigests } from './script-digests.ts';

/** What there is to know of a command before it runs. Never rejects. */
export async function planCommand(
  text: string,
  context: ToolContext,
  { needs, hasSandbox }: { readonly needs: SandboxNeeds | undefined; readonly hasSandbox: boolean },
): Promise<CommandPlan> {
  const place = { needs: hasSandbox ? needs : undefined, isHeld: hasSandbox && needs === undefined };
  const parsed = await parseShell(text);
  return { text, parsed, ...place, scripts: await scriptDigests(parsed, context.cwd), freeToRead: (paths) => freeToRead(paths, context) };
}

async function freeToRead(paths: readonly string[], context: ToolContext): Promise<readonly string[] | undefined> {
  const read: string[] = [];
  for (const path of paths) {
    const target = resolvePath(path, context);
    if (isBilingual(target) || target.place === 'outside' || target.caution !== undefined) return undefined;
    read.push(target.path, target.given);
  }
  return programsAreOutside(context) ? read : undefined;
}

/** A folder of the project among those where programs are looked for could put another one in the place of `ls`. */
function programsAreOutside({ env, cwd }: ToolContext): boolean {
  for (const folder of (env.PATH ?? '').split(delimiter)) {
    if (!isAbsolute(folder) || (orUndefined(() => isOrUnder(folder, cwd)) ?? true)) return false;
  }
  return true;
}
