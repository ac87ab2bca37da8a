import { type QuestionSet, type SetQuestion, writeConversation } from './question-sets.ts';
import { count, type Row, share } from './table.ts';

export type SetFigures = {
  readonly name: string;
  readonly asked: number;
  /** The mean part of the evidence among ten hits, alone and with the message before and after each. */
  readonly recall: number;
  readonly recallWithNeighbours: number;
  /** The part of questions of which any evidence is among five hits. */
  readonly anyInFive: number;
};

/** Asks in one session, or in all; returns the references of the hits, each with those of equal texts, the best first. */
export type AskSession = (question: string, sessionId: string | undefined) => Promise<readonly (readonly string[])[]>;

/** Puts each conversation into the home as a session, and asks its questions in it. Questions without evidence are left out. */
export async function askQuestionSet(home: string, { name, conversations }: QuestionSet, ask: AskSession): Promise<SetFigures> {
  let [asked, recall, recallWithNeighbours, anyInFive] = [0, 0, 0, 0];
  const written = conversations.map((conversation, number) => {
    const sessionId = `20240101-${String(number).padStart(6, '0')}-${name.toLowerCase().replace(/[^a-z0-9]/g, '')}`;
    return { sessionId, refs: writeConversation(home, sessionId, conversation), questions: conversation.questions };
  });
  const everywhere = new Map(written.flatMap(({ refs }) => [...refs]));
  for (const { sessionId, refs, questions } of written) {
    for (const question of questions) {
      const evidence = evidenceOf(question, question.anywhere === true ? everywhere : refs);
      if (evidence.length === 0) continue;
      const hits = await ask(question.question, question.anywhere === true ? undefined : sessionId);
      const found = new Set(hits.flat());
      const near = new Set([...found].flatMap(withNeighbours));
      const firstFive = new Set(hits.slice(0, 5).flat());
      asked += 1;
      recall += partOf(evidence, found);
      recallWithNeighbours += partOf(evidence, near);
      anyInFive += evidence.some((ref) => firstFive.has(ref)) ? 1 : 0;
    }
  }
  return { name, asked, recall: recall / asked, recallWithNeighbours: recallWithNeighbours / asked, anyInFive: anyInFive / asked };
}

const evidenceOf = ({ evidence }: SetQuestion, refs: ReadonlyMap<string, string>): readonly string[] => [
  ...new Set(evidence.flatMap((id) => refs.get(id) ?? [])),
];

const partOf = (evidence: readonly string[], found: ReadonlySet<string>): number =>
  evidence.filter((ref) => found.has(ref)).length / evidence.length;

function withNeighbours(ref: string): readonly string[] {
  const [session = '', n = '0'] = ref.split(':');
  return [-1, 0, 1].map((step) => `${session}:${Number(n) + step}`);
}

/** Rows of the table, with the goals that are set for public data. */
export function questionRows({ name, asked, recall, recallWithNeighbours, anyInFive }: SetFigures): readonly Row[] {
  const [near, alone, any] = goals.find(([beginning]) => name.startsWith(beginning))?.[1] ?? ['', '', ''];
  return [
    [`${name}: evidence among 10 hits`, 'the question as it is, in its conversation', count(asked), share(recall, 1), alone],
    ['– with the message before and after each hit', '', count(asked), share(recallWithNeighbours, 1), near],
    ['– any of the evidence among 5 hits', '', count(asked), share(anyInFive, 1), any],
  ];
}

const goals: readonly (readonly [beginning: string, goals: readonly [near: string, alone: string, any: string]])[] = [
  ['LoCoMo', ['80 %', '68 %', '']],
  ['BEAM 500K', ['', '55 %', '65 %']],
];
