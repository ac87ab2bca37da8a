import type { PermissionSettings } from '../../domain/config/permission-rule.ts';
import { type Bilingual, localize } from '../../domain/language.ts';
import type { NumberedRule, PermissionMode } from '../../domain/permission.ts';
import { NO_FILE } from '../../domain/permission.ts';
import { exactText, safeLine } from '../text/safe-text.ts';
import { padEnd, padStart, wrap } from '../text/text-width.ts';

export type PermissionsView = {
  readonly rules: readonly NumberedRule[];
  readonly readOnlyCommands: PermissionSettings['readOnlyCommands'];
  readonly sandboxedCommands: PermissionSettings['sandboxedCommands'];
  /** The mode of this conversation, where there is one. */
  readonly mode?: PermissionMode;
};

/** All rules, whole: what is hidden in one is written out. Ends with a newline. */
export function permissionsText({ rules, readOnlyCommands, sandboxedCommands, mode }: PermissionsView, columns: number): string {
  const tools = Math.max(...rules.map(({ rule }) => rule.tool.length), 0);
  const indent = 4 + 7 + tools + 2;
  const lines = rules.flatMap(({ number, kind, rule }) => {
    const [first = '', ...more] = wrap(ruleText(rule), Math.max(20, columns - indent));
    const head = `${padStart(String(number), 2)}  ${padEnd(kind, 5)}  ${padEnd(safeLine(rule.tool), tools)}  `;
    return [head + first, ...more.map((line) => ' '.repeat(indent) + line)];
  });
  return `${[
    ...(mode === undefined ? [] : [localize({ en: `Permission mode: ${mode}.`, zh: `权限模式：${mode}。` })]),
    ...(rules.length === 0 ? [localize({ en: 'There are no rules.', zh: '没有规则。' })] : lines),
    localize(readOnlyTexts[readOnlyCommands]),
    ...(sandboxedCommands === 'run'
      ? [localize({ en: 'Commands that stay in the sandbox run without asking.', zh: '留在沙箱内的命令直接运行，不询问。' })]
      : []),
  ].join('\n')}\n`;
}

const readOnlyTexts: Readonly<Record<PermissionSettings['readOnlyCommands'], Bilingual>> = {
  run: { en: 'Commands that are proven to only read run without asking.', zh: '经证明只读的命令直接运行，不询问。' },
  ask: {
    en: 'Commands that are proven to only read ask like all others, outside of a sandbox.',
    zh: '在沙箱之外，经证明只读的命令与其他命令一样需要询问。',
  },
};

/** What a rule is about, in one line. */
export function ruleText({ command, prefix, file, path, host, needs, scripts, folder }: NumberedRule['rule']): string {
  const text = localize(ruleTexts);
  const beyond = needs === undefined ? '' : needs === 'network' ? text.network : text.unboxed;
  const where = `${beyond}${folder === undefined ? '' : text.folder + shown(folder)}${untilText(scripts)}`;
  if (command !== undefined) return `${text.exactly}${shown(command)}${where}`;
  if (prefix !== undefined) return `${text.beginsWith}${shown(prefix)}${where}`;
  if (host !== undefined) return `${text.host}${shown(host)}${where}`;
  if (file !== undefined) return `${text.file}${shown(file)}${where}`;
  return `${path === undefined ? text.every : text.paths + shown(path)}${where}`;
}

const ruleTexts = {
  en: {
    network: ', with the network',
    unboxed: ', outside of the sandbox',
    folder: ' in ',
    exactly: 'exactly: ',
    beginsWith: 'begins with: ',
    host: 'the host ',
    file: 'the file ',
    paths: 'paths ',
    every: 'every call',
    or: ' or ',
    until: (conditions: string): string => `, until ${conditions}`,
    changes: (files: string): string => `${files} changes`,
    appears: (files: string): string => `${files} appears`,
  },
  zh: {
    network: '，可用网络',
    unboxed: '，在沙箱之外',
    folder: '，在 ',
    exactly: '正好是：',
    beginsWith: '开头是：',
    host: '主机 ',
    file: '文件 ',
    paths: '路径 ',
    every: '每次调用',
    or: ' 或 ',
    until: (conditions: string): string => `，直到 ${conditions}`,
    changes: (files: string): string => `${files} 改变`,
    appears: (files: string): string => `${files} 出现`,
  },
};

function untilText(scripts: NumberedRule['rule']['scripts'] = {}): string {
  const files = Object.keys(scripts);
  const text = localize(ruleTexts);
  const list = (names: readonly string[], say: (files: string) => string): readonly string[] =>
    names.length === 0 ? [] : [say(shown(names.join(text.or)))];
  const changes = list(
    files.filter((file) => scripts[file] !== NO_FILE),
    text.changes,
  );
  const appears = list(
    files.filter((file) => scripts[file] === NO_FILE),
    text.appears,
  );
  return files.length === 0 ? '' : text.until([...changes, ...appears].join(text.or));
}

const shown = (text: string): string => exactText(text).replaceAll('\n', '\\n');
