/**
 * The recipes of a Makefile that make runs for these words, as one script: of the targets that are named, or of the first, with what they
 * need, and what `$(shell …)` runs while it is read. Variables that are set to a text are put in.
 */
export function recipesOf(makefile: string, words: readonly string[]): string {
  const lines = makefile.replace(/\\\r?\n[ \t]*/g, ' ').split(/\r?\n/);
  const variables = new Map<string, string>();
  for (const line of [...lines, ...words]) {
    const [, name = '', value = ''] = /^(?:export |override )?([\w.-]+)[ \t]*(?::{0,3}|\?|\+)=[ \t]*(.*)$/.exec(line) ?? [];
    if (name !== '') variables.set(name, value);
  }
  const expanded = (text: string, depth = 0): string =>
    depth === MOST_DEPTH
      ? text
      : text.replace(/\$[({]([\w.-]+)[)}]/g, (whole, name: string) =>
          name === 'MAKE' ? 'make' : expanded(variables.get(name) ?? whole, depth + 1),
        );
  const rules = rulesOf(lines.map((line) => expanded(line)));
  const named = words.filter((word) => /^[^-=][^=]*$/.test(word));
  const first = rules.flatMap(({ targets }) => targets).find((target) => !/^\.|%/.test(target));
  const reached = reachedBy(named.length > 0 ? named : [first ?? ''], rules);
  const shells = [...expanded(makefile).matchAll(/\$[({]shell ([^)}\n]{1,2000})[)}]/g)].map(([, command = '']) => command);
  return [...shells, ...reached.flatMap(({ recipe }) => recipe)].map((line) => line.replaceAll('$$', '$')).join('\n');
}

const MOST_DEPTH = 4;

type Rule = { readonly targets: readonly string[]; readonly needs: readonly string[]; readonly recipe: readonly string[] };

function rulesOf(lines: readonly string[]): readonly Rule[] {
  const rules: { targets: readonly string[]; needs: readonly string[]; recipe: string[] }[] = [];
  for (const line of lines) {
    if (line.startsWith('\t')) rules.at(-1)?.recipe.push(line.replace(/^[\t @+-]+/, ''));
    const [, targets, needs = '', recipe] = /^([^\s#:=][^:=#]*)::?(?!=)([^=;#]*)(?:;(.*))?/.exec(line) ?? [];
    if (targets !== undefined)
      rules.push({ targets: wordsOf(targets), needs: wordsOf(needs), recipe: recipe === undefined ? [] : [recipe] });
  }
  return rules;
}

const wordsOf = (text: string): readonly string[] => text.split(/[\s|]+/).filter((word) => word !== '');

/** The rules for these goals and for what they need; of what no rule names, those with a pattern. */
function reachedBy(goals: readonly string[], rules: readonly Rule[]): readonly Rule[] {
  const reached = new Set<Rule>();
  const known = new Set<string>();
  const open = [...goals];
  for (let goal = open.pop(); goal !== undefined; goal = open.pop()) {
    if (known.has(goal)) continue;
    known.add(goal);
    const exact = rules.filter(({ targets }) => targets.includes(goal));
    for (const rule of exact.some(({ recipe }) => recipe.length > 0) ? exact : [...exact, ...rules.filter(hasPattern)]) {
      reached.add(rule);
      open.push(...rule.needs);
    }
  }
  return rules.filter((rule) => reached.has(rule));
}

const hasPattern = ({ targets }: Rule): boolean => targets.some((target) => target.includes('%'));
