import type { Row } from './run.ts';
import { MIN_COMPACTIONS, type Way, ways } from './ways.ts';

export type Facts = { readonly model: string; readonly seed: number; readonly version: string; readonly tasks: readonly string[] };

/** The results as a page of Markdown, also of a part of the runs. */
export function reportPage({ model, seed, version, tasks }: Facts, rows: readonly Row[]): string {
  const whole = tasks.length * ways.length;
  const failed = rows.filter(({ wrong, broken }) => wrong.length + broken.length > 0);
  return [
    '# Long tasks with a real model',
    '',
    `SanBot ${version}, ${model}, seed ${seed}: ${rows.length} of ${whole} runs. Each end was checked by program.`,
    '',
    ...table(
      ['way', 'runs', 'succeeded', 'constraints broken', 'steps', 'dollars', 'compactions', 'three or more', 'look-ups'],
      ways.map((way) =>
        sums(
          way,
          rows.filter((row) => row.way === way),
        ),
      ),
    ),
    '',
    'A run succeeded if all its files are right. Steps, dollars, compactions and look-ups are means of a run. A look-up is a call of `recall`, or a read or search of a result that had gone to a file. Fewer than three compactions say little about what a compaction loses.',
    '',
    '## Runs',
    '',
    ...table(
      ['task', 'way', 'files wrong', 'constraints broken', 'ended', 'steps', 'dollars', 'compactions', 'look-ups'],
      tasks.flatMap((task) => rows.filter((row) => row.task === task).map(cells)),
    ),
    ...(failed.length === 0 ? [] : ['', '## What went wrong', '', ...failed.map(wrongLine)]),
    '',
  ].join('\n');
}

function sums(way: Way, rows: readonly Row[]): readonly string[] {
  const mean = (of: (row: Row) => number | null, digits: number): string => {
    const known = rows.map(of).filter((value) => value !== null);
    return known.length === 0 ? '–' : (known.reduce((a, b) => a + b, 0) / known.length).toFixed(digits);
  };
  return [
    way,
    `${rows.length}`,
    `${rows.filter(({ wrong }) => wrong.length === 0).length}`,
    `${rows.reduce((sum, { broken }) => sum + broken.length, 0)}`,
    mean(({ steps }) => steps, 1),
    mean(({ usd }) => usd, 3),
    mean(({ compactions }) => compactions, 1),
    way === 'open' ? '–' : `${rows.filter(({ compactions }) => compactions >= MIN_COMPACTIONS).length}`,
    mean(({ lookUps }) => lookUps, 1),
  ];
}

const cells = ({ task, way, wrong, broken, stopReason, steps, usd, compactions, lookUps }: Row): readonly string[] => [
  ...[task, way, `${wrong.length}`, `${broken.length}`, stopReason, `${steps}`],
  ...[usd?.toFixed(3) ?? '–', `${compactions}`, `${lookUps}`],
];

const SHOWN = 5;
const wrongLine = ({ task, way, wrong, broken }: Row): string => {
  const files = wrong.slice(0, SHOWN).map((path) => `\`${path}\``);
  const more = wrong.length > SHOWN ? [`${wrong.length - SHOWN} more`] : [];
  const parts = [
    ...(wrong.length === 0 ? [] : [`wrong: ${[...files, ...more].join(', ')}`]),
    ...(broken.length === 0 ? [] : [`broken: ${broken.join(', ')}`]),
  ];
  return `- ${task}, ${way}: ${parts.join('; ')}`;
};

const table = (head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] => {
  const line = (of: readonly string[]) => `| ${of.join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '---:'))), ...rows.map(line)];
};
