import { errorReason } from '../../domain/errors.ts';
import type { Bilingual } from '../../domain/language.ts';

export type FindingKind = keyof typeof remedies;

/** What a kill leaves and the next process takes care of by itself. */
export const isHarmless = ({ kind }: { readonly kind: string }): boolean => kind === 'stale_lock' || kind === 'snapshot_unlisted';

export type Finding = {
  readonly kind: FindingKind;
  /** Absolute. */
  readonly path: string;
  readonly sessionId: string | undefined;
  readonly what: Bilingual;
  /** What a repair would do, as "writes it anew"; undefined when it can do nothing. */
  readonly remedy: Bilingual | undefined;
};

export type PartialFinding = Omit<Finding, 'sessionId'>;

/** What a repair does about those that it can always repair in the same way; what it does about the others, if anything, depends. */
const remedies = {
  open_to_others: undefined,
  not_usable: undefined,
  unreadable: undefined,
  foreign_lock: undefined,
  log_missing: undefined,
  log_header: undefined,
  log_tail: undefined,
  log_order: undefined,
  body_missing: undefined,
  version_missing: undefined,
  snapshot_missing: undefined,
  purge: undefined,
  temporary: { en: 'sets it aside', zh: '移到一旁' },
  stale_lock: { en: 'takes it over and releases it', zh: '接管并释放它' },
  log_lines: { en: 'writes the log without them; the former log is kept beside it', zh: '重写日志并去掉它们；原日志保留在旁边' },
  log_unsendable: {
    en: 'writes the log without those parts; the former log is kept beside it',
    zh: '重写日志并去掉这些部分；原日志保留在旁边',
  },
  title: { en: 'writes it anew', zh: '重写它' },
  bodies_lines: { en: 'moves them to a file beside it', zh: '移到旁边的文件中' },
  bodies_tail: { en: 'sets it aside in a file beside it', zh: '移到旁边的文件中' },
  body_changed: { en: 'sets it aside, and writes the original again if it is still known', zh: '移到一旁；如果仍有原内容，则重写' },
  body_orphan: { en: 'moves it to bodies.jsonl', zh: '移入 bodies.jsonl' },
  version_changed: { en: 'sets it aside, so that no file is restored from it', zh: '移到一旁，以免用它恢复文件' },
  changes_lines: { en: 'moves them to a file beside it', zh: '移到旁边的文件中' },
  changes_tail: { en: 'sets it aside in a file beside it', zh: '移到旁边的文件中' },
  changes_contents: {
    en: 'writes the file without them; the former file is kept beside it',
    zh: '重写文件并去掉它们；原文件保留在旁边',
  },
  changes_missing: { en: 'notes that it is lost', zh: '注明其已丢失' },
  changes_base: { en: 'sets it aside; the next command looks at the folder anew', zh: '移到一旁；下一条命令会重新查看文件夹' },
  snapshot_unlisted: { en: 'writes it from the snapshot', zh: '从快照写出它' },
  snapshot_meta: { en: 'writes it anew from the snapshot', zh: '从快照重写它' },
  snapshot_altered: { en: 'sets it aside, so that nobody rolls back to it', zh: '移到一旁，以免有人回滚到它' },
  index: { en: 'sets it aside; the next search rebuilds it', zh: '移到一旁；下次搜索时重建' },
} as const;

export const finding = (kind: FindingKind, path: string, what: Bilingual, remedy: Finding['remedy'] = remedies[kind]): PartialFinding => ({
  kind,
  path,
  what,
  remedy,
});

export function orUnreadable(path: string, check: () => readonly PartialFinding[]): readonly PartialFinding[] {
  try {
    return check();
  } catch (error) {
    return [finding('unreadable', path, errorReason(error))];
  }
}

export function lineNumbers(lines: readonly { readonly line: number }[]): Bilingual {
  const first = lines.slice(0, 5).map(({ line }) => line);
  const more = lines.length > 5;
  return { en: `line ${first.join(', ')}${more ? ', …' : ''}`, zh: `第 ${first.join('、')}${more ? '、…' : ''} 行` };
}

export type RepairResult = { readonly path: string; readonly did: Bilingual; readonly failed?: true };

export const findingJson = ({ what, remedy, ...finding }: Finding) => ({ ...finding, what: what.en, remedy: remedy?.en });
export const repairJson = ({ path, did, failed }: RepairResult) => ({ path, did: did.en, ...(failed && { failed }) });
