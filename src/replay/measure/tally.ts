export type RecallVerdict = 'inContext' | 'oneLookUp' | 'lost';
export type Tally = Readonly<Record<RecallVerdict, number>>;

export const emptyTally: Tally = { inContext: 0, oneLookUp: 0, lost: 0 };

export const sumTallies = (all: readonly Tally[]): Tally =>
  all.reduce((a, b) => ({ inContext: a.inContext + b.inContext, oneLookUp: a.oneLookUp + b.oneLookUp, lost: a.lost + b.lost }), emptyTally);

export const totalOf = (tally: Tally): number => tally.inContext + tally.oneLookUp + tally.lost;
