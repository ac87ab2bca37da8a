import { chmodSync, cpSync, readdirSync, readFileSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';

/** What a test has to know of the home in test/fixtures/home-0.1.0: the sessions by what they hold, and some names in them. */
export type FixtureIndex = {
  readonly sessions: Readonly<Record<string, string>>;
  /** Of the session `offline`: the snapshot of its first compaction. */
  readonly snapshot: string;
};

export const indexOf = (fixture: string): FixtureIndex => JSON.parse(readFileSync(join(fixture, 'index.json'), 'utf8'));

export type Placed = { readonly home: string; readonly cwd: string };

/**
 * Puts the home and its working folder where a program can work on them. Git keeps neither the modes, which doctor looks at, nor the
 * times of logs, by which sessions are listed: both are given back.
 */
export function placeHome(fixture: string, { home, cwd }: Placed): void {
  cpSync(join(fixture, 'home'), home, { recursive: true });
  cpSync(join(fixture, 'project'), cwd, { recursive: true });
  for (const name of ['.', ...readdirSync(home, { recursive: true, encoding: 'utf8' })]) {
    const path = join(home, name);
    chmodSync(path, statSync(path).isDirectory() ? 0o700 : 0o600);
  }
  for (const id of readdirSync(join(home, 'sessions'))) {
    const log = join(home, 'sessions', id, 'log.jsonl');
    const last: { readonly at: string } = JSON.parse(readFileSync(log, 'utf8').trimEnd().split('\n').at(-1) ?? '');
    utimesSync(log, new Date(last.at), new Date(last.at));
  }
}

export type Output = { readonly name: string; readonly args: readonly string[] };

/** The commands whose JSON is a promise. None of them changes what another one prints. */
export const outputsOf = ({ sessions, snapshot }: FixtureIndex): readonly Output[] => {
  const { offline = '', recorded = '' } = sessions;
  return [
    { name: 'sessions', args: ['sessions', '--json'] },
    { name: 'sessions-show', args: ['sessions', 'show', offline, '--json'] },
    { name: 'sessions-search', args: ['sessions', 'search', 'vendor/lib.ts', '--json'] },
    { name: 'history', args: ['history', '--session', offline, '--json'] },
    { name: 'history-snapshot', args: ['history', '--snapshot', snapshot, '--json'] },
    { name: 'rollback-messages', args: ['rollback', '--session', offline, '--json'] },
    { name: 'rollback-dry-run', args: ['rollback', '--snapshot', snapshot, '--files', '--dry-run', '--json'] },
    { name: 'metrics', args: ['metrics', '--json'] },
    { name: 'memory', args: ['memory', 'list', '--json'] },
    { name: 'config', args: ['config', 'show', '--json'] },
    { name: 'doctor', args: ['doctor', '--json'] },
    { name: 'clean-dry-run', args: ['clean', '--dry-run', '--json'] },
    { name: 'purge-dry-run', args: ['purge', '--match', 'vendor/lib.ts', '--dry-run', '--json'] },
    { name: 'search', args: ['search', 'high water', '--json'] },
    { name: 'consolidate-dry-run', args: ['consolidate', '--dry-run', '--json'] },
    { name: 'print', args: ['-p', 'status', '--resume', recorded, '--output-format', 'json'] },
  ];
};

/** What a run prints of its own place is not a promise. */
export const neutral = (printed: string, { home, cwd }: Placed): string => printed.replaceAll(home, '<home>').replaceAll(cwd, '<project>');
