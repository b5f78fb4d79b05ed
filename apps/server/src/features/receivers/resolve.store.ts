import type { Tx } from '@holdfast/database';
import type { ItemVersion } from '@holdfast/engine';
import { groupsOf } from '@holdfast/foundation/groups';
import { storableText } from '@holdfast/foundation/text';
import { sql } from 'kysely';
import { versionOf } from '../../storage/index.ts';
import { exemptFromArchives } from '../archive/index.ts';
import { addressesOf, candidatesOf, ownersOf, type AddressOwner, type KeptEnvelope, type Owners } from './owners.policy.ts';
import type { ReceiverRow } from './receivers.store.ts';

type Place = Pick<ReceiverRow, 'receiver_id' | 'tenant_id'>;

/** Reports whose owners are looked for in one transaction, and rows that are written in one statement. */
const BATCH = 200;

interface Report {
  readonly item: ItemVersion;
  readonly sequence: number;
}

export const envelopeOf = ({ properties }: Pick<ItemVersion, 'properties'>): KeptEnvelope => properties['envelope'] as KeptEnvelope;

async function lockReceiver(tx: Tx, receiverId: string): Promise<ReceiverRow | undefined> {
  return tx.selectFrom('receivers').selectAll().where('receiver_id', '=', receiverId).forUpdate().skipLocked().executeTakeFirst();
}

async function nextReports(tx: Tx, row: ReceiverRow): Promise<readonly Report[]> {
  const { rows } = await sql<Parameters<typeof versionOf>[0] & { from_point: number }>`
    select item.item_key, item.parent_key, item.kind, item.name, item.size_bytes, item.detail, item.from_point
    from catalog_sources source join catalog_items item using (organisation_id, realm, source_id)
    where source.resource_id = ${row.resource_id} and source.location_id = ${row.location_id} and item.kind = 'journalReport'
      and (item.from_point, item.item_key) > (${row.resolved_sequence}::bigint, ${row.resolved_key})
    order by item.from_point, item.item_key limit ${BATCH}`.execute(tx);
  return rows.map((found) => ({ item: versionOf(found), sequence: found.from_point }));
}

/** The owners of these addresses, as the history of the directory has them. */
async function addressOwners(tx: Tx, tenantId: string, addresses: readonly string[]): Promise<ReadonlyMap<string, AddressOwner>> {
  const exempt = await exemptFromArchives(tx, tenantId);
  const { rows } = await sql<{ address: string; graph_id: string; is_exempt: boolean }>`
    select address, graph_id, is_exempt from receiver_addresses
    where tenant_id = ${tenantId} and address = any(${candidatesOf(addresses)}::text[])`.execute(tx);
  return new Map(
    rows.map(({ address, graph_id: graphId, is_exempt }) => [address, { graphId, isExempt: is_exempt || exempt.has(graphId) }]),
  );
}

interface Decided {
  readonly report: Report;
  readonly addresses: readonly string[];
  readonly broken: string | undefined;
  readonly found: Owners;
}

const isPlaced = ({ found }: Decided): boolean => found.owners.size > 0;
const isExempt = (decided: Decided): boolean => !isPlaced(decided) && decided.found.hasExempt;

/** Mails on their way into the archives of these owners. */
export async function addPending(
  tx: Tx,
  receiverId: string,
  rows: readonly { readonly graphId: string; readonly reportKey: string; readonly addresses: readonly string[] }[],
): Promise<void> {
  for (const some of groupsOf(rows, BATCH)) {
    const values = some.map(({ graphId, reportKey, addresses }) => ({
      receiver_id: receiverId,
      graph_id: graphId,
      report_key: reportKey,
      addresses: addresses.map(storableText),
    }));
    await tx
      .insertInto('receiver_pending')
      .values(values)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

async function addUnassigned(tx: Tx, receiverId: string, decided: readonly Decided[]): Promise<void> {
  if (decided.length === 0) return;
  const values = decided.map(({ report: { item }, addresses, broken }) => ({
    receiver_id: receiverId,
    report_key: item.key,
    broken: broken ?? null,
    addresses: addresses.map(storableText),
    arrived_at: new Date(item.modifiedAt ?? 0),
    size_bytes: item.sizeBytes,
  }));
  await tx
    .insertInto('receiver_unassigned')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

const pendingOf = ({ report, found }: Decided) =>
  [...found.owners].map(([graphId, addresses]) => ({ graphId, reportKey: report.item.key, addresses }));

/**
 * Looks for the owners of the next reports, in the order of their commits, and moves on in the transaction that writes what
 * was found. Answers whether there may be more.
 */
export async function resolveSome(tx: Tx, receiverId: string): Promise<boolean> {
  const row = await lockReceiver(tx, receiverId);
  if (!row) return false;
  const reports = await nextReports(tx, row);
  const last = reports.at(-1);
  if (!last) return false;
  const named = reports.map((report) => ({
    report,
    addresses: addressesOf(envelopeOf(report.item)),
    broken: envelopeOf(report.item).broken,
  }));
  const known = await addressOwners(tx, row.tenant_id, [...new Set(named.flatMap(({ addresses }) => addresses))]);
  const decided = named.map((one): Decided => ({ ...one, found: ownersOf(one.addresses, known) }));
  const placed = decided.filter(isPlaced);
  const exempt = decided.filter(isExempt);
  await addPending(tx, receiverId, placed.flatMap(pendingOf));
  await addUnassigned(
    tx,
    receiverId,
    decided.filter((one) => !isPlaced(one) && !isExempt(one)),
  );
  await tx
    .updateTable('receivers')
    .set((column) => ({
      resolved_sequence: last.sequence,
      resolved_key: last.item.key,
      resolved: column('resolved', '+', reports.length),
      placed: column('placed', '+', placed.length),
      exempt: column('exempt', '+', exempt.length),
      broken: column('broken', '+', decided.filter(({ broken }) => broken !== undefined).length),
    }))
    .where('receiver_id', '=', receiverId)
    .execute();
  return reports.length === BATCH;
}

/** Addresses of mail without an owner whose domain the directory may write in another form, and which belong to somebody by now. */
async function ownedInAnotherForm(tx: Tx, { receiver_id: receiverId, tenant_id: tenantId }: Place): Promise<readonly string[]> {
  const { rows } = await sql<{ address: string }>`
    select distinct address from receiver_unassigned mail cross join unnest(mail.addresses) address
    where receiver_id = ${receiverId} and broken is null and address ~ '[^!-~]|xn--'`.execute(tx);
  const addresses = rows.map(({ address }) => address);
  if (addresses.length === 0) return [];
  const known = await addressOwners(tx, tenantId, addresses);
  return addresses.filter((address) => candidatesOf([address]).some((one) => known.has(one)));
}

/** Mail without an owner whose addresses belong to somebody by now. */
export async function resolveUnassigned(tx: Tx, row: Place): Promise<void> {
  const { receiver_id: receiverId, tenant_id: tenantId } = row;
  const others = await ownedInAnotherForm(tx, row);
  const { rows } = await sql<{ report_key: string; addresses: string[] }>`
    select report_key, addresses from receiver_unassigned mail where receiver_id = ${receiverId} and broken is null
      and (mail.addresses && ${[...others]}::text[]
        or exists (select from receiver_addresses known where known.tenant_id = ${tenantId} and known.address = any(mail.addresses)))
    limit 5000`.execute(tx);
  if (rows.length === 0) return;
  const known = await addressOwners(tx, tenantId, [...new Set(rows.flatMap(({ addresses }) => addresses))]);
  const found = rows.map(({ report_key: reportKey, addresses }) => ({ reportKey, ...ownersOf(addresses, known) }));
  await settle(
    tx,
    receiverId,
    found.filter(({ owners, hasExempt }) => owners.size > 0 || hasExempt),
  );
}

interface Settled extends Owners {
  readonly reportKey: string;
}

async function settle(tx: Tx, receiverId: string, found: readonly Settled[]): Promise<void> {
  if (found.length === 0) return;
  const pending = found.flatMap(({ reportKey, owners }) => [...owners].map(([graphId, addresses]) => ({ graphId, reportKey, addresses })));
  await addPending(tx, receiverId, pending);
  await forgetUnassigned(
    tx,
    receiverId,
    found.map(({ reportKey }) => reportKey),
  );
  const placed = found.filter(({ owners }) => owners.size > 0).length;
  await tx
    .updateTable('receivers')
    .set((column) => ({ placed: column('placed', '+', placed), exempt: column('exempt', '+', found.length - placed) }))
    .where('receiver_id', '=', receiverId)
    .execute();
}

export async function forgetUnassigned(tx: Tx, receiverId: string, reportKeys: readonly string[]): Promise<void> {
  await sql`delete from receiver_unassigned where receiver_id = ${receiverId} and report_key = any(${[...reportKeys]}::text[])`.execute(tx);
}
