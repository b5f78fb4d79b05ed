import type { Job } from '@holdfast/contract/jobs';
import type { Workload } from '@holdfast/contract/values';
import type { PhraseKey } from '../../i18n/phrase-key.ts';

/** These are created where what they work on is chosen. */
const createdElsewhere = ['restore', 'recovery', 'cleanUp', 'import', 'export', 'monthlyReport'] as const satisfies readonly Job['type'][];
type CreatedType = Exclude<Job['type'], (typeof createdElsewhere)[number]>;

/** Whether jobs of a kind are created on a page of jobs. */
export function isCreatedHere(type: Job['type']): type is CreatedType {
  return !createdElsewhere.some((one) => one === type);
}

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
