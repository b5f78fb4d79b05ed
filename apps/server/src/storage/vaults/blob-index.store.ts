import type { Database, Scope, Tx } from '@holdfast/database';
import { createBatch } from '@holdfast/foundation/batch';
import { groupsOf } from '@holdfast/foundation/groups';
import type { BlobIndex, BlobPlace, IndexedBlob } from '@holdfast/vault';
import { sql } from 'kysely';

const BATCH = 2_000;
const PAGE = 1_000;
/** Questions for fewer blobs than these are gathered: whoever reads many small contents at once asks for each of them. */
const FEW = 100;
const LOADS = 4;

interface PlaceRow {
  readonly blob_id: Buffer;
  readonly pack_id: string;
  readonly frame: number;
  readonly frame_offset: number;
  readonly frame_length: number;
  readonly blob_offset: number;
  readonly blob_length: number;
}

function placeOf(row: PlaceRow): BlobPlace {
  return {
    packId: row.pack_id,
    frame: row.frame,
    frameOffset: row.frame_offset,
    frameLength: row.frame_length,
    blobOffset: row.blob_offset,
    blobLength: row.blob_length,
  };
}

interface Place {
  readonly database: Database;
  readonly scope: Scope;
  readonly locationId: string;
}

/** Forgets the places of a pack; answers how many there were. */
async function removeBlobs(tx: Tx, locationId: string, packId: string): Promise<number> {
  const removed = await tx.deleteFrom('vault_blobs').where('location_id', '=', locationId).where('pack_id', '=', packId).executeTakeFirst();
  return Number(removed.numDeletedRows);
}

/** Writes places; answers how many were new. */
async function addBlobs(tx: Tx, locationId: string, packId: string, blobs: readonly IndexedBlob[]): Promise<number> {
  const places = blobs.map((blob) => blob.place);
  const { rows } = await sql<{ added: number }>`
      with written as (
        insert into vault_blobs (location_id, blob_id, pack_id, frame, frame_offset, frame_length, blob_offset, blob_length)
        select distinct on (x.blob_id) ${locationId}, x.blob_id, ${packId}, x.frame, x.frame_offset, x.frame_length, x.blob_offset, x.blob_length
        from unnest(${blobs.map((blob) => Buffer.from(blob.blobId, 'hex'))}::bytea[], ${places.map((place) => place.frame)}::integer[],
          ${places.map((place) => place.frameOffset)}::bigint[], ${places.map((place) => place.frameLength)}::bigint[],
          ${places.map((place) => place.blobOffset)}::integer[], ${places.map((place) => place.blobLength)}::integer[])
          as x (blob_id, frame, frame_offset, frame_length, blob_offset, blob_length)
        order by x.blob_id
        on conflict (organisation_id, realm, location_id, blob_id, pack_id) do update set frame = excluded.frame,
          frame_offset = excluded.frame_offset, frame_length = excluded.frame_length, blob_offset = excluded.blob_offset, blob_length = excluded.blob_length
        returning (xmax = 0) as is_new)
      select count(*) filter (where is_new)::bigint as added from written`.execute(tx);
  return rows[0]?.added ?? 0;
}

/** All of a pack or nothing of it: one whose blobs are not all there is not taken for known. */
async function addWhole(tx: Tx, locationId: string, packId: string, blobs: readonly IndexedBlob[]): Promise<number> {
  let added = -(await removeBlobs(tx, locationId, packId));
  for (const some of groupsOf(blobs, BATCH)) added += await addBlobs(tx, locationId, packId, some);
  await tx
    .insertInto('vault_packs')
    .values({ location_id: locationId, pack_id: packId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return added;
}

async function findSome({ database, scope, locationId }: Place, blobIds: readonly string[]): Promise<ReadonlyMap<string, BlobPlace>> {
  const rows = await database.within(scope, async (tx) => {
    const wanted = blobIds.map((blobId) => Buffer.from(blobId, 'hex'));
    const found = await sql<PlaceRow>`
      select distinct on (blob_id) blob_id, pack_id, frame, frame_offset, frame_length, blob_offset, blob_length from vault_blobs
      where organisation_id = holdfast.organisation() and realm = holdfast.realm() and location_id = ${locationId}
        and blob_id = any(${wanted}::bytea[])
      order by blob_id, added_number desc`.execute(tx);
    return found.rows;
  });
  return new Map(rows.map((row) => [row.blob_id.toString('hex'), placeOf(row)]));
}

async function lackingSome({ database, scope, locationId }: Place, blobIds: readonly string[]): Promise<string[]> {
  return database.within(scope, async (tx) => {
    const { rows } = await sql<{ blob_id: Buffer }>`
      select wanted.blob_id from unnest(${blobIds.map((blobId) => Buffer.from(blobId, 'hex'))}::bytea[]) as wanted (blob_id)
      where not exists (
        select 1 from vault_blobs known where known.organisation_id = holdfast.organisation() and known.realm = holdfast.realm()
          and known.location_id = ${locationId} and known.blob_id = wanted.blob_id)`.execute(tx);
    return rows.map((row) => row.blob_id.toString('hex'));
  });
}

/** The index of one location's vault, shared by every worker: a blob that one has stored the others don't store again. */
export async function openBlobIndex(options: Place): Promise<BlobIndex> {
  const { database, scope, locationId } = options;
  let blobCount = await database.within(scope, async (tx) => {
    const { rows } = await sql<{
      count: number;
    }>`select count(*)::bigint as count from vault_blobs where location_id = ${locationId}`.execute(tx);
    return rows[0]?.count ?? 0;
  });
  const findOne = createBatch((blobIds: readonly string[]) => findSome(options, blobIds), { concurrent: LOADS, maxKeys: BATCH });

  return {
    get blobCount() {
      return blobCount;
    },
    async find(blobIds) {
      if (blobIds.length < FEW) return Promise.all(blobIds.map(findOne));
      const places: (BlobPlace | undefined)[] = [];
      for (const some of groupsOf(blobIds, BATCH)) {
        const known = await findSome(options, some);
        places.push(...some.map((blobId) => known.get(blobId)));
      }
      return places;
    },
    async lacking(blobIds) {
      const lacking: string[] = [];
      for (const some of groupsOf(blobIds, BATCH)) lacking.push(...(await lackingSome(options, some)));
      return lacking;
    },
    async addPack(packId, blobs) {
      // The packs say the same: what a crash undoes is read from them again, and the commit of the catalog comes after it.
      blobCount += await database.within(scope, (tx) => addWhole(tx, locationId, packId, blobs), { isDurable: false });
    },
    async removePack(packId) {
      await database.within(scope, async (tx) => {
        blobCount -= await removeBlobs(tx, locationId, packId);
        await tx.deleteFrom('vault_packs').where('location_id', '=', locationId).where('pack_id', '=', packId).execute();
      });
    },
    blobsOf(packId) {
      return database.within(scope, async (tx) => {
        const { rows } = await sql<{ blob_id: Buffer }>`
          select blob_id from vault_blobs own where location_id = ${locationId} and pack_id = ${packId} and not exists (
            select 1 from vault_blobs later where later.organisation_id = own.organisation_id and later.realm = own.realm
              and later.location_id = own.location_id and later.blob_id = own.blob_id and later.added_number > own.added_number)`.execute(
          tx,
        );
        return rows.map((row) => row.blob_id.toString('hex'));
      });
    },
    async *packs() {
      for (let after = ''; ;) {
        const from = after;
        const rows = await database.within(scope, (tx) =>
          tx
            .selectFrom('vault_packs')
            .select('pack_id')
            .where('location_id', '=', locationId)
            .where('pack_id', '>', from)
            .orderBy('pack_id')
            .limit(PAGE)
            .execute(),
        );
        for (const row of rows) yield row.pack_id;
        const last = rows.at(-1);
        if (!last || rows.length < PAGE) return;
        after = last.pack_id;
      }
    },
    flush: () => Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
