import type { Run } from '@holdfast/contract/monitoring';
import type { PhraseKey } from '../../i18n/phrase-key.ts';

/** Which runs a page lists. */
export interface RunArea {
  readonly tableId: string;
  /** The only kinds listed here, together or one at a time; without them all are. */
  readonly types?: readonly [Run['type'], ...Run['type'][]];
  readonly workload?: Run['workload'];
  /** What is said of an empty list; without it, what runs next. */
  readonly empty?: PhraseKey;
}

/** What of every query an area decides, so that no filter leads out of it. */
export function queryOf({ types, workload }: RunArea): { readonly type?: string; readonly workload?: Run['workload'] } {
  return { ...(types === undefined ? {} : { type: types.join(',') }), ...(workload === undefined ? {} : { workload }) };
}
