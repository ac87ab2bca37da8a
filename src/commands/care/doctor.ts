/**
 * What keeps a home in order: `sanbot doctor` checks every file of it and repairs what it can, `sanbot clean` removes what is no longer
 * needed, and `sanbot purge` removes a leaked secret.
 *
 * In come the home and, for a purge, the text to remove. Out goes a report, as text for a person or as JSON.
 *
 * They promise to work on a home that is damaged, and with settings that cannot be read; none of them opens a session. The doctor also asks
 * the model whether it can be worked with. The work is done by
 * store/doctor, store/snapshot and store/purge; here are the questions, the reports and the exit codes.
 *
 * They refuse to guess: nothing is repaired without --repair and nothing purged without confirmation, and a repair deletes nothing.
 */

import { keyVariablesFor } from '../../domain/config/choose-provider.ts';
import { type EnvironmentRules, environmentRules } from '../../domain/config/command-environment.ts';
import { providers } from '../../domain/config/endpoint-settings.ts';
import { errorKinds, orFailure, SanbotError } from '../../domain/errors.ts';
import { localize } from '../../domain/language.ts';
import { READ } from '../../model/catalog-rows.ts';
import type { Environment } from '../../runtime/environment.ts';
import { type HomeOptions, homeOf } from '../../runtime/home.ts';
import { useCatalogueOf } from '../../runtime/models/catalogue.ts';
import { storeEnvironmentOf } from '../../runtime/open-store.ts';
import { readSettings, type Settings } from '../../runtime/settings.ts';
import { type Diagnosis, diagnose } from '../../store/doctor/doctor.ts';
import { findingJson, isHarmless, repairJson } from '../../store/doctor/finding.ts';
import { entryExists } from '../../store/files/disk.ts';
import { pathsOf } from '../../store/files/paths.ts';
import { formatCount, pluralize } from '../../terminal/text/format.ts';
import { safeLine } from '../../terminal/text/safe-text.ts';
import { NO_RULES, scrubEnv } from '../../tools/command/scrub-env.ts';
import type { CommandContext } from '../command.ts';
import { checkJson, endpointText, errorFinding } from '../models/endpoint-text.ts';

export type DoctorOptions = HomeOptions & {
  readonly session?: string;
  readonly repair?: boolean;
  readonly json?: boolean;
  /** False for --no-endpoint. */
  readonly endpoint?: boolean;
};

/** Broken settings are no obstacle: they only say which variables commands get, and where the model is. */
export async function examineHome(options: DoctorOptions, { environment, io }: CommandContext): Promise<number> {
  const home = homeOf(environment, options);
  const indexProblem = await loadIndexCheck();
  const diagnosis = diagnose(storeEnvironmentOf(environment, home), {
    sessionId: options.session,
    repair: options.repair === true,
    indexProblem,
  });
  const settings = orFailure(() => readSettings(environment, { home }));
  // SanBot's own variables are for SanBot.
  const withheld = scrubEnv(environment.env, rulesOf(settings)).withheld.filter((name) => !/^(?:ANTHROPIC|SANBOT)_/.test(name));
  const keys = keyNamesOf(settings).filter((name) => (environment.env[name] ?? '') !== '');
  const left = await purgesLeft(home, { environment, io });
  const view = {
    ...diagnosis,
    ...left,
    ...(withheld.length === 0 ? {} : { withheld }),
    ...(keys.length === 0 ? {} : { keys }),
  };
  if (!options.json) io.out(diagnosisText(view, { home }));
  const endpoint = options.endpoint === false || options.session !== undefined ? undefined : await examineEndpoint(settings, environment);
  const isChecked = endpoint !== undefined && endpoint.check.findings.length > 0;
  if (options.json) io.out(diagnosisJson({ ...view, ...(isChecked ? { endpoint: checkJson(endpoint.check) } : {}) }));
  else if (endpoint !== undefined) io.out(`${endpointText(endpoint.check)}${oldTableText(home, environment)}`);
  return diagnosis.findings.every(isHarmless) ? (endpoint?.exitCode ?? 0) : errorKinds.store_damaged.exitCode;
}

const OLD_DAYS = 90;

/** Empty where the windows and prices in use are not old. */
function oldTableText(home: string, { now }: Environment): string {
  const inUse = useCatalogueOf(home);
  const date = inUse.kind === 'kept' ? inUse.kept.at.slice(0, 10) : READ;
  const days = Math.floor((now().getTime() - Date.parse(date)) / 86_400_000);
  if (days <= OLD_DAYS) return '';
  const text = {
    en: `note      prices: the table of windows and prices is ${formatCount(days)} days old (${date}). sanbot models --refresh takes a newer one, sanbot update says how to get a newer SanBot.`,
    zh: `注意      价格：窗口和价格表已有 ${formatCount(days)} 天（${date}）。sanbot models --refresh 可取得新表，sanbot update 说明如何更新 SanBot。`,
  };
  return `${localize(text)}\n`;
}

/** Folders of `sanbot sync` that still have what was purged or deleted here, and machines that have not confirmed it. */
async function purgesLeft(home: string, context: CommandContext): Promise<Pick<DiagnosisView, 'behind' | 'unconfirmed'>> {
  if (!entryExists(pathsOf(home).syncTargets)) return {};
  const sync = await import('../sync/open-sync.ts');
  // What cannot be read is told by sanbot sync.
  const found = orFailure(() => sync.purgesLeft({ home }, context));
  if (found instanceof SanbotError) return {};
  const { behind, unconfirmed } = found;
  return { ...(behind.length > 0 && { behind }), ...(unconfirmed.length > 0 && { unconfirmed }) };
}

function keyNamesOf(settings: Settings | SanbotError): readonly string[] {
  const own = settings instanceof SanbotError ? [] : [settings.config.model, ...Object.values(settings.config.model.endpoints)];
  return [...new Set([...providers.flatMap(keyVariablesFor), ...own.flatMap(({ apiKeyEnv }) => apiKeyEnv ?? [])])];
}

async function examineEndpoint(settings: Settings | SanbotError, environment: Environment) {
  if (settings instanceof SanbotError) return { check: { model: null, host: null, findings: [errorFinding(settings)] }, exitCode: 0 };
  const { exitCode, ...check } = await (await import('../models/check-endpoint.ts')).checkEndpoint(environment, settings);
  return { check, exitCode };
}

const rulesOf = (settings: Settings | SanbotError): EnvironmentRules =>
  settings instanceof SanbotError ? NO_RULES : environmentRules(settings.config);

/** The index is read by a native library. Where it cannot be loaded, a search says so, and all else is examined here. */
async function loadIndexCheck(): Promise<(path: string) => string | undefined> {
  try {
    return (await import('../../store/search/search-tables.ts')).indexProblem;
  } catch {
    return () => undefined;
  }
}

type DiagnosisView = Diagnosis & {
  readonly withheld?: readonly string[];
  readonly keys?: readonly string[];
  readonly behind?: readonly string[];
  readonly unconfirmed?: readonly string[];
  readonly endpoint?: ReturnType<typeof checkJson>;
};

const diagnosisJson = (diagnosis: DiagnosisView): string => {
  const { repaired, findings } = diagnosis;
  return `${JSON.stringify({ ...diagnosis, repaired: repaired.map(repairJson), findings: findings.map(findingJson) }, null, 2)}\n`;
};

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
  const scope = localize({
    en: `${pluralize(sessions, 'session')} and ${pluralize(snapshots, 'snapshot')} in ${safeLine(home)}: `,
    zh: `${safeLine(home)} 中有 ${formatCount(sessions)} 个会话和 ${formatCount(snapshots)} 个快照：`,
  });
  return [...lines, ...(lines.length === 0 ? [] : ['']), `${scope}${verdict(diagnosis)}`, ...environmentLines(diagnosis)]
    .map((line) => `${line}\n`)
    .join('');
}

function environmentLines({ withheld = [], keys = [], behind = [], unconfirmed = [] }: DiagnosisView): readonly string[] {
  const unpurged = localize({
    en: `still with what was purged or deleted here: ${behind.map(safeLine).join(', ')} (sanbot sync takes it out there)`,
    zh: `仍有在这里清除或删除过的内容：${behind.map(safeLine).join('、')}（sanbot sync 会在那里清除）`,
  });
  const machines = localize({
    en: `not confirmed by every machine what was purged or deleted: ${unconfirmed.map(safeLine).join(', ')} (its next sanbot sync does; if it is gone for ever: sanbot sync forget MACHINE)`,
    zh: `尚未由每台机器确认已清除或删除：${unconfirmed.map(safeLine).join('、')}（它下次运行 sanbot sync 时确认；若永远不会回来：sanbot sync forget 机器名）`,
  });
  const [names, keyNames] = [withheld, keys].map((each) => each.map(safeLine).join(', '));
  const passed = localize({
    en: `not passed to commands: ${names} (commands.environment in the settings changes that)`,
    zh: `不传递给命令：${names}（可用设置 commands.environment 更改）`,
  });
  const readable = localize({
    en: `a key in the environment: ${keyNames}. Your shell, and what else was started with it, shows it to every program of yours; model.apiKey in config.json, which only you can read, is in no environment`,
    zh: `环境变量中有密钥：${keyNames}。你运行的任何程序，都能从 shell 和其他以此环境启动的程序中看到它；config.json 中的 model.apiKey 仅你可读，不在任何环境变量中`,
  });
  const left = [...(behind.length === 0 ? [] : [unpurged]), ...(unconfirmed.length === 0 ? [] : [machines])];
  return [...left, ...(names === '' ? [] : [passed]), ...(keyNames === '' ? [] : [readable])];
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
