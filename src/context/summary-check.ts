export type SummaryVerdict = { readonly kind: 'good' } | { readonly kind: 'bad'; readonly problems: readonly string[] };

export type AboutSummary = {
  readonly stopReason: string;
  readonly hasToolCall: boolean;
  readonly sourceTokens: number;
  readonly tokens: number;
};

export function checkSummary(_text: string, _about: AboutSummary): SummaryVerdict {
  return { kind: 'good' };
}

export function correctiveNote(_problems: readonly string[]): string {
  return '';
}
