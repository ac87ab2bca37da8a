/**
 * Whether what was said and seen is found again, and shown: recorded sessions become sessions of a temporary home, facts are mined from
 * them, and each is looked for with words around it that are not its own. Then questions are asked whose answers are labelled: generated
 * ones, those of the conversations beside this file, and those of a folder with LoCoMo (locomo10.json) or BEAM (SIZE/N/chat.json) in it.
 * Prints one table.
 * npm run bench:recall -- [--write] [--misses] [--questions] [FOLDER_OR_FILE…]   (default: ../shared/transcripts, when it is there)
 * --write puts the table into docs/measuring.md; --misses prints what was not found; --questions
 * asks the question sets alone.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { importRecording } from '../src/commands/sessions/import-recording.ts';
import { readTranscripts } from '../src/commands/sessions/recordings/read-transcripts.ts';
import { needlesOf } from '../src/context/fidelity/fidelity.ts';
import { mineProbes } from '../src/context/fidelity/mine.ts';
import { search } from '../src/runtime/conversation/recall/recall.ts';
import { processEnvironment } from '../src/runtime/environment.ts';
import { openStore } from '../src/runtime/open-store.ts';
import { buildRuntime } from '../src/runtime/runtime.ts';
import { readSettings } from '../src/runtime/settings.ts';
import { pathsOf } from '../src/store/files/paths.ts';
import { askQuestionSet, questionRows } from './ask-question-sets.ts';
import { type Ask, chineseWords, LEAST_WORDS, lookFor, type Mined, type Session, type Tally, wordsFor } from './ask-recorded.ts';
import { generatedHelpChat } from './generated-help-chat.ts';
import { writeGeneratedSessions } from './generated-sessions.ts';
import { labelledQuestions } from './labelled-questions.ts';
import { measureSearch } from './measure-search.ts';
import { type QuestionSet, readQuestionSets } from './question-sets.ts';
import { count, type Row, share, table } from './table.ts';

const HITS = 5;
const MESSAGES = 100_000;

const shared = join(process.cwd(), '..', 'shared', 'transcripts');
const given = process.argv.slice(2).filter((each) => !each.startsWith('--'));
const showMisses = process.argv.includes('--misses');
const onlyQuestions = process.argv.includes('--questions');
const sets = given.flatMap((place) => readQuestionSets(place).map((set) => ({ place, set })));
const places = onlyQuestions
  ? []
  : given.length > 0
    ? given.filter((each) => !sets.some(({ place }) => place === each))
    : existsSync(shared)
      ? [shared]
      : [];
const files = places.flatMap(filesIn);
if (files.length === 0 && !onlyQuestions) console.log('No recorded sessions: give files or folders.');
const home = mkdtempSync(join(tmpdir(), 'sanbot-bench-'));
/** Compiled code runs elsewhere; npm starts it where the prompts are. */
const environment = { ...processEnvironment(), packageRoot: process.cwd(), env: { SANBOT_PROVIDER: 'offline', SANBOT_HOME: home } };
const { signal } = new AbortController();
function filesIn(name: string): readonly string[] {
  if (!statSync(name).isDirectory()) return [name];
  return readdirSync(name, { recursive: true, encoding: 'utf8' })
    .filter((each) => /\.(?:jsonl?|traj|md)$/.test(each) && !/^(?:readme|probing)/i.test(basename(each)))
    .sort()
    .map((each) => join(name, each));
}

async function overRecorded(place: string): Promise<readonly Row[]> {
  const sessions = await imported(place);
  const ask = searchIn(place);
  const bytes = sessions.reduce((sum, { sessionId }) => sum + bytesIn(pathsOf(place).session(sessionId)), 0);
  const rates: number[] = [];
  for (let i = 0; i <= REBUILDS; i++) rates.push(bytes / (await cpuOfIndexing(place, ask)));
  const mined = sessions.flatMap(({ transcript, sessionId }) =>
    mineProbes(transcript).map((probe) => ({ probe, sessionId, needles: needlesOf(probe, transcript.cwd) })),
  );
  const facts = await lookFor(
    mined.filter(({ probe }) => probe.kind !== 'error'),
    { ask, hits: HITS, showMisses },
  );
  const errors = await lookFor(
    mined.filter(({ probe }) => probe.kind === 'error'),
    { ask, hits: HITS, showMisses },
  );
  const chinese = await chineseWords(sessions, ask);
  const kinds = [...facts.kinds].map(([kind, { asked, found }]): Row => [`– of them: ${kind}`, '', count(asked), share(found, asked), '']);
  return [
    [
      `facts, in the first ${HITS} hits`,
      `at least ${LEAST_WORDS} words that stand near the fact, none of its own; in its session`,
      ...tally(facts.told),
      '95 %',
    ],
    ...kinds,
    ['– all facts', 'the same with any number of words; a fact with no words near it counts as not found', ...tally(facts.all), ''],
    ['– all facts, anywhere', 'the same, in all sessions', ...tally(facts.anywhere), ''],
    [
      `errors of failed commands, in the first ${HITS} hits`,
      'the command, none of the words of the error; failures only, in its session',
      ...tally(errors.told),
      '90 %',
    ],
    ['– all errors, anywhere', 'the same, in everything said or seen in all sessions', ...tally(errors.anywhere), ''],
    [
      'Chinese words of two characters',
      `${count(chinese.words)} evenly spaced words; whether every session that has the word is among the hits`,
      count(chinese.asked),
      share(chinese.found, chinese.asked),
      '95 %',
    ],
    ['index deleted and rebuilt', 'the same hits for every 20th query above', ...tally(await askedAnew(place, mined, ask)), '100 %'],
    [
      `indexing ${(bytes / 1e6).toFixed(1)} MB of recorded sessions`,
      `repeated in one process, median of ${REBUILDS}`,
      '',
      rateText(median(rates.slice(1))),
      '10 MB/s',
    ],
    ['– the first time', 'before the program has warmed up', '', rateText(rates[0] ?? 0), ''],
  ];
}

const REBUILDS = 7;

const tally = ({ asked, found }: Tally): readonly [string, string] => [count(asked), share(found, asked)];
const rateText = (rate: number): string => `${rate.toFixed(1)} MB per second of CPU`;
const median = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;

/** Microseconds, of an index that is not there yet. */
async function cpuOfIndexing(place: string, ask: Ask): Promise<number> {
  removeIndex(place);
  const cpu = process.cpuUsage();
  await ask('nothing-like-it', HITS);
  const { user, system } = process.cpuUsage(cpu);
  return user + system;
}

function removeIndex(place: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${pathsOf(place).searchIndex}${end}`, { force: true });
}

async function askedAnew(place: string, mined: readonly Mined[], ask: Ask): Promise<Tally> {
  const queries = mined.map(({ probe }) => wordsFor(probe).join(' ')).filter((query, i) => query !== '' && i % 20 === 0);
  const asked = async (): Promise<readonly string[]> => Promise.all(queries.map(async (query) => JSON.stringify(await ask(query, HITS))));
  const before = await asked();
  removeIndex(place);
  const after = await asked();
  return { asked: queries.length, found: after.filter((hits, i) => hits === before[i]).length };
}

async function overSets(asked: readonly QuestionSet[], place: string): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const [i, set] of asked.entries()) rows.push(...(await overQuestions(join(home, place, String(i)), set)));
  return rows;
}

/** Log and large results. */
function bytesIn(folder: string): number {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => statSync(join(folder, name)));
  return found.reduce((sum, stats) => sum + (stats.isFile() ? stats.size : 0), 0);
}

async function imported(place: string): Promise<readonly Session[]> {
  const setting = await buildRuntime(environment, {
    settings: { ...readSettings(environment, { home: place }), home: place },
    ...{
      mode: 'read-only',
      allowed: [],
      askPermission: async () => 'nobody',
      confirm: async () => false,
      show: () => undefined,
      warn: () => undefined,
    },
  });
  return files
    .flatMap((file) => readTranscripts(environment, file))
    .filter(({ steps }) => steps.length > 0)
    .map((transcript) => ({ sessionId: importRecording(setting, 'main', { ...transcript, file: 'recorded' }).sessionId, transcript }));
}

/** With the filters that the recall tool has. */
function searchIn(place: string): Ask {
  const warn = (): void => undefined;
  const asked = {
    environment,
    home: place,
    store: openStore(environment, place, { maxSessionBytes: Number.MAX_SAFE_INTEGER, warn }),
    group: 'main',
    warn,
  };
  return async (query, limit, filter) =>
    (await search(asked, { query, limit, indexes: 'all', ...filter }, signal)).hits.map((hit) => ({
      refs: [hit.ref, ...hit.copies],
      sessionId: hit.sessionId,
      text: hit.snippet.text,
    }));
}

async function overQuestions(place: string, set: QuestionSet): Promise<readonly Row[]> {
  const ask = searchIn(place);
  const figures = await askQuestionSet(place, set, async (question, session) =>
    (await ask(question, 10, { ...(session !== undefined && { session }), errors: false })).map(({ refs }) => refs),
  );
  return questionRows(figures);
}

async function overGenerated(place: string): Promise<readonly Row[]> {
  const bytes = writeGeneratedSessions(place, MESSAGES);
  const { cpuSeconds, queries } = await measureSearch(environment, place);
  const slowest = queries.toSorted((a, b) => b.median - a.median)[0];
  return [
    [
      `search in ${count(MESSAGES)} messages`,
      'generated sessions; median over the queries of their medians',
      count(queries.length),
      `${median(queries.map((each) => each.median)).toFixed(0)} ms of CPU`,
      '50 ms of CPU',
    ],
    ['– the slowest query', `${JSON.stringify(slowest?.query)}, its median`, '', `${slowest?.median.toFixed(0)} ms`, ''],
    ['– the slowest answer', 'each query asked 7 times', '', `${Math.max(...queries.map(({ worst }) => worst)).toFixed(0)} ms`, ''],
    [
      `indexing ${(bytes / 1e6).toFixed(0)} MB of generated sessions`,
      'short words, most of them new in each message',
      '',
      rateText(bytes / 1e6 / cpuSeconds),
      '',
    ],
  ];
}

const PAGE = 'docs/measuring.md';

/** Between the two marks of the page. */
function writePage(text: string): void {
  const page = readFileSync(PAGE, 'utf8');
  const [begin, end] = ['<!-- recall: begin -->', '<!-- recall: end -->'].map((mark) => page.indexOf(mark));
  if (begin === undefined || end === undefined || begin < 0 || end < begin)
    throw new Error(`${PAGE} has no marks "recall: begin" and "recall: end"`);
  writeFileSync(PAGE, `${page.slice(0, begin)}<!-- recall: begin -->\n${text}\n${page.slice(end)}`);
}

// Last, when all of the above is known.
try {
  const rows = [
    ...(files.length === 0 ? [] : await overRecorded(join(home, 'recorded'))),
    ...(await overSets(
      sets.map(({ set }) => set),
      'sets',
    )),
    ...(await overSets(labelledQuestions(), 'labelled')),
    ...(await overQuestions(join(home, 'talks'), generatedHelpChat())),
    ...(await overSets(readQuestionSets(join(process.cwd(), 'bench', 'conversations')), 'conversations')),
    ...(onlyQuestions ? [] : await overGenerated(join(home, 'generated'))),
  ];
  console.log(table(rows));
  if (process.argv.includes('--write')) writePage(table(rows));
} finally {
  rmSync(home, { recursive: true, force: true });
}
