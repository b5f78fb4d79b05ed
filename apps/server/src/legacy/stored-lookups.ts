import type { Source } from '@holdfast/contract/discovery';
import type { Page } from '@holdfast/contract/paging';
import type { Workload } from '@holdfast/contract/values';
import type { Scope } from '@holdfast/database';
import type { BrowseViews, Protection, ProtectionOfViews, SourcesViews } from '../features/discovery/index.ts';
import { pageFrom, sortOf, windowOf } from '../http/paging.ts';

/** A team with its channels, as it is stored. */
export interface StoredTeam {
  readonly sourceId: string;
  readonly name: string;
  readonly channels: { nodeId: string; name: string; kind: string }[];
}

export interface StoredQuery {
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly sort?: string | undefined;
  readonly search?: string | undefined;
  readonly workload: Workload;
}

/** What is stored of a tenant, whichever of its locations holds it: legacy calls name no location. */
export interface StoredLookups {
  protection(scope: Scope, tenantId: string, workload: Workload): Promise<ReadonlyMap<string, Protection>>;
  sources(scope: Scope, tenantId: string, query: StoredQuery): Promise<Page<Source>>;
  teamTree(scope: Scope, tenantId: string): Promise<StoredTeam[]>;
}

export interface StoredLookupsOptions {
  locationIds(scope: Scope, tenantId: string): Promise<readonly string[]>;
  readonly protectionOf: ProtectionOfViews;
  readonly sources: SourcesViews;
  readonly browse: BrowseViews;
}

const ALL = 200;
const RANK = { unprotected: 0, excluded: 1, partly: 2, protected: 3 } as const satisfies Record<Protection['protection'], number>;

/** The order that a query asks for: by name when it asks for none. */
function orderOf(sort: string | undefined): (a: Source, b: Source) => number {
  const { column, isDescending } = sortOf<'name' | 'newestPointAt' | 'bytes' | 'items'>(sort, { column: 'name', isDescending: false });
  const keyOf = (source: Source): string | number => (column === 'name' ? source.name.toLowerCase() : (source[column] ?? ''));
  return (a, b) => {
    const [first, second] = isDescending ? [keyOf(b), keyOf(a)] : [keyOf(a), keyOf(b)];
    return first < second ? -1 : first > second ? 1 : 0;
  };
}

/** The channels of a stored team, which are in the team itself. */
async function channelsOf(
  { sources, browse }: Pick<StoredLookupsOptions, 'sources' | 'browse'>,
  scope: Scope,
  sourceId: string,
): Promise<StoredTeam['channels']> {
  const point = await sources.pointAt(scope, sourceId);
  if (!point) return [];
  const root = { sourceId, sequence: point.sequence, nodeId: null };
  const [team] = (await browse.open(scope, root, { limit: 1, kind: 'team' }))?.items ?? [];
  if (!team) return [];
  const place = { ...root, nodeId: team.nodeId };
  const channels: StoredTeam['channels'] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const page = await browse.open(scope, place, { limit: ALL, kind: 'channel', cursor });
    channels.push(...(page?.items ?? []).map(({ nodeId, name, kind }) => ({ nodeId, name, kind })));
    cursor = page?.nextCursor ?? null;
  }
  return channels;
}

export function createStoredLookups(options: StoredLookupsOptions): StoredLookups {
  async function everySource(scope: Scope, tenantId: string, query: Omit<StoredQuery, 'cursor' | 'limit'>): Promise<Source[]> {
    const found: Source[] = [];
    for (const locationId of await options.locationIds(scope, tenantId)) {
      for (let cursor: string | undefined; ;) {
        const page = await options.sources.list(
          scope,
          { tenantId, locationId },
          { ...query, limit: ALL, ...(cursor === undefined ? {} : { cursor }) },
        );
        found.push(...page.items);
        if (page.nextCursor === null) break;
        cursor = page.nextCursor;
      }
    }
    return found;
  }

  return Object.freeze<StoredLookups>({
    async protection(scope, tenantId, workload) {
      const best = new Map<string, Protection>();
      for (const locationId of await options.locationIds(scope, tenantId)) {
        for (const [graphId, held] of await options.protectionOf.of(scope, { tenantId, locationId, workload })) {
          const known = best.get(graphId);
          if (!known || RANK[held.protection] > RANK[known.protection]) best.set(graphId, held);
        }
      }
      return best;
    },
    async sources(scope, tenantId, query) {
      const { cursor, limit, ...rest } = query;
      const window = windowOf({ limit, ...(cursor === undefined ? {} : { cursor }) });
      // Each location is in order by itself; together they are put in order once more.
      const all = (await everySource(scope, tenantId, rest)).toSorted(orderOf(query.sort));
      return pageFrom(all.slice(window.offset, window.offset + window.limit), all.length, window);
    },
    async teamTree(scope, tenantId) {
      const teams = (await everySource(scope, tenantId, { workload: 'teams' })).filter((source) => source.kind === 'team');
      return Promise.all(
        teams.map(async ({ sourceId, name }) => ({ sourceId, name, channels: await channelsOf(options, scope, sourceId) })),
      );
    },
  });
}
