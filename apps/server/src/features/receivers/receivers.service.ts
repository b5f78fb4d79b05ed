import type { Receiver, ReceiverBody, UnassignedMail } from '@holdfast/contract/receivers';
import { bytesOfMegabytes } from '@holdfast/contract/receivers';
import type { Database, Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import type { Random } from '@holdfast/foundation/random';
import type { ResourcesStore } from '../../storage/index.ts';
import type { AuditEntry, AuditEvent, AuditInbox } from '../audit/index.ts';
import type { Asking } from '../identity/index.ts';
import { requireLocation } from '../locations/index.ts';
import { actorEntry } from '../organisations/index.ts';
import { newLocalPart, type LocalParts } from './addresses.ts';
import { receiverOf } from './receiver-view.ts';
import {
  addReceiver,
  changeReceiver,
  countedReceivers,
  findReceiver,
  removeReceiver,
  type CountedReceiver,
  type ReceiverRow,
} from './receivers.store.ts';
import { sendTestMessage, type TestOutcome } from './test-message.ts';
import { unassignedMail } from './unassigned.store.ts';

export interface ReceiversParts {
  readonly database: Database;
  readonly resources: Pick<ResourcesStore, 'remember'>;
  readonly audit: AuditInbox;
  readonly localParts: LocalParts;
  /** The host in addresses where no worker listens yet. */
  readonly hostName: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly random: Random;
}

/** One receiver of a tenant. */
export interface ReceiverPlace {
  readonly tenantId: string;
  readonly receiverId: string;
}

export interface ReceiversService {
  list(scope: Scope, tenantId: string): Promise<Receiver[]>;
  create(asking: Asking, tenantId: string, body: ReceiverBody): Promise<Receiver>;
  change(asking: Asking, place: ReceiverPlace, body: ReceiverBody): Promise<Receiver>;
  remove(asking: Asking, place: ReceiverPlace): Promise<void>;
  test(asking: Asking, place: ReceiverPlace): Promise<TestOutcome>;
  renewAddress(asking: Asking, place: ReceiverPlace): Promise<Receiver>;
  unassigned(scope: Scope, place: ReceiverPlace): Promise<UnassignedMail[]>;
}

const rulesOf = (body: ReceiverBody) => ({
  name: body.name,
  is_enabled: body.isEnabled,
  networks: body.networks,
  max_bytes: bytesOfMegabytes(body.maxMegabytes),
  silence_minutes: body.silenceMinutes,
  business_days: [...new Set(body.businessDays)].toSorted((one, other) => one - other),
  business_from: body.businessFrom,
  business_to: body.businessTo,
});

/** A tenant has one receiver: Exchange reports each message to one address. */
async function requireNone(tx: Tx, tenantId: string): Promise<void> {
  if ((await countedReceivers(tx, tenantId)).length > 0) throw new AppError('receivers.one-each');
}

export async function requireReceiver(tx: Tx, { tenantId, receiverId }: ReceiverPlace): Promise<ReceiverRow> {
  const row = await findReceiver(tx, tenantId, receiverId);
  if (!row) throw new AppError('not-found');
  return row;
}

/** Writes what somebody did with a receiver into the audit log. */
export function noteReceiver(
  audit: AuditInbox,
  tx: Tx,
  { actor, caller }: Asking,
  noted: {
    readonly event: AuditEvent;
    readonly row: Pick<ReceiverRow, 'receiver_id' | 'name'>;
    readonly details?: AuditEntry['details'];
  },
): Promise<void> {
  const { event, row, details = {} } = noted;
  return audit.record(tx, {
    event,
    actor: actorEntry(actor, caller),
    subject: { kind: 'receiver', id: row.receiver_id, name: row.name },
    details,
  });
}

const factsOf = (body: ReceiverBody): AuditEntry['details'] => ({
  enabled: body.isEnabled,
  networks: body.networks.join(', '),
  silenceMinutes: body.silenceMinutes,
});

function createReading(parts: ReceiversParts) {
  const { database, localParts, clock, hostName } = parts;
  async function viewOf(scope: Scope, row: CountedReceiver): Promise<Receiver> {
    const address = `${await localParts.open(scope, row)}@${row.listening_host ?? hostName}`;
    return receiverOf(row, { address, nowMs: clock.nowMs() });
  }
  return {
    viewOf,
    async one(scope: Scope, { tenantId, receiverId }: ReceiverPlace): Promise<Receiver> {
      const [row] = await database.within(scope, (tx) => countedReceivers(tx, tenantId, receiverId));
      if (!row) throw new AppError('not-found');
      return viewOf(scope, row);
    },
  };
}

function createEditing(parts: ReceiversParts): Pick<ReceiversService, 'create' | 'change' | 'remove' | 'renewAddress'> {
  const { database, resources, audit, localParts, clock, ids, random } = parts;
  const reading = createReading(parts);
  return {
    async create(asking, tenantId, body) {
      const { scope, actor } = asking;
      const { locationId } = body;
      const receiverId = ids.uuid();
      await database.within(scope, async (tx) => {
        await requireLocation(tx, { tenantId, locationId }, (use) => use !== 'backup');
        await requireNone(tx, tenantId);
      });
      const found = { kind: 'journal', workload: 'journal', graphId: receiverId, name: body.name, address: '' } as const;
      const sealed = await localParts.seal(scope, receiverId, newLocalPart(random));
      const [resource] = await resources.remember(scope, tenantId, [found]);
      if (!resource) throw new AppError('internal');
      await database.within(scope, async (tx) => {
        await requireNone(tx, tenantId);
        const at = now(clock);
        const place = { receiver_id: receiverId, tenant_id: tenantId, location_id: locationId, resource_id: resource.resourceId };
        const made = { sealed_address: sealed, created_at: at, creator: actor.email, watched_since: at };
        await addReceiver(tx, { ...place, ...rulesOf(body), ...made, last_failure: null, ...NOBODY_LISTENS });
        await noteReceiver(audit, tx, asking, {
          event: 'receivers.created',
          row: { receiver_id: receiverId, name: body.name },
          details: factsOf(body),
        });
      });
      return reading.one(scope, { tenantId, receiverId });
    },
    async change(asking, place, body) {
      await database.within(asking.scope, async (tx) => {
        const row = await requireReceiver(tx, place);
        if (row.location_id !== body.locationId) throw new AppError('receivers.location-stays', { details: { field: 'locationId' } });
        await changeReceiver(tx, place.receiverId, { ...rulesOf(body), watched_since: now(clock) });
        await noteReceiver(audit, tx, asking, { event: 'receivers.changed', row: { ...row, name: body.name }, details: factsOf(body) });
      });
      return reading.one(asking.scope, place);
    },
    async remove(asking, place) {
      await database.within(asking.scope, async (tx) => {
        const row = await requireReceiver(tx, place);
        const [counted] = await countedReceivers(tx, place.tenantId, place.receiverId);
        const waiting = (counted?.received ?? 0) - (counted?.resolved ?? 0) + (counted?.pending ?? 0) + (counted?.unassigned ?? 0);
        if (waiting > 0) throw new AppError('receivers.has-unassigned');
        await removeReceiver(tx, place.receiverId);
        await noteReceiver(audit, tx, asking, { event: 'receivers.removed', row });
      });
    },
    async renewAddress(asking, place) {
      const sealed = await localParts.seal(asking.scope, place.receiverId, newLocalPart(random));
      await database.within(asking.scope, async (tx) => {
        const row = await requireReceiver(tx, place);
        await changeReceiver(tx, place.receiverId, { sealed_address: sealed });
        await noteReceiver(audit, tx, asking, { event: 'receivers.address-renewed', row });
      });
      return reading.one(asking.scope, place);
    },
  };
}

const NOBODY_LISTENS = { listening_host: null, listening_port: null, certificate_sha256: null, certificate: null };

/** Receivers as the page sees and changes them. */
export function createReceivers(parts: ReceiversParts): ReceiversService {
  const { database, audit, clock, ids } = parts;
  const reading = createReading(parts);
  return Object.freeze<ReceiversService>({
    ...createEditing(parts),
    async list(scope, tenantId) {
      const rows = await database.within(scope, (tx) => countedReceivers(tx, tenantId));
      return Promise.all(rows.map((row) => reading.viewOf(scope, row)));
    },
    async test(asking, place) {
      const { scope, actor } = asking;
      const row = await database.within(scope, (tx) => requireReceiver(tx, place));
      const { address, listening } = await reading.one(scope, place);
      const outcome: TestOutcome =
        listening === null || row.certificate === null
          ? { result: 'notListening', detail: '' }
          : await sendTestMessage({
              to: { address },
              host: listening.hostName,
              port: listening.port,
              certificate: row.certificate,
              tester: actor.email,
              id: ids.uuid(),
              at: now(clock),
            });
      await database.within(scope, (tx) =>
        noteReceiver(audit, tx, asking, { event: 'receivers.tested', row, details: { result: outcome.result } }),
      );
      return outcome;
    },
    unassigned: (scope, place) =>
      database.within(scope, async (tx) => {
        await requireReceiver(tx, place);
        return unassignedMail(tx, place.receiverId);
      }),
  });
}
