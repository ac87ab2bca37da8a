import type { Bilingual } from '../../../domain/language.ts';
import type { SimpleCommand } from '../../../domain/permission.ts';
import { matchesGlob } from '../../../domain/value/glob.ts';
import { lazily } from '../../../domain/value/word-list.ts';
import { readPaths } from '../reading-programs.ts';
import { type Argument, type CalledProgram, type SortedArguments, sortArguments } from './called-program.ts';
import { isRemotePath } from './deleting-programs.ts';
import { gitCall } from './git-losses.ts';
import { type Changed, changedNames, destroysRecords, REMOTE_ACTS, VALUED } from './remote-acts.ts';

/**
 * What a command changes that is on no disk of ours, and that nobody can bring back from here: `git push --force changes the remote`.
 * Undefined where it changes nothing of the kind, or it cannot be told. `before`: the command before it, whose text may come through a pipe.
 */
export function remoteAct(called: CalledProgram, before: SimpleCommand | undefined): Bilingual | undefined {
  const found = READERS.get(called.name)?.(called, before) ?? listedAct(called);
  if (found === undefined) return undefined;
  const [words, changed] = found;
  const { en, zh } = changedNames[changed];
  return { en: `${words} changes ${en}`, zh: `${words} 更改${zh}` };
}

type Found = readonly [words: string, changed: Changed];
type Reader = (called: CalledProgram, before: SimpleCommand | undefined) => Found | undefined;

type Act = { readonly operands: readonly string[]; readonly options: readonly string[]; readonly changed: Changed };

/** By the program: what its first words have to be, and the options that have to be there. */
const acts = lazily(() => {
  const byName = new Map<string, Act[]>();
  for (const [changed, list] of REMOTE_ACTS) {
    for (const text of list.trim().split(/,\s+/)) {
      const [name = '', ...words] = text.split(' ');
      const [options, operands] = [words.filter((word) => word.startsWith('-')), words.filter((word) => !word.startsWith('-'))];
      byName.set(name, [...(byName.get(name) ?? []), { operands, options, changed }]);
    }
  }
  return byName;
});

const TRIES: readonly string[] = ['--help', '--dryrun', '--dry-run', '--check', '--noop', '--syntax-check', '--list-hosts', '--list-tasks'];

function listedAct({ name, rest }: CalledProgram): Found | undefined {
  const known = acts().get(name);
  if (known === undefined) return undefined;
  const sorted = sortArguments(rest, VALUED.get(name), ONE_DASH.has(name));
  const isTry = sorted.options.some((each) => TRIES.includes(each)) && !/^(?:none|false)$/.test(sorted.values.get('--dry-run')?.word ?? '');
  const act = isTry ? undefined : known.find((each) => isDone(each, sorted));
  if (act === undefined) return undefined;
  const words = act.operands.includes('…')
    ? shownRest(act, sorted)
    : sorted.operands.slice(0, act.operands.length).map(({ word }) => word ?? '');
  return [[name, ...words, ...act.options.map((option) => option.split('|')[0] ?? '')].join(' '), act.changed];
}

/** Programs whose long options have one dash. */
const ONE_DASH: ReadonlySet<string> = new Set(['terraform', 'tofu', 'terragrunt', 'nomad', 'consul', 'vault']);

function isDone({ operands, options }: Act, sorted: SortedArguments): boolean {
  const words = sorted.operands.map(({ word }) => word);
  const any = operands.indexOf('…');
  const isThere = (pattern: string, word: string | undefined): boolean =>
    word !== undefined && pattern.split('|').some((each) => matchesGlob(each, word));
  const starts = (any < 0 ? operands : operands.slice(0, any)).every((pattern, at) => isThere(pattern, words[at]));
  const hasRest = any < 0 || operands.slice(any + 1).every((pattern) => words.slice(any).some((word) => isThere(pattern, word)));
  return starts && hasRest && options.every((option) => option.split('|').some((each) => sorted.options.includes(each)));
}

/** All known words up to the one that tells it. */
function shownRest({ operands }: Act, sorted: SortedArguments): readonly string[] {
  const patterns = operands.at(-1)?.split('|') ?? [];
  const words = sorted.operands.map(({ word = '' }) => word);
  return words.slice(0, words.findIndex((word) => patterns.some((pattern) => matchesGlob(pattern, word))) + 1);
}

/** `--force`, and beginnings of it that git takes for the whole. */
const isLong = (option: string, whole: string, least: number): boolean => option.length >= least && whole.startsWith(option);

function pushes(called: CalledProgram): Found | undefined {
  const call = gitCall(called);
  if (call?.subcommand !== 'push') return undefined;
  const { options, operands } = sortArguments(call.rest, '-o --push-option --repo --receive-pack --exec');
  if (options.some((option) => option === '-n' || isLong(option, '--dry-run', 5))) return undefined;
  const option = options.find((each) => ['-f', '-d'].includes(each) || PUSH_OPTIONS.some(([whole, least]) => isLong(each, whole, least)));
  if (option !== undefined) return [`git push ${option}`, 'remote'];
  const refspec = operands.slice(1).find(({ word = '' }) => word.startsWith('+') || /^:./.test(word))?.word;
  return refspec === undefined ? undefined : [`git push ${refspec}`, 'remote'];
}

/** With the fewest characters that are no other option's. */
const PUSH_OPTIONS: readonly (readonly [string, number])[] = [
  ['--force', 5],
  ['--force-with-lease', 8],
  ['--delete', 4],
  ['--mirror', 3],
  ['--prune', 5],
];

/** A client of a database with statements among its words, in its input, or printed into it. */
const queries: Reader = ({ name, rest, command }, before) => {
  const printed = before !== undefined && ['echo', 'printf'].includes(before.words[0] ?? '') ? before.words.slice(1) : [];
  const texts = [...rest.flatMap(({ word = '' }) => [word, word.replace(/^(?:-\w|--\w+=)/, '')]), ...printed, command.input ?? ''];
  const statement = texts.find((text) => text !== undefined && destroysRecords(text));
  return statement === undefined ? undefined : [`${name}: ${shortened(statement)}`, 'database'];
};

const shortened = (text: string): string => {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 60).toWellFormed()}…` : line;
};

const redis: Reader = ({ rest }) => {
  const { operands } = sortArguments(rest, '-h -p -a -n -u -s --user --pass');
  const word = operands[0]?.word?.toLowerCase() ?? '';
  return ['flushall', 'flushdb', 'del', 'unlink', 'rename', 'restore'].includes(word) ? [`redis-cli ${word}`, 'database'] : undefined;
};

/** Whatever another machine is told to do, unless it is known to only read. */
const runsElsewhere: Reader = ({ name, rest }) => {
  const { operands } = sortArguments(rest, '-p -i -l -o -F -J -L -R -D -b -c -e -m -w -W -S -E -Q');
  const [host] = operands;
  const told = host === undefined ? [] : rest.slice(rest.indexOf(host) + 1);
  if (host === undefined || told.length === 0) return undefined;
  const words = told.length === 1 ? told[0]?.word?.split(' ') : told.map(({ word }) => word);
  const isPlain = words?.every((word) => word !== undefined && /^[\w@%+=:.,/-]+$/.test(word)) === true;
  if (isPlain && words !== undefined && (readPaths(words) !== undefined || LOOKING.has(words.slice(0, 2).join(' ')))) return undefined;
  return [`${name} ${host.word ?? ''}`.trim(), 'host'];
};

/** Commands that only look, beside those of the table of programs that read. */
const LOOKING: ReadonlySet<string> = new Set([
  'uptime',
  'hostname',
  'free',
  'free -m',
  'free -h',
  'ps aux',
  'systemctl status',
  'docker ps',
  'docker logs',
  'journalctl -u',
  'id',
  'w',
]);

const rsyncs: Reader = ({ rest }) => {
  const { operands, options } = sortArguments(rest, '-e -f -T -M --rsh --filter --exclude --include --exclude-from --include-from --port');
  const target = operands.at(-1)?.word;
  const option = options.find((each) => /^--del(?:ete|$)/.test(each));
  const isTry = options.includes('-n') || options.includes('--dry-run');
  return option !== undefined && !isTry && isRemotePath(target) ? [`rsync ${option}`, 'host'] : undefined;
};

const METHODS: readonly string[] = ['DELETE', 'POST', 'PUT', 'PATCH'];
const SENDING: readonly string[] = [
  ...['-d', '--data', '--data-raw', '--data-binary', '--data-urlencode', '--json', '-F', '--form', '-T', '--upload-file'],
  ...['--post-data', '--post-file', '--body-data', '--body-file'],
];

/** A request that changes what it is sent to: by its method, or by what is sent with it. This machine is not remote. */
const requests: Reader = ({ name, rest }) => {
  const valued = `-X --request -H --header -o --output -u --user -A -e -b -c -m -w --method ${SENDING.join(' ')} -O --url --max-time`;
  const { operands, options, values } = sortArguments(rest, valued);
  const given = (values.get('-X') ?? values.get('--request') ?? values.get('--method'))?.word?.toUpperCase();
  const sent = options.find((option) => SENDING.includes(option));
  const isGet = options.includes('-G') || options.includes('--get');
  const method = given ?? (sent === undefined || isGet ? undefined : ['-T', '--upload-file'].includes(sent) ? 'PUT' : 'POST');
  return method !== undefined && METHODS.includes(method)
    ? requestTo(`${name} ${method}`, [...operands, ...(values.has('--url') ? [values.get('--url')] : [])])
    : undefined;
};

/** `http DELETE ADDRESS`, as HTTPie has it. */
const httpie: Reader = ({ name, rest }) => {
  const { operands } = sortArguments(rest, '-a --auth -A --auth-type -s');
  const method = operands[0]?.word?.toUpperCase() ?? '';
  return METHODS.includes(method) ? requestTo(`${name} ${method}`, operands.slice(1, 2)) : undefined;
};

function requestTo(words: string, addresses: readonly (Argument | undefined)[]): Found | undefined {
  const texts = addresses.flatMap((address) => address?.word ?? []);
  // What else stands there may be the value of an option.
  const whole = texts.filter((text) => text.includes('://'));
  const hosts = (whole.length > 0 ? whole : texts.filter((text) => /[.:]/.test(text))).flatMap((text) => hostOf(text) ?? []);
  const remote = hosts.find((host) => !/^(?:localhost|127\.[\d.]+|0\.0\.0\.0|\[::1?\])?$/.test(host));
  return remote === undefined ? undefined : [`${words} ${remote}`, 'service'];
}

const hostOf = (address: string): string | undefined => /^(?:\w+:\/\/)?(?:[^/@]*@)?(\[[^\]]*\]|[^/:?#]*)/.exec(address)?.[1];

/** GraphQL alone is asked with fields and changes nothing by that. */
const githubApi: Reader = ({ rest }) => {
  const { operands, options, values } = sortArguments(rest, VALUED.get('gh'));
  if (operands[0]?.word !== 'api') return undefined;
  const isSent =
    options.some((option) => ['-f', '-F', '--field', '--raw-field', '--input'].includes(option)) && operands[1]?.word !== 'graphql';
  const method = (values.get('-X') ?? values.get('--method'))?.word?.toUpperCase() ?? (isSent ? 'POST' : 'GET');
  return METHODS.includes(method) ? [`gh api ${method}`, 'service'] : undefined;
};

/** What runs in a container: a client of a database there is one as it is here. */
const inContainer: Reader = ({ name, rest, command }, before) => {
  const start = rest.findIndex(({ word = '' }) => DATABASE_CLIENTS.has(word) || word === 'redis-cli');
  const client = rest[start]?.word;
  if (start < 0 || client === undefined || !rest.slice(0, start).some(({ word }) => word === 'exec' || word === 'run')) return undefined;
  const called = { name: client, rest: rest.slice(start + 1), command };
  const found = client === 'redis-cli' ? redis(called, before) : queries(called, before);
  return found && [`${name} exec ${found[0]}`, found[1]];
};

const DATABASE_CLIENTS: ReadonlySet<string> = new Set(
  'psql mysql mariadb mongosh mongo sqlcmd clickhouse-client clickhouse cqlsh cockroach snowsql bq pgcli mycli usql'.split(' '),
);

const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['git', pushes],
  ...[...DATABASE_CLIENTS].map((name) => [name, queries] as const),
  ['gh', githubApi],
  ['redis-cli', redis],
  ['valkey-cli', redis],
  ['ssh', runsElsewhere],
  ['rsync', rsyncs],
  ['curl', requests],
  ['wget', requests],
  ['http', httpie],
  ['https', httpie],
  ['xh', httpie],
  ...['docker', 'docker-compose', 'podman', 'nerdctl', 'kubectl', 'oc'].map((name) => [name, inContainer] as const),
]);
