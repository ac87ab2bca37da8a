import { errorKinds } from '../../domain/errors.ts';
import type { HomeOptions } from '../../runtime/home.ts';
import { homeOf } from '../../runtime/home.ts';
import { storeEnvironmentOf } from '../../runtime/open-store.ts';
import { diagnose } from '../../store/doctor/doctor.ts';
import type { CommandContext } from '../command.ts';
import { diagnosisJson, diagnosisText } from './diagnosis-text.ts';

export type DoctorOptions = HomeOptions & { readonly session?: string; readonly repair?: boolean; readonly json?: boolean };

/** What is wrong in the home, repaired when asked for. Reads no settings, so that broken ones are no obstacle. */
export async function examineHome(options: DoctorOptions, { environment, io }: CommandContext): Promise<number> {
  const home = homeOf(environment, options);
  const indexProblem = await loadIndexCheck();
  const diagnosis = diagnose(storeEnvironmentOf(environment, home), {
    sessionId: options.session,
    repair: options.repair === true,
    indexProblem,
  });
  io.out(options.json ? diagnosisJson(diagnosis) : diagnosisText(diagnosis, { home }));
  return diagnosis.findings.length === 0 ? 0 : errorKinds.store_damaged.exitCode;
}

/** The index is read by a native library. Where it cannot be loaded, a search says so, and all else is examined here. */
async function loadIndexCheck(): Promise<(path: string) => string | undefined> {
  try {
    return (await import('../../store/search/search-tables.ts')).indexProblem;
  } catch {
    return () => undefined;
  }
}
