/**
 * `sanbot/context`: the context management of SanBot for programs that have a loop of their own, as values and functions.
 *
 * Messages and settings come in; requests that fit, summaries, snapshots and stubs go out. It is the agent's own session, fit, compaction
 * and rollback over a store of texts: nothing here decides anything. It touches no home, no network and no terminal, and reads of the disk
 * only what belongs to its package: the vocabulary of the tokenizer and the prompts for summaries.
 *
 * What works is loaded with the first call, so that an import costs next to nothing.
 */

import { fileURLToPath } from 'node:url';
import { SanbotError } from '../domain/errors.ts';
import { loadTokenCounter } from '../runtime/token-counter.ts';
import type {
  CheckContext,
  CompactMessages,
  ContextSettings,
  CountText,
  CreateContext,
  CutMessages,
  GatherLedger,
  LimitsOfWindow,
  OffloadMessages,
  SummariseByRule,
} from './context-types.ts';

export { SanbotError };

const packageRoot = fileURLToPath(new URL('../..', import.meta.url));

let counter: CountText | undefined;

/** The tokens of o200k_base in a text. */
export const countTokens: CountText = (text) => {
  counter ??= loadTokenCounter({ packageRoot });
  return counter(text);
};

const world = { now: () => new Date(), packageRoot, countTokens };
const open = async (settings: ContextSettings) => (await import('./open-context.ts')).openContext(settings, world);
const openPlain = async (settings: ContextSettings) => (await import('./plain-context.ts')).openPlain(settings, world);

export const createContext: CreateContext = open;
export const limitsOfWindow: LimitsOfWindow = async (settings) => (await openPlain(settings)).limits();
export const checkContext: CheckContext = async (messages, settings) => (await open({ ...settings, messages })).check();
export const cutMessages: CutMessages = async (messages, settings) => (await openPlain({ ...settings, messages })).cut();
export const offloadMessages: OffloadMessages = async (messages, settings) => (await openPlain({ ...settings, messages })).offload();
export const gatherLedger: GatherLedger = async (messages, settings) => (await openPlain({ ...settings, messages })).ledger();
export const summariseByRule: SummariseByRule = async (messages, settings) =>
  (await openPlain({ ...settings, messages })).summary(settings.instructions);
export const compactMessages: CompactMessages = async (messages, settings) =>
  (await open({ ...settings, messages })).compact({ ...settings, preview: false });
