// One turn of the real binary on a small disk at each of some numbers of free bytes. Argument: JSON of { disk, base, levels, home, cwd,
// env, args }: the disk's folder, one that is not on it, the bytes, the home to begin with, and the turn. Prints JSON: what each turn said,
// and where beside the disk the home is as the turn left it.
import { spawnSync } from 'node:child_process';
import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copySync } from 'fs-extra/esm';

const { disk, base, levels, home: start, cwd, env, args } = JSON.parse(process.argv[2]);
const home = join(disk, 'home');
const filler = join(disk, 'filler');

const ran = levels.map((free) => {
  copySync(start, home);
  const { bavail, bsize } = statfsSync(disk);
  writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - free)));
  const turn = spawnSync(process.execPath, [join(process.cwd(), 'bin', 'sanbot.js'), ...args], {
    cwd,
    env: { ...env, SANBOT_HOME: home },
    encoding: 'utf8',
  });
  const left = join(base, String(free));
  copySync(home, left);
  rmSync(filler);
  rmSync(home, { recursive: true });
  return { free, home: left, code: turn.status, out: turn.stdout, err: turn.stderr };
});
process.stdout.write(JSON.stringify(ran));
