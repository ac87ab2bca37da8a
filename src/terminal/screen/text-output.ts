import type { SanbotEvent } from '../../domain/event.ts';
import { localize } from '../../domain/language.ts';
import { safeText } from '../text/safe-text.ts';
import { eventLine, initialEventState, reduceEvent } from './event-line.ts';
import { initialJsonState, reduceJson } from './json-output.ts';

export type TextOutput = {
  readonly onEvent: (event: SanbotEvent) => void;
  /** Writes the answer. */
  readonly finish: () => void;
};

/** Headless text: the last answer on `out` when the turn is over; what happens meanwhile, in lines, on `err`. */
export function createTextOutput({ out, err }: { readonly out: (text: string) => void; readonly err: (text: string) => void }): TextOutput {
  let state = initialEventState;
  let answer = initialJsonState('');
  return {
    onEvent: (event) => {
      state = printEvent(event);
      answer = reduceJson(answer, event);
    },
    finish: () => {
      if (answer.result !== '') out(`${safeText(answer.result).trimEnd()}\n`);
    },
  };

  function printEvent(event: SanbotEvent): typeof state {
    const line = event.type === 'tool_output' ? undefined : eventLine(state, event);
    if (line !== undefined) err(`${line.text}\n`);
    if (event.type === 'compaction_started') err(localize({ en: 'Compacting…\n', zh: '压缩中…\n' }));
    return reduceEvent(state, event);
  }
}
