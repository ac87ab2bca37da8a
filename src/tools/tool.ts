import type { z } from 'zod';
import type { Tool, ToolOutcome, ToolPlan } from '../agent/ports/tools.ts';
import { AbortedError, errorReason } from '../domain/errors.ts';
import { type Bilingual, because, sameInBoth } from '../domain/language.ts';
import { parseInput } from './input.ts';
import { visibleLine } from './place/visible.ts';

/** What is known of a tool without any session: its name, and what it takes, which is made when it is first called. */
export type ToolDefinition<S extends z.ZodObject = z.ZodObject> = { readonly name: string; readonly input: () => S };

/** A tool that keeps the promises of its port: planning never rejects, running rejects only with AbortedError. */
export function createTool<S extends z.ZodObject>(
  { name, input }: ToolDefinition<S>,
  planCall: (input: z.output<S>) => Promise<ToolPlan>,
): Tool {
  return {
    name,
    plan: async (raw) => {
      try {
        const parsed = parseInput(input(), raw);
        if (parsed.kind === 'wrong') return invalid(because(sameInBoth(name), parsed.message));
        const plan = await planCall(parsed.input);
        return plan.kind === 'invalid'
          ? plan
          : { ...plan, run: (signal, onProgress) => runTool((stop) => plan.run(stop, onProgress), signal) };
      } catch (error) {
        return invalid(because(sameInBoth(name), toolFailure(error)));
      }
    },
  };
}

/** A call that cannot be made, and why: the model reads the English words. */
export const invalid = (why: Bilingual): ToolPlan => ({ kind: 'invalid', message: why.en, shown: why });

/** A plan that changes no file and runs no program: it has no preview. */
export const readPlan = (title: string, run: ReadyPlan['run'], target: Partial<PlanTarget> = {}): ToolPlan => {
  const { path, given, place = 'none', caution, cwd } = target;
  return {
    kind: 'ready',
    access: 'read',
    path,
    place,
    title,
    preview: '',
    run,
    ...(given && { given }),
    ...(caution && { caution }),
    ...(cwd && { cwd }),
  };
};

type ReadyPlan = Extract<ToolPlan, { kind: 'ready' }>;
type PlanTarget = Pick<ReadyPlan, 'path' | 'given' | 'place' | 'caution' | 'cwd'>;

/** A failed outcome: what went wrong, of which the model reads the English words, and the short line for a person. */
export const failure = (what: Bilingual, note: Bilingual = FAILED): ToolOutcome => ({ ok: false, content: what.en, shown: what, note });

const FAILED: Bilingual = { en: 'failed', zh: '失败' };

/** Returns `1 line`, `2 lines`. */
export const quantity = (count: number, one: string, more = `${one}s`): string => `${count} ${count === 1 ? one : more}`;

/** The same in both languages; `zh` is the measure word and the noun. */
export const counted = (count: number, one: string, zh: string): Bilingual => ({ en: quantity(count, one), zh: `${count} ${zh}` });

/** Returns the outcome of `work`; a failure of the system becomes one that names the file or folder. */
export async function namingFailure(name: string, work: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Error && 'code' in error) return failure(toolFailure(error, name));
    throw error;
  }
}

/** Returns what went wrong, in one line that the model can act on. `what` names the file in question. */
export function toolFailure(error: unknown, what?: string): Bilingual {
  const code = codeOf(error);
  const known = code === undefined ? undefined : ERROR_TEXTS[code];
  const text = known ?? (error instanceof Error ? lineOf(errorReason(error)) : UNKNOWN);
  return what === undefined ? text : because(sameInBoth(what), text);
}

const lineOf = ({ en, zh }: Bilingual): Bilingual => ({ en: visibleLine(en, 500), zh: visibleLine(zh, 500) });

/** The same for the model alone. */
export const failureText = (error: unknown, what?: string): string => toolFailure(error, what).en;

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

async function runTool(run: (signal: AbortSignal) => Promise<ToolOutcome>, signal: AbortSignal): Promise<ToolOutcome> {
  try {
    if (signal.aborted) throw new AbortedError('stopped');
    return await run(signal);
  } catch (error) {
    if (error instanceof AbortedError) throw error;
    return failure(toolFailure(error));
  }
}

const UNKNOWN: Bilingual = { en: 'unknown failure', zh: '未知的失败' };

const ERROR_TEXTS: Readonly<Record<string, Bilingual>> = {
  ENOENT: { en: 'no such file or folder', zh: '没有此文件或文件夹' },
  EACCES: { en: 'permission denied', zh: '没有权限' },
  EPERM: { en: 'not permitted', zh: '不允许此操作' },
  EISDIR: { en: 'is a folder', zh: '是文件夹' },
  ENOTDIR: { en: 'a part of the path is a file, not a folder', zh: '路径中有一部分是文件，不是文件夹' },
  ELOOP: { en: 'its symbolic links go round in a circle', zh: '符号链接循环' },
  ENAMETOOLONG: { en: 'the name is too long', zh: '名称太长' },
  EMFILE: { en: 'too many open files', zh: '打开的文件太多' },
  ENOSPC: { en: 'no space left on the disk', zh: '磁盘空间不足' },
  EDQUOT: { en: 'the disk quota is used up', zh: '磁盘配额已用完' },
  E2BIG: { en: 'it is too long for the system', zh: '对系统来说太长' },
  EFBIG: { en: 'the file would be too large', zh: '文件会过大' },
  EROFS: { en: 'the file system is read-only', zh: '文件系统是只读的' },
  EBUSY: { en: 'it is in use', zh: '正在使用中' },
  EAGAIN: { en: 'it has nothing to read now', zh: '现在没有可读的内容' },
  EIO: { en: 'the disk reports a read or write error', zh: '磁盘报告读写错误' },
};
