import { localize } from '../../domain/language.ts';
import { callMarks } from '../../domain/session/called-tool.ts';

/** The title of a call as a person reads it: its marks in the language of the interface, the rest as it is. */
export function callTitle(title: string): string {
  const { background, changed } = callMarks;
  const [start, end] = [`run_command ${background.en} `, ` ${changed.en}`];
  const begun = title.startsWith(start)
    ? `run_command${localize({ en: ` ${background.en} `, zh: background.zh })}${title.slice(start.length)}`
    : title;
  return begun.endsWith(end) ? `${begun.slice(0, -end.length)}${localize({ en: end, zh: changed.zh })}` : begun;
}
