/**
 * What the agent needs from outside, as types: the smallest that will do.
 *
 * model.ts is what answers a request, tools.ts what the model may call and the person who allows it, disk.ts what is stored, and this
 * file the clock, chance and the screen.
 *
 * Each comment is a promise that an implementation keeps. The edges (model, store, tools, terminal) implement these and know nothing
 * else of the agent.
 */

import type { SanbotEvent } from '../../domain/event.ts';

export type Clock = () => Date;
/** Never the same twice, safe in file names: lower-case letters and digits. */
export type NewId = () => string;
/** Never throws: what cannot be shown or recorded must not stop the work. */
export type Emit = (event: SanbotEvent) => void;
/** Resolves after about `ms`; rejects with AbortedError at once when the signal aborts. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

export type Deadline = (ms: number) => AbortSignal;
/** Asks a yes-or-no question; true when nobody can be asked. Rejects with AbortedError when the signal aborts. */
export type Confirm = (question: string, signal: AbortSignal) => Promise<boolean>;
