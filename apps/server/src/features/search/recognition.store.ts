import type { Database, Scope, Tx } from '@holdfast/database';
import { storableText } from '@holdfast/foundation/text';
import type { SensitiveSum } from '@holdfast/words';
import { sql } from 'kysely';
import type { Slices } from './lexemes.ts';
import { insertWords, leafOf } from './search-index.store.ts';

/** An item with documents that wait to be recognised, taken by one worker. */
export interface TakenScans {
  readonly itemNo: number;
  readonly locationId: string;
  readonly resourceId: string;
  readonly itemKey: string;
  /** A restore point that shows it. */
  readonly sequence: number;
  readonly hashes: readonly string[];
}

/** How a document ended. */
export type ScanOutcome =
  | { readonly hash: string; readonly text: string; readonly made: Slices }
  | { readonly hash: string; readonly reason: string; readonly isFinal: boolean };

export interface SettledScans {
  readonly outcomes: readonly ScanOutcome[];
  /** Of the whole item, with what was recognised. */
  readonly state: 'indexed' | 'noText' | 'encrypted' | 'unsupported' | 'tooLarge' | 'failed';
  readonly sensitive: readonly SensitiveSum[];
}

export interface RecognitionStore {
  /** Whether everything that is kept has been read: recognising waits for it. */
  isIdle(scope: Scope): Promise<boolean>;
  /** The newest item with documents that wait, until a time its worker's own; undefined when nothing waits. */
  take(scope: Scope, now: Date, until: Date): Promise<TakenScans | undefined>;
  /** Keeps what was taken for longer. */
  keep(scope: Scope, taken: TakenScans, until: Date): Promise<void>;
  /** Gives back what a worker that stops has not read: the attempt does not count. */
  giveBack(scope: Scope, taken: TakenScans): Promise<void>;
  /** What copies of documents say that were recognised before. */
  texts(scope: Scope, hashes: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Writes what was recognised, with its words, in one transaction. What fails may be tried again at a time. */
  settle(scope: Scope, itemNo: number, settled: SettledScans, again: Date): Promise<void>;
}

/** A document that ends its worker each time is given up after these. */
export const MOST_ATTEMPTS = 3;

const ours = sql`scan.organisation_id = holdfast.organisation() and scan.realm = holdfast.realm()`;
const isFree = (now: Date) => sql`scan.state = 'waiting' and (scan.taken_until is null or scan.taken_until < ${now})`;

async function takeNewest(tx: Tx, now: Date, until: Date): Promise<TakenScans | undefined> {
  // A worker that was killed, or met damage, has left its attempt behind.
  await sql`update search_scans scan set state = 'failed', reason = 'interrupted'
    where ${ours} and ${isFree(now)} and scan.attempts >= ${MOST_ATTEMPTS}`.execute(tx);
  const { rows } = await sql<TakenScans>`
    with newest as (
      select scan.item_no, item.item_key, source.location_id, source.resource_id, shown.sequence
      from search_scans scan
      join search_items item using (organisation_id, realm, item_no, source_id)
      join catalog_sources source using (organisation_id, realm, source_id)
      join catalog_items version using (organisation_id, realm, source_id, item_key, from_point)
      join lateral (select sequence from catalog_points point where point.organisation_id = item.organisation_id
        and point.realm = item.realm and point.source_id = item.source_id and point.sequence >= version.from_point
        and point.sequence < version.to_point order by sequence limit 1) shown on true
      where ${ours} and ${isFree(now)}
      order by scan.at desc, scan.item_no desc limit 1 for update of scan skip locked),
    taken as (
      update search_scans scan set attempts = scan.attempts + 1, taken_until = ${until} from newest
      where ${ours} and ${isFree(now)} and scan.item_no = newest.item_no returning scan.document_hash)
    select newest.item_no as "itemNo", newest.location_id as "locationId", newest.resource_id as "resourceId",
      newest.item_key as "itemKey", newest.sequence, array(select document_hash from taken) as hashes
    from newest`.execute(tx);
  return rows[0];
}

interface Item {
  readonly item_no: number;
  readonly at: Date;
  readonly slices: number;
}

/** Adds what documents say behind the words that their item has. */
async function addWords(tx: Tx, item: Item, added: readonly Slices[], state: SettledScans['state']): Promise<void> {
  const itemNo = item.item_no;
  const words = added.flatMap(({ vectors }) => vectors);
  const rows = {
    item: words.map(() => itemNo),
    slice: words.map((_, index) => item.slices + index + 1),
    leaf: words.map(() => leafOf(item.at.toISOString())),
    words,
  };
  await insertWords(tx, rows, new Set(added.flatMap(({ vocabulary }) => [...vocabulary])));
  await tx
    .updateTable('search_items')
    .set({ state, slices: item.slices + words.length })
    .where('item_no', '=', itemNo)
    .execute();
}

async function writeSensitive(tx: Tx, itemNo: number, sensitive: readonly SensitiveSum[]): Promise<void> {
  await tx.deleteFrom('search_sensitive').where('item_no', '=', itemNo).execute();
  if (sensitive.length > 0)
    await tx
      .insertInto('search_sensitive')
      .values(sensitive.map((sum) => ({ item_no: itemNo, ...sum })))
      .execute();
}

/** What still waited, so that nothing is written twice; undefined for what another worker has ended. */
async function endScan(tx: Tx, itemNo: number, outcome: ScanOutcome, again: Date): Promise<Slices | undefined> {
  const waiting = sql`scan.item_no = ${itemNo} and scan.document_hash = ${outcome.hash} and scan.state = 'waiting'`;
  if ('reason' in outcome) {
    const isLast = sql`(${outcome.isFinal} or scan.attempts >= ${MOST_ATTEMPTS})`;
    await sql`update search_scans scan set taken_until = ${again}, state = case when ${isLast} then 'failed' else 'waiting' end,
      reason = case when ${isLast} then ${outcome.reason} end where ${ours} and ${waiting}`.execute(tx);
    return undefined;
  }
  const { rows } = await sql`update search_scans scan set state = 'read', text = ${storableText(outcome.text)}, taken_until = null
    where ${ours} and ${waiting} returning 1`.execute(tx);
  return rows.length === 0 ? undefined : outcome.made;
}

function ofTaken(tx: Tx, { itemNo, hashes }: TakenScans) {
  return tx
    .updateTable('search_scans')
    .where('item_no', '=', itemNo)
    .where('document_hash', 'in', [...hashes])
    .where('state', '=', 'waiting');
}

export function createRecognitionStore(database: Database): RecognitionStore {
  return Object.freeze<RecognitionStore>({
    isIdle: (scope) =>
      database.within(scope, async (tx) => {
        const { rows } =
          await sql`select from catalog_sources source left join search_sources known using (organisation_id, realm, source_id)
          where source.organisation_id = holdfast.organisation() and source.realm = holdfast.realm()
            and source.head_sequence > coalesce(known.read_through, 0) limit 1`.execute(tx);
        return rows.length === 0;
      }),
    take: (scope, now, until) => database.within(scope, (tx) => takeNewest(tx, now, until)),
    keep: (scope, taken, until) =>
      database.within(scope, async (tx) => {
        await ofTaken(tx, taken).set({ taken_until: until }).execute();
      }),
    giveBack: (scope, taken) =>
      database.within(scope, async (tx) => {
        await ofTaken(tx, taken)
          .set((eb) => ({ taken_until: null, attempts: eb('attempts', '-', 1) }))
          .execute();
      }),
    texts: (scope, hashes) =>
      database.within(scope, async (tx) => {
        if (hashes.length === 0) return new Map<string, string>();
        const rows = await tx
          .selectFrom('search_scans')
          .distinctOn('document_hash')
          .select(['document_hash', 'text'])
          .where('document_hash', 'in', [...hashes])
          .where('state', '=', 'read')
          .execute();
        return new Map(rows.map((row) => [row.document_hash, row.text ?? '']));
      }),
    settle: (scope, itemNo, { outcomes, state, sensitive }, again) =>
      database.within(scope, async (tx) => {
        // The item first, as whoever deletes it takes them.
        const item = await tx
          .selectFrom('search_items')
          .select(['item_no', 'at', 'slices'])
          .where('item_no', '=', itemNo)
          .forUpdate()
          .executeTakeFirst();
        if (!item) return;
        const ended = [];
        for (const outcome of outcomes) ended.push(await endScan(tx, itemNo, outcome, again));
        const added = ended.filter((made) => made !== undefined);
        if (added.length === 0) return;
        await addWords(tx, item, added, state);
        await writeSensitive(tx, itemNo, sensitive);
      }),
  });
}
