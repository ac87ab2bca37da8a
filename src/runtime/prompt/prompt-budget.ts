import { limitsFor } from '../../context/measure/limits.ts';
import type { Instructions } from '../../context/prompt/system-prompt.ts';
import { cutAt, neutralize } from '../../context/text/sentences.ts';
import type { Config } from '../../domain/config/config.ts';

/** What the texts that people write may take of a system prompt, in rough tokens: they shrink with the window. */
export type PromptBudget = {
  readonly instructions: number;
  readonly soul: number;
  readonly groupInstructions: number;
  readonly memory: number;
  readonly skills: number;
};

/** With prompt and tools of up to a third this stays below the two thirds of a request that must not be filled at the start. */
const TEXT_SHARE = 1 / 4;
/** What prompt and tools in short take away from that in a small window, and what is left to the texts in the smallest. */
const SHORT_BASE_TOKENS = 1_200;
const MIN_SHARE = 1 / 40;
/** Of the window: what is told of skills is sent with each request. */
const SKILLS_SHARE = 1 / 50;

/** The same for the same window. */
export function promptBudget(config: Config, windowTokens: number): PromptBudget {
  const { hardTokens, windowTokens: usedTokens } = limitsFor(config, windowTokens);
  const budget = Math.max(hardTokens * MIN_SHARE, hardTokens * TEXT_SHARE - SHORT_BASE_TOKENS);
  const sixth = Math.floor(budget / 6);
  return {
    instructions: sixth * 3,
    soul: sixth,
    groupInstructions: sixth,
    memory: Math.min(sixth, config.memory.maxTokens),
    skills: Math.floor(usedTokens * SKILLS_SHARE),
  };
}

/** Each file gets an equal part, and what one leaves goes to those after it, which are nearer to the working folder. None goes unnamed. */
export function fitInstructions(files: readonly Instructions[], tokens: number): readonly Instructions[] {
  let remaining = tokens * ASCII_CHARS_PER_TOKEN;
  return files.map((file, at) => {
    const neutralText = neutralize(file.text.trim());
    const keptText = truncateText(neutralText, remaining / (files.length - at));
    remaining -= textWeight(keptText);
    return keptText === neutralText ? file : { ...file, text: keptText, cut: true };
  });
}

/** Its beginning, where it is longer; undefined stays. */
export function fitText(text: string | undefined, tokens: number): string | undefined {
  const trimmed = text?.trim();
  if (trimmed === undefined) return undefined;
  const keptText = truncateText(trimmed, tokens * ASCII_CHARS_PER_TOKEN);
  return keptText === trimmed ? trimmed : `${keptText}\n[the rest is left out]`;
}

/** As rough-tokens counts: three ASCII characters, or one other, to a token. */
const ASCII_CHARS_PER_TOKEN = 3;

const charWeight = (text: string, at: number): number => (text.charCodeAt(at) < 0x80 ? 1 : ASCII_CHARS_PER_TOKEN);

function textWeight(text: string): number {
  let weight = 0;
  for (let at = 0; at < text.length; at++) weight += charWeight(text, at);
  return weight;
}

function truncateText(text: string, maxWeight: number): string {
  let weight = 0;
  for (let at = 0; at < text.length; at++) {
    weight += charWeight(text, at);
    if (weight > maxWeight) return at === 0 ? '' : cutAt(text, at);
  }
  return text;
}
