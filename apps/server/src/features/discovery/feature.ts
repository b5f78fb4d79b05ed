import type { Database } from '@holdfast/database';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Feature } from '../../platform/feature.ts';
import { createBrowseViews, type BrowseViews } from './browse.views.ts';
import { createDirectory, type Directory } from './directory.service.ts';
import { createDiscoveryRoutes } from './discovery.routes.ts';
import { createProtectionOfViews, type ProtectionOfViews } from './protection-of.views.ts';
import { createSourcesViews, type SourcesViews } from './sources.views.ts';

export interface DiscoveryFeature extends Feature {
  readonly directory: Directory;
  readonly protectionOf: ProtectionOfViews;
  readonly sources: SourcesViews;
  readonly browse: BrowseViews;
}

export function createDiscoveryFeature(ports: Parameters<typeof createDirectory>[0] & { readonly database: Database }): DiscoveryFeature {
  const { database } = ports;
  const parts = {
    directory: createDirectory(ports),
    protectionOf: createProtectionOfViews(database),
    sources: createSourcesViews(database),
    browse: createBrowseViews(database),
  };
  return Object.freeze<DiscoveryFeature>({
    ...parts,
    mount: (app) => inEachRealm((realm) => createDiscoveryRoutes(app, parts, realm)),
  });
}
