import { SanbotError } from '../../domain/errors.ts';

export type PromptValues = Readonly<Record<string, string>>;

/**
 * Replaces each `{{name}}` in the template by its value, verbatim: a placeholder inside a value is only text. Throws `internal` when the
 * template names a value that is missing, or does not use one that is passed.
 */
export const fillPrompt = (template: string, values: PromptValues): string => fillParts([template], values).join('');

/** Does the same for a template in several parts: each value must be used by at least one of them. */
export function fillParts(parts: readonly string[], values: PromptValues): readonly string[] {
  const usedNames = new Set<string>();
  const results = parts.map((part) =>
    part.replace(/\{\{(\w{1,40})\}\}/g, (_, name: string) => {
      const value = Object.hasOwn(values, name) ? values[name] : undefined;
      if (value === undefined)
        throw new SanbotError('internal', {
          en: `A prompt asks for {{${name}}}, which is not given`,
          zh: `提示词要用 {{${name}}}，但没有提供`,
        });
      usedNames.add(name);
      return value;
    }),
  );
  const unused = Object.keys(values).filter((name) => !usedNames.has(name));
  if (unused.length > 0)
    throw new SanbotError('internal', {
      en: `A prompt does not use what is given: ${unused.join(', ')}`,
      zh: `提示词没有使用所提供的内容：${unused.join('、')}`,
    });
  return results;
}
