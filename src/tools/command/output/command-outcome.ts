/**
 * What a command gives back: how it ended, what is to be known of its output, and the output itself.
 *
 * In comes what the shell saw; out comes the result of a call, whose first line says how the command ended. States of a line that were
 * overwritten, as a progress bar's, are left out and counted. What the sandbox, a missing terminal or a withheld variable may have to do with
 * a failure is said in one line.
 *
 * It changes nothing of what was printed, and hides none of it.
 */

import type { ToolOutcome } from '../../../agent/ports/tools.ts';
import { AbortedError } from '../../../domain/errors.ts';
import { type Bilingual, joinTexts, sameInBoth } from '../../../domain/language.ts';
import { anyOf, lazyTest } from '../../../domain/value/word-list.ts';
import { failure, quantity } from '../../tool.ts';
import { shellNotStarted } from '../jobs/jobs-text.ts';
import { type CommandLimits, overLimitNote, overLimitText } from '../processes/limits.ts';
import type { ShellResult } from '../shell.ts';
import { endsInPrompt, NO_TERMINAL_FACT, wantsTerminal } from './no-terminal.ts';
import { overwrittenFact, withoutOverwritten } from './overwritten.ts';

export const NOT_STARTED: Bilingual = { en: 'not started', zh: '未启动' };

type RunFacts = Omit<OutputFacts, 'states'> & { readonly timeoutMs: number; readonly limits: CommandLimits };

/** What a command that ran to its end, or was stopped, gives back. Throws AbortedError, with what it had printed. */
export function commandOutcome(result: ShellResult, { timeoutMs, limits, ...facts }: RunFacts): ToolOutcome {
  const { end, output } = result;
  const shown = withoutOverwritten(output.text);
  const head = factsLine(result, { ...facts, states: shown.states });
  // The first line says how the command ended, and nothing else.
  const outcome = (what: Bilingual, note = what, ok = false): ToolOutcome => {
    const firstLine = joinTexts([what, head], sameInBoth(''));
    return { ok, content: `${firstLine.en}${shown.text === '' ? '' : `\n${shown.text}`}`, shown: firstLine, note };
  };
  switch (end.kind) {
    case 'exited': {
      const how = { en: `exit ${end.code}`, zh: `退出码 ${end.code}` };
      return outcome(how, how, end.code === 0);
    }
    case 'killed':
      return outcome({ en: `killed by ${end.signal}`, zh: `被 ${end.signal} 终止` });
    case 'timed_out': {
      const what = `timed out after ${timeoutMs} ms; it and all it started were stopped`;
      return outcome({ en: what, zh: `${timeoutMs} 毫秒后超时；它和它启动的一切都已停止` }, { en: 'timed out', zh: '超时' });
    }
    case 'suspended':
      return outcome(SUSPENDED, { en: 'suspended', zh: '自行挂起' });
    case 'too_many_processes':
    case 'too_much_memory':
    case 'temporary_full':
      return outcome(overLimitText(end.kind, limits), overLimitNote(end.kind));
    case 'not_started':
      return failure(shellNotStarted(end.why), NOT_STARTED);
    case 'aborted':
      throw new AbortedError('stopped', { printed: shown.text });
  }
}

const SUSPENDED: Bilingual = {
  en: 'suspended itself, as programs do that wait for a terminal; it and all it started were stopped',
  zh: '自行挂起，等待终端的程序会这样；它和它启动的一切都已停止',
};

export type OutputFacts = {
  /** Variables that the command names and does not get. */
  readonly missing: readonly string[];
  /** It ran in the sandbox. */
  readonly isHeld: boolean;
  /** The temporary folder of its session holds more than it may. */
  readonly isFull: boolean;
  /** How many states of its lines were overwritten. */
  readonly states: number;
};

/** What is to be known of an output beside its text, as a line that begins with a line end; empty where that is nothing. */
export function factsLine({ end, output, background }: ShellResult, { missing, isHeld, isFull, states }: OutputFacts): Bilingual {
  const hasFailed = end.kind !== 'exited' || end.code !== 0;
  const wantedTerminal = wantsTerminal(output.text) || (end.kind === 'timed_out' && endsInPrompt(output.text));
  const facts: readonly (Bilingual | false | undefined)[] = [
    overwrittenFact(states),
    output.omittedBytes > 0 && {
      en: `it printed ${quantity(output.bytes, 'byte')}, ${output.omittedBytes} of them are left out below`,
      zh: `它输出了 ${output.bytes} 字节，下面略去其中 ${output.omittedBytes} 字节`,
    },
    output.replaced && {
      en: 'what it printed is not all UTF-8; � stands for other bytes',
      zh: '输出不全是 UTF-8；� 代表其他字节',
    },
    background && {
      en: 'a process that it started still runs; what that prints from now on is not kept',
      zh: '它启动的一个进程仍在运行；该进程此后的输出不再保留',
    },
    output.bytes === 0 && { en: 'no output', zh: '没有输出' },
    isHeld && (hasFailed ? hasSandboxTrace : hasWriteRefused)(output.text) && SANDBOX_FACT,
    isFull && FULL,
    hasFailed && wantedTerminal && NO_TERMINAL_FACT,
    hasFailed &&
      missing.length > 0 && {
        en: `not passed to commands: ${missing.join(', ')} (the setting commands.environment changes that)`,
        zh: `没有传给命令：${missing.join('、')}（可用设置 commands.environment 更改）`,
      },
  ];
  const present = facts.filter((fact) => fact !== undefined && fact !== false);
  if (present.length === 0) return { en: '', zh: '' };
  const { en, zh } = joinTexts(present, { en: '; ', zh: '；' });
  return { en: `\n[${en}]`, zh: `\n[${zh}]` };
}

const FULL: Bilingual = {
  en: 'the temporary folder of the session (/tmp) holds more than 1 GiB: a command that adds to it is stopped; delete there what is not needed',
  zh: '会话的临时文件夹（/tmp）超过 1 GiB：再写入的命令会被停止；请删除其中不需要的内容',
};

/** What the programs of a system say when the sandbox is in their way: a file that is held is "busy" for git, which renames another over it. */
const READ_ONLY = 'read-only file system, EROFS, device or resource busy, EBUSY';
const NO_WRITING = `${READ_ONLY}, operation not permitted, EPERM`;
const NO_NETWORK = `could not resolve, name resolution, ENOTFOUND, EAI_AGAIN, ENETUNREACH, network is unreachable, could not connect,
  couldn't connect, failed to connect`;
/** Also of a command that went on and ended well, as one of several that stand in a line. */
const hasWriteRefused = lazyTest(() => anyOf(READ_ONLY), 'i');
const hasSandboxTrace = lazyTest(() => anyOf(NO_WRITING, NO_NETWORK), 'i');
const SANDBOX_FACT: Bilingual = {
  en: 'it ran in the sandbox: no network, nothing written outside of the working folder and new names in /tmp, or to what runs by itself later, no keys of the user, nothing left running; needs says what a call needs beyond that',
  zh: '它在沙箱中运行：没有网络，不能写入当前文件夹和 /tmp 中新名称之外或之后会自动运行的内容，没有用户的密钥，不留下运行中的进程；needs 说明调用还需要什么',
};
