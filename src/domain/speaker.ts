import type { Origin } from './message.ts';

/** Who said a message, on pages for people. */
export const speakers: Readonly<Record<Origin, string>> = {
  user: 'User',
  model: 'Assistant',
  tools: 'Tool results',
  summary: 'Summary of what came before',
  notice: 'Notice',
  interrupted: 'Calls that were not carried out',
};
