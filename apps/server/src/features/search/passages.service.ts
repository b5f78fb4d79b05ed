import { printQuery } from '@holdfast/contract/query/print';
import type { Query } from '@holdfast/contract/query/tree';
import type { SearchPassages } from '@holdfast/contract/search';
import type { Database, Scope, Tx } from '@holdfast/database';
import type { Catalog, DocumentWordsReader, ItemReader } from '@holdfast/engine';
import { isAppError } from '@holdfast/foundation/errors';
import type { Logger } from '@holdfast/foundation/logger';
import type { VaultReader } from '@holdfast/vault';
import type { Vaults } from '../../storage/index.ts';
import type { ContentAccess } from '../content-access/index.ts';
import { passagesOf } from './passages.ts';
import { readableHits, type ShownHit } from './passages.store.ts';
import { withScans } from './scan-words.ts';
import { readQuery } from './search-place.ts';
import type { Searching } from './search.service.ts';

export interface PassagesService {
  /** Where hits say what a query looked for. Their text is read from the vault, for the index keeps words alone. */
  of(searching: Searching, asked: { readonly query: string; readonly hitIds: readonly string[] }): Promise<SearchPassages>;
}

export interface PassagesOptions {
  readonly database: Database;
  readonly access: ContentAccess;
  readonly vaults: Vaults;
  readonly items: ItemReader;
  readonly documents: DocumentWordsReader;
  /** What documents say whose words were recognised. */
  scanTexts(scope: Scope, hashes: readonly string[]): Promise<ReadonlyMap<string, string>>;
  readonly logger: Logger;
  catalogOf(scope: Scope, locationId: string): Catalog;
  /** Writes into the audit log that text of hits was shown, in the transaction that allows it. */
  record(tx: Tx, searching: Searching, shown: { readonly readAs: string; readonly hits: number }): Promise<void>;
}

export function createPassages(options: PassagesOptions): PassagesService {
  const { database, access, vaults, items, documents, logger } = options;

  async function passages(scope: Scope, reader: VaultReader, shown: ShownHit, query: Query): Promise<SearchPassages['items']> {
    const read = withScans(documents, async (hash) => (await options.scanTexts(scope, [hash])).get(hash));
    const catalog = options.catalogOf(scope, shown.location_id);
    for await (const item of catalog.items(shown.resource_id, shown.sequence, { keys: [shown.item_key] })) {
      try {
        return [{ hitId: shown.hit_id, passages: passagesOf(await items.words(reader, item, read), query) }];
      } catch (error) {
        if (isAppError(error, 'vault.storage-unavailable', 'vault.access-denied')) throw error;
        logger.warn({ err: error, resourceId: shown.resource_id, kind: item.kind }, 'the passages of a hit could not be read');
      }
    }
    return [];
  }

  return Object.freeze<PassagesService>({
    async of(searching, { query: text, hitIds }) {
      const { scope, tenantId } = searching;
      const query = readQuery(text, searching.language);
      const shown = await database.within(scope, async (tx) => {
        const found = await readableHits(tx, tenantId, await access.searchable(tx, searching), hitIds);
        await options.record(tx, searching, { readAs: printQuery(query), hits: found.length });
        return found;
      });
      const answer: SearchPassages['items'] = [];
      for (const [locationId, here] of Map.groupBy(shown, (one) => one.location_id)) {
        await vaults.use(scope, locationId, async (vault) => {
          for (const one of here) answer.push(...(await passages(scope, vault.reader(), one, query)));
        });
      }
      return { items: answer };
    },
  });
}
