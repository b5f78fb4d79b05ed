import type { SourceReference } from '@holdfast/contract/jobs';
import type { Database, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { isGraphError } from '@holdfast/m365';
import { exemptFromArchives } from '../archive/index.ts';
import type { AuditInbox } from '../audit/index.ts';
import type { TenantGraph } from '../backup/index.ts';
import type { Asking } from '../identity/index.ts';
import { noteReceiver, requireReceiver, type ReceiverPlace } from './receivers.service.ts';
import { addPending, forgetUnassigned } from './resolve.store.ts';
import { unassignedOf } from './unassigned.store.ts';

export interface AssignParts {
  readonly database: Database;
  readonly graph: TenantGraph;
  readonly audit: AuditInbox;
  readonly clock: Clock;
}

/** Whose mail it is, as somebody says. */
export interface Assignment {
  readonly address: string | null;
  readonly mailbox: SourceReference;
}

async function isKnown(tx: Tx, tenantId: string, graphId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('resources')
    .select('resource_id')
    .where('tenant_id', '=', tenantId)
    .where('kind', 'in', ['mailbox', 'archive'])
    .where('graph_id', '=', graphId)
    .executeTakeFirst();
  return row !== undefined;
}

async function requireMailbox(
  { database, graph }: AssignParts,
  { scope }: Asking,
  tenantId: string,
  { id }: SourceReference,
): Promise<void> {
  if (await database.within(scope, (tx) => isKnown(tx, tenantId, id))) return;
  await graph
    .use(scope, tenantId, (client) => client.directory.user({ userId: id }))
    .catch((error: unknown) => {
      if (isGraphError(error, 'graph.item-gone', 'graph.resource-gone'))
        throw new AppError('import.mailbox-unknown', { details: { field: 'mailbox' } });
      throw error;
    });
}

/** Whoever is exempt gets no archive by hand either. */
async function requireNotExempt(tx: Tx, tenantId: string, { id, name }: SourceReference): Promise<void> {
  const refused = new AppError('import.mailbox-exempt', { details: { field: 'mailbox', mailbox: name } });
  if ((await exemptFromArchives(tx, tenantId)).has(id)) throw refused;
  const row = await tx
    .selectFrom('receiver_addresses')
    .select('address')
    .where('tenant_id', '=', tenantId)
    .where('graph_id', '=', id)
    .where('is_exempt', '=', true)
    .executeTakeFirst();
  if (row) throw refused;
}

/** Remembers that an address is somebody's, for mail to come; the directory overrules it. */
async function rememberAddress(tx: Tx, tenantId: string, { address, mailbox }: Assignment, at: Date): Promise<void> {
  const owner = { graph_id: mailbox.id, name: mailbox.name, mailbox_address: mailbox.address, is_manual: true, seen_at: at };
  await tx
    .insertInto('receiver_addresses')
    .values({ tenant_id: tenantId, address: address ?? '', ...owner })
    .onConflict((conflict) =>
      conflict
        .columns(['organisation_id', 'realm', 'tenant_id', 'address'])
        .doUpdateSet(owner)
        .where('receiver_addresses.is_manual', '=', true),
    )
    .execute();
}

/** Places mail without an owner in the archive of somebody; answers how many mails. */
export async function assign(parts: AssignParts, asking: Asking, place: ReceiverPlace, assignment: Assignment): Promise<number> {
  const { database, audit, clock } = parts;
  const { tenantId, receiverId } = place;
  const { address, mailbox } = assignment;
  await database.within(asking.scope, (tx) => requireReceiver(tx, place));
  await requireMailbox(parts, asking, tenantId, mailbox);
  return database.within(asking.scope, async (tx) => {
    const row = await requireReceiver(tx, place);
    await requireNotExempt(tx, tenantId, mailbox);
    const reports = await unassignedOf(tx, receiverId, address);
    const own = address === null ? [] : [address];
    // Also without an address, so that the archive is called by the name of its owner.
    await rememberAddress(tx, tenantId, { address: address ?? mailbox.address.toLowerCase(), mailbox }, now(clock));
    await addPending(
      tx,
      receiverId,
      reports.map((reportKey) => ({ graphId: mailbox.id, reportKey, addresses: own })),
    );
    await forgetUnassigned(tx, receiverId, reports);
    await tx
      .updateTable('receivers')
      .set((column) => ({ placed: column('placed', '+', reports.length) }))
      .where('receiver_id', '=', receiverId)
      .execute();
    await noteReceiver(audit, tx, asking, {
      event: 'receivers.assigned',
      row,
      details: { mailbox: mailbox.name, address: address ?? '', messages: reports.length },
    });
    return reports.length;
  });
}
