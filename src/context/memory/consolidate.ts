import { masterItem, masterNote, masterSections, masterTitle, parseMaster } from '../../domain/memory/master-page.ts';
import { type MemoryEntry, type SaidKind, saidKinds } from '../../domain/memory/memory.ts';
import type { MemoryLine } from '../../domain/memory/memory-line.ts';
import type { Message } from '../../domain/session/message.ts';
import { extractMemories } from './extract-memories.ts';

/** One turn as the daily log has it: what the user asked, and where. */
export type AskedLine = {
  readonly text: string;
  readonly sessionId: string;
  readonly messageId: string;
  readonly cwd: string | undefined;
  /** ISO 8601, UTC. */
  readonly at: string;
};

const ASKED = /^- (\d\d:\d\d) asked: (.*?) <!-- session (\S+) message (\S+) by user in (\S+) -->\s*$/;

export function askedLines(page: string, day: string): readonly AskedLine[] {
  return page.split('\n').flatMap((line) => {
    const [, time, text, sessionId, messageId, folder = ''] = ASKED.exec(line) ?? [];
    if (text === undefined || sessionId === undefined || messageId === undefined) return [];
    return [{ text, sessionId, messageId, cwd: decoded(folder), at: `${day}T${time}:00.000Z` }];
  });
}

function decoded(path: string): string | undefined {
  try {
    return decodeURI(path);
  } catch {
    return undefined;
  }
}

/**
 * L0 to L1: what the user said that no session's end has kept, because it was killed. What tools or the model printed is not read. By rule
 * also where a model makes the page of L2: a digest has one line of a request, cut; a model is given whole messages, at a session's end.
 */
export const entriesFromDaily = (asked: readonly AskedLine[]): readonly MemoryEntry[] =>
  asked.flatMap(({ text, sessionId, messageId, cwd, at }) => {
    // The digest cuts a long request; half a sentence says something else.
    const whole = text.endsWith('…') ? text.slice(0, text.search(/[.!?。！？][^.!?。！？]*$/) + 1) : text;
    const message: Message = { id: messageId, at, role: 'user', origin: 'user', content: [{ type: 'text', text: whole }] };
    return extractMemories([message], { sessionId, cwd });
  });

/** What a model wants a page of L2 to say: each line with the entries it comes from. */
export type MasterLine = { readonly kind: SaidKind; readonly text: string; readonly ids: readonly string[] };

export type MasterWish = {
  /** L1 as it will stand. */
  readonly entries: readonly MemoryLine[];
  /** The page as it stands. */
  readonly before: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** Undefined: by rule, each entry as it is. */
  readonly lines: readonly MasterLine[] | undefined;
};

/** Of what a consolidation writes; a person's lines come on top. What does not fit stays in L1. */
const MASTER_CHARS = 12_000;

/**
 * L1 to L2: the page of master.md. A person's lines stay, an item that a person reworded keeps its words, and one that a person deleted
 * does not come back. Runtime never gets here.
 */
export function masterPage({ entries, before, at, lines }: MasterWish): string {
  const page = parseMaster(before);
  const present = new Set(page.items.flatMap(({ ids }) => ids));
  const deleted = page.listed.filter((id) => !present.has(id));
  const live = new Map(entries.filter(({ kind }) => saidKinds.some((each) => each === kind)).map((entry) => [entry.id, entry] as const));
  const reworded = page.items.filter(({ text, ids }) => ids.length === 1 && (live.get(ids[0] ?? '')?.text ?? text) !== text);
  const kept = new Set(reworded.flatMap(({ ids }) => ids));
  const proposed = lines ?? [...live.values()].map(({ kind, text, id }) => ({ kind, text, ids: [id] }));
  const wanted: MasterLine[] = [
    ...reworded.map(({ text, ids }) => ({ kind: live.get(ids[0] ?? '')?.kind ?? 'facts', text, ids })),
    ...proposed.filter(({ ids }) => ids.every((id) => live.has(id) && !deleted.includes(id) && !kept.has(id))),
  ].flatMap(({ kind, ...line }) => (kind === 'runtime' ? [] : [{ kind, ...line }]));
  const chosen = newestThatFit(wanted, live);
  const sections = (['preferences', 'decisions', 'facts'] as const).map((kind) => {
    const items = chosen.filter((line) => line.kind === kind).map(({ text, ids }) => masterItem(text, ids));
    return items.length === 0 ? '' : `${masterSections[kind]}\n\n${items.join('\n')}\n`;
  });
  const listed = [...new Set([...deleted, ...chosen.flatMap(({ ids }) => ids)])];
  const byHand = page.byHand.length === 0 ? '' : `${page.byHand.join('\n')}\n`;
  return [`${masterTitle}\n`, byHand, ...sections, `${masterNote(at, listed)}\n`].filter((part) => part !== '').join('\n');
}

function newestThatFit(lines: readonly MasterLine[], live: ReadonlyMap<string, MemoryLine>): readonly MasterLine[] {
  const dayOf = ({ ids }: MasterLine) =>
    ids
      .map((id) => live.get(id)?.day ?? '')
      .sort()
      .at(-1) ?? '';
  let left = MASTER_CHARS;
  const fitting = new Set(
    lines
      .toSorted((a, b) => dayOf(b).localeCompare(dayOf(a)))
      .filter(({ text }) => {
        left -= text.length + 40;
        return left >= 0;
      }),
  );
  return lines.filter((line) => fitting.has(line));
}

/** With nothing new to say the page stays as it is, its date too. */
export function pageAfter(wish: MasterWish): string {
  if (wish.before === '' && wish.entries.every(({ kind }) => kind === 'runtime')) return '';
  const page = masterPage(wish);
  const { gone, come } = pageDifference(wish.before, page);
  return gone.length + come.length === 0 && wish.before !== '' ? wish.before : page;
}

/** The lines that a page lost and got, in their order; moved ones count as neither. */
export function pageDifference(before: string, after: string): { readonly gone: readonly string[]; readonly come: readonly string[] } {
  const words = (page: string) => page.split(/\r?\n/).filter((line) => line.trim() !== '' && !line.startsWith('<!-- consolidated '));
  const [old, now] = [words(before), words(after)];
  return { gone: old.filter((line) => !now.includes(line)), come: now.filter((line) => !old.includes(line)) };
}
