import type { Database, Scope, Tx } from '@holdfast/database';
import type { ErasingCatalog } from '@holdfast/engine';
import type { Ids } from '@holdfast/foundation/ids';
import { sql } from 'kysely';
import { sourceOf, writeSegment, type OnCaptured } from './catalog-segment.store.ts';
import { createCatalog, type KeptPlace } from './catalog.store.ts';
import type { OnErased } from './erased-items.store.ts';

/** Decides which of some items of a source may go, in the transaction in which they go. */
export type EraseDecision = (
  tx: Tx,
  place: KeptPlace & { readonly sourceId: string },
  keys: readonly string[],
) => Promise<readonly string[]>;

/** The catalog of one location, for whoever erases items from it. */
export function createErasingCatalog(options: {
  readonly database: Database;
  readonly scope: Scope;
  readonly locationId: string;
  readonly ids: Ids;
  readonly decide: EraseDecision;
  readonly onCaptured?: OnCaptured;
  readonly onErased?: OnErased;
}): ErasingCatalog {
  const { database, scope, locationId, decide } = options;
  return Object.freeze<ErasingCatalog>({
    ...createCatalog(options),
    erase: (resourceId, keys, commit) =>
      database.within(scope, async (tx) => {
        // The journal is written meanwhile, and with it the full state of a large archive now and then.
        await sql`set local idle_in_transaction_session_timeout = '10min'`.execute(tx);
        const source = await sourceOf(tx, locationId, resourceId, { isLocked: true });
        if (!source) return;
        const going = await decide(tx, { resourceId, locationId, sourceId: source.source_id }, keys);
        if (going.length > 0) await commit(going, (segment) => writeSegment(tx, options, segment));
      }),
  });
}
