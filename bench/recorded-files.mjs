import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';

/** The recorded sessions among files and folders given on the command line. Ends the program when none are given. */
export function recordedFiles(script, given = process.argv.slice(2)) {
  const files = given.flatMap(filesIn);
  if (files.length > 0) return files;
  console.error(`Give recorded sessions: npm run ${script} -- FILE_OR_FOLDER…`);
  process.exit(2);
}

function filesIn(name) {
  if (!statSync(name, { throwIfNoEntry: false })?.isDirectory()) return [name];
  const found = readdirSync(name, { recursive: true, encoding: 'utf8' }).filter(
    (each) => /\.(?:jsonl?|traj|md)$/.test(each) && !/^readme/i.test(basename(each)),
  );
  return found.sort().map((each) => join(name, each));
}
