import type { ResourceKind } from '@holdfast/engine';

/**
 * A legal hold or the minimum of a policy that keeps an item; a minimum without an end waits for an event. Also the policy that has
 * listed it, when it does not delete it any longer.
 */
export interface Keeper {
  readonly kind: 'hold' | 'minimum' | 'notDue';
  readonly name: string;
  readonly until: string | null;
}

/** An archive, mailbox, OneDrive, site, team or chat in one location that has items of a list. */
export interface ListedPlace {
  readonly resourceId: string;
  readonly locationId: string;
  readonly kind: ResourceKind;
}

/** What becomes of an item of the list. */
export interface ListedState {
  readonly key: string;
  readonly state: 'listed' | 'kept' | 'erased' | 'gone';
  readonly keepers: readonly Keeper[];
  /** The version that counts from now on; the one before where it is left out. */
  readonly fromPoint?: number;
}
