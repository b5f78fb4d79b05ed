import type { Job } from '@holdfast/contract/jobs';
import type { Workload } from '@holdfast/contract/values';
import type { PhraseKey } from '../../i18n/phrase-key.ts';
import type { Draft } from './job-stepper/draft.ts';

/** What a page of jobs lists. */
export interface JobArea {
  readonly base: string;
  /** The page of the runs of these jobs. */
  readonly monitor: string;
  readonly tableId: string;
  /** Kinds that are created here; the first is the usual one. */
  readonly types: readonly [Draft['type'], ...Draft['type'][]];
  /** Kinds that are listed here as well, and created elsewhere. */
  readonly alsoListed: readonly Job['type'][];
  /** All kinds are listed at first, and not the usual one alone. */
  readonly listsAll?: true;
  readonly workload?: Workload;
  /** Kinds that are listed here and have no workload. */
  readonly withoutWorkload?: readonly Job['type'][];
  readonly empty: PhraseKey;
}
