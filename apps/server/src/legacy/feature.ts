import type { BrowseViews, Directory, ProtectionOfViews, SourcesViews } from '../features/discovery/index.ts';
import type { Feature } from '../platform/feature.ts';
import { mountLegacyJobs, type LegacyJobsParts } from './jobs.routes.ts';
import { mountLegacyLookups } from './lookups.routes.ts';
import { createStoredLookups, type StoredLookupsOptions } from './stored-lookups.ts';

export interface LegacyPorts extends Omit<LegacyJobsParts, 'runs' | 'sources'> {
  readonly runViews: LegacyJobsParts['runs'];
  readonly restores: LegacyJobsParts['sources'];
  readonly directory: Directory;
  readonly protectionOf: ProtectionOfViews;
  readonly sources: SourcesViews;
  readonly browse: BrowseViews;
  readonly locationIds: StoredLookupsOptions['locationIds'];
}

/** Jobs, restores and pickers under the names of the legacy surface. */
export function createLegacyFeature(ports: LegacyPorts): Feature {
  const { directory, runViews: runs, restores } = ports;
  const stored = createStoredLookups(ports);
  return Object.freeze<Feature>({
    mount(app) {
      mountLegacyJobs(app, { ...ports, runs, sources: restores });
      mountLegacyLookups(app, { directory, stored, runs });
    },
  });
}
