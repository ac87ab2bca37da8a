import { type Bilingual, sameInBoth } from '../../domain/language.ts';
import type { PinLine } from '../chat/pins-port.ts';
import { pluralize } from '../text/format.ts';
import type { SlashCommand } from './command.ts';

/** What /help and the menu say of each command. */
export const commandTexts = {
  help: {
    argumentHint: { en: '[command]', zh: '[命令]' },
    example: sameInBoth('/help compact'),
    description: { en: 'this list, or what one command does', zh: '此列表，或某个命令的说明' },
  },
  compact: {
    argumentHint: { en: '[--preview] [what to keep]', zh: '[--preview] [要保留的内容]' },
    example: { en: '/compact keep the names of the endpoints', zh: '/compact 保留端点的名称' },
    description: {
      en: 'summarise older messages now; with --preview, look at it first',
      zh: '立即为较早的消息生成摘要；加 --preview 可先查看',
    },
  },
  context: { description: { en: 'what fills the window, and what could be freed', zh: '窗口的占用情况，以及可释放的空间' } },
  history: { description: { en: 'snapshots, compactions and rollbacks of this session', zh: '本会话的快照、压缩和回滚' } },
  rewind: {
    argumentHint: { en: '[number]', zh: '[编号]' },
    example: sameInBoth('/rewind 3'),
    description: { en: 'go back to before an earlier message, and edit it', zh: '回退到较早的某条消息之前，并编辑它' },
  },
  rollback: {
    argumentHint: sameInBoth('[id]'),
    example: sameInBoth('/rollback 1122'),
    description: { en: 'make a snapshot current again', zh: '回滚到某个快照' },
  },
  undo: {
    description: {
      en: 'undo the last compaction, rollback or clear; again: undo that',
      zh: '撤销上一次压缩、回滚或清空；再次执行则撤销这次撤销',
    },
  },
  memory: { description: { en: 'what is remembered, and where', zh: '已记住的内容及其位置' } },
  remember: {
    argumentHint: { en: '[what]', zh: '[内容]' },
    example: { en: '/remember the staging port is 8080', zh: '/remember 预发布环境的端口是 8080' },
    description: { en: 'remember something beyond this session', zh: '记住一件事，不限于本会话' },
  },
  recall: {
    argumentHint: { en: '[words]', zh: '[关键词]' },
    example: { en: '/recall retry delay', zh: '/recall 重试 延迟' },
    description: { en: 'search everything that was said and seen', zh: '搜索说过或看到过的一切' },
  },
  sessions: { description: { en: 'all sessions', zh: '所有会话' } },
  resume: {
    argumentHint: sameInBoth('[id]'),
    example: sameInBoth('/resume 1122'),
    description: { en: 'continue another session', zh: '继续另一个会话' },
  },
  new: { description: { en: 'start a new session', zh: '新建会话' } },
  pin: {
    argumentHint: { en: '[number|last]', zh: '[编号|last]' },
    example: sameInBoth('/pin last'),
    description: { en: 'keep a message word for word through every compaction', zh: '固定一条消息，每次压缩都逐字保留' },
  },
  unpin: {
    argumentHint: { en: '[number|all]', zh: '[编号|all]' },
    example: sameInBoth('/unpin all'),
    description: { en: 'unpin a message', zh: '取消固定一条消息' },
  },
  pins: { description: { en: 'what is pinned, and what it costs', zh: '已固定的消息及其占用' } },
  jobs: {
    argumentHint: { en: '[stop|keep number]', zh: '[stop|keep 编号]' },
    example: sameInBoth('/jobs stop 1'),
    description: { en: 'commands in the background; stop one, or keep it when you leave', zh: '后台命令；停止一个，或让它在你离开后继续' },
  },
  todo: { description: { en: 'the task list that the model keeps', zh: '模型维护的任务列表' } },
  clear: { description: { en: 'empty the context (a snapshot is taken first)', zh: '清空上下文（会先保存快照）' } },
  model: {
    argumentHint: { en: '[name]', zh: '[名称]' },
    example: sameInBoth('/model claude-sonnet-5-5'),
    description: { en: 'show the model, or choose another one', zh: '显示模型，或改用另一个' },
  },
  permissions: {
    argumentHint: { en: '[mode or rule]', zh: '[模式或规则]' },
    example: sameInBoth('/permissions allow run_command npm test *'),
    description: { en: 'mode and rules for what may run; change them', zh: '查看或更改权限模式和规则' },
  },
  skills: { description: { en: 'skills that the model can read; /NAME uses one', zh: '模型可以阅读的技能；/NAME 使用其中一个' } },
  init: {
    description: { en: 'write a first AGENTS.md for this project, after showing it', zh: '为本项目生成第一份 AGENTS.md，写入前先显示' },
  },
  mcp: {
    argumentHint: { en: '[approve server]', zh: '[approve 服务器]' },
    example: sameInBoth('/mcp approve files'),
    description: { en: 'your MCP servers; agree to tools that changed', zh: '你的 MCP 服务器；批准有变化的工具' },
  },
  config: {
    argumentHint: { en: '[key]', zh: '[键]' },
    example: sameInBoth('/config compaction'),
    description: { en: 'the settings in force, and where each comes from', zh: '生效的设置，以及各自的来源' },
  },
  tools: { description: { en: 'what the model can call', zh: '模型可以调用的工具' } },
  setup: { description: { en: 'how to choose another model or key', zh: '如何改用另一个模型或密钥' } },
  cost: { description: { en: 'what this session has used', zh: '本会话的用量和费用' } },
  events: { description: { en: 'the newest lines of the audit log about this session', zh: '审计日志中关于本会话的最新记录' } },
  rename: {
    argumentHint: { en: '[title]', zh: '[标题]' },
    example: { en: '/rename Fix the cart', zh: '/rename 修复购物车' },
    description: { en: 'give this session a title', zh: '为本会话设置标题' },
  },
  fork: { description: { en: 'continue in a copy of this session', zh: '分叉：在本会话的副本中继续' } },
  export: {
    argumentHint: { en: '[file]', zh: '[文件]' },
    example: sameInBoth('/export session.html'),
    description: {
      en: 'write this session to a file: .md, .html, or .jsonl to import it',
      zh: '把本会话写入文件：.md、.html，或可再导入的 .jsonl',
    },
  },
  quit: { description: { en: 'exit (as Ctrl-D does)', zh: '退出（同 Ctrl-D）' } },
} as const satisfies Readonly<Record<string, Omit<SlashCommand, 'name' | 'run'>>>;

/** Texts of the commands that pin messages. */
type PinTexts = {
  readonly none: string;
  readonly which: string;
  readonly unknown: (number: number) => string;
  readonly pinned: (number: number, excerpt: string | undefined, cost: string) => string;
  readonly mark: string;
  readonly nothing: string;
  readonly nothingYet: (tokens: string) => string;
  readonly removed: (pins: number) => string;
  readonly whichPin: string;
  readonly unpinned: (excerpt: string) => string;
  readonly older: (messages: number) => string;
  readonly usage: string;
  readonly said: (who: string, text: string) => string;
};

export const pinTexts: Bilingual<PinTexts> = {
  en: {
    none: 'There is no message to pin yet.',
    which: 'Which message? /pin NUMBER or /pin last; /pin alone lists them.',
    unknown: (number) => `The context has no message ${number} with text. /pin lists the messages.`,
    pinned: (number, excerpt, cost) => `Pinned message ${number}${excerpt === undefined ? '' : `, ${excerpt}`}. ${cost} /unpin removes it.`,
    mark: '[pinned] ',
    nothing: 'Nothing is pinned.',
    nothingYet: (tokens) => `Nothing is pinned. /pin NUMBER keeps a message word for word; pins may take ${tokens} tokens here.`,
    removed: (pins) => `${pluralize(pins, 'pin')} removed.`,
    whichPin: 'Which pin? /unpin NUMBER or /unpin all; /pins lists them.',
    unpinned: (excerpt) => `Unpinned: ${excerpt}. Its text leaves the context at the next compaction.`,
    older: (messages) => `${pluralize(messages, 'older message')} not shown. `,
    usage: '/pin NUMBER or /pin last keeps one word for word. ',
    said: (who, text) => `${who}: "${text}"`,
  },
  zh: {
    none: '还没有可以固定的消息。',
    which: '固定哪条消息？/pin NUMBER 或 /pin last；只输入 /pin 会列出消息。',
    unknown: (number) => `上下文中没有带文字的第 ${number} 条消息。/pin 列出消息。`,
    pinned: (number, excerpt, cost) => `已固定第 ${number} 条消息${excerpt === undefined ? '' : `，${excerpt}`}。${cost}/unpin 取消固定。`,
    mark: '［已固定］',
    nothing: '没有固定任何消息。',
    nothingYet: (tokens) => `没有固定任何消息。/pin NUMBER 逐字保留一条消息；此处固定的消息最多可占 ${tokens} token。`,
    removed: (pins) => `已取消固定 ${pins} 条。`,
    whichPin: '取消哪一条？/unpin NUMBER 或 /unpin all；/pins 列出固定的消息。',
    unpinned: (excerpt) => `已取消固定：${excerpt}。它的文字会在下次压缩时离开上下文。`,
    older: (messages) => `另有 ${messages} 条较早的消息未显示。`,
    usage: '/pin NUMBER 或 /pin last 逐字保留一条。',
    said: (who, text) => `${who}：“${text}”`,
  },
};

export const speakers: Bilingual<Readonly<Record<PinLine['who'], string>>> = {
  en: { you: 'you', assistant: 'assistant', tool: 'tool' },
  zh: { you: '你', assistant: '助手', tool: '工具' },
};
