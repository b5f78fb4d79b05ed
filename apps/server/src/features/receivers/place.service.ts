import type { Database, Scope } from '@holdfast/database';
import {
  createBackup,
  journalWorkload,
  silentProgress,
  type Catalog,
  type Content,
  type ItemVersion,
  type JournaledMessage,
  type JsonObject,
  type Lease,
} from '@holdfast/engine';
import type { Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { Logger } from '@holdfast/foundation/logger';
import { resourceOf, type ResourcesStore, type Vaults } from '../../storage/index.ts';
import { envelopeFor } from './owners.policy.ts';
import { countErasedBefore, forgetPending, ownersWaiting, PLACED_AT_ONCE, waitingFor, type Waiting } from './pending.store.ts';
import type { ReceiverRow } from './receivers.store.ts';
import { envelopeOf } from './resolve.store.ts';

export interface PlaceParts {
  readonly database: Database;
  readonly vaults: Pick<Vaults, 'use'>;
  readonly resources: Pick<ResourcesStore, 'remember'>;
  catalogOf(scope: Scope, locationId: string): Catalog;
  leaseOf(scope: Scope, locationId: string): Lease;
  readonly instanceId: string;
  readonly clock: Clock;
  readonly logger: Logger;
}

interface KeptMessage {
  readonly key: string;
  readonly subject: string;
  readonly sentAt?: string;
  readonly properties: JsonObject;
  readonly verdicts?: JsonObject;
}

function contentOf(item: ItemVersion, key: string): Content {
  const found = key === item.key ? item.contents.find(({ role }) => role === 'mime') : item.contents.find(({ label }) => label === key);
  if (!found) throw new AppError('vault.damaged', { details: { report: item.key, message: key } });
  return found;
}

/** The messages of a report, as the owner of an archive has them. */
function messagesOf(item: ItemVersion, receiverId: string, own: readonly string[]): readonly JournaledMessage[] {
  const envelope = envelopeFor(envelopeOf(item), own);
  return (item.properties['messages'] as unknown as readonly KeptMessage[]).map((message) => ({
    ...message,
    content: contentOf(item, message.key),
    receivedAt: item.modifiedAt ?? '',
    reportKey: item.key,
    receiverId,
    ...(envelope ? { envelope } : {}),
  }));
}

async function placeWaiting(parts: PlaceParts, scope: Scope, row: ReceiverRow, waiting: Waiting): Promise<void> {
  const { vaults, resources, clock, logger, instanceId } = parts;
  const { location_id: locationId, receiver_id: receiverId, tenant_id: tenantId } = row;
  const catalog = parts.catalogOf(scope, locationId);
  const items = await catalog.lookup(row.resource_id, [...waiting.reports.keys()]);
  // What the catalog does not have now, while it is rebuilt, goes on waiting.
  if (items.size < waiting.reports.size) throw new AppError('internal', { message: 'The catalog does not have all of the journal.' });
  const messages = [...items.values()]
    .sort((a, b) => (a.modifiedAt ?? '').localeCompare(b.modifiedAt ?? ''))
    .flatMap((item) => messagesOf(item, receiverId, waiting.reports.get(item.key) ?? []));
  const { graphId, name, address } = waiting;
  const found = { kind: 'archive' as const, workload: 'archive' as const, graphId, name, address };
  const [archive] = await resources.remember(scope, tenantId, [found]);
  if (!archive) throw new AppError('internal');
  const erasedBefore = await vaults.use(scope, locationId, async (vault) => {
    const backup = createBackup({
      vault,
      workloadOf: () => journalWorkload(messages),
      catalog,
      lease: parts.leaseOf(scope, locationId),
      progress: silentProgress,
      problems: { add: (problem) => Promise.resolve(logger.warn({ ...problem }, 'journal mail could not be placed in an archive')) },
      clock,
      logger,
    });
    const signal = new AbortController().signal;
    const result = await backup.run({ runId: instanceId, resource: resourceOf(archive), selections: [{}], signal });
    if (result.status !== 'successful') throw new AppError('internal', { message: `An archive took no journal mail: ${result.status}` });
    return result.counts.erasedBefore ?? 0;
  });
  await parts.database.within(scope, async (tx) => {
    await forgetPending(tx, { receiverId, graphId }, [...waiting.reports.keys()]);
    if (erasedBefore > 0) await countErasedBefore(tx, receiverId, erasedBefore);
  });
}

/** Places what waits in the archives of its owners. One that is busy holds up nobody else. Answers whether more than that waits. */
export async function placeSome(parts: PlaceParts, scope: Scope, row: ReceiverRow, signal: AbortSignal): Promise<boolean> {
  const owners = await parts.database.within(scope, (tx) => ownersWaiting(tx, row.receiver_id));
  let hasMore = false;
  for (const graphId of owners) {
    if (signal.aborted) break;
    try {
      const waiting = await parts.database.within(scope, (tx) => waitingFor(tx, row, graphId));
      await placeWaiting(parts, scope, row, waiting);
      // What comes meanwhile is placed together in the next turn: a run for each few mails would slow down those who send.
      if (waiting.reports.size === PLACED_AT_ONCE) hasMore = true;
    } catch (error) {
      parts.logger.warn({ err: error, receiverId: row.receiver_id }, 'journal mail waits for an archive');
    }
  }
  return hasMore;
}
