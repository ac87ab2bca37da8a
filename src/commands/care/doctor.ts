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

import { type EnvironmentRules, environmentRules } from '../../domain/config/command-environment.ts';
import { errorKinds, SanbotError } from '../../domain/errors.ts';
import type { Environment } from '../../runtime/environment.ts';
import type { HomeOptions } from '../../runtime/home.ts';
import { homeOf } from '../../runtime/home.ts';
import { storeEnvironmentOf } from '../../runtime/open-store.ts';
import { readSettings, type Settings } from '../../runtime/settings.ts';
import { diagnose } from '../../store/doctor/doctor.ts';
import { isHarmless } from '../../store/doctor/finding.ts';
import { NO_RULES, scrubEnv } from '../../tools/command/scrub-env.ts';
import type { CommandContext } from '../command.ts';
import { checkJson, endpointText, errorFinding } from '../models/endpoint-text.ts';
import { diagnosisJson, diagnosisText } from './diagnosis-text.ts';

export type DoctorOptions = HomeOptions & {
  readonly session?: string;
  readonly repair?: boolean;
  readonly json?: boolean;
  /** False for --no-endpoint. */
  readonly endpoint?: boolean;
};

/**
 * What is wrong in the home, repaired when asked for, and what is wrong with the endpoint of the model, unless only a session is examined.
 * Broken settings are no obstacle: they only say which variables commands get, and where the model is.
 */
export async function examineHome(options: DoctorOptions, { environment, io }: CommandContext): Promise<number> {
  const home = homeOf(environment, options);
  const indexProblem = await loadIndexCheck();
  const diagnosis = diagnose(storeEnvironmentOf(environment, home), {
    sessionId: options.session,
    repair: options.repair === true,
    indexProblem,
  });
  const settings = settingsOrError(environment, home);
  // SanBot's own variables are for SanBot.
  const withheld = scrubEnv(environment.env, rulesOf(settings)).withheld.filter((name) => !/^(?:ANTHROPIC|SANBOT)_/.test(name));
  const view = { ...diagnosis, ...(withheld.length === 0 ? {} : { withheld }) };
  if (!options.json) io.out(diagnosisText(view, { home }));
  const endpoint = options.endpoint === false || options.session !== undefined ? undefined : await examineEndpoint(settings, environment);
  const isChecked = endpoint !== undefined && endpoint.check.findings.length > 0;
  if (options.json) io.out(diagnosisJson({ ...view, ...(isChecked ? { endpoint: checkJson(endpoint.check) } : {}) }));
  else if (endpoint !== undefined) io.out(endpointText(endpoint.check));
  return diagnosis.findings.every(isHarmless) ? (endpoint?.exitCode ?? 0) : errorKinds.store_damaged.exitCode;
}

function settingsOrError(environment: Environment, home: string): Settings | SanbotError {
  try {
    return readSettings(environment, { home });
  } catch (error) {
    if (error instanceof SanbotError) return error;
    throw error;
  }
}

/** The network is asked only where an endpoint is set. */
async function examineEndpoint(settings: Settings | SanbotError, environment: Environment) {
  if (settings instanceof SanbotError) return { check: { model: null, host: null, findings: [errorFinding(settings)] }, exitCode: 0 };
  const { exitCode, ...check } = await (await import('../models/check-endpoint.ts')).checkEndpoint(environment, settings);
  return { check, exitCode };
}

/** As far as the user's settings can be read. */
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
