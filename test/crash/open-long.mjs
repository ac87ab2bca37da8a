// Opens a session of the built store, looks it over as the doctor does, and says what it found and the most memory it took. Argument: the home.

import { diagnose } from '../../src/store/doctor/doctor.ts';
import { createStore } from '../../src/store/store.ts';

const [home = ''] = process.argv.slice(2);
let serial = 0;
const newId = () => `${(++serial).toString(36)}p${process.pid.toString(36)}`.padStart(8, '0');
const world = { home, now: () => new Date(), newId, pid: process.pid, platform: process.platform, probePid: (pid) => process.kill(pid, 0) };
const opened = createStore(world, { maxSessionBytes: 1e9, warn: () => undefined }).sessions.open('s1');
opened.log.close();
const { findings } = diagnose(world, { sessionId: 's1', repair: false });
console.log(
  JSON.stringify({
    records: opened.records.length,
    warnings: opened.warnings.length,
    findings: findings.map(({ kind }) => kind),
    memoryMb: process.resourceUsage().maxRSS / 1024,
  }),
);
