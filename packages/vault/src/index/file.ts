import { DatabaseSync } from 'node:sqlite';
import { vaultError } from '../shared/errors.ts';
import type { BlobIndex, BlobPlace, IndexedBlob } from './blob-index.ts';

const SCHEMA_VERSION = 1;

/** A blob may be in several packs; the pack added last is its place. */
const SCHEMA = `
  create table if not exists packs (number integer primary key, pack_id text not null, blob_count integer not null, removed integer not null default 0) strict;
  create table if not exists blobs (
    blob_id blob not null, pack integer not null, frame integer not null, frame_offset integer not null,
    frame_length integer not null, blob_offset integer not null, blob_length integer not null,
    primary key (blob_id, pack)
  ) strict, without rowid;
`;

type Row = readonly [packId: string, frame: number, frameOffset: number, frameLength: number, blobOffset: number, blobLength: number];

function toPlace([packId, frame, frameOffset, frameLength, blobOffset, blobLength]: Row): BlobPlace {
  return { packId, frame, frameOffset, frameLength, blobOffset, blobLength };
}

function prepareStatements(database: DatabaseSync) {
  const findOne = database.prepare(`
    select pack_id, frame, frame_offset, frame_length, blob_offset, blob_length
    from blobs join packs on packs.number = blobs.pack where blob_id = ? and removed = 0 order by pack desc limit 1`);
  findOne.setReturnArrays(true);
  // All ids in one statement, as JSON: half of what a look-up costs is the way into SQLite and back.
  const findLacking = database.prepare(`
    select value from json_each(?) where not exists (
      select 1 from blobs cross join packs on packs.number = blobs.pack where blob_id = unhex(value) and removed = 0)`);
  const addPackRow = database.prepare('insert into packs (pack_id, blob_count) values (?, ?) returning number');
  const findPack = database.prepare('select number from packs where pack_id = ? and removed = 0');
  const addBlob = database.prepare('insert or replace into blobs values (?, ?, ?, ?, ?, ?, ?)');
  const removePack = database.prepare('update packs set removed = 1 where number = ?');
  return { findOne, findLacking, addPackRow, findPack, addBlob, removePack };
}

/**
 * An index in one file, for vaults of any size: memory is a page cache, not the blobs. A file of
 * another vault or another version is emptied; what it knew is read from the packs again.
 */
export function createFileBlobIndex(options: { readonly file: string; readonly vaultId: string; readonly cacheBytes?: number }): BlobIndex {
  const database = openDatabase(options.file, options.cacheBytes ?? 32 * 1024 * 1024);
  prepareFor(database, options.vaultId);
  const { findOne, findLacking, addPackRow, findPack, addBlob, removePack } = prepareStatements(database);

  /** Also for reading: one lock for many look-ups instead of one each is most of what they cost. */
  function inTransaction<Result>(begin: 'begin' | 'begin immediate', work: () => Result): Result {
    database.exec(begin);
    try {
      const result = work();
      database.exec('commit');
      return result;
    } catch (error) {
      database.exec('rollback');
      throw error;
    }
  }

  function dropPack(packId: string): void {
    const pack = findPack.get(packId) as { number: number } | undefined;
    if (!pack) return;
    removePack.run(pack.number);
  }

  return Object.freeze({
    async find(blobIds: readonly string[]) {
      return inTransaction('begin', () =>
        blobIds.map((blobId) => {
          const row = findOne.get(Buffer.from(blobId, 'hex')) as unknown as Row | undefined;
          return row && toPlace(row);
        }),
      );
    },
    async lacking(blobIds: readonly string[]) {
      const rows = findLacking.all(JSON.stringify(blobIds)) as unknown as { value: string }[];
      return rows.map((row) => row.value);
    },
    async addPack(packId: string, blobs: readonly IndexedBlob[]) {
      inTransaction('begin immediate', () => {
        dropPack(packId);
        const { number } = addPackRow.get(packId, blobs.length) as { number: number };
        for (const { blobId, place } of blobs) {
          const { frame, frameOffset, frameLength, blobOffset, blobLength } = place;
          addBlob.run(Buffer.from(blobId, 'hex'), number, frame, frameOffset, frameLength, blobOffset, blobLength);
        }
      });
    },
    async removePack(packId: string) {
      inTransaction('begin immediate', () => dropPack(packId));
    },
    async blobsOf(packId: string) {
      const rows = database
        .prepare(
          `select lower(hex(b.blob_id)) as blob_id from blobs b join packs p on p.number = b.pack
           where p.pack_id = ? and p.removed = 0 and not exists (select 1 from blobs o where o.blob_id = b.blob_id and o.pack > b.pack and o.pack in (select number from packs where removed = 0))`,
        )
        .all(packId) as unknown as { blob_id: string }[];
      return rows.map((row) => row.blob_id);
    },
    async *packs() {
      const rows = database.prepare('select pack_id from packs where removed = 0 order by number').all() as unknown as {
        pack_id: string;
      }[];
      for (const row of rows) yield row.pack_id;
    },
    get blobCount() {
      return (database.prepare('select coalesce(sum(blob_count), 0) as count from packs where removed = 0').get() as { count: number })
        .count;
    },
    async flush() {
      // What a crash of the machine takes from it is read from the packs again.
    },
    async close() {
      database.close();
    },
  });
}

function openDatabase(file: string, cacheBytes: number): DatabaseSync {
  try {
    const database = new DatabaseSync(file);
    database.exec(
      `pragma busy_timeout = 10000; pragma journal_mode = wal; pragma synchronous = normal; pragma wal_autocheckpoint = 10000; pragma cache_size = -${Math.floor(cacheBytes / 1024)};`,
    );
    return database;
  } catch (cause) {
    throw vaultError(
      'vault.storage-unavailable',
      `The index ${file} can't be opened; it may be deleted: it is built again from the packs.`,
      { object: file },
      cause,
    );
  }
}

/** Makes sure the file is about this vault; anything else in it is thrown away. */
function prepareFor(database: DatabaseSync, vaultId: string): void {
  const stamp = Number.parseInt(vaultId.replaceAll('-', '').slice(-7), 16);
  const { user_version: version } = database.prepare('pragma user_version').get() as { user_version: number };
  const { application_id: owner } = database.prepare('pragma application_id').get() as { application_id: number };
  if (version !== SCHEMA_VERSION || owner !== stamp) {
    database.exec('drop table if exists blobs; drop table if exists packs;');
    database.exec(`pragma user_version = ${SCHEMA_VERSION}; pragma application_id = ${stamp};`);
  }
  database.exec(SCHEMA);
  const { gone } = database.prepare('select count(*) as gone from packs where removed = 1').get() as { gone: number };
  if (gone === 0) return;
  // One pass over all blobs when the index is opened is cheaper than a second tree that every blob is entered in.
  database.exec(
    'begin; delete from blobs where pack in (select number from packs where removed = 1); delete from packs where removed = 1; commit',
  );
}
