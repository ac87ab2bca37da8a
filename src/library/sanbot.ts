import { SanbotError } from '../domain/errors.ts';
import type { CreateAgent } from './agent-types.ts';

export { SanbotError };

/** A session with SanBot's tools, memory and ways back. Loaded when there is one. */
export const createAgent: CreateAgent = async (settings = {}) => (await import('./create-agent.ts')).openAgent(settings);
