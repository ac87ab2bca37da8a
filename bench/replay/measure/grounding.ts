import { stringsIn } from '../../../src/context/fidelity/fidelity.ts';
import { mineIdentifiers } from '../../../src/context/fidelity/mine.ts';
import { isText, isToolUse } from '../../../src/domain/session/message.ts';
import type { Step } from '../../../src/domain/session/transcript.ts';

export type Grounding = {
  readonly identifiers: number;
  /** How many of these occur in what was said, called or returned. */
  readonly grounded: number;
  /** Examples of those that do not. */
  readonly invented: readonly string[];
};

const MAX_EXAMPLES = 20;

/** Checks the names in summaries against the recorded conversation: a name that occurs nowhere in it was invented. */
export function createGrounding(steps: readonly Step[]): { readonly check: (summary: string) => void; readonly result: () => Grounding } {
  const source = steps.flatMap(textsOf).join('\n');
  const verdicts = new Map<string, boolean>();
  let identifiers = 0;
  let grounded = 0;
  const invented = new Set<string>();
  return {
    check: (summary) => {
      for (const name of namesIn(summary)) {
        const isGrounded = verdicts.get(name) ?? source.includes(name);
        verdicts.set(name, isGrounded);
        identifiers += 1;
        if (isGrounded) grounded += 1;
        else if (invented.size < MAX_EXAMPLES) invented.add(name);
      }
    },
    result: () => ({ identifiers, grounded, invented: [...invented] }),
  };
}

/** Where SanBot's own bodies are is known to SanBot, and is no fact of the conversation. */
const OWN_PATHS = /\S*[/\\]offloaded[/\\](?:[0-9a-f]{32}\.[a-z]{3,4})?|\b[0-9a-f]{32}\.(?:txt|png|jpg|gif|webp|pdf)/g;

const namesIn = (summary: string): readonly string[] => mineIdentifiers(summary.replace(OWN_PATHS, ' '));

const textsOf = (step: Step): readonly string[] =>
  step.type === 'reply'
    ? [
        ...step.content.filter(isText).map((block) => block.text),
        ...step.content.filter(isToolUse).flatMap((call) => [call.name, ...stringsIn(call.input)]),
        ...step.results.map((result) => result.content),
      ]
    : [step.text];
