import type { Fields } from '../../domain/value/json.ts';
import { visible, visibleLine } from '../place/visible.ts';
import type { NamedTool } from './tool-names.ts';

const MAX_DESCRIPTION_CHARS = 1_000;

/** Somebody else's text on one line: nothing invisible is in it, and it cannot pass for a line of ours. */
export const inertLine = (text: string, maxChars: number): string =>
  visibleLine(
    text
      .slice(0, maxChars * 4)
      .replace(/\s+/g, ' ')
      .trim(),
    maxChars,
  );

export const descriptionLine = (description: string, maxChars = MAX_DESCRIPTION_CHARS): string => inertLine(description, maxChars);

export const describeTool = ({ name, tool }: NamedTool): string => `${name}: ${descriptionLine(tool.description) || '(no description)'}`;

/** What a tool takes, as JSON; the beginning of it where it is longer. */
export function schemaText(schema: Fields, maxChars: number): string {
  const text = visible(JSON.stringify(schema));
  if (text.length <= maxChars) return text;
  return `${text.slice(0, maxChars).toWellFormed()}… [${text.length} characters in all; tool_search with its name shows more]`;
}
