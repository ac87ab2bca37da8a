import { redact } from '../../../domain/value/redact.ts';

/** The values of a git configuration, with the last part of each key in small letters. A line that goes on in the next is one value. */
export function gitValues(text: string): readonly { readonly key: string; readonly value: string }[] {
  return linesOf(text).flatMap((line) => {
    const [, key, value = ''] = /^\s*(?:\[[^\]]*\]\s*)?([A-Za-z][\w-]*)\s*=\s*(.*)$/s.exec(line) ?? [];
    return key === undefined
      ? []
      : [
          {
            key: key.toLowerCase(),
            value: value
              .replace(/\s+[#;][^"]*$/, '')
              .replace(/^"(.*)"$/s, '$1')
              .trim(),
          },
        ];
  });
}

const linesOf = (text: string): readonly string[] => text.replace(/\\\r?\n/g, ' ').split(/\r?\n/);

/**
 * A git configuration without credentials: without headers, passwords, tokens, commands that print them, and what stands before the host of
 * an address. Returns the very text where it has none.
 */
export function withoutCredentials(text: string): string {
  const kept = linesOf(text).filter((line) => !CREDENTIAL_KEYS.test(line) && !/^\s*helper\s*=\s*"?!/i.test(line));
  const clean = redact(kept.join('\n').replace(/:\/\/[^/@\s"\]]+@/g, '://'));
  return kept.length === linesOf(text).length && clean === linesOf(text).join('\n') ? text : clean;
}

const CREDENTIAL_KEYS = /^\s*(?:\[[^\]]*\]\s*)?[\w-]*(?:extraheader|password|token|secret|apikey|smtppass)[\w-]*\s*=/i;
