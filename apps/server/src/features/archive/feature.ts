import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Feature } from '../../platform/feature.ts';
import { mountArchive, mountLegacyArchive } from './archive.routes.ts';
import { createArchiveViews, type ArchiveViewsParts } from './archive.views.ts';

export function createArchiveFeature(parts: ArchiveViewsParts): Feature {
  const views = createArchiveViews(parts);
  return Object.freeze<Feature>({
    mount(app) {
      inEachRealm((realm) => mountArchive(app, views, realm));
      mountLegacyArchive(app, views);
    },
  });
}
