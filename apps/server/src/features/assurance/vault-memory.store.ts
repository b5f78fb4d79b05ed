import type { Database, Scope } from '@holdfast/database';
import { sha256Hex } from '@holdfast/foundation/bytes';
import type { HeadsWitness, VaultMemory, VerifyReport } from '@holdfast/vault';
import { sql } from 'kysely';
import type { AuditInbox } from '../audit/index.ts';

const PAGE = 1_000;

/** A place in a location where something was lost. */
export interface LostPlace {
  readonly locationId: string;
  readonly resourceId: string;
  readonly sequences: readonly number[];
}

/** What the database knows of vaults without looking into them. */
export interface VaultMemoryStore {
  /** What the vault of a location must hold. */
  memoryOf(scope: Scope, locationId: string): VaultMemory;
  /** The newest commit of every journal of a location. */
  heads(scope: Scope, locationId: string): Promise<HeadsWitness['heads']>;
  /** Keeps which evidence a verification has put into the vault, and writes into the audit log what it found and saw. */
  noteVerified(scope: Scope, locationId: string, report: VerifyReport, deviations: number): Promise<void>;
  /** When restore points were made, as far as the catalog lists them. */
  pointTimes(scope: Scope, place: LostPlace): Promise<ReadonlyMap<number, string>>;
  /** Items that some commits put: how many, and the first of them. */
  itemsOf(scope: Scope, place: LostPlace, limit: number): Promise<PutItems>;
}

export interface PutItems {
  readonly total: number;
  readonly items: readonly { readonly key: string; readonly name: string }[];
}

interface JournalRow {
  readonly sequence: number;
  readonly hash: string;
  readonly points: readonly number[];
}

function memoryOf(database: Database, scope: Scope, locationId: string): VaultMemory {
  return {
    async *resources() {
      for (let after = '00000000-0000-0000-0000-000000000000'; ;) {
        const from = after;
        const rows = await database.within(scope, (tx) =>
          tx
            .selectFrom('catalog_sources')
            .select('resource_id')
            .where('location_id', '=', locationId)
            .where('resource_id', '>', from)
            .orderBy('resource_id')
            .limit(PAGE)
            .execute(),
        );
        for (const row of rows) yield row.resource_id;
        const last = rows.at(-1);
        if (!last || rows.length < PAGE) return;
        after = last.resource_id;
      }
    },
    async journal(resourceId) {
      const { rows } = await database.within(scope, (tx) =>
        sql<JournalRow>`
          select head_sequence as sequence, head_hash as hash,
            array(select point.sequence::float8 from catalog_points point where point.source_id = source.source_id order by 1) as points
          from catalog_sources source where location_id = ${locationId} and resource_id = ${resourceId}`.execute(tx),
      );
      const [row] = rows;
      return row && { head: { sequence: row.sequence, hash: row.hash }, points: row.points };
    },
    async evidence() {
      const row = await database.within(scope, (tx) =>
        tx.selectFrom('vault_verifications').select('evidence').where('location_id', '=', locationId).executeTakeFirst(),
      );
      return typeof row?.evidence === 'string' ? [row.evidence] : [];
    },
    async *documents() {
      const rows = await database.within(scope, (tx) =>
        tx
          .selectFrom('documents')
          .select(['document_id as documentId', 'file_name as title'])
          .where('location_id', '=', locationId)
          .where('state', '=', 'stored')
          .execute(),
      );
      yield* rows;
    },
  };
}

export function createVaultMemoryStore(database: Database, audit: AuditInbox): VaultMemoryStore {
  return Object.freeze<VaultMemoryStore>({
    memoryOf: (scope, locationId) => memoryOf(database, scope, locationId),
    heads: (scope, locationId) =>
      database.within(scope, async (tx) => {
        const rows = await tx
          .selectFrom('catalog_sources')
          .select(['resource_id', 'head_sequence', 'head_hash'])
          .where('location_id', '=', locationId)
          .orderBy('resource_id')
          .execute();
        return rows.map((row) => ({ resourceId: row.resource_id, sequence: row.head_sequence, hash: row.head_hash }));
      }),
    async noteVerified(scope, locationId, { evidence = null, vaultId, heads }, deviations) {
      await database.within(scope, async (tx) => {
        if (evidence !== null)
          await tx.updateTable('vault_verifications').set({ evidence }).where('location_id', '=', locationId).execute();
        await audit.record(tx, {
          event: 'vaults.verified',
          outcome: deviations === 0 ? 'succeeded' : 'failed',
          actor: { kind: 'system', name: 'verification' },
          subject: { kind: 'location', id: locationId },
          details: { vaultId, deviations, evidence, journals: heads.heads.length, witness: sha256Hex(JSON.stringify(heads)) },
        });
      });
    },
    async pointTimes(scope, { locationId, resourceId, sequences }) {
      const rows = await database.within(scope, (tx) =>
        tx
          .selectFrom('catalog_points as point')
          .innerJoin('catalog_sources as source', 'source.source_id', 'point.source_id')
          .select(['point.sequence', 'point.committed_at'])
          .where('source.location_id', '=', locationId)
          .where('source.resource_id', '=', resourceId)
          .where('point.sequence', 'in', [...sequences])
          .execute(),
      );
      return new Map(rows.map((row) => [row.sequence, row.committed_at.toISOString()]));
    },
    async itemsOf(scope, { locationId, resourceId, sequences }, limit) {
      if (sequences.length === 0) return { total: 0, items: [] };
      return database.within(scope, async (tx) => {
        const from = tx
          .selectFrom('catalog_items as item')
          .innerJoin('catalog_sources as source', 'source.source_id', 'item.source_id')
          .where('source.location_id', '=', locationId)
          .where('source.resource_id', '=', resourceId)
          .where('item.from_point', 'in', [...sequences])
          .where('item.is_container', '=', false);
        const counted = await from.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirst();
        const items = await from.select(['item.item_key as key', 'item.name']).orderBy('item.item_key').limit(Math.max(0, limit)).execute();
        return { total: counted?.total ?? 0, items };
      });
    },
  });
}
