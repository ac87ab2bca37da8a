import { pluralize } from '../../terminal/text/format.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import type { EndpointCheck } from '../models/endpoint-text.ts';

type Finding = {
  readonly kind: string;
  readonly path: string;
  readonly sessionId: string | undefined;
  readonly what: string;
  readonly remedy: string | undefined;
};

export type DiagnosisView = {
  readonly sessions: number;
  readonly snapshots: number;
  readonly inUse: readonly string[];
  readonly repaired: readonly { readonly path: string; readonly did: string; readonly failed?: true }[];
  readonly findings: readonly Finding[];
  /** Variables of the environment that commands and hooks do not get; left out when there are none. */
  readonly withheld?: readonly string[];
  /** Left out where it was not asked for, and where none is set. */
  readonly endpoint?: EndpointCheck;
};

/** One JSON object; `findings` are those that are left. */
export const diagnosisJson = (diagnosis: DiagnosisView): string => `${JSON.stringify(diagnosis, null, 2)}\n`;

/** One line for each repair and each finding, then the sum. Ends with a newline. */
export function diagnosisText(diagnosis: DiagnosisView, { home }: { readonly home: string }): string {
  const { sessions, snapshots, inUse, repaired, findings } = diagnosis;
  const lines = [
    ...repaired.map(({ path, did, failed }) => `${failed ? 'failed  ' : 'repaired'}  ${path}: ${did}`),
    ...findings.map(({ path, what, remedy }) => `wrong     ${path}: ${what}${remedy === undefined ? '' : `; --repair ${remedy}`}`),
    ...inUse.map((id) => `in use    session ${id}: checked but not repaired, because a running process has it open`),
  ].map(safeLine);
  const withheld = (diagnosis.withheld ?? []).map(safeLine).join(', ');
  const environment = withheld === '' ? [] : [`not passed to commands: ${withheld} (commands.environment in the settings changes that)`];
  const scope = `${pluralize(sessions, 'session')} and ${pluralize(snapshots, 'snapshot')} in ${safeLine(home)}`;
  return [...lines, ...(lines.length === 0 ? [] : ['']), `${scope}: ${verdict(diagnosis)}`, ...environment]
    .map((line) => `${line}\n`)
    .join('');
}

function verdict({ findings, repaired }: DiagnosisView): string {
  if (findings.length === 0) return 'all is well.';
  const failed = new Set(repaired.filter((each) => each.failed).map(({ path }) => path));
  const repairable = findings.filter(({ remedy }) => remedy !== undefined);
  const hasUntried = repairable.some(({ path }) => !failed.has(path));
  const hint = hasUntried
    ? 'To repair what can be repaired: sanbot doctor --repair'
    : repairable.length > 0
      ? 'The repair failed: fix the cause given above, then repair again.'
      : findings.length === 1
        ? 'It cannot be repaired.'
        : 'None of them can be repaired.';
  return `${pluralize(findings.length, 'problem')} found. ${hint}`;
}
