/**
 * What keeps a home in order: `sanbot doctor` checks every file of it and repairs what it can, `sanbot clean` removes what is no longer
 * needed, and `sanbot purge` removes a leaked secret.
 *
 * In come the home and, for a purge, the text to remove. Out goes a report, as text for a person or as JSON.
 *
 * They promise to work on a home that is damaged, and with settings that cannot be read; none of them opens a session. The work is done by
 * store/doctor, store/snapshot and store/purge; here are the questions, the reports and the exit codes.
 *
 * They refuse to guess: nothing is repaired without --repair and nothing purged without confirmation, and a repair deletes nothing.
 */

import { errorKinds } from '../../domain/errors.ts';
import type { HomeOptions } from '../../runtime/home.ts';
import { homeOf } from '../../runtime/home.ts';
import { storeEnvironmentOf } from '../../runtime/open-store.ts';
import { readSettings } from '../../runtime/settings.ts';
import { diagnose } from '../../store/doctor/doctor.ts';
import { type EnvironmentRules, NO_RULES, scrubEnv } from '../../tools/command/scrub-env.ts';
import type { CommandContext } from '../command.ts';
import { diagnosisJson, diagnosisText } from './diagnosis-text.ts';

export type DoctorOptions = HomeOptions & { readonly session?: string; readonly repair?: boolean; readonly json?: boolean };

/** What is wrong in the home, repaired when asked for. Broken settings are no obstacle: they only say which variables commands get. */
export async function examineHome(options: DoctorOptions, { environment, io }: CommandContext): Promise<number> {
  const home = homeOf(environment, options);
  const indexProblem = await loadIndexCheck();
  const diagnosis = diagnose(storeEnvironmentOf(environment, home), {
    sessionId: options.session,
    repair: options.repair === true,
    indexProblem,
  });
  // SanBot's own variables are for SanBot.
  const withheld = scrubEnv(environment.env, environmentRules(environment, home)).withheld.filter(
    (name) => !/^(?:ANTHROPIC|SANBOT)_/.test(name),
  );
  const view = { ...diagnosis, ...(withheld.length === 0 ? {} : { withheld }) };
  io.out(options.json ? diagnosisJson(view) : diagnosisText(view, { home }));
  return diagnosis.findings.length === 0 ? 0 : errorKinds.store_damaged.exitCode;
}

/** As far as the user's settings can be read. */
function environmentRules(environment: CommandContext['environment'], home: string): EnvironmentRules {
  try {
    return readSettings(environment, { home }).config.commands.environment;
  } catch {
    return NO_RULES;
  }
}

/** The index is read by a native library. Where it cannot be loaded, a search says so, and all else is examined here. */
async function loadIndexCheck(): Promise<(path: string) => string | undefined> {
  try {
    return (await import('../../store/search/search-tables.ts')).indexProblem;
  } catch {
    return () => undefined;
  }
}
