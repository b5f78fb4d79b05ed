import type { Tx } from '@holdfast/database';
import { localDay, runningMinimums, type PointMinimum } from '@holdfast/engine';
import type { KeptPlace } from '../../storage/index.ts';
import { timeZoneOf } from '../organisations/index.ts';
import { archivedDays, databaseNow } from './archived-days.views.ts';
import { createEnds, minimumsOf } from './periods.ts';
import { covers, termsOf, type RetentionStore } from './retention.store.ts';

/** A policy that keeps something, and the end of the last of its periods; null while one waits for an event. */
interface KeepingPolicy {
  readonly name: string;
  readonly until: Date | null;
}

/** What the policies in force keep. */
export interface Minimums {
  /** Of an archive in a location, by restore points; of anything else nothing. */
  on(tx: Tx, place: KeptPlace): Promise<readonly PointMinimum[]>;
  /** Those whose periods run by the clock of the database. No policy can end or come into force before the transaction has ended. */
  within(tx: Tx, place: KeptPlace): Promise<readonly PointMinimum[]>;
  /** Of a tenant, or of one of its locations, as people read it: `Letters (2031-12-31)`. */
  namesIn(tx: Tx, tenantId: string, locationId?: string): Promise<readonly string[]>;
  /** One archived message: the policies that keep it, the longest first. */
  ofMessage(tx: Tx, message: { readonly resourceId: string; readonly messageId: string }): Promise<readonly KeepingPolicy[]>;
}

/** The last day on which it is kept says when it ends better than the first moment after it. */
function nameWithEnd({ name, untilMs }: PointMinimum, timeZone: string): string {
  return untilMs === null ? name : `${name} (${localDay(untilMs - 1, timeZone)})`;
}

const endMs = ({ until }: KeepingPolicy): number => until?.getTime() ?? Infinity;

export function createMinimums(store: RetentionStore): Minimums {
  async function policiesOn(tx: Tx, resourceId: string) {
    const tenantId = await store.tenantOf(tx, resourceId);
    if (tenantId === undefined) return [];
    return (await store.inForce(tx, tenantId)).filter((policy) => covers(policy, resourceId)).map(termsOf);
  }

  async function of(tx: Tx, resourceId: string, locationId?: string): Promise<PointMinimum[]> {
    const policies = await policiesOn(tx, resourceId);
    if (policies.length === 0) return [];
    const timeZone = await timeZoneOf(tx);
    const events = await store.eventDays(tx, resourceId);
    const endOf = createEnds(timeZone);
    const days = await archivedDays(tx, { sourceIds: await store.sources(tx, resourceId, locationId), timeZone });
    return policies.flatMap((policy) => minimumsOf(policy, days, events, endOf));
  }

  return Object.freeze<Minimums>({
    on: (tx, { resourceId, locationId }) => of(tx, resourceId, locationId),
    async within(tx, { resourceId, locationId }) {
      await store.lock(tx, 'obeying');
      return runningMinimums(await of(tx, resourceId, locationId), await databaseNow(tx));
    },
    async namesIn(tx, tenantId, locationId) {
      await store.lock(tx, 'obeying');
      const timeZone = await timeZoneOf(tx);
      const found: PointMinimum[] = [];
      for (const { resource_id } of await store.mailboxes(tx, tenantId)) found.push(...(await of(tx, resource_id, locationId)));
      return runningMinimums(found, await databaseNow(tx)).map((minimum) => nameWithEnd(minimum, timeZone));
    },
    async ofMessage(tx, { resourceId, messageId }) {
      const policies = await policiesOn(tx, resourceId);
      if (policies.length === 0) return [];
      const timeZone = await timeZoneOf(tx);
      const [day] = await archivedDays(tx, { sourceIds: await store.sources(tx, resourceId), messageId, timeZone });
      if (day === undefined) return [];
      const events = await store.eventDays(tx, resourceId);
      const endOf = createEnds(timeZone);
      const nowMs = await databaseNow(tx);
      return policies
        .map((policy) => ({ name: policy.name, end: endOf(policy, day, events) }))
        .filter(({ end }) => end > nowMs)
        .map(({ name, end }) => ({ name, until: Number.isFinite(end) ? new Date(end) : null }))
        .sort((a, b) => (endMs(a) === endMs(b) ? a.name.localeCompare(b.name) : endMs(b) > endMs(a) ? 1 : -1));
    },
  });
}
