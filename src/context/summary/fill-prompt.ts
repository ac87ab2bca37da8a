import { SanbotError } from '../../domain/errors.ts';

export type PromptValues = Readonly<Record<string, string>>;

/**
 * Puts the values in the places that `{{name}}` marks, each value as it is: marks inside a value are only text. Throws internal
 * when the template names what is not given, or does not name what is.
 */
export const fillPrompt = (template: string, values: PromptValues): string => fillParts([template], values).join('');

/** The same for a template in parts: each value is named by one of them at least. */
export function fillParts(parts: readonly string[], values: PromptValues): readonly string[] {
  const usedNames = new Set<string>();
  const results = parts.map((part) =>
    part.replace(/\{\{(\w{1,40})\}\}/g, (_, name: string) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined) throw new SanbotError('internal', `A prompt asks for {{${name}}}, which is not given`);
      usedNames.add(name);
      return value;
    }),
  );
  const unused = Object.keys(values).filter((name) => !usedNames.has(name));
  if (unused.length > 0) throw new SanbotError('internal', `A prompt does not use what is given: ${unused.join(', ')}`);
  return results;
}
