import type { ToolOutcome, ToolPlan } from '../../agent/ports/tools.ts';
import { type Bilingual, because, joinTexts, localize, sameInBoth } from '../../domain/language.ts';
import type { FileContent } from '../../domain/session/record.ts';
import { type PlannedPath, type ResolvedPath, unlessMoved } from '../place/place.ts';
import { failure } from '../tool.ts';
import type { ToolContext } from '../tool-context.ts';
import type { KnownFiles } from './known-files.ts';
import { sha256Hex } from './text-file.ts';

/** The fields that every plan to change a file shares. */
export const writePlanBase = (tool: string, { path, given, place, displayName, caution, cwd }: ResolvedPath) => {
  const base = { kind: 'ready', access: 'write', path, given, place, title: `${tool} ${displayName}`, cwd } as const;
  return caution === undefined ? base : { ...base, caution };
};

/**
 * Returns the plan for a change that would fail. For a file in the working folder the model learns the reason at once; for any other only
 * after a person has allowed it, since the reason reveals what is there.
 */
export function failingWritePlan(tool: string, target: ResolvedPath, why: Bilingual): ToolPlan | Bilingual {
  const message = because(sameInBoth(target.displayName), why);
  if (target.place === 'inside' && target.caution === undefined) return message;
  return {
    ...writePlanBase(tool, target),
    preview: localize({ en: `Would fail: ${message.en}`, zh: `会失败：${message.zh}` }),
    run: async () => failure(message),
  };
}

/** Changes a file that is still where it was planned, after all that was begun with it before. */
export const writeAlone = (planned: PlannedPath, { runExclusive }: KnownFiles, write: () => Promise<ToolOutcome>): Promise<ToolOutcome> =>
  unlessMoved(planned, { en: 'written', zh: '写入' }, () => runExclusive(planned.target.path, write));

export const CHANGED_MEANWHILE: Bilingual = { en: 'changed meanwhile', zh: '其间已更改' };

/**
 * Records the change of a file, and adds to its note why the former content is not kept, if it is not. All that takes time is done when this
 * resolves, so that nothing comes between the last look at the file and its change.
 */
export async function createChangeRecorder(
  { fileChangeRecorder }: Pick<ToolContext, 'fileChangeRecorder'>,
  { target: { path, place }, tool, bytes }: NewContent,
) {
  const recordFileChange = await fileChangeRecorder();
  let why: Bilingual | undefined;
  const after = bytes === undefined ? undefined : { fingerprint: sha256Hex(bytes), bytes: bytes.length, content: bytes };
  return {
    record: (before: FileContent | undefined, folders: readonly string[]): void => {
      // Made to be thrown away, as what commands do there.
      if (place !== 'temporary') why = recordFileChange({ path, tool, folders, before, after });
    },
    describe: (note: Bilingual): Bilingual =>
      why === undefined ? note : joinTexts([note, because(NOT_KEPT, why)], { en: '; ', zh: '；' }),
  };
}

type NewContent = { readonly target: Pick<ResolvedPath, 'path' | 'place'>; readonly tool: string; readonly bytes: Buffer | undefined };

const NOT_KEPT: Bilingual = { en: 'what it held before is not kept', zh: '未保留原有内容' };
