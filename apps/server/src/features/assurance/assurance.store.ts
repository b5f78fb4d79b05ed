import type { Workload } from '@holdfast/contract/values';
import type { Database, Scope } from '@holdfast/database';
import type { VerifyReport } from '@holdfast/vault';
import { retentionTerms, type RetentionTerms } from '../backup/index.ts';
import type { ResourceWorkload } from '../../storage/index.ts';

/** A resource that a location holds. */
export interface HeldResource {
  readonly resourceId: string;
  readonly graphId: string;
  readonly address: string;
  readonly workload: ResourceWorkload;
  readonly bytes: number;
}

export interface AssuranceStore {
  /** Everything that a location holds. */
  held(scope: Scope, locationId: string): Promise<readonly HeldResource[]>;
  /** What a deletion of a location goes by beside its own rule. */
  terms(scope: Scope, locationId: string): Promise<RetentionTerms>;
  /** What the deletion jobs over these workloads delete by, those left out that nobody has approved. */
  deletionJobs(scope: Scope, tenantId: string, workloads: readonly Workload[]): Promise<readonly object[]>;
  /** Packs that earlier verifications of the present round have read back intact. */
  verified(scope: Scope, locationId: string): Promise<VerifyReport['progress'] | undefined>;
  noteVerified(scope: Scope, locationId: string, progress: VerifyReport['progress']): Promise<void>;
}

export function createAssuranceStore(database: Database): AssuranceStore {
  return Object.freeze<AssuranceStore>({
    held(scope, locationId) {
      return database.within(scope, async (tx) => {
        const rows = await tx
          .selectFrom('catalog_sources as source')
          .innerJoin('resources as resource', (join) =>
            join
              .onRef('resource.organisation_id', '=', 'source.organisation_id')
              .onRef('resource.realm', '=', 'source.realm')
              .onRef('resource.resource_id', '=', 'source.resource_id'),
          )
          .select(['source.resource_id', 'resource.graph_id', 'resource.address', 'resource.workload', 'source.bytes'])
          .where('source.location_id', '=', locationId)
          .orderBy('source.resource_id')
          .execute();
        return rows.map((row) => ({
          resourceId: row.resource_id,
          graphId: row.graph_id,
          address: row.address,
          workload: row.workload,
          bytes: row.bytes,
        }));
      });
    },
    terms: (scope, locationId) => database.within(scope, (tx) => retentionTerms(tx, locationId)),
    deletionJobs(scope, tenantId, workloads) {
      return database.within(scope, async (tx) => {
        const rows = await tx
          .selectFrom('jobs')
          .select('body')
          .where('tenant_id', '=', tenantId)
          .where('type', '=', 'deletion')
          .where('workload', 'in', workloads)
          .where('approval', 'in', ['notNeeded', 'approved'])
          .orderBy('job_id')
          .execute();
        return rows.map((row) => row.body);
      });
    },
    verified(scope, locationId) {
      return database.within(scope, async (tx) => {
        const row = await tx.selectFrom('vault_verifications').select('progress').where('location_id', '=', locationId).executeTakeFirst();
        return row?.progress as VerifyReport['progress'] | undefined;
      });
    },
    async noteVerified(scope, locationId, progress) {
      const text = JSON.stringify(progress);
      await database.within(scope, (tx) =>
        tx
          .insertInto('vault_verifications')
          .values({ location_id: locationId, progress: text })
          .onConflict((conflict) => conflict.columns(['organisation_id', 'realm', 'location_id']).doUpdateSet({ progress: text }))
          .execute(),
      );
    },
  });
}
