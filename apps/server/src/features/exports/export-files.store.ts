import type { Database, OrganisationTables, Scope, Tx } from '@holdfast/database';
import { groupsOf } from '@holdfast/foundation/groups';
import { sql, type Insertable, type RawBuilder } from 'kysely';
import type { FileRow, IndexedItem, ItemRow, ReadFile } from './export-rows.ts';

type NewFile = Insertable<OrganisationTables['export_files']>;
type NewItem = Insertable<OrganisationTables['export_items']>;

/** Up to where an export has been listed. */
export interface Listed {
  readonly nextFile: number;
  readonly nextItem: number;
  /** The last item; undefined before the first. */
  readonly last: { readonly sourceId: string; readonly sequence: number; readonly key: string } | undefined;
  /** The last mailbox file, with what is in it. */
  readonly mbox: { readonly fileNo: number; readonly sourceId: string; readonly bytes: number; readonly number: number } | undefined;
}

const FILE_COLUMNS = [
  'file_no',
  'kind',
  'path',
  'size_bytes',
  'sha256',
  'code',
  'part',
  'first_item',
  'last_item',
  'conversation',
] as const;
const ROWS_A_PAGE = 500;

/** The list of an export, as it is made and read. */
export interface ExportFilesStore {
  listed(scope: Scope, exportId: string): Promise<Listed>;
  /** Adds files and items in one transaction. A file whose name is taken gets a number. */
  add(scope: Scope, exportId: string, added: { readonly files: readonly NewFile[]; readonly items: readonly NewItem[] }): Promise<void>;
  /** Files that are neither read nor given up, the first ones. */
  unread(scope: Scope, exportId: string, limit: number): Promise<readonly FileRow[]>;
  itemsOf(scope: Scope, exportId: string, fileNos: readonly number[]): Promise<readonly ItemRow[]>;
  /** The items of one file after one of them; those that failed are left out. */
  itemsAfter(scope: Scope, exportId: string, fileNo: number, after: number): Promise<readonly ItemRow[]>;
  /** Every item after one, with the path of its file; up to another where that is given. */
  allItems(scope: Scope, exportId: string, after: number, last?: number): Promise<readonly IndexedItem[]>;
  /** Items of these numbers; those that failed are left out. */
  itemsNumbered(scope: Scope, exportId: string, itemNos: readonly number[]): Promise<readonly ItemRow[]>;
  /** Whether the files of the index are listed. */
  hasIndex(scope: Scope, exportId: string): Promise<boolean>;
  noteRead(scope: Scope, exportId: string, read: readonly ReadNote[]): Promise<void>;
  noteFailedItem(scope: Scope, exportId: string, itemNo: number, fault: Fault): Promise<void>;
  noteFailedFile(scope: Scope, exportId: string, fileNo: number, fault: Fault): Promise<void>;
  /** Files that were read, after one of them; of one part where that is given. */
  readFiles(scope: Scope, exportId: string, after: number, part?: number): Promise<readonly ReadFile[]>;
  setParts(scope: Scope, exportId: string, parts: readonly PartOfFile[]): Promise<void>;
  /** How many parts there are; 0 before they are made. */
  parts(scope: Scope, exportId: string): Promise<number>;
  figures(scope: Scope, exportId: string): Promise<ExportFigures>;
  accounts(scope: Scope, exportId: string): Promise<readonly AccountCounts[]>;
  /** The folder of each source that has items already. */
  accountFolders(scope: Scope, exportId: string): Promise<ReadonlyMap<string, string>>;
}

/** What a file turned out to be when it was read. */
interface ReadNote {
  readonly fileNo: number;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** Why something could not be read, and when. */
interface Fault {
  readonly code: string;
  readonly at: Date;
}

interface PartOfFile {
  readonly fileNo: number;
  readonly part: number;
}

export interface ExportFigures {
  readonly files: number;
  readonly read: number;
  readonly bytes: number;
  readonly failed: number;
}

interface AccountCounts {
  readonly account: string;
  readonly items: number;
  readonly bytes: number;
  readonly failed: number;
}

/** `a.eml` becomes `a (2).eml`. */
function numbered(path: string, number: number): string {
  const dot = path.lastIndexOf('.');
  return dot > path.lastIndexOf('/') + 1 ? `${path.slice(0, dot)} (${number})${path.slice(dot)}` : `${path} (${number})`;
}

/** Gives each new file a name that no other file of the export has, whatever the case of its letters. */
async function withFreePaths(tx: Tx, exportId: string, files: readonly NewFile[]): Promise<NewFile[]> {
  const taken = new Set<string>();
  const isTaken = async (key: string): Promise<boolean> => {
    if (taken.has(key)) return true;
    const row = await tx
      .selectFrom('export_files')
      .select('file_no')
      .where('export_id', '=', exportId)
      .where('path_key', '=', key)
      .executeTakeFirst();
    return row !== undefined;
  };
  const known = await tx
    .selectFrom('export_files')
    .select('path_key')
    .where('export_id', '=', exportId)
    .where('path_key', 'in', files.length === 0 ? [''] : files.map((file) => file.path.toLowerCase()))
    .execute();
  for (const { path_key: key } of known) taken.add(key);
  const free: NewFile[] = [];
  for (const file of files) {
    let path = file.path;
    if (taken.has(path.toLowerCase())) {
      let number = 1;
      do path = numbered(file.path, (number += 1));
      while (await isTaken(path.toLowerCase()));
    }
    taken.add(path.toLowerCase());
    free.push({ ...file, path, path_key: path.toLowerCase() });
  }
  return free;
}

async function listedIn(tx: Tx, exportId: string): Promise<Listed> {
  const file = await tx
    .selectFrom('export_files')
    .select(['file_no', 'kind'])
    .where('export_id', '=', exportId)
    .orderBy('file_no', 'desc')
    .limit(1)
    .executeTakeFirst();
  const item = await tx
    .selectFrom('export_items')
    .select(['item_no', 'source_id', 'sequence', 'item_key'])
    .where('export_id', '=', exportId)
    .orderBy('item_no', 'desc')
    .limit(1)
    .executeTakeFirst();
  const { rows } = await sql<{ fileNo: number; sourceId: string; bytes: number; number: number }>`
    select file.file_no as "fileNo", item.source_id as "sourceId", sum(item.size_bytes)::bigint as bytes,
      (select count(*)::bigint from export_files same where same.export_id = ${exportId} and same.kind = 'mbox'
        and exists (select from export_items held where held.export_id = ${exportId} and held.file_no = same.file_no
          and held.source_id = item.source_id)) as number
    from export_files file join export_items item on item.organisation_id = file.organisation_id and item.realm = file.realm
      and item.export_id = file.export_id and item.file_no = file.file_no
    where file.export_id = ${exportId} and file.kind = 'mbox' group by 1, 2 order by 1 desc limit 1`.execute(tx);
  return {
    nextFile: (file?.file_no ?? 0) + 1,
    nextItem: (item?.item_no ?? 0) + 1,
    last: item && { sourceId: item.source_id, sequence: item.sequence, key: item.item_key },
    mbox: rows[0],
  };
}

const itemsIn = (tx: Tx, exportId: string) =>
  tx.selectFrom('export_items').selectAll().where('export_id', '=', exportId).orderBy('item_no');

interface Added {
  readonly files: readonly NewFile[];
  readonly items: readonly NewItem[];
}

async function add(tx: Tx, exportId: string, { files, items }: Added): Promise<void> {
  const free = await withFreePaths(tx, exportId, files);
  for (const page of groupsOf(free, ROWS_A_PAGE))
    await tx
      .insertInto('export_files')
      .values([...page])
      .execute();
  for (const page of groupsOf(items, ROWS_A_PAGE))
    await tx
      .insertInto('export_items')
      .values([...page])
      .execute();
}

function unread(tx: Tx, exportId: string, limit: number): Promise<readonly FileRow[]> {
  return tx
    .selectFrom('export_files')
    .select(FILE_COLUMNS)
    .where('export_id', '=', exportId)
    .where('sha256', 'is', null)
    .where('code', 'is', null)
    .where('kind', '<>', 'paper')
    .orderBy('file_no')
    .limit(limit)
    .execute();
}

function itemsOf(tx: Tx, exportId: string, fileNos: readonly number[]): Promise<readonly ItemRow[]> {
  return itemsIn(tx, exportId)
    .where('file_no', 'in', [...fileNos])
    .where('code', 'is', null)
    .execute();
}

function itemsAfter(tx: Tx, exportId: string, fileNo: number, after: number): Promise<readonly ItemRow[]> {
  return itemsIn(tx, exportId)
    .where('file_no', '=', fileNo)
    .where('item_no', '>', after)
    .where('code', 'is', null)
    .limit(ROWS_A_PAGE)
    .execute();
}

function itemsNumbered(tx: Tx, exportId: string, itemNos: readonly number[]): Promise<readonly ItemRow[]> {
  return itemsIn(tx, exportId)
    .where('item_no', 'in', [...itemNos])
    .where('code', 'is', null)
    .execute();
}

async function allItems(tx: Tx, exportId: string, after: number, last = Number.MAX_SAFE_INTEGER): Promise<readonly IndexedItem[]> {
  const { rows } = await sql<IndexedItem>`
    select item.*, file.path, words.path as text_path, words.code as text_code,
      (select around.code from export_files around where around.organisation_id = item.organisation_id and around.realm = item.realm
        and around.export_id = item.export_id and around.first_item = item.item_no and around.kind = 'conversation') as conversation_code, (
      select coalesce(json_agg(json_build_object('at', to_char(fault.at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'),
        'code', fault.code, 'ofText', fault.of_text) order by fault.fault_no), '[]')
      from export_faults fault where fault.organisation_id = item.organisation_id and fault.realm = item.realm
        and fault.export_id = item.export_id and fault.item_no = item.item_no) as faults
    from export_items item
    left join export_files file on file.organisation_id = item.organisation_id and file.realm = item.realm
      and file.export_id = item.export_id and file.file_no = item.file_no
    left join export_files words on words.organisation_id = item.organisation_id and words.realm = item.realm
      and words.export_id = item.export_id and words.first_item = item.item_no and words.kind = 'text'
    where item.export_id = ${exportId} and item.item_no > ${after} and item.item_no <= ${last}
    order by item.item_no limit ${ROWS_A_PAGE}`.execute(tx);
  return rows;
}

async function hasIndex(tx: Tx, exportId: string): Promise<boolean> {
  const found = tx.selectFrom('export_files').select('file_no').where('export_id', '=', exportId).where('kind', '=', 'index').limit(1);
  return (await found.executeTakeFirst()) !== undefined;
}

async function noteRead(tx: Tx, exportId: string, read: readonly ReadNote[]): Promise<void> {
  await sql`update export_files file set size_bytes = known.size, sha256 = known.sha256
    from unnest(${read.map(({ fileNo }) => fileNo)}::bigint[], ${read.map(({ sizeBytes }) => sizeBytes)}::bigint[],
      ${read.map(({ sha256 }) => sha256)}::text[]) known (file_no, size, sha256)
    where file.export_id = ${exportId} and file.file_no = known.file_no`.execute(tx);
}

async function noteFailedItem(tx: Tx, exportId: string, itemNo: number, { code, at }: Fault): Promise<void> {
  await tx.updateTable('export_items').set({ code }).where('export_id', '=', exportId).where('item_no', '=', itemNo).execute();
  await tx.insertInto('export_faults').values({ export_id: exportId, item_no: itemNo, of_text: false, code, at }).execute();
}

/** A file is all that its items have, the text of one of them, or what was said around one. */
async function noteFailedFile(tx: Tx, exportId: string, fileNo: number, { code, at }: Fault): Promise<void> {
  await tx.updateTable('export_files').set({ code }).where('export_id', '=', exportId).where('file_no', '=', fileNo).execute();
  await sql`with failed as (
      update export_items set code = ${code} where export_id = ${exportId} and file_no = ${fileNo} and code is null returning item_no
    ), concerned as (
      select item_no, false as of_text from failed
      union all select first_item, true from export_files where export_id = ${exportId} and file_no = ${fileNo}
        and kind in ('text', 'conversation')
    )
    insert into export_faults (export_id, item_no, of_text, code, at)
    select ${exportId}::uuid, item_no, of_text, ${code}, ${at}::timestamptz from concerned`.execute(tx);
}

async function readFiles(tx: Tx, exportId: string, after: number, part?: number): Promise<readonly ReadFile[]> {
  const rows = await tx
    .selectFrom('export_files')
    .select(FILE_COLUMNS)
    .where('export_id', '=', exportId)
    .where('file_no', '>', after)
    .where('sha256', 'is not', null)
    .$if(part !== undefined, (files) => files.where('part', '=', part ?? 0))
    .orderBy('file_no')
    .limit(ROWS_A_PAGE)
    .execute();
  return rows as ReadFile[];
}

async function setParts(tx: Tx, exportId: string, parts: readonly PartOfFile[]): Promise<void> {
  await sql`update export_files file set part = known.part
    from unnest(${parts.map(({ fileNo }) => fileNo)}::bigint[], ${parts.map(({ part }) => part)}::integer[]) known (file_no, part)
    where file.export_id = ${exportId} and file.file_no = known.file_no`.execute(tx);
}

/** How many parts an export has; 0 before they are made. */
export async function lastPart(tx: Tx, exportId: string): Promise<number> {
  const { rows } = await sql<{ parts: number }>`
    select coalesce(max(part), 0)::int as parts from export_files where export_id = ${exportId}`.execute(tx);
  return rows[0]?.parts ?? 0;
}

/** How much could not be exported: items, and texts and conversations of items that could be. */
export function failedIn(exportId: RawBuilder<unknown>): RawBuilder<number> {
  return sql<number>`((select count(*) from export_items item where item.export_id = ${exportId} and item.code is not null)
    + (select count(*) from export_files words join export_items item on item.organisation_id = words.organisation_id
        and item.realm = words.realm and item.export_id = words.export_id and item.item_no = words.first_item
      where words.export_id = ${exportId} and words.kind in ('text', 'conversation') and words.code is not null and item.code is null))::bigint`;
}

async function figures(tx: Tx, exportId: string): Promise<ExportFigures> {
  const { rows } = await sql<ExportFigures>`
    select count(*)::bigint as files, count(sha256)::bigint as read, coalesce(sum(size_bytes), 0)::bigint as bytes,
      ${failedIn(sql`${exportId}`)} as failed
    from export_files where export_id = ${exportId} and kind <> 'paper'`.execute(tx);
  return rows[0] ?? { files: 0, read: 0, bytes: 0, failed: 0 };
}

async function accounts(tx: Tx, exportId: string): Promise<readonly AccountCounts[]> {
  const { rows } = await sql<AccountCounts>`
    select account, (count(*) filter (where code is null))::bigint as items,
      coalesce(sum(size_bytes) filter (where code is null), 0)::bigint as bytes, (count(*) filter (where code is not null))::bigint as failed
    from export_items where export_id = ${exportId} and content is null group by account order by account collate "C"`.execute(tx);
  return rows;
}

async function accountFolders(tx: Tx, exportId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await tx.selectFrom('export_items').select(['source_id', 'account']).distinct().where('export_id', '=', exportId).execute();
  return new Map(rows.map((row) => [row.source_id, row.account]));
}

export function createExportFilesStore(database: Database): ExportFilesStore {
  /** Each call in a transaction of its own. */
  function alone<Given extends unknown[], Answer>(work: (tx: Tx, exportId: string, ...given: Given) => Promise<Answer>) {
    return (scope: Scope, exportId: string, ...given: Given): Promise<Answer> =>
      database.within(scope, (tx) => work(tx, exportId, ...given));
  }
  return Object.freeze<ExportFilesStore>({
    listed: alone(listedIn),
    add: alone(add),
    unread: alone(unread),
    itemsOf: alone(itemsOf),
    itemsAfter: alone(itemsAfter),
    allItems: alone(allItems),
    itemsNumbered: alone(itemsNumbered),
    hasIndex: alone(hasIndex),
    noteRead: alone(noteRead),
    noteFailedItem: alone(noteFailedItem),
    noteFailedFile: alone(noteFailedFile),
    readFiles: alone(readFiles),
    setParts: alone(setParts),
    parts: alone(lastPart),
    figures: alone(figures),
    accounts: alone(accounts),
    accountFolders: alone(accountFolders),
  });
}
