import { readFileSync } from 'node:fs';
import { extractMemories } from '../../src/context/memory/extract-memories.ts';
import { hashOf } from '../../src/domain/memory/memory-sense.ts';
import type { Message } from '../../src/domain/session/message.ts';

/** One line of test/golden/statements.txt. */
export type LabelledStatement = {
  readonly section: string;
  readonly keep: boolean;
  /** As what kind of memory, where it is said. */
  readonly kind: string | undefined;
  readonly text: string;
  /** What the agent had asked when the statement is a reply to it. */
  readonly asked: string | undefined;
  /** What the memory of a reply must contain. */
  readonly chosen: string | undefined;
  /** By a hash of the text, but for one section. The rules were written with the eyes on `tuned` alone. */
  readonly part: 'tuned' | 'held out';
};

export function readStatements(path = 'test/golden/statements.txt'): readonly LabelledStatement[] {
  let section = '';
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => {
      if (line.startsWith('## ')) section = line.slice(3);
      const [labels = '', text, asked, chosen] = line.split('\t');
      const [label, kind] = labels.split(':');
      if ((label !== 'keep' && label !== 'drop') || text === undefined) return [];
      const isSeen = section === 'seen while tuning' || section === 'kinds';
      const isAside = section === 'kinds, kept aside' || Number.parseInt(hashOf(text).slice(-6), 16) % 3 === 0;
      const part = !isSeen && isAside ? 'held out' : 'tuned';
      return [{ section, keep: label === 'keep', kind, text, asked: asked?.replaceAll(' / ', '\n'), chosen, part } as const];
    });
}

/** What the rules keep of a statement, by kind; a choice without what it chose counts as nothing. */
export function keptOf({ text, asked, chosen }: Pick<LabelledStatement, 'text' | 'asked' | 'chosen'>): readonly string[] {
  const at = '2026-01-02T03:04:05.000Z';
  const question: readonly Message[] =
    asked === undefined ? [] : [{ id: 'q', at, role: 'assistant', origin: 'model', content: [{ type: 'text', text: asked }] }];
  const reply: Message = { id: 'r', at, role: 'user', origin: 'user', content: [{ type: 'text', text }] };
  return extractMemories([...question, reply], { sessionId: 's' })
    .filter((entry) => chosen === undefined || entry.text.includes(chosen))
    .map((entry) => `${entry.kind}: ${entry.text}`);
}

export type Rates = { readonly kept: number; readonly toKeep: number; readonly keptWrongly: number; readonly toDrop: number };

export function ratesOf(statements: readonly LabelledStatement[]): Rates {
  const [toKeep, toDrop] = [statements.filter(({ keep }) => keep), statements.filter(({ keep }) => !keep)];
  const count = (some: readonly LabelledStatement[]): number => some.filter((each) => keptOf(each).length > 0).length;
  return { kept: count(toKeep), toKeep: toKeep.length, keptWrongly: count(toDrop), toDrop: toDrop.length };
}
