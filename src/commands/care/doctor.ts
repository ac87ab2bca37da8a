import { errorKinds } from '../../domain/errors.ts';
import type { Environment } from '../../runtime/environment.ts';
import { homeOf } from '../../runtime/home.ts';
import type { IoStreams } from '../../runtime/io-streams.ts';
import { storeEnvironmentOf } from '../../runtime/open-store.ts';
import { diagnose } from '../../store/doctor/doctor.ts';
import type { DoctorOptions } from '../actions.ts';
import { diagnosisJson, diagnosisText } from './diagnosis-text.ts';

/** What is wrong in the home, repaired when asked for. Reads no settings, so that broken ones are no obstacle. */
export async function examineHome(environment: Environment, options: DoctorOptions, io: IoStreams): Promise<number> {
  const home = homeOf(environment, options);
  const indexProblem = await loadIndexCheck();
  const diagnosis = diagnose(storeEnvironmentOf(environment, home), { sessionId: options.session, repair: options.repair, indexProblem });
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
