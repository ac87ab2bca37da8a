import { efforts } from '../../domain/config/effort.ts';
import { sandboxModes } from '../../domain/config/sandbox-mode.ts';
import { SanbotError } from '../../domain/errors.ts';
import { type Bilingual, localize, sameInBoth } from '../../domain/language.ts';
import type { Environment } from '../../runtime/environment.ts';
import { versionOf } from '../../runtime/home.ts';
import {
  type CommandContext,
  defineCommand,
  grammarOf,
  groupOption,
  modeOption,
  option,
  parseDollars,
  parseUuid,
  parseWholeNumber,
} from '../command.ts';
import { type ChatOptions, withOtherNames } from './chat-options.ts';

/** How a conversation is led: at a terminal or by a program. */
const conversationGrammar = (environment: Environment) => {
  const start = grammarOf('sanbot', {
    en: 'A terminal agent for long work: it never runs out of context and never loses anything.',
    zh: '面向长时间工作的终端智能体：上下文永不耗尽，内容从不丢失。',
  });
  start.command
    .usage('[options] [command | message]')
    .version(versionOf(environment), '-v, --version', localize({ en: 'print the version', zh: '显示版本' }));
  return start
    .argument('[message]')
    .option('-p, --print [prompt]', {
      en: 'answer one prompt and exit; piped input is added to the prompt, or is the prompt',
      zh: '回答一条提示词后退出；管道输入会附加到提示词，或直接作为提示词',
    })
    .add(
      option('--input-format <format>', {
        en: 'how prompts are read in scripts; stream-json: one message in each line of stdin',
        zh: '无人值守时提示词的输入格式；stream-json：标准输入每行一条消息',
      })
        .choices(['text', 'stream-json'])
        .default('text'),
    )
    .add(
      option('--output-format <format>', { en: 'the output format of --print', zh: '--print 的输出格式' })
        .choices(['text', 'json', 'stream-json'])
        .default('text'),
    )
    .add(
      option('--json-schema <file>', {
        en: 'with --print: the answer is JSON that this JSON Schema describes (exit code 14 if it is not)',
        zh: '与 --print 一起使用：答案是符合此 JSON Schema 的 JSON（否则退出码为 14）',
      }),
    );
};

/** Which session it is. */
const sessionGrammar = (environment: Environment) =>
  conversationGrammar(environment)
    .add(
      option('-c, --continue', { en: 'continue the last session used in this folder', zh: '继续此文件夹中最近使用的会话' }).conflicts(
        'resume',
      ),
    )
    .option('-r, --resume [id]', {
      en: 'continue the session with this id, or with this part of an id; without one, choose from a list',
      zh: '按 id 或 id 的一部分继续会话；不指定时从列表中选择',
    })
    .option('--fork', {
      en: 'with --continue or --resume: continue in a copy, and leave the session unchanged',
      zh: '与 --continue 或 --resume 一起使用：在副本中继续，原会话保持不变',
    })
    .add(
      option('--name <text>', {
        en: 'with --continue: the last used session of this name; else the name of the new session',
        zh: '与 --continue 一起使用：此名称的会话中最近使用的；否则为新会话的名称',
      })
        .argParser(String)
        .conflicts('resume'),
    )
    .add(
      wholeNumberOption('--wait <seconds>', {
        en: 'wait so long for a session that is open elsewhere (exit code 6 if it still is)',
        zh: '会话在别处打开时等待的秒数（仍打开则退出码为 6）',
      }),
    )
    .add(
      option('--session-id <uuid>', { en: 'the id of the new session', zh: '新会话的 id' })
        .argParser((text) => parseUuid('--session-id', text))
        .conflicts(['continue', 'resume']),
    )
    .option('--plain', {
      en: 'a conversation in plain lines, with nothing drawn: for screen readers and simple terminals',
      zh: '以纯文本逐行对话，不绘制界面：适合屏幕阅读器和简单终端',
    });

/** With which model, and how much of it. */
const modelGrammar = (environment: Environment) =>
  sessionGrammar(environment)
    .option('--model <name>', { en: 'the model to use', zh: '使用的模型' })
    .option('--fallback-model <name>', {
      en: 'the model that takes over when the other one cannot answer, however often it is asked',
      zh: '另一个模型多次重试仍无法应答时接手的模型',
    })
    .add(
      option('--effort <level>', {
        en: 'how hard the model thinks (default: as its endpoint does by itself)',
        zh: '模型思考的力度（默认：按端点自己的做法）',
      }).choices(efforts),
    )
    .add(
      wholeNumberOption('--context-window <tokens>', {
        en: "the size of the model's context window, if SanBot does not know it",
        zh: '模型上下文窗口的大小，在 SanBot 不知道时使用',
      }),
    )
    .add(wholeNumberOption('--max-steps <n>', { en: 'stop a turn after this many steps', zh: '一轮最多执行的步数，超过即停止' }))
    .add(
      option('--max-cost <dollars>', {
        en: 'stop once the requests of this run have cost this much',
        zh: '本次运行的请求费用达到此金额时停止',
      }).argParser((text) => parseDollars('--max-cost', text)),
    )
    .add(wholeNumberOption('--max-turn-seconds <n>', { en: 'stop a turn that takes longer', zh: '一轮最长的秒数，超过即停止' }));

/** The program without a command. */
export const chatCommand = defineCommand({
  grammar: (environment) =>
    modelGrammar(environment)
      .add(modeOption({ en: 'what tools may do without asking', zh: '工具无需询问即可执行的范围' }))
      .add(
        option('--allow <tools>', {
          en: "what may run without asking, as 'edit_file,run_command(npm test)'",
          zh: "无需询问即可运行的内容，例如 'edit_file,run_command(npm test)'",
        }).argParser(collected),
      )
      .add(
        option('--deny <tools>', {
          en: 'what may not run, written in the same way; wins over --allow',
          zh: '不可运行的内容，写法相同；优先于 --allow',
        }).argParser(collected),
      )
      // As scripts for Claude Code have them.
      .add(option('--allowedTools, --allowed-tools <tools...>', sameInBoth('')).hideHelp())
      .add(option('--disallowedTools, --disallowed-tools <tools...>', sameInBoth('')).hideHelp())
      .add(option('--dangerously-skip-permissions', sameInBoth('')).hideHelp())
      .add(wholeNumberOption('--max-turns <n>', sameInBoth('')).hideHelp())
      .option('--append-system-prompt <text>', {
        en: 'instructions to add to the system prompt; @FILE takes them from a file',
        zh: '附加到系统提示词的指令；@FILE 表示取自文件',
      })
      .add(
        option('--add-dir <folder>', {
          en: 'another folder to read and write like this one; may be given more than once',
          zh: '像当前文件夹一样读写的另一个文件夹；可多次给出',
        }).argParser(collected),
      )
      .add(
        option('--sandbox <mode>', {
          en: 'run commands in a sandbox (default: where there is one)',
          zh: '在沙箱中运行命令（默认：有沙箱时使用）',
        }).choices(sandboxModes),
      )
      .option('--trust', {
        en: 'trust this folder for this run: use its settings, hooks and instruction files',
        zh: '本次运行信任此文件夹：使用其设置、钩子和指令文件',
      })
      .add(groupOption({ en: 'the group whose instructions, memories and archives to use', zh: '使用哪个组的指令、记忆和存档' }))
      .option('--no-color', { en: 'print no colours; works with every command', zh: '不输出颜色；对所有命令有效' })
      .start(chatStart)
      .examples(chatExamples),
  load: async () => ({ runChat }),
  run: async ({ print, continue: continueNewest, color: _, ...given }, { operands: [operand], ...context }, load) => {
    const { allow, deny, ...options } = withOtherNames(given);
    const flags = allow.length + deny.length === 0 ? noFlags : (await import('./tool-flags.ts')).permissionFlags({ allow, deny });
    if (options.fork && !continueNewest && options.resume === undefined)
      throw new SanbotError(
        'usage',
        { en: '--fork needs a session to copy', zh: '--fork 需要一个可复制的会话' },
        { en: 'Add --continue, or --resume ID.', zh: '请加上 --continue 或 --resume ID。' },
      );
    const message = typeof print === 'string' ? print : operand;
    if (options.inputFormat === 'stream-json') requireStream(options.outputFormat, message);
    return (await load()).runChat(
      { ...options, ...flags, print: print !== undefined, message, continueNewest: continueNewest === true },
      context,
    );
  },
});

const noFlags: Pick<ChatOptions, 'allowed' | 'rules'> = { allowed: [], rules: { allow: [], deny: [] } };

const collected = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];

/** Answers to several messages can only be told apart in a stream, and what is said comes in one. */
function requireStream(outputFormat: ChatOptions['outputFormat'], prompt: string | undefined): void {
  if (outputFormat === 'stream-json' && prompt === undefined) return;
  throw new SanbotError(
    'usage',
    {
      en: '--input-format stream-json needs --output-format stream-json, and no prompt beside it',
      zh: '--input-format stream-json 需要 --output-format stream-json，且不能另带提示词',
    },
    { en: 'Messages come as lines on stdin: docs/stream-json.md.', zh: '消息从标准输入逐行读取：见 docs/stream-json.md。' },
  );
}

const wholeNumberOption = <Flags extends string>(flags: Flags, does: Bilingual) => {
  const plain = option(flags, does);
  return plain.argParser((text) => parseWholeNumber(plain.long ?? flags, text, 1));
};

/** With a person at a terminal, or one turn without. */
async function runChat(given: ChatOptions, context: CommandContext): Promise<number> {
  const { name } = given;
  const options = name === undefined ? given : { ...given, name: (await import('./name-session.ts')).nameAsTitle(name) };
  if (options.print || options.inputFormat === 'stream-json' || context.environment.stdin.isTTY !== true)
    return (await import('./headless.ts')).runHeadless(options, context);
  if (options.jsonSchema !== undefined)
    throw new SanbotError('usage', { en: '--json-schema needs --print', zh: '--json-schema 需要 --print' });
  return (await import('./interactive.ts')).runInteractive(options, context);
}

const chatStart = {
  sanbot: { en: 'start a conversation', zh: '开始对话' },
  'sanbot --continue': { en: 'continue where you left off', zh: '从上次停下的地方继续' },
  'sanbot -p "…"': { en: 'print one answer', zh: '输出一次回答' },
  'sanbot setup': { en: 'choose the model', zh: '选择模型' },
};

const chatExamples = {
  'sanbot "fix the total in src/cart.js"': { en: 'start it with a message', zh: '开始对话并发送一条消息' },
  'sanbot -p "what does src/app.ts do?"': { en: 'print one answer', zh: '输出一次回答' },
  'git diff | sanbot -p "review this"': { en: 'add piped text to the prompt', zh: '把管道输入附加到提示词' },
  'sanbot history': {
    en: 'list the sessions; with --session ID, what you can go back to',
    zh: '列出会话；加 --session ID 则列出可回到的状态',
  },
};
