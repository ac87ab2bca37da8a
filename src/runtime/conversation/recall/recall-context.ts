import { warn } from '../../../agent/deps.ts';
import type { Warn } from '../../../domain/language.ts';
import type { Store } from '../../../store/store.ts';
import type { Environment } from '../../environment.ts';
import type { Runtime } from '../../runtime.ts';
import type { Embeddings } from './embeddings.ts';

/** What a look-up needs. */
export type RecallContext = {
  readonly environment: Environment;
  readonly home: string;
  readonly store: Store;
  /** Undefined: of any group, for the person whose home it is. */
  readonly group: string | undefined;
  readonly warn: Warn;
  readonly bringRest?: Runtime['bringRest'];
  /** Left out where texts are found by their words alone. */
  readonly embeddings?: Embeddings | undefined;
};

/** That of a conversation, which looks into its own group. */
export const recallContextOf = (
  { environment, home, store, show, embeddings, bringRest }: Runtime,
  group: string,
): RecallContext & { readonly group: string } => ({
  ...{ environment, home, store, group, embeddings, bringRest },
  warn: (message) => warn(show, message),
});
