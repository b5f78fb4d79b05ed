import type { Job } from '@holdfast/contract/jobs';
import type { Workload } from '@holdfast/contract/values';
import type { PhraseKey } from '../../i18n/phrase-key.ts';

/** Other kinds are created where what they work on is chosen, or by the product. */
type CreatedType = Exclude<Job['type'], 'restore' | 'recovery' | 'cleanUp' | 'import' | 'export' | 'monthlyReport'>;

/** What a page of jobs lists. */
export interface JobArea {
  readonly base: string;
  /** The page of the runs of these jobs. */
  readonly monitor: string;
  readonly tableId: string;
  /** Kinds that are created here; the first is the usual one. */
  readonly types: readonly [CreatedType, ...CreatedType[]];
  /** Kinds that are listed here as well, and created elsewhere. */
  readonly alsoListed: readonly Job['type'][];
  readonly workload?: Workload;
  /** Kinds that are listed here and have no workload. */
  readonly withoutWorkload?: readonly Job['type'][];
  readonly empty: PhraseKey;
}
