/**
 * Where a delta round stands, as plain JSON. Store it only after everything up to and including its page is durable.
 * The fields are the client's own; a caller stores and returns the object as it is.
 */
export interface DeltaCursor {
  readonly version: 1;
  /** Resource, selection and preferences that the service bound its token to. Another query starts anew. */
  readonly query: string;
  /** The service's own link, used verbatim. */
  readonly link: string;
  /** `page`: in the middle of a round. `round`: all of a round has been read; the next one gives changes only. */
  readonly at: 'page' | 'round';
  /** Whether the round this cursor belongs to lists everything that exists, not only changes. */
  readonly full: boolean;
}

/** One entry of a delta page. The same id may come more than once in a round: the last one wins. */
export type DeltaEntry<T> =
  | { readonly kind: 'present'; readonly id: string; readonly item: T }
  | {
      readonly kind: 'removed';
      readonly id: string;
      /** `deleted`: gone or moved out of this collection. `changed`: can still be restored, or no longer matches. */
      readonly reason: 'deleted' | 'changed';
    };

/** What a delta call yields. Pages may be empty; order means nothing. */
export type DeltaStep<T> = DeltaPage<T> | DeltaReset;

export interface DeltaPage<T> {
  readonly kind: 'page';
  readonly entries: readonly DeltaEntry<T>[];
  /** Where to continue after this page. Absent when the service tracks no changes here and the collection was listed. */
  readonly cursor?: DeltaCursor;
  /**
   * True when the round lists everything: after its last page, whatever the round did not name no longer exists.
   * False: entries are changes since the cursor.
   */
  readonly full: boolean;
  /** The last page of the round. */
  readonly last: boolean;
}

/**
 * The cursor can no longer be used. What this round has said so far is void; the pages that follow in the same
 * iteration list everything (`full: true`). Compare with what is known and read only what differs.
 */
export interface DeltaReset {
  readonly kind: 'reset';
  /**
   * `expired`: the service forgot the token. `query-changed`: the cursor was made by another query of ours.
   * `listed`: the service refuses change tracking here (over quota, not supported); a plain list follows, without cursor.
   */
  readonly reason: 'expired' | 'query-changed' | 'listed';
}

/** A delta round. Stop iterating at any time. Ends after the page with `last: true`. */
export type Delta<T> = AsyncIterable<DeltaStep<T>>;

/** All items of a collection, page by page behind the scenes. Throws when it can't be read to its end. */
export type Listing<T> = AsyncIterable<T>;
