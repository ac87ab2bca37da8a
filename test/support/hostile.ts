/** A page of 1.4 MB that its parser takes more than a minute for. */
export const endlessPage = (): string => `${'<b><i>'.repeat(240)}${'x'.repeat(1_000)}${'<span>a</span>'.repeat(100_000)}`;
