import { formatCount, pluralize } from '../text/format.ts';

/** What the menu says of the arguments of commands. */
export const argumentTexts = {
  preview: 'look at it first',
  last: 'the newest message',
  pins: (count: number): string => pluralize(count, 'pin'),
  changed: (count: number): string => `${pluralize(count, 'tool')} changed`,
  snapshot: (age: string, reason: string, tokens: number): string => `${age}, ${reason}: ${formatCount(tokens)} tokens`,
  model: (windowTokens: number | undefined, isCurrent: boolean): string =>
    [...(windowTokens === undefined ? [] : [`${formatCount(windowTokens)} tokens`]), ...(isCurrent ? ['now'] : [])].join(', '),
  readOnly: { ask: 'ask before commands that only read', run: 'run commands that are proven to only read' },
  rule: {
    allow: (tool: string): string => `never ask about ${tool}`,
    ask: (tool: string): string => `ask about ${tool} each time`,
    deny: (tool: string): string => `never run ${tool}`,
  },
} as const;
