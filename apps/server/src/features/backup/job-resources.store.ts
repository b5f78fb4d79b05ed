import { completeBody, protectingTypes, type JobBody } from '@holdfast/contract/jobs';
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
  /** What the other jobs that cover a resource and back up into this location say now. */
  besides(
    scope: Scope,
    of: { readonly resourceId: string; readonly locationId: string; readonly jobId: string | null },
  ): Promise<readonly { readonly body: SourcedBody; readonly inPart: boolean }[]>;
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
    besides(scope, { resourceId, locationId, jobId }) {
      return database.within(scope, async (tx) => {
        const { rows } = await sql<{ body: JobBody; in_part: boolean }>`
          select job.body, covered.in_part from job_resources covered join jobs job using (organisation_id, realm, job_id)
          where covered.resource_id = ${resourceId} and job.location_id = ${locationId} and job.type = any(${[...protectingTypes]})
            and job.job_id is distinct from ${jobId}::uuid
          order by job.job_id`.execute(tx);
        return rows.flatMap(({ body: kept, in_part: inPart }) => {
          const body = completeBody(kept);
          return 'source' in body ? [{ body, inPart }] : [];
        });
      });
    },
  });
}
