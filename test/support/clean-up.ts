/**
 * What is left of a test or of a file of tests to remove. Modules are loaded once for many files, so the hooks that call this are
 * registered by clean-up-hooks.ts, which is run anew for each file.
 */
type CleanUp = () => void | Promise<void>;

const afterTests: CleanUp[] = [];
const afterFiles: CleanUp[] = [];

export const afterThisTest = (act: CleanUp): void => void afterTests.push(act);
export const afterThisFile = (act: CleanUp): void => void afterFiles.push(act);

export const cleanUpTest = (): Promise<void> => runAll(afterTests);
export const cleanUpFile = (): Promise<void> => runAll(afterFiles);

/** The newest first and one after the other, since a later one may remove what an earlier one needs; each also when another one fails. */
async function runAll(acts: CleanUp[]): Promise<void> {
  const failures: unknown[] = [];
  for (const act of acts.splice(0).reverse()) {
    try {
      await act();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
