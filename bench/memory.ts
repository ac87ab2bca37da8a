/**
 * How many of the labelled statements the rules of memory judge as a person did, by part and by section. `held out` was not looked at while
 * the rules were written. Prints figures. npm run bench:memory -- [FILE]
 */
import { type LabelledStatement, ratesOf, readStatements } from '../test/support/labelled-statements.ts';

const statements = readStatements(process.argv[2]);
const percent = (part: number, whole: number): string => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`);

function print(name: string, some: readonly LabelledStatement[]): void {
  const { kept, toKeep, keptWrongly, toDrop } = ratesOf(some);
  console.log(
    `${name}: kept ${kept} of ${toKeep} (${percent(kept, toKeep)}), wrongly ${keptWrongly} of ${toDrop} (${percent(keptWrongly, toDrop)})`,
  );
}

for (const part of ['tuned', 'held out'] as const) {
  const some = statements.filter((each) => each.part === part);
  print(part, some);
  for (const section of new Set(some.map((each) => each.section)))
    print(
      `  ${section}`,
      some.filter((each) => each.section === section),
    );
}
