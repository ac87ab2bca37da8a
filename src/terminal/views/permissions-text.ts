import type { PermissionSettings } from '../../domain/config/permission-rule.ts';
import { type Bilingual, localize } from '../../domain/language.ts';
import { NO_FILE, type NumberedRule, type PermissionMode } from '../../domain/permission.ts';
import { exactText, safeLine } from '../text/safe-text.ts';
import { padEnd, padStart, wrap } from '../text/text-width.ts';

export type PermissionsView = {
  readonly rules: readonly NumberedRule[];
  readonly readOnlyCommands: PermissionSettings['readOnlyCommands'];
  readonly sandboxedCommands: PermissionSettings['sandboxedCommands'];
  readonly mode?: PermissionMode;
};

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
    en: 'Outside of a sandbox, commands that are proven to only read need a yes like all others.',
    zh: '在沙箱之外，经证明只读的命令与其他命令一样需要询问。',
  },
};

export function ruleText({ needs, scripts = {}, folder, repository, irreversible, ...rule }: NumberedRule['rule']): string {
  const of = typeof repository === 'string' && repository !== 'local' ? ` (${shown(repository)})` : '';
  const place = folder === undefined ? '' : localize({ en: ` in ${shown(folder)}${of}`, zh: `，在 ${shown(folder)}${of}` });
  return `${localize(subjectOf(rule))}${needs === undefined ? '' : localize(needTexts[needs])}${place}${irreversible === true ? localize(ALSO_IRREVERSIBLE) : ''}${untilText(scripts)}`;
}

function subjectOf({ command, prefix, file, path, host }: NumberedRule['rule']): Bilingual {
  const about = (en: string, zh: string, text: string): Bilingual => ({ en: en + shown(text), zh: zh + shown(text) });
  if (command !== undefined) return about('exactly: ', '正好是：', command);
  if (prefix !== undefined) return about('begins with: ', '开头是：', prefix);
  if (host !== undefined) return about('the host ', '主机 ', host);
  if (file !== undefined) return about('the file ', '文件 ', file);
  return path === undefined ? { en: 'every call', zh: '每次调用' } : about('paths ', '路径 ', path);
}

const ALSO_IRREVERSIBLE: Bilingual = { en: ', also when it cannot be undone', zh: '，即使无法撤销' };

const needTexts: Readonly<Record<NonNullable<NumberedRule['rule']['needs']>, Bilingual>> = {
  network: { en: ', with the network', zh: '，可用网络' },
  repository: { en: ', with the git folder of its repository', zh: '，可写入其仓库的 git 文件夹' },
  everything: { en: ', outside of the sandbox', zh: '，在沙箱之外' },
};

function untilText(scripts: NonNullable<NumberedRule['rule']['scripts']>): string {
  const or = localize({ en: ' or ', zh: ' 或 ' });
  const [changing, appearing] = [false, true].map((isMissing) =>
    shown(
      Object.keys(scripts)
        .filter((file) => (scripts[file] === NO_FILE) === isMissing)
        .join(or),
    ),
  );
  const conditions = [
    changing === '' ? '' : localize({ en: `${changing} changes`, zh: `${changing} 改变` }),
    appearing === '' ? '' : localize({ en: `${appearing} appears`, zh: `${appearing} 出现` }),
  ].filter((condition) => condition !== '');
  return conditions.length === 0 ? '' : localize({ en: ', until ', zh: '，直到 ' }) + conditions.join(or);
}

const shown = (text: string): string => exactText(text).replaceAll('\n', '\\n');
