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
import { failure } from '../../tool.ts';
import { shellNotStarted } from '../jobs/jobs-text.ts';
import { type CommandLimits, overLimitNote, overLimitText } from '../processes/limits.ts';
import type { ShellResult } from '../shell.ts';
import { factsLine, type OutputFacts } from './output-facts.ts';
import { withoutOverwritten } from './overwritten.ts';

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
