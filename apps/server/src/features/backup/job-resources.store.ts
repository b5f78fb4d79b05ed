import { completeBody, protectingTypes, type JobBody, type JobType } from '@holdfast/contract/jobs';
import type { Database, Scope } from '@holdfast/database';
import { sql } from 'kysely';
import type { SourcedBody } from './configured-source.ts';

/** What a job covers. */
export interface JobCover {
  readonly resourceIds: readonly string[];
  /** Those of them of which the job names what it covers: teams of single channels. */
  readonly inPart: ReadonlySet<string>;
  /** Not so when something could not be looked up: what is missing may be covered all the same. */
  readonly isWhole: boolean;
}

/** Which resources jobs cover, as each has found it when it last looked. */
export interface JobResourcesStore {
  /** Notes what a job covers, and forgets what it does not any more. A job that was removed covers nothing. */
  note(scope: Scope, jobId: string, cover: JobCover): Promise<void>;
  /** What the other jobs that cover a resource and back up into this location say now; those of other types if they are named. */
  besides(
    scope: Scope,
    of: { readonly resourceId: string; readonly locationId: string; readonly jobId: string | null; readonly types?: readonly JobType[] },
  ): Promise<readonly { readonly body: SourcedBody; readonly inPart: boolean }[]>;
  /** The mailboxes that backup jobs cover, in whichever location, as Microsoft 365 names them. */
  mailboxes(scope: Scope, tenantId: string): Promise<ReadonlySet<string>>;
  /** Backup jobs over mailboxes that cover nothing yet: they have never run, or found nobody. */
  unnoted(scope: Scope, tenantId: string): Promise<readonly SourcedBody[]>;
}

const isProtecting = sql`job.type = any(${[...protectingTypes]})`;

function sourced(kept: JobBody): readonly SourcedBody[] {
  const body = completeBody(kept);
  return 'source' in body ? [body] : [];
}

export function createJobResourcesStore(database: Database): JobResourcesStore {
  return Object.freeze<JobResourcesStore>({
    async note(scope, jobId, { resourceIds, inPart, isWhole }) {
      await database.within(scope, async (tx) => {
        const found = [...resourceIds];
        await sql`
          insert into job_resources (job_id, resource_id, in_part)
          select job.job_id, found.resource_id, found.resource_id = any(${[...inPart]}::uuid[])
          from (select job_id from jobs where job_id = ${jobId} for key share) job, unnest(${found}::uuid[]) as found (resource_id)
          on conflict (organisation_id, realm, job_id, resource_id) do update set in_part = excluded.in_part
            where job_resources.in_part <> excluded.in_part`.execute(tx);
        if (isWhole) await sql`delete from job_resources where job_id = ${jobId} and not (resource_id = any(${found}::uuid[]))`.execute(tx);
      });
    },
    besides(scope, { resourceId, locationId, jobId, types = protectingTypes }) {
      return database.within(scope, async (tx) => {
        const { rows } = await sql<{ body: JobBody; in_part: boolean }>`
          select job.body, covered.in_part from job_resources covered join jobs job using (organisation_id, realm, job_id)
          where covered.resource_id = ${resourceId} and job.location_id = ${locationId} and job.type = any(${[...types]})
            and job.job_id is distinct from ${jobId}::uuid
          order by job.job_id`.execute(tx);
        return rows.flatMap(({ body: kept, in_part: inPart }) => sourced(kept).map((body) => ({ body, inPart })));
      });
    },
    mailboxes(scope, tenantId) {
      return database.within(scope, async (tx) => {
        const { rows } = await sql<{ graph_id: string }>`
          select distinct resource.graph_id from job_resources covered join jobs job using (organisation_id, realm, job_id)
            join resources resource using (organisation_id, realm, resource_id)
          where resource.tenant_id = ${tenantId} and resource.kind = 'mailbox' and ${isProtecting}`.execute(tx);
        return new Set(rows.map(({ graph_id: graphId }) => graphId));
      });
    },
    unnoted(scope, tenantId) {
      return database.within(scope, async (tx) => {
        const { rows } = await sql<{ body: JobBody }>`
          select job.body from jobs job where job.tenant_id = ${tenantId} and job.workload = 'exchange' and ${isProtecting}
            and not exists (select from job_resources covered where covered.job_id = job.job_id) order by job.job_id`.execute(tx);
        return rows.flatMap(({ body }) => sourced(body));
      });
    },
  });
}
