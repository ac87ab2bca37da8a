import { blockTokens } from '../context/measure/block-tokens.ts';
import type { CountTokens } from '../context/measure/count.ts';
import type { Step, Transcript } from './import/transcript.ts';

/** Returns the tokens of everything that was said, called and returned, counted by the tokenizer alone. */
export const recordedTokens = ({ steps }: Pick<Transcript, 'steps'>, count: CountTokens): number =>
  steps.reduce((sum, step) => sum + stepTokens(step, count), 0);

const stepTokens = (step: Step, count: CountTokens): number =>
  step.type !== 'reply'
    ? count(step.text)
    : step.content.reduce((sum, block) => sum + blockTokens(block, count), 0) +
      step.results.reduce((sum, result) => sum + count(result.content), 0);
