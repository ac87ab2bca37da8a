import type { Skill } from '../../domain/session/skill.ts';
import { neutralize } from '../text/quote.ts';
import { cutAt } from '../text/sentences.ts';

/** So many are told in the prompt, each in so many characters; more are found by the tool. */
const MAX_LISTED = 20;
const MAX_DESCRIPTION_CHARS = 48;

/** What stands before the list; `systemParts` finds it by this. */
export const SKILLS =
  'Skills are instructions for certain kinds of work. When one fits what is asked, read it with the tool skill before you begin:';

/** The part of the system prompt that lists skills; empty when there are none. */
export function skillsBlock(skills: readonly Skill[]): string {
  if (skills.length === 0) return '';
  const lines = skills.slice(0, MAX_LISTED).map((skill) => `- ${skillLine(skill, MAX_DESCRIPTION_CHARS)}`);
  const more = skills.length - lines.length;
  return [SKILLS, ...lines, ...(more === 0 ? [] : [`- and ${more} more: give the tool a query to find them`])].join('\n');
}

function skillLine({ name, description }: Skill, maxChars: number): string {
  const text = neutralize(description);
  return `${name}: ${text.length <= maxChars ? text : `${cutAt(text, maxChars - 1).trimEnd()}…`}`;
}
