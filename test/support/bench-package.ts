import { createRequire } from 'node:module';
import { join } from 'node:path';

export const noBenchPackages = '`npm run bench:install` was not run';

/** The file of a package that was installed beside those of bench/package.json; undefined where it was not. */
export function optionalPackage(name: string): string | undefined {
  try {
    return createRequire(join(process.cwd(), 'bench', 'package.json')).resolve(name);
  } catch {
    return undefined;
  }
}

/**
 * The file of a package that only benches and second opinions need (bench/package.json); undefined where they are not installed. With
 * SANBOT_TEST_SECOND_OPINIONS=1, as in CI, it throws then, so that no test is skipped for that.
 */
export function benchPackage(name: string): string | undefined {
  const file = optionalPackage(name);
  if (file === undefined && process.env.SANBOT_TEST_SECOND_OPINIONS === '1') throw new Error(`${name} is missing: ${noBenchPackages}`);
  return file;
}
