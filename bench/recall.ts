/**
 * Whether what was said and seen is found again: recorded sessions become sessions of a temporary home, facts are mined from them, and each
 * is looked for with words around it that are not its own. Prints one table.
 * npm run bench:recall -- [FOLDER_OR_FILE…]   (default: ../shared/transcripts, when it is there)
 */
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { buildSetting } from '../src/app/build-setting.ts';
import { importRecorded } from '../src/app/import-recorded.ts';
import { openStore } from '../src/app/open-store.ts';
import { searchTexts } from '../src/app/recall.ts';
import { readTranscripts } from '../src/app/recorded-file.ts';
import { readSettings } from '../src/app/settings.ts';
import { realWorld } from '../src/app/world.ts';
import { isToolUse } from '../src/domain/message.ts';
import { hasOne, needlesOf, plain } from '../src/replay/fidelity.ts';
import { mineProbes, type Probe } from '../src/replay/mine.ts';
import { queryWords, stringsIn, termsOf } from '../src/replay/terms.ts';
import type { Transcript } from '../src/replay/transcript.ts';
import { pathsOf } from '../src/store/paths.ts';
import { writeGeneratedSessions } from './generated-sessions.ts';
import { measureSearch } from './measure-search.ts';

const HITS = 5;
const MESSAGES = 100_000;
/** So many of the Chinese words of two characters are asked for, at even distances. */
const CHINESE_QUERIES = 400;
const MANY_HITS = 2_000;

type Session = { readonly sessionId: string; readonly transcript: Transcript };

const shared = join(process.cwd(), '..', 'shared', 'transcripts');
const given = process.argv.slice(2).filter((each) => each !== '--misses');
const showMisses = process.argv.includes('--misses');
const files = (given.length > 0 ? given : existsSync(shared) ? [shared] : []).flatMap(filesIn);
if (files.length === 0) console.log('No recorded sessions: give files or folders. Only speed is measured.');
const home = mkdtempSync(join(tmpdir(), 'sanbot-bench-'));
/** Compiled code runs elsewhere; npm starts it where the prompts are. */
const world = { ...realWorld(), packageRoot: process.cwd(), env: { SANBOT_PROVIDER: 'offline', SANBOT_HOME: home } };
const { signal } = new AbortController();
function filesIn(name: string): readonly string[] {
  if (!statSync(name).isDirectory()) return [name];
  return readdirSync(name, { recursive: true, encoding: 'utf8' })
    .filter((each) => /\.(?:jsonl?|traj|md)$/.test(each) && !/^(?:readme|probing)/i.test(basename(each)))
    .sort()
    .map((each) => join(name, each));
}

async function overRecorded(place: string): Promise<readonly (readonly string[])[]> {
  const sessions = await imported(place);
  const ask = searchIn(place);
  const bytes = sessions.reduce((sum, { sessionId }) => sum + bytesIn(pathsOf(place).session(sessionId)), 0);
  const cpu = process.cpuUsage();
  await ask('nothing-like-it', HITS);
  const { user, system } = process.cpuUsage(cpu);
  const probes = sessions.flatMap(({ transcript, sessionId }) =>
    mineProbes(transcript).map((probe) => ({ probe, sessionId, needles: needlesOf(probe, transcript.cwd) })),
  );
  const errors = await found(
    probes.filter(({ probe }) => probe.kind === 'error'),
    ask,
  );
  const facts = await found(
    probes.filter(({ probe }) => probe.kind !== 'error'),
    ask,
  );
  const chinese = await chineseShare(sessions, ask);
  const asked = probes.map(({ probe }) => queryOf(probe)).filter((query, i) => query !== '' && i % 20 === 0);
  const before = await Promise.all(asked.map((query) => ask(query, HITS)));
  for (const end of ['', '-wal', '-shm']) rmSync(`${pathsOf(place).searchIndex}${end}`, { force: true });
  const equal = (await Promise.all(asked.map((query) => ask(query, HITS)))).filter(
    (hits, i) => JSON.stringify(hits) === JSON.stringify(before[i]),
  );
  return [
    [
      `facts, in the first ${HITS} hits (${count(facts.notAsked)} more with fewer than ${LEAST_WORDS} words beside them were not asked for)`,
      count(facts.asked),
      share(facts.found, facts.asked),
      '95 %',
    ],
    ...[...facts.kinds].map(([kind, { asked, found }]) => [`– ${kind}`, count(asked), share(found, asked), '']),
    [
      `errors of failed commands, by the command, in the first ${HITS} hits`,
      count(errors.asked),
      share(errors.found, errors.asked),
      '90 %',
    ],
    [
      'Chinese words of two characters: of the sessions that have them',
      count(chinese.asked),
      share(chinese.found, chinese.sessions),
      '95 %',
    ],
    ['index deleted and built anew: equal results', count(asked.length), share(equal.length, asked.length), '100 %'],
    [
      `indexing ${(bytes / 1e6).toFixed(1)} MB of recorded sessions`,
      '',
      `${(bytes / (user + system)).toFixed(1)} MB per second of CPU`,
      '',
    ],
  ];
}

/** Log and large results. */
function bytesIn(folder: string): number {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => statSync(join(folder, name)));
  return found.reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0);
}

async function imported(place: string): Promise<readonly Session[]> {
  const setting = await buildSetting(world, {
    settings: { ...readSettings(world, { home: place }), home: place },
    ...{
      mode: 'read-only',
      allowed: [],
      askPermission: async () => 'nobody',
      confirm: async () => false,
      show: () => undefined,
      tell: () => undefined,
    },
  });
  await setting.ready();
  return files
    .flatMap((file) => readTranscripts(world, file))
    .filter(({ steps }) => steps.length > 0)
    .map((transcript) => ({ sessionId: importRecorded(setting, 'main', transcript).sessionId, transcript }));
}

type Ask = (
  query: string,
  limit: number,
  filter?: { readonly session: string; readonly errors: boolean },
) => Promise<readonly { readonly ref: string; readonly sessionId: string; readonly text: string }[]>;

/** With the filters that the recall tool has. */
function searchIn(place: string): Ask {
  const tell = (): void => undefined;
  const asked = {
    world,
    home: place,
    store: openStore(world, place, { maxSessionBytes: Number.MAX_SAFE_INTEGER, tell }),
    group: 'main',
    tell,
  };
  return async (query, limit, filter) =>
    (await searchTexts(asked, { query, limit, ...filter }, signal)).map(({ hit, text }) => ({
      ref: hit.ref,
      sessionId: hit.sessionId,
      text,
    }));
}

type Mined = { readonly probe: Probe; readonly sessionId: string; readonly needles: readonly string[] };
type Tally = { asked: number; found: number };

/** Those beside which too little is known to ask for them are not counted. */
async function found(
  mined: readonly Mined[],
  ask: Ask,
): Promise<Tally & { readonly notAsked: number; readonly kinds: ReadonlyMap<string, Tally> }> {
  const kinds = new Map<string, Tally>();
  let notAsked = 0;
  for (const { probe, sessionId, needles } of mined) {
    const query = queryOf(probe);
    if (query === '') {
      notAsked += 1;
      continue;
    }
    const hits = await ask(query, HITS, { session: sessionId, errors: probe.kind === 'error' });
    const yes = hits.some(({ text }) => hasOne(plain(text), needles));
    const tally = kinds.get(probe.kind) ?? { asked: 0, found: 0 };
    kinds.set(probe.kind, { asked: tally.asked + 1, found: tally.found + (yes ? 1 : 0) });
    if (!yes && showMisses)
      console.log(JSON.stringify({ kind: probe.kind, query, answer: probe.answer.slice(0, 100), hits: hits.map(({ ref }) => ref) }));
  }
  const sum = (of: keyof Tally): number => [...kinds.values()].reduce((all, tally) => all + tally[of], 0);
  return { asked: sum('asked'), found: sum('found'), notAsked, kinds };
}

/** One everyday word describes nothing. */
const LEAST_WORDS = 3;

/** Words around the fact; of a failed command its own. None of them is a word of the answer. Empty when there are too few. */
function queryOf({ kind, answer, cue, topic }: Probe): string {
  if (kind === 'error') {
    const own = new Set(termsOf(answer));
    const words = cue.split(/\s+/).filter((word) => termsOf(word).length > 0 && !termsOf(word).some((term) => own.has(term)));
    return words.slice(0, MOST_COMMAND_WORDS).join(' ');
  }
  const words = queryWords(answer, { topic, cue });
  return words.length < LEAST_WORDS ? '' : words.join(' ');
}

const MOST_COMMAND_WORDS = 12;

async function chineseShare(
  sessions: readonly Session[],
  ask: Ask,
): Promise<{ readonly asked: number; readonly sessions: number; readonly found: number }> {
  const having = new Map<string, Set<string>>();
  for (const { sessionId, transcript } of sessions)
    for (const [run] of transcript.steps
      .flatMap(textsOf)
      .join('\n')
      .matchAll(/\p{Script=Han}{2,}/gu))
      for (let at = 0; at + 1 < run.length; at++)
        having.set(run.slice(at, at + 2), (having.get(run.slice(at, at + 2)) ?? new Set()).add(sessionId));
  const all = [...having].filter(([word]) => [...word].length === 2);
  const chosen = all.filter((_, i) => i % Math.max(1, Math.floor(all.length / CHINESE_QUERIES)) === 0);
  let [there, found] = [0, 0];
  for (const [word, sessionIds] of chosen) {
    const hits = new Set((await ask(word, MANY_HITS)).map(({ sessionId }) => sessionId));
    there += sessionIds.size;
    found += [...sessionIds].filter((sessionId) => hits.has(sessionId)).length;
  }
  return { asked: chosen.length, sessions: there, found };
}

function textsOf(step: Transcript['steps'][number]): readonly string[] {
  if (step.type !== 'reply') return [step.text];
  return [
    ...step.content.flatMap((block) => (isToolUse(block) ? stringsIn(block.input) : typeof block.text === 'string' ? [block.text] : [])),
    ...step.results.map(({ content }) => content),
  ];
}

async function overGenerated(place: string): Promise<readonly (readonly string[])[]> {
  const bytes = writeGeneratedSessions(place, MESSAGES);
  const { cpuSeconds, queries } = await measureSearch(world, place);
  const worstMedian = queries.toSorted((a, b) => b.median - a.median)[0];
  const medians = queries.map(({ median }) => median).sort((a, b) => a - b);
  return [
    [
      `search in ${count(MESSAGES)} generated messages: median of all queries`,
      count(queries.length),
      `${(medians[Math.floor(medians.length / 2)] ?? 0).toFixed(0)} ms`,
      '100 ms',
    ],
    [`– the slowest query, ${JSON.stringify(worstMedian?.query)}: its median`, '', `${worstMedian?.median.toFixed(0)} ms`, '100 ms'],
    ['– the slowest answer of all', '', `${Math.max(...queries.map(({ worst }) => worst)).toFixed(0)} ms`, ''],
    [
      `indexing ${(bytes / 1e6).toFixed(1)} MB of generated sessions`,
      '',
      `${(bytes / 1e6 / cpuSeconds).toFixed(1)} MB per second of CPU`,
      '10 MB',
    ],
  ];
}

const count = (n: number): string => n.toLocaleString('en-US');
/** Rounded down, so that a target that is just missed is not shown as met. */
const share = (part: number, whole: number): string => (whole === 0 ? '–' : `${(Math.floor((1000 * part) / whole) / 10).toFixed(1)} %`);

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, at) => (at === 0 ? '---' : '---:'))), ...rows.map(line)].join('\n');
}

// Last, when all of the above is known.
try {
  const rows = [
    ...(files.length === 0 ? [] : await overRecorded(join(home, 'recorded'))),
    ...(await overGenerated(join(home, 'generated'))),
  ];
  console.log(table(['what', 'asked', 'result', 'target'], rows));
} finally {
  rmSync(home, { recursive: true, force: true });
}
