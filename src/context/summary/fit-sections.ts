import type { CountTokens } from '../measure/count.ts';

/**
 * A line that begins with two blanks belongs to the nearest before it that does not: never shown without that one, nor that one without any
 * of its lines, but where there is no room.
 */
export type FitLine = {
  readonly text: string;
  readonly worth: number;
  /** The label of the lines beside it that have the same one, where lines are not parted by newlines. */
  readonly group?: string;
  /** True when it says as much without the lines that belong to it. */
  readonly standsAlone?: boolean;
};

export type FitSection = {
  readonly heading: string;
  readonly lines: readonly FitLine[];
  /** The share of the budget that is reserved for this section before any other may use it. */
  readonly share: number;
  /** Shown under the heading when there are no lines; without it a section without lines is left out. */
  readonly none?: string;
  readonly separator?: string;
  /** Returns the note on how many lines did not fit, and how many of them others belong to. */
  readonly cut?: (lines: number, heads: number) => string;
  /** True when lines were left out before: then there is a note in any case. */
  readonly wasCut?: boolean;
};

const CUT_TOKENS = 12;

export type TokenBudget = { readonly tokens: number; readonly count: CountTokens };

/** Each section first fills its share with its worthiest lines, then all compete. Empty when not even the headings fit. */
export function fitSections(sections: readonly FitSection[], { tokens, count }: TokenBudget): string {
  const visible = sections.filter(({ lines, none }) => lines.length > 0 || none !== undefined);
  const frameTokens = visible.map(
    (section) => count(`${section.heading}\n\n${section.lines.length === 0 ? section.none : ''}\n`) + (section.cut ? CUT_TOKENS : 0),
  );
  const budget = tokens - frameTokens.reduce((sum, cost) => sum + cost, 0);
  if (budget < 0) return '';
  return dropToLimit(chooseLines(visible, { tokens: budget, count }), { tokens, count });
}

/** Returns the lines of each section that fit into `tokens` together, headings not counted, chosen in the same way. */
export const fitLines = (sections: readonly FitSection[], budget: TokenBudget): readonly (readonly FitLine[])[] =>
  chooseLines(sections, budget).map(({ rows }) => rows.flatMap(({ line, isChosen }) => (isChosen ? [line] : [])));

/** A line with what it costs, the one that it belongs to, and those that belong to it. */
type Row = { readonly line: FitLine; readonly cost: number; readonly head: Row | undefined; readonly parts: Row[]; isChosen: boolean };
type Filled = { readonly section: FitSection; readonly rows: readonly Row[] };

function chooseLines(sections: readonly FitSection[], { tokens: budget, count }: TokenBudget): readonly Filled[] {
  const filled = sections.map((section) => ({ section, rows: rowsOf(section, count) }));
  const leftover: Row[] = [];
  let usedTokens = 0;
  for (const { section, rows } of filled) {
    let sectionTokens = 0;
    for (const row of rows.toSorted((a, b) => b.line.worth - a.line.worth)) {
      const cost = choose(row, section.share * budget - sectionTokens);
      if (cost === undefined) leftover.push(row);
      else sectionTokens += cost;
    }
    usedTokens += sectionTokens;
  }
  leftover.sort((a, b) => b.line.worth - a.line.worth);
  for (const row of leftover) usedTokens += choose(row, budget - usedTokens) ?? 0;
  for (const row of leftover) {
    if (row.isChosen || row.head !== undefined || usedTokens + row.cost > budget) continue;
    usedTokens += row.cost;
    row.isChosen = true;
  }
  return filled;
}

function rowsOf({ lines, separator = '\n' }: FitSection, count: CountTokens): readonly Row[] {
  const first = worthiestOfGroups(lines);
  let head: Row | undefined;
  return lines.map((line) => {
    const isPart = line.text.startsWith('  ');
    const cost = count(`${first.get(line.group ?? '') === line ? labelOf(line) : ''}${line.text}${separator}`);
    const row: Row = { line, cost, head: isPart ? head : undefined, parts: [], isChosen: false };
    if (isPart) head?.parts.push(row);
    else head = row;
    return row;
  });
}

/** Chooses the line with its head, or the cheapest of its parts, when all of it fits; returns what that costs. */
function choose(row: Row, room: number): number | undefined {
  if (row.isChosen) return 0;
  const parts = row.line.standsAlone ? [] : row.parts.toSorted((a, b) => a.cost - b.cost).slice(0, 1);
  const needed = [row, ...(row.head === undefined ? parts : [row.head])].filter(({ isChosen }) => !isChosen);
  const cost = needed.reduce((sum, each) => sum + each.cost, 0);
  if (cost > room) return undefined;
  for (const each of needed) each.isChosen = true;
  return cost;
}

const labelOf = ({ group }: FitLine): string => (group === undefined ? '' : `${group}: `);

/** The line of each group that is chosen first: the label is paid for with it. */
function worthiestOfGroups(lines: readonly FitLine[]): ReadonlyMap<string, FitLine> {
  const first = new Map<string, FitLine>();
  for (const line of lines) if (line.group !== undefined && line.worth > (first.get(line.group)?.worth ?? -1)) first.set(line.group, line);
  return first;
}

/** The lines with their separator; those of one group in a line of their own, behind its label. */
function joinLines(lines: readonly FitLine[], separator: string): string {
  let text = '';
  for (const [at, line] of lines.entries()) {
    const startsGroup = line.group !== undefined && line.group !== lines[at - 1]?.group;
    text += `${at === 0 ? '' : startsGroup ? '\n' : separator}${startsGroup ? labelOf(line) : ''}${line.text}`;
  }
  return text;
}

/** Token counts of the parts do not always add up to that of the whole: drops the least worthy lines until the text fits. */
function dropToLimit(filled: readonly Filled[], { tokens, count }: TokenBudget): string {
  const order = filled
    .flatMap(({ rows }) => rows)
    .filter(({ isChosen }) => isChosen)
    .sort((a, b) => a.line.worth - b.line.worth);
  for (let drop = 0; ; ) {
    const text = filled.map(renderSection).join('\n\n');
    const excess = count(text) - tokens;
    if (excess <= 0) return text;
    if (drop >= order.length) return '';
    const step = Math.max(1, Math.ceil((order.length * excess) / (tokens + excess)));
    for (const row of order.slice(drop, drop + step)) row.isChosen = false;
    drop += step;
  }
}

function renderSection({ section, rows }: Filled): string {
  const { heading, none = '', separator = '\n', cut, wasCut } = section;
  const isShown = ({ isChosen, head }: Row): boolean => isChosen && head?.isChosen !== false;
  const hidden = rows.filter((row) => !isShown(row));
  const isCut = hidden.length > 0 || wasCut;
  const note = cut !== undefined && isCut ? cut(hidden.length, hidden.filter(({ head }) => head === undefined).length) : '';
  const shown = rows.filter(isShown).map(({ line }) => line);
  const body = [joinLines(shown, separator), note].filter((part) => part !== '').join('\n');
  return `${heading}\n\n${body === '' ? none : body}`.trimEnd();
}

/** The fixed phrases of a rule summary in its two languages; quotations stay in their own language. */
export type SummaryWords = ReturnType<typeof wordsIn>;

type Say = <Words>(en: Words, zh: Words) => Words;

const exchangeWords = (say: Say) => ({
  goal: say('First request', '最初的请求'),
  done: say('Done', '已完成'),
  answered: say('Answered', '已回答'),
  said: say('The user said', '用户说'),
  undone: say('Done, but undone later', '做过，后来撤销了'),
  stopped: say('Stopped by the user', '被用户中止'),
  brokenOff: say('Begun, then the user went on', '已开始，未完成时用户又提了别的'),
  checkFailed: say('Worked on, its last check failed', '做过，最后一次检查未通过'),
  partly: say('Worked on, said not to be all done', '做过，据称尚未全部完成'),
  checkFails: say('Failed when last run', '最近一次运行失败'),
  overruled: say('Overruled later', '后来推翻'),
  disputed: say('Result not accepted by the user', '结果未被用户认可'),
  unfinished: say('Not finished when this was written', '写下本摘要时尚未完成'),
  answers: say('in answer to', '所回答的话'),
  changed: say('changed', '改动了'),
  ran: say('ran', '运行了'),
  pasted: (lines: number) => say(`[${lines} more lines like it]`, `[另有 ${lines} 行类似内容]`),
  leftOut: (chars: number) => say(`[… ${chars} characters left out …]`, `[……略去 ${chars} 个字符……]`),
  requestsLeftOut: (requests: number) =>
    say(
      `(${requests} more ${requests === 1 ? 'request' : 'requests'}, left out for room; recall finds them)`,
      `（另有 ${requests} 条请求因篇幅略去，可用 recall 查找）`,
    ),
  linesLeftOut: (lines: number) =>
    say(`(${lines} more, left out for room; recall finds them)`, `（另有 ${lines} 条因篇幅略去，可用 recall 查找）`),
  latestOpen: say('The latest request.', '最近的请求。'),
  progress: {
    soFar: say(
      'What is left of the latest request. Done for it before the messages that follow:',
      '最近的请求中剩下的部分。在后面的消息之前已为它做了：',
    ),
    nothing: say(
      'The latest request: before the messages that follow, nothing was changed or run for it.',
      '最近的请求：在后面的消息之前，还没有为它改动或运行过什么。',
    ),
    files: say('changed', '改动了'),
    worked: say('ran and worked', '运行成功'),
    failed: say('failed when last run', '最近一次运行失败'),
    next: say('said to come next', '说过接下来要做'),
  },
});

const workWords = (say: Say) => ({
  tasksOpen: say('What is open in the task list.', '任务列表中未完成的各项。'),
  folder: say('Working folder of the last commands', '最近命令所在的目录'),
  result: say('->', '→'),
  notice: say('Notice of the program', '程序通知'),
  tools: say('Tools used', '用过的工具'),
  programs: say('Programs run', '运行过的程序'),
  languages: say('Languages of code blocks', '代码块的语言'),
  counts: (asked: number, calls: number, failed: number) =>
    say(
      `So far in this part: ${asked} messages of the user, ${calls} tool calls, ${failed} of them failed.`,
      `这一段：用户消息 ${asked} 条，工具调用 ${calls} 次，其中失败 ${failed} 次。`,
    ),
  times: (times: number) => say(times === 1 ? 'once' : `${times} times`, `${times} 次`),
  lastRequest: say('Latest request', '最近的请求'),
  earlierRequest: say('Last request in the part summarised here', '此处摘要的最后一个请求'),
  edits: {
    added: say('new', '新增'),
    inside: say('in', '改动'),
    removed: say('removed', '删除'),
    written: (lines: number) => say(`written whole, ${lines} lines`, `整个写入，${lines} 行`),
  },
  state: {
    branch: say('Branch', '分支'),
    commit: say('Last commit', '最近的提交'),
    pushed: say('Pushed since that commit', '该提交之后已推送'),
    uncommitted: say('Edited and not seen committed', '已改动、未见提交'),
    edit: say('Last edit', '最后一次改动'),
    checked: say('Run since the last edit', '最后一次改动之后运行过'),
  },
  yes: say('yes', '是'),
  notSeen: say('not seen', '未见'),
  passed: say('worked', '成功'),
  failed: say('failed', '失败'),
  unclear: say('result not clear', '结果不明'),
  before: say('From before', '此前'),
  failureStates: { fails: say('not seen to work since', '之后未见成功'), worked: say('worked later', '后来成功') },
  workedAfter: (files: string) => say(`worked after edits of ${files}`, `改动后成功：${files}`),
  shownBy: (command: string) => say(`${command} worked later`, `${command} 后来成功`),
  askedToKeep: say('The user asked to keep', '用户要求保留'),
  none: say('None.', '无。'),
});

const wordsIn = (say: Say) => ({ ...exchangeWords(say), ...workWords(say) });

export const english = wordsIn((en) => en);
export const chinese = wordsIn((_, zh) => zh);

/** Of a summary it is not known in which of them it was written. */
export const summaryLanguages = [english, chinese];
