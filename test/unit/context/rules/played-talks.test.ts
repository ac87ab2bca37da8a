import { expect, test } from 'vitest';
import { continueLedger } from '../../../../src/context/ledger/ledger.ts';
import { ruleSummary } from '../../../../src/context/rules/rule-summary.ts';
import { compressedHistory } from '../../../../src/context/summary/compressed-history.ts';
import { sectionsIn } from '../../../../src/context/summary/summary-check.ts';
import { emptyLedger } from '../../../../src/domain/session/ledger.ts';
import { textOf } from '../../../../src/domain/session/message.ts';
import { quarter } from '../../../property/work-session.ts';
import { says, user } from '../../../support/build.ts';
import { messagesOf, playedTalks } from '../../../support/played-talks.ts';
import { run } from '../../../support/work-calls.ts';

const nowhere = { bodyOf: () => undefined, bodyPath: () => '/bodies/x.txt' };
const list = [user('Look at the list first.'), ...run('cat list', 'an entry\n'.repeat(3_000)), says('The list has 3,000 entries.')];

test.each(playedTalks)('what is open stands as pending, and nothing else: $name', (talk) => {
  const all = [...list, ...messagesOf(talk)];
  const ledger = continueLedger(emptyLedger, all, { ...nowhere, kept: [] });
  const text = ruleSummary(all, { earlier: undefined, ledger, bodyOf: nowhere.bodyOf, tokens: 8_000, count: quarter });
  const whole = { id: 's', at: '2026-01-02T03:04:05.000Z', text, ledger, messages: all.length, ledgerTokens: 2_000, count: quarter };
  const pending = sectionsIn(textOf(compressedHistory(whole).content))['Pending Tasks'] ?? '';
  for (const words of talk.open) expect(pending).toContain(words);
  for (const words of talk.closed) expect(pending).not.toContain(words);
});
