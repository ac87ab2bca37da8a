import { errorKinds } from '../../domain/errors.ts';
import { homeOf } from '../../runtime/home.ts';
import { storeWorldOf } from '../../runtime/open-store.ts';
import type { Screen } from '../../runtime/screen.ts';
import type { World } from '../../runtime/world.ts';
import { diagnose } from '../../store/doctor/doctor.ts';
import type { DoctorOptions } from '../actions.ts';
import { diagnosisJson, diagnosisText } from './diagnosis-text.ts';

/** What is wrong in the home, repaired when asked for. Reads no settings, so that broken ones are no obstacle. */
export async function examineHome(world: World, options: DoctorOptions, screen: Screen): Promise<number> {
  const home = homeOf(world, options);
  const indexProblem = await indexCheck();
  const diagnosis = diagnose(storeWorldOf(world, home), { sessionId: options.session, repair: options.repair, indexProblem });
  screen.out(options.json ? diagnosisJson(diagnosis) : diagnosisText(diagnosis, { home }));
  return diagnosis.findings.length === 0 ? 0 : errorKinds.store_damaged.exitCode;
}

/** The index is read by a native library. Where it cannot be loaded, a search says so, and all else is examined here. */
async function indexCheck(): Promise<(path: string) => string | undefined> {
  try {
    return (await import('../../store/search/search-tables.ts')).indexProblem;
  } catch {
    return () => undefined;
  }
}
