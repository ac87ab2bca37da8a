import { localize } from '../../domain/language.ts';
import { type Finding, findingJson, isHarmless, type RepairResult, repairJson } from '../../store/doctor/finding.ts';
import { formatCount, pluralize } from '../../terminal/text/format.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import type { checkJson } from '../models/endpoint-text.ts';

export type DiagnosisView = {
  readonly sessions: number;
  readonly snapshots: number;
  readonly inUse: readonly string[];
  readonly repaired: readonly RepairResult[];
  readonly findings: readonly Finding[];
  /** Variables of the environment that commands and hooks do not get; left out when there are none. */
  readonly withheld?: readonly string[];
  /** Left out where it was not asked for, and where none is set. */
  readonly endpoint?: ReturnType<typeof checkJson>;
};

/** One JSON object; `findings` are those that are left. */
export const diagnosisJson = (diagnosis: DiagnosisView): string => {
  const { repaired, findings } = diagnosis;
  return `${JSON.stringify({ ...diagnosis, repaired: repaired.map(repairJson), findings: findings.map(findingJson) }, null, 2)}\n`;
};

/** One line for each repair and each finding, then the sum. Ends with a newline. */
export function diagnosisText(diagnosis: DiagnosisView, { home }: { readonly home: string }): string {
  const { sessions, snapshots, inUse, repaired, findings } = diagnosis;
  const labels = localize({
    en: { failed: 'failed    ', repaired: 'repaired  ', wrong: 'wrong     ', note: 'note      ' },
    zh: { failed: '修复失败  ', repaired: '已修复    ', wrong: '有问题    ', note: '注意      ' },
  });
  const colon = localize({ en: ': ', zh: '：' });
  const lines = [
    ...repaired.map(({ path, did, failed }) => `${failed ? labels.failed : labels.repaired}${path}${colon}${localize(did)}`),
    ...findings.map(({ kind, path, what, remedy }) => {
      const label = isHarmless({ kind }) ? labels.note : labels.wrong;
      const repair = remedy === undefined ? '' : localize({ en: `; --repair ${remedy.en}`, zh: `；--repair 会${remedy.zh}` });
      return `${label}${path}${colon}${localize(what)}${repair}`;
    }),
    ...inUse.map((id) =>
      localize({
        en: `in use    session ${id}: checked but not repaired, because a running process has it open`,
        zh: `使用中    会话 ${id}：已检查但未修复，因为有运行中的进程打开了它`,
      }),
    ),
  ].map(safeLine);
  const withheld = (diagnosis.withheld ?? []).map(safeLine).join(', ');
  const environment =
    withheld === ''
      ? []
      : [
          localize({
            en: `not passed to commands: ${withheld} (commands.environment in the settings changes that)`,
            zh: `不传递给命令：${withheld}（可用设置 commands.environment 更改）`,
          }),
        ];
  const scope = localize({
    en: `${pluralize(sessions, 'session')} and ${pluralize(snapshots, 'snapshot')} in ${safeLine(home)}: `,
    zh: `${safeLine(home)} 中有 ${formatCount(sessions)} 个会话和 ${formatCount(snapshots)} 个快照：`,
  });
  return [...lines, ...(lines.length === 0 ? [] : ['']), `${scope}${verdict(diagnosis)}`, ...environment]
    .map((line) => `${line}\n`)
    .join('');
}

function verdict({ findings: all, repaired }: DiagnosisView): string {
  const findings = all.filter((each) => !isHarmless(each));
  if (findings.length === 0) return localize({ en: 'all is well.', zh: '一切正常。' });
  const failed = new Set(repaired.filter((each) => each.failed).map(({ path }) => path));
  const repairable = findings.filter(({ remedy }) => remedy !== undefined);
  const hasUntried = repairable.some(({ path }) => !failed.has(path));
  const hint = hasUntried
    ? localize({ en: 'To repair what can be repaired: sanbot doctor --repair', zh: '要修复可修复的问题：sanbot doctor --repair' })
    : repairable.length > 0
      ? localize({ en: 'The repair failed: fix the cause given above, then repair again.', zh: '修复失败：请先排除上述原因，再重新修复。' })
      : findings.length === 1
        ? localize({ en: 'It cannot be repaired.', zh: '该问题无法修复。' })
        : localize({ en: 'None of them can be repaired.', zh: '这些问题都无法修复。' });
  return localize({
    en: `${pluralize(findings.length, 'problem')} found. ${hint}`,
    zh: `发现 ${formatCount(findings.length)} 个问题。${hint}`,
  });
}
