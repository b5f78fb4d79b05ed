import type { Realm } from '@holdfast/database';
import type { HttpApp } from '../../http/http-app.ts';
import { mountArchive, mountLegacyArchive } from './archive.routes.ts';
import { createArchiveViews, type ArchiveViewsParts } from './archive.views.ts';

export interface ArchiveFeature {
  mount(app: HttpApp, realm: Realm): void;
  mountLegacy(app: HttpApp): void;
}

export function createArchiveFeature(parts: ArchiveViewsParts): ArchiveFeature {
  const views = createArchiveViews(parts);
  return Object.freeze<ArchiveFeature>({
    mount: (app, realm) => mountArchive(app, views, realm),
    mountLegacy: (app) => mountLegacyArchive(app, views),
  });
}
