import { limitsOf } from '../agent/deps.ts';
import { messageSizes, performBatch, planBatch } from '../agent/fit/offload-results.ts';
import { chooseCut } from '../context/history/cut.ts';
import { toWire } from '../context/history/pairing.ts';
import { continueLedger } from '../context/ledger/ledger.ts';
import { renderLedger } from '../context/ledger/render/render-ledger.ts';
import { ruleSummary } from '../context/rules/rule-summary.ts';
import { emptyLedger, type Ledger } from '../domain/session/ledger.ts';
import { type ContextWorld, openContextAgent } from './context-agent.ts';
import type { ContextCut, ContextLimits, ContextSettings, FactLedger, OffloadedMessages } from './context-types.ts';

/** Values in, values out: one look at a context that ends with the call. */
export function openPlain(settings: ContextSettings, world: ContextWorld) {
  const agent = openContextAgent(settings, world);
  const { session, deps, bodies } = agent;
  const limits = limitsOf(session, deps);
  const { messages } = session.context;
  const count = (text: string): number => deps.measure.text(text, session.estimate.ratio);
  const ledger = (): Ledger => continueLedger(emptyLedger, messages, { bodyOf: bodies.read, bodyPath: bodies.path });
  return {
    limits: (): ContextLimits => limits,
    cut: (): ContextCut => {
      const { keepTokens, keepMessages } = limits;
      return chooseCut(messages, { sizes: messageSizes(session, deps.measure), keepTokens, keepMessages });
    },
    offload: (): OffloadedMessages => {
      const tokensBefore = session.estimate.count().tokens;
      performBatch(planBatch(session, deps, limits), session, deps);
      const refs = session.context.messages.flatMap(({ stubs = [] }) => stubs.map(({ body }) => body));
      const texts = new Map(refs.map((ref) => [bodies.path(ref), bodies.read(ref) ?? '']));
      return { messages: toWire(session.context.messages), texts, tokensBefore, tokensAfter: session.estimate.count().tokens };
    },
    ledger: () => {
      const facts: FactLedger & Ledger = ledger();
      return { facts, text: renderLedger(facts, { tokens: limits.ledgerTokens, count }) };
    },
    summary: (instructions: string | undefined): string =>
      ruleSummary(messages, {
        ...{ earlier: undefined, instructions, ledger: ledger(), bodyOf: bodies.read },
        ...{ cwd: session.cwd, tokens: Math.max(limits.summaryTokens, limits.ledgerTokens), count },
      }),
  };
}
