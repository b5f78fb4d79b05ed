import type { channels } from '@holdfast/contract/legacy/auth';
import { createStore } from '../../api/store.ts';

/** What stands between the right password and being signed in. */
export interface Challenge {
  readonly challengeId: string;
  readonly channels: readonly (typeof channels)[number][];
}

/** The challenge of this tab, in memory only. */
export const challenge = createStore<Challenge | null>(null);
