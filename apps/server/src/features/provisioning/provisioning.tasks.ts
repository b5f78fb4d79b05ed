import { jobSource } from '@holdfast/contract/jobs';
import { workloads, type Workload } from '@holdfast/contract/values';
import type { Database, Scope } from '@holdfast/database';
import type { GraphClient } from '@holdfast/m365';
import type { AccountId, Actor, SessionId } from '../../access/actor.ts';
import { coveredResources, defaultJob } from '../backup/index.ts';
import type { ResourcesStore } from '../../storage/index.ts';
import type { ConfigurationService } from '../configuration/index.ts';
import type { JobsService } from '../jobs/index.ts';
import type { LocationsService } from '../locations/index.ts';
import { listMemberships, timeZoneOf } from '../organisations/index.ts';
import type { ProvisioningSteps } from '../tenants/index.ts';

export interface ProvisioningParts {
  readonly database: Database;
  readonly resources: ResourcesStore;
  readonly jobs: JobsService;
  readonly locations: LocationsService;
  readonly configuration: ConfigurationService;
  /** The directory has been read: what else depends on it is read too. */
  onSynchronised(scope: Scope): Promise<void>;
}

const CREATOR = 'Holdfast';

/** Provisioning acts for the organisation's first owner, under the product's name. */
async function actingOwner(database: Database, scope: Scope): Promise<Actor | undefined> {
  const members = await database.within(scope, listMemberships);
  const owner = members.find((member) => member.role === 'owner' && member.joined_at !== null);
  return (
    owner && {
      accountId: owner.account_id as AccountId,
      sessionId: owner.account_id as SessionId,
      email: CREATOR,
      isEmailConfirmed: true,
      audience: scope.realm === 'staging' ? 'staging' : 'main',
      realm: scope.realm,
      memberships: [{ organisationId: scope.organisationId, role: 'owner' }],
    }
  );
}

async function count(source: AsyncIterable<unknown>): Promise<number> {
  let seen = 0;
  for await (const _ of source) seen += 1;
  return seen;
}

/** What provisioning sets in motion: discovery, a first location, default jobs; and how they come to rest. */
export function provisioningSteps(parts: ProvisioningParts): ProvisioningSteps {
  const { database, resources, jobs, locations, configuration } = parts;

  async function discoverWorkload(
    scope: Scope,
    tenantId: string,
    graph: GraphClient,
    { workload, holdsBack }: { readonly workload: Workload; readonly holdsBack: boolean },
  ): Promise<number> {
    const { resources: found, isComplete } = await coveredResources(graph, workload, jobSource.parse({ everyone: true }));
    await resources.remember(scope, tenantId, found, { holdsBack });
    const graphIds = found.map((one) => one.graphId);
    if (isComplete && graphIds.length > 0) await resources.markGone(scope, tenantId, workload, graphIds);
    return found.length;
  }

  return Object.freeze<ProvisioningSteps>({
    async discover(scope, tenantId, graph, progress) {
      const settings = await configuration.settingsOf(scope, tenantId);
      let found = 0;
      for (const workload of workloads) {
        if (!settings[workload].enabled) continue;
        found += await discoverWorkload(scope, tenantId, graph, { workload, holdsBack: !settings[workload].protectNewResources });
        await progress(found);
      }
      const counts = { users: await count(graph.directory.users()), groups: await count(graph.directory.groups()) };
      await configuration.noteUsers(scope, tenantId, counts);
      await parts.onSynchronised(scope);
      return { ...counts, resources: found };
    },
    async setUp(scope, tenantId) {
      await locations.ensureDefault(scope, tenantId);
      const [location] = await locations.list(scope, tenantId);
      const actor = await actingOwner(database, scope);
      const known = await jobs.list(scope, tenantId, { limit: 1 });
      if (!location || !actor || known.total > 0) return;
      const settings = await configuration.settingsOf(scope, tenantId);
      const timeZone = await database.within(scope, timeZoneOf);
      for (const workload of workloads) {
        if (!settings[workload].enabled) continue;
        await jobs.create({ actor, scope }, tenantId, defaultJob(workload, { locationId: location.locationId, timeZone }));
      }
    },
    windDown: (scope, tenantId) => jobs.stopAll(scope, tenantId),
    resume: (scope, tenantId) => jobs.resume(scope, tenantId),
  });
}
