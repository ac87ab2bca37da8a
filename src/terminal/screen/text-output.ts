import type { SanbotEvent } from '../../domain/event.ts';
import { safeText } from '../text/safe-text.ts';
import { eventLine, noEvents, rememberEvent } from './event-line.ts';
import { jsonStart, jsonStep } from './json-output.ts';

export type TextOutput = {
  readonly onEvent: (event: SanbotEvent) => void;
  /** Writes the answer. */
  readonly finish: () => void;
};

/** Headless text: the last answer on `out` when the turn is over; what happens meanwhile, in lines, on `err`. */
export function createTextOutput({ out, err }: { readonly out: (text: string) => void; readonly err: (text: string) => void }): TextOutput {
  let memory = noEvents;
  let answer = jsonStart('');
  return {
    onEvent: (event) => {
      memory = rememberEventAfterLine(event);
      answer = jsonStep(answer, event);
    },
    finish: () => {
      if (answer.result !== '') out(`${safeText(answer.result).trimEnd()}\n`);
    },
  };

  function rememberEventAfterLine(event: SanbotEvent): typeof memory {
    const line = eventLine(memory, event);
    if (line !== undefined) err(`${line.text}\n`);
    if (event.type === 'compaction_started') err('Compacting…\n');
    return rememberEvent(memory, event);
  }
}
