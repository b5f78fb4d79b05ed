import { mayDo, type Action } from '@holdfast/contract/actions';
import type { Destination, DestinationBody, SendFailureView } from '@holdfast/contract/forwarding';
import type { Database, Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Ids } from '@holdfast/foundation/ids';
import { membershipIn, type Actor } from '../../access/actor.ts';
import type { AuditEntry, AuditEvent, AuditInbox } from '../audit/index.ts';
import type { Caller } from '../identity/index.ts';
import { actorEntry } from '../organisations/index.ts';
import { viewOf } from './destination-view.ts';
import {
  addDestination,
  changeDestination,
  countDestinations,
  countWaiting,
  listDestinations,
  newestSequence,
  readDestination,
  removeDestination,
  type DestinationRow,
} from './destinations.store.ts';
import type { Secrets } from './secrets.ts';
import { SendFailure } from './send-failure.ts';
import { checkCertificates, targetOf } from './target.policy.ts';
import { testEvent } from './test-event.ts';
import type { Transport } from './transport.ts';

/** Destinations of one organisation and realm. */
const MOST = 10;
/** A test answers within the time that a request may take. */
const TEST_MS = 12_000;

export interface ForwardingPorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly audit: AuditInbox;
  readonly secrets: Secrets;
  /** The organisation an actor chose last, where a request names none. */
  chosen(actor: Actor): Promise<string | undefined>;
  transport(scope: Scope, row: DestinationRow): Promise<Transport>;
  /** Throws `forwarding.host-refused` when the receiver is in a network that the operator did not allow. */
  checkHost(body: DestinationBody): Promise<void>;
  folderOf(scope: Scope, destinationId: string): string;
}

/** Who asks for what. */
export interface Asked {
  readonly actor: Actor;
  readonly organisationId: string | undefined;
  readonly caller: Caller;
}

/** Destinations as pages and programs see and change them. */
export interface ForwardingService {
  list(asked: Asked): Promise<Destination[]>;
  create(asked: Asked, body: DestinationBody): Promise<Destination & { secret: string | null }>;
  change(asked: Asked, destinationId: string, body: DestinationBody): Promise<Destination>;
  remove(asked: Asked, destinationId: string): Promise<void>;
  test(asked: Asked, destinationId: string): Promise<SendFailureView | null>;
  renewSecret(asked: Asked, destinationId: string): Promise<string>;
}

type Noted = Pick<DestinationRow, 'destination_id' | 'name'> & { readonly details?: AuditEntry['details'] };

const detailsOf = (body: DestinationBody): Record<string, string | boolean> => ({
  kind: body.kind,
  feed: body.feed,
  enabled: body.isEnabled,
  ...(body.kind === 'syslog' ? { receiver: `${body.host}:${body.port}` } : {}),
  ...(body.kind === 'webhook' ? { receiver: new URL(body.url).host, form: body.form } : {}),
});

async function existing(tx: Tx, destinationId: string): Promise<DestinationRow> {
  const row = await readDestination(tx, destinationId);
  if (!row) throw new AppError('not-found');
  return row;
}

/** What every operation asks first, and says at its end. */
function createAsking(ports: ForwardingPorts) {
  const { database, clock, audit } = ports;
  return {
    /** The organisation a request means: not a member, not found; no right, denied. */
    async place({ actor, organisationId }: Asked, action: Action): Promise<Scope> {
      const wanted = (organisationId ?? (await ports.chosen(actor))) as Scope['organisationId'];
      const membership = membershipIn(actor, wanted, clock.nowMs());
      if (!membership) throw new AppError('not-found');
      if (!mayDo(membership.role, action)) throw new AppError('access-denied');
      return { organisationId: wanted, realm: actor.realm };
    },
    existing: (scope: Scope, destinationId: string) => database.within(scope, (tx) => existing(tx, destinationId)),
    async check(body: DestinationBody): Promise<void> {
      if (body.kind === 'file') return;
      checkCertificates(body.ca);
      await ports.checkHost(body);
    },
    async view(tx: Tx, scope: Scope, row: DestinationRow): Promise<Destination> {
      return viewOf(row, { backlog: await countWaiting(tx, row), folder: ports.folderOf(scope, row.destination_id) });
    },
    note: (tx: Tx, event: AuditEvent, { actor, caller }: Asked, { destination_id: id, name, details = {} }: Noted): Promise<void> =>
      audit.record(tx, { event, actor: actorEntry(actor, caller), subject: { kind: 'destination', id, name }, details }),
  };
}

/** Adding, changing and removing. */
function createEditing(ports: ForwardingPorts): Pick<ForwardingService, 'create' | 'change' | 'remove'> {
  const { database, clock, ids, secrets } = ports;
  const asking = createAsking(ports);
  return {
    async create(asked, body) {
      const scope = await asking.place(asked, 'forwarding.manage');
      await asking.check(body);
      const destinationId = ids.uuid();
      const made = body.kind === 'webhook' ? await secrets.make(scope, destinationId) : undefined;
      return database.within(scope, async (tx) => {
        if ((await countDestinations(tx)) >= MOST) throw new AppError('forwarding.too-many');
        const at = now(clock);
        await addDestination(tx, {
          destination_id: destinationId,
          name: body.name,
          kind: body.kind,
          feed: body.feed,
          is_enabled: body.isEnabled,
          target: JSON.stringify(targetOf(body)),
          sealed_secret: made?.sealed ?? null,
          created_at: at,
          creator: asked.actor.email,
          cursor: body.fromStart ? 0 : await newestSequence(tx),
          last_failure: null,
          next_attempt_at: at,
          lease_id: null,
        });
        const row = await existing(tx, destinationId);
        await asking.note(tx, 'forwarding.created', asked, { ...row, details: detailsOf(body) });
        return { ...(await asking.view(tx, scope, row)), secret: made?.secret ?? null };
      });
    },
    async change(asked, destinationId, body) {
      const scope = await asking.place(asked, 'forwarding.manage');
      await asking.check(body);
      return database.within(scope, async (tx) => {
        const row = await existing(tx, destinationId);
        if (row.kind !== body.kind) throw new AppError('forwarding.kind-stays', { details: { field: 'kind' } });
        const { name, feed, isEnabled } = body;
        const target = JSON.stringify(targetOf(body));
        // Whoever has mended the address need not wait for the next attempt.
        await changeDestination(tx, destinationId, { name, feed, is_enabled: isEnabled, target, next_attempt_at: now(clock) });
        await asking.note(tx, 'forwarding.changed', asked, { ...row, name, details: detailsOf(body) });
        return asking.view(tx, scope, await existing(tx, destinationId));
      });
    },
    async remove(asked, destinationId) {
      const scope = await asking.place(asked, 'forwarding.manage');
      await database.within(scope, async (tx) => {
        const row = await existing(tx, destinationId);
        await removeDestination(tx, destinationId);
        await asking.note(tx, 'forwarding.removed', asked, { ...row, details: { kind: row.kind } });
      });
    },
  };
}

/** What is read, tried and renewed, beside what is edited. */
export function createForwardingService(ports: ForwardingPorts): ForwardingService {
  const { database, clock, secrets } = ports;
  const asking = createAsking(ports);
  return {
    ...createEditing(ports),
    async list(asked) {
      const scope = await asking.place(asked, 'audit.export');
      return database.within(scope, async (tx) => {
        const found: Destination[] = [];
        for (const row of await listDestinations(tx)) found.push(await asking.view(tx, scope, row));
        return found;
      });
    },
    async test(asked, destinationId) {
      const scope = await asking.place(asked, 'forwarding.manage');
      const row = await asking.existing(scope, destinationId);
      const transport = await ports.transport(scope, row);
      const failure = await transport.send([testEvent(scope, now(clock))], AbortSignal.timeout(TEST_MS)).then(
        () => null,
        (error: unknown) => {
          if (error instanceof SendFailure) return { reason: error.reason, detail: error.detail };
          throw error;
        },
      );
      await database.within(scope, (tx) =>
        asking.note(tx, 'forwarding.tested', asked, { ...row, details: { result: failure?.reason ?? 'received' } }),
      );
      return failure;
    },
    async renewSecret(asked, destinationId) {
      const scope = await asking.place(asked, 'forwarding.manage');
      const { secret, sealed } = await secrets.make(scope, destinationId);
      await database.within(scope, async (tx) => {
        const row = await existing(tx, destinationId);
        if (row.kind !== 'webhook') throw new AppError('not-found');
        await changeDestination(tx, destinationId, { sealed_secret: sealed });
        await asking.note(tx, 'forwarding.secret-renewed', asked, row);
      });
      return secret;
    },
  };
}
