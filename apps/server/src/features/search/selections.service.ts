import { printQuery } from '@holdfast/contract/query/print';
import type { SelectedItem, Selection } from '@holdfast/contract/selections';
import type { Page } from '@holdfast/contract/paging';
import type { Database, Tx } from '@holdfast/database';
import type { Catalog } from '@holdfast/engine';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import type { Scope } from '@holdfast/database';
import { windowOf } from '../../http/paging.ts';
import type { AuditInbox } from '../audit/index.ts';
import type { Vaults } from '../../storage/index.ts';
import { sightOf, type ContentAccess } from '../content-access/index.ts';
import { actorEntry } from '../organisations/index.ts';
import { placeOf, readQuery } from './search-place.ts';
import type { Searching } from './search.service.ts';
import { selectionFiles, type SelectionFile } from './selection-files.ts';
import {
  forgetSelections,
  keepHits,
  keysByResource,
  readSelection,
  selectedItems,
  selectionExpiry,
  type SelectionReader,
} from './selections.store.ts';

/** Who asks for a selection; the reason is that of the search it was made of. */
export type SelectionAsking = Omit<Searching, 'reason' | 'language'>;

export interface SelectionsService {
  create(searching: Searching, asked: { readonly query: string; readonly hitIds?: readonly string[] | undefined }): Promise<Selection>;
  items(
    asking: SelectionAsking,
    selectionId: string,
    page: { readonly cursor?: string | undefined; readonly limit: number },
  ): Promise<Page<SelectedItem>>;
  /** Everything of a selection in one zip; the handing out is in the audit log before the first byte. */
  files(asking: SelectionAsking, selectionId: string, signal: AbortSignal): Promise<SelectionFile>;
}

export interface SelectionsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly audit: AuditInbox;
  readonly access: ContentAccess;
  readonly vaults: Vaults;
  readonly reader: SelectionReader;
  catalogOf(scope: Scope, locationId: string): Catalog;
  /** Writes a search into the audit log, in the transaction that answers it. */
  record(tx: Tx, searching: Searching, searched: { readonly readAs: string; readonly hits: number }): Promise<void>;
}

/** Selections of hits: one frozen list for a restore, a list to export and an archive to download. */
export function createSelections(options: SelectionsOptions): SelectionsService {
  const { database, clock, ids, access, reader } = options;

  /** A selection is for the person who made it: others have rights of their own. */
  async function own(tx: Tx, { actor, tenantId }: SelectionAsking, selectionId: string) {
    const found = await readSelection(tx, tenantId, selectionId);
    if (found?.ownerId !== actor.accountId) throw new AppError('search.selection-unknown');
    return found;
  }

  return Object.freeze<SelectionsService>({
    create(searching, { query: asked, hitIds }) {
      const query = readQuery(asked, searching.language);
      const readAs = printQuery(query);
      return database.within(searching.scope, async (tx) => {
        const { tenantId, actor, reason } = searching;
        const at = now(clock);
        await forgetSelections(tx, at);
        const reach = await access.searchable(tx, searching);
        const place = await placeOf(tx, clock, { tenantId, query, reach, sight: sightOf(searching, clock.nowMs()) });
        const selectionId = ids.uuid();
        const made = { selectionId, query: readAs, reason, ownerId: actor.accountId, at, expiresAt: selectionExpiry(at) };
        const hits = await keepHits(tx, place, made, hitIds);
        if (hits === 0) throw new AppError('search.nothing-selected');
        await options.record(tx, searching, { readAs, hits });
        const { ownerId: _owner, reason: _reason, coverage: _coverage, ...selection } = await own(tx, searching, selectionId);
        return selection;
      });
    },
    items: (asking, selectionId, page) =>
      database.within(asking.scope, async (tx) => {
        await own(tx, asking, selectionId);
        return selectedItems(tx, selectionId, await access.searchable(tx, asking), windowOf(page));
      }),
    async files(asking, selectionId, signal) {
      const { scope, tenantId } = asking;
      const selection = await database.within(scope, async (tx) => {
        const found = await own(tx, asking, selectionId);
        const wanted = await keysByResource(tx, selectionId);
        for (const [resourceId, items] of wanted) await access.require(tx, asking, { action: 'export', resourceId, items });
        await options.audit.record(tx, {
          event: 'content.downloaded',
          actor: actorEntry(asking.actor, asking.caller),
          subject: { kind: 'tenant', id: tenantId },
          reason: found.reason,
          details: {
            query: found.query,
            hits: found.items,
            resourceIds: [...wanted.keys()],
            resources: found.resources
              .map(({ name }) => name)
              .join(', ')
              .slice(0, 1_000),
          },
        });
        return found;
      });
      const parts = await reader.parts(scope, tenantId, selection.selectionId);
      return selectionFiles(options, { scope, selection, parts }, signal);
    },
  });
}
