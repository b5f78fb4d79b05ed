import type { Candidate } from '@holdfast/contract/discovery';
import { lookups, teamLookups } from '@holdfast/contract/legacy/lookups';
import type { Page } from '@holdfast/contract/paging';
import type { Workload } from '@holdfast/contract/values';
import { pageOfCandidates, type CandidatesQuery, type Directory, type ListName } from '../features/discovery/index.ts';
import { nameMatcher } from '../features/jobs/index.ts';
import type { StoredLookups } from './stored-lookups.ts';
import type { RunsViews } from '../runs/index.ts';
import type { HttpApp } from '../http/http-app.ts';
import type { Handlers } from '../http/context.ts';
import { mount } from '../http/mount.ts';
import { legacyCall, type LegacyCall } from './legacy-scope.ts';

export interface LegacyLookupsParts {
  readonly directory: Directory;
  readonly stored: StoredLookups;
  readonly runs: RunsViews;
}

const onLegacy = { surface: 'legacy', realm: 'production' } as const;
const LIST_OF: Readonly<Record<Workload, ListName>> = { exchange: 'users', onedrive: 'users', sharepoint: 'sites', teams: 'teams' };

async function listed(
  { directory, stored }: LegacyLookupsParts,
  call: LegacyCall,
  from: { readonly name: ListName; readonly workload: Workload },
  query: CandidatesQuery,
): Promise<Page<Candidate>> {
  const { scope, tenantId } = call;
  const [all, protection] = await Promise.all([
    directory.list(scope, tenantId, from.name),
    stored.protection(scope, tenantId, from.workload),
  ]);
  return pageOfCandidates(all, protection, query);
}

function lookupHandlers(parts: LegacyLookupsParts): Handlers<typeof lookups> {
  return {
    groups: (context) => listed(parts, legacyCall(context), { name: 'groups', workload: 'exchange' }, context.query),
    accounts(context) {
      const { type } = context.params;
      return listed(parts, legacyCall(context), { name: LIST_OF[type], workload: type }, context.query);
    },
    restorable(context) {
      const { scope, tenantId } = legacyCall(context);
      return parts.stored.sources(scope, tenantId, { ...context.query, workload: context.params.type });
    },
  };
}

function teamHandlers(parts: LegacyLookupsParts): Handlers<typeof teamLookups> {
  const { directory, stored, runs } = parts;
  return {
    list: (context) => listed(parts, legacyCall(context), { name: 'teams', workload: 'teams' }, context.query),
    async members(context) {
      const { scope, tenantId } = legacyCall(context);
      const members = await directory.members(scope, tenantId, context.query.teamId);
      return { items: members.map(({ id, name, address }) => ({ id, name, address })) };
    },
    async filter(context) {
      const call = legacyCall(context);
      const matches = nameMatcher(context.query.expression, 'expression');
      const [all, protection] = await Promise.all([
        directory.list(call.scope, call.tenantId, 'teams'),
        stored.protection(call.scope, call.tenantId, 'teams'),
      ]);
      const matching = all.filter((team) => matches(team.name));
      return { items: pageOfCandidates(matching, protection, { limit: Math.max(1, matching.length) }).items };
    },
    async structure(context) {
      const { scope, tenantId } = legacyCall(context);
      return { items: await stored.teamTree(scope, tenantId) };
    },
    restores(context) {
      const { scope, tenantId } = legacyCall(context);
      return runs.list(scope, tenantId, { ...context.query, type: ['restore'], workload: 'teams', active: false });
    },
  };
}

/** Mounts the lookups of pickers and of Teams under their legacy names. */
export function mountLegacyLookups(app: HttpApp, parts: LegacyLookupsParts): void {
  mount(app, lookups, lookupHandlers(parts), onLegacy);
  mount(app, teamLookups, teamHandlers(parts), onLegacy);
}
