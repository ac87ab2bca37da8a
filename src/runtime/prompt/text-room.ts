import { limitsFor } from '../../context/measure/limits.ts';
import type { Instructions } from '../../context/prompt/system-prompt.ts';
import { neutralize } from '../../context/text/quote.ts';
import { cutAt } from '../../context/text/sentences.ts';
import type { Config } from '../../domain/config/config.ts';

/** What the texts that people write may take of a system prompt, in rough tokens: they shrink with the window. */
export type TextRoom = { readonly instructions: number; readonly soul: number; readonly standing: number; readonly memory: number };

/** With prompt and tools of up to a third this stays below the two thirds of a request that must not be filled at the start. */
const TEXT_SHARE = 1 / 4;
/** What prompt and tools in short take away from that in a small window, and what is left to the texts in the smallest. */
const SHORT_BASE_TOKENS = 1_200;
const LEAST_SHARE = 1 / 40;

/** The same for the same window. */
export function textRoom(config: Config, windowTokens: number): TextRoom {
  const { hardTokens } = limitsFor(config, windowTokens);
  const room = Math.max(hardTokens * LEAST_SHARE, hardTokens * TEXT_SHARE - SHORT_BASE_TOKENS);
  const sixth = Math.floor(room / 6);
  return { instructions: sixth * 3, soul: sixth, standing: sixth, memory: Math.min(sixth, config.memory.maxTokens) };
}

/** Each file gets an equal part, and what one leaves goes to those after it, which are nearer to the working folder. None goes unnamed. */
export function instructionsWithin(files: readonly Instructions[], tokens: number): readonly Instructions[] {
  let left = tokens * ASCII_A_TOKEN;
  return files.map((file, at) => {
    const text = neutralize(file.text.trim());
    const kept = cutTo(text, left / (files.length - at));
    left -= weightOf(kept);
    return kept === text ? file : { ...file, text: kept, cut: true };
  });
}

/** Its beginning, where it is longer; undefined stays. */
export function textWithin(text: string | undefined, tokens: number): string | undefined {
  const whole = text?.trim();
  if (whole === undefined) return undefined;
  const kept = cutTo(whole, tokens * ASCII_A_TOKEN);
  return kept === whole ? whole : `${kept}\n[the rest is left out]`;
}

/** As rough-tokens counts: three ASCII characters, or one other, to a token. */
const ASCII_A_TOKEN = 3;

const weightAt = (text: string, at: number): number => (text.charCodeAt(at) < 0x80 ? 1 : ASCII_A_TOKEN);

function weightOf(text: string): number {
  let weight = 0;
  for (let at = 0; at < text.length; at++) weight += weightAt(text, at);
  return weight;
}

function cutTo(text: string, most: number): string {
  let weight = 0;
  for (let at = 0; at < text.length; at++) {
    weight += weightAt(text, at);
    if (weight > most) return at === 0 ? '' : cutAt(text, at);
  }
  return text;
}
