import { type Bilingual, joinTexts, localize, sameInBoth } from '../language.ts';
import { isObject, isString } from '../value/json.ts';
import { callMarks, MCP_PREFIX } from './called-tool.ts';

/** A call as a person names it (`$ npm test`, `Read src/cart.js`), by its recorded title: the only place that puts calls into words. */
export const callName = (title: string): string => localize(callNames(title));

/** The same of a call as the model made it, in one line. */
export function nameOfCall(name: string, input: unknown): string {
  const fields = isObject(input) ? input : {};
  const what = SAYING.map((field) => fields[field]).find(isString) ?? '';
  const where = name === 'search' && isString(fields.path) ? ` in ${fields.path}` : '';
  return callName(`${name} ${what}${where}`.slice(0, MAX_NAME_CHARS).toWellFormed().replace(/\s+/g, ' ').trim());
}

/** The fields of an input that say most of a call, those that say more first. */
const SAYING = ['command', 'pattern', 'path', 'url', 'query', 'job', 'name', 'task', 'question', 'text'] as const;
const MAX_NAME_CHARS = 200;

export function callNames(title: string): Bilingual {
  const [, by = '', call = title] = /^((?:[\w-]+: )*)([\s\S]*)$/.exec(title) ?? [];
  const end = ` ${callMarks.changed.en}`;
  const isChanged = call.endsWith(end);
  const [, tool = '', rest = ''] = /^(\S*)(?: ([\s\S]*))?$/.exec(isChanged ? call.slice(0, -end.length) : call) ?? [];
  const name = tool.startsWith(MCP_PREFIX) ? ofServer(tool, rest) : ofTool(tool, rest);
  if (name === undefined) return sameInBoth(title);
  const mark = isChanged ? { en: end, zh: callMarks.changed.zh } : sameInBoth('');
  return joinTexts([byWhom(by), name, mark], sameInBoth(''));
}

const byWhom = (by: string): Bilingual => ({ en: by, zh: by.replaceAll(': ', '：') });

function ofTool(tool: string, rest: string): Bilingual | undefined {
  if (tool === 'run_command') return commandName(rest);
  if (tool === 'search') return searchName(rest);
  // Its items stand below it.
  if (tool === 'todo') return verbs.todo;
  const verb = verbs[tool];
  if (verb === undefined) return undefined;
  return { en: `${verb.en} ${rest}`.trimEnd(), zh: `${verb.zh} ${rest}`.trimEnd() };
}

function commandName(command: string): Bilingual {
  const { en, zh } = callMarks.background;
  if (!command.startsWith(`${en} `)) return sameInBoth(`$ ${command}`);
  const text = `$ ${command.slice(en.length + 1)}`;
  return { en: `${text} ${en}`, zh: `${text}${zh}` };
}

/** Where it looks is said behind the last "in". */
function searchName(rest: string): Bilingual {
  if (rest === '') return { en: 'Search', zh: '搜索' };
  const [, pattern = rest, place = '.'] = /^([\s\S]*) in ([\s\S]*)$/.exec(rest) ?? [];
  if (place === '.') return { en: `Search "${pattern}"`, zh: `搜索“${pattern}”` };
  return { en: `Search "${pattern}" in ${place}`, zh: `在 ${place} 中搜索“${pattern}”` };
}

/** `mcp__server__tool`, with the values that it is called with. */
function ofServer(tool: string, rest: string): Bilingual | undefined {
  const [, server, name] = /^mcp__(.+?)__(.+)$/.exec(tool) ?? [];
  if (server === undefined || name === undefined) return undefined;
  const values = rest === '' || rest === '{}' ? '' : ` ${rest}`;
  return { en: `${server}: ${name}${values}`, zh: `${server}：${name}${values}` };
}

const verbs: Readonly<Record<string, Bilingual>> = {
  read_file: { en: 'Read', zh: '读取' },
  edit_file: { en: 'Edit', zh: '修改' },
  write_file: { en: 'Write', zh: '写入' },
  list_files: { en: 'List', zh: '列出' },
  fetch_url: { en: 'Fetch', zh: '获取' },
  recall: { en: 'Look up', zh: '回查' },
  remember: { en: 'Remember', zh: '记住' },
  todo: { en: 'Tasks', zh: '任务列表' },
  task: { en: 'Helper', zh: '子代理' },
  ask_user: { en: 'Ask', zh: '提问' },
  read_output: { en: 'Output of', zh: '查看输出' },
  stop_command: { en: 'Stop', zh: '停止' },
  skill: { en: 'Skill', zh: '技能' },
  present_plan: { en: 'Plan', zh: '计划' },
  tool_search: { en: 'Look for tools', zh: '查找工具' },
};
