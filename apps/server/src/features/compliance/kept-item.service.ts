import { mayDo } from '@holdfast/contract/actions';
import type { compliance } from '@holdfast/contract/compliance';
import type { ResponseOf } from '@holdfast/contract/route';
import type { Database, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import { membershipIn } from '../../access/actor.ts';
import type { ContentCaller, ContentService } from '../content/index.ts';
import type { RetentionFeature } from '../retention/index.ts';
import { sourceIn, whyKept, type KeptSource } from './kept.views.ts';

type Answer = ResponseOf<(typeof compliance)['keptItem']>;

/** Says why an item that somebody reads is kept, and until when. */
export interface KeptItemService {
  keptItem(caller: ContentCaller, place: { readonly tenantId: string; readonly ticket: string }): Promise<Answer>;
}

export interface KeptItemParts extends Pick<RetentionFeature, 'policiesOf' | 'policiesOfFile' | 'deletedBy'> {
  readonly database: Database;
  readonly clock: Clock;
  readonly reading: Pick<ContentService, 'ticketed'>;
}

/** What retention policies do with an item: with messages of archives, and with files. Everything else is kept by restore points alone. */
async function policiesOn(
  parts: KeptItemParts,
  tx: Tx,
  { resourceId, kind }: KeptSource,
  key: string,
): Promise<Pick<Answer, 'policies' | 'deletedBy'>> {
  const isArchived = kind === 'archive';
  const message = { resourceId, messageId: key };
  const policies = await (isArchived ? parts.policiesOf(tx, message) : parts.policiesOfFile(tx, { resourceId, itemKey: key }));
  const deletedBy = isArchived ? await parts.deletedBy(tx, message) : [];
  return {
    policies: policies.map(({ name, until }) => ({ name, until: until?.toISOString() ?? null })),
    deletedBy: deletedBy.map(({ name, from, isReviewed }) => ({ name, from: from?.toISOString() ?? null, isReviewed })),
  };
}

export function createKeptItemService(parts: KeptItemParts): KeptItemService {
  const { database, clock, reading } = parts;
  return Object.freeze<KeptItemService>({
    async keptItem(caller, place) {
      const { actor, scope } = caller;
      const { resourceId, locationId, item } = await reading.ticketed(caller, place);
      const role = membershipIn(actor, scope.organisationId, now(clock).getTime())?.role;
      const isTold = role !== undefined && mayDo(role, 'deletion.manage');
      return database.within(scope, async (tx) => {
        const source = await sourceIn(tx, { resourceId, locationId });
        if (!source) throw new AppError('content.item-unknown');
        const { holds, rules, points, oldestAt, newestAt } = await whyKept(tx, place.tenantId, source, item.key);
        return {
          holds: holds.map(({ name, reason }) => ({ name, reason: isTold ? reason : null })),
          rules,
          points,
          oldestAt,
          newestAt,
          ...(await policiesOn(parts, tx, source, item.key)),
        };
      });
    },
  });
}
