import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Feature } from '../../platform/feature.ts';
import { mountUndo } from './undo.routes.ts';
import { createUndoService, type UndoServiceParts } from './undo.service.ts';
import { createUndoViews } from './undo.views.ts';

export type UndoPorts = Omit<UndoServiceParts, 'views'>;

export function createUndoFeature(ports: UndoPorts): Feature {
  const service = createUndoService({ ...ports, views: createUndoViews(ports.database) });
  return Object.freeze<Feature>({ mount: (app) => inEachRealm((realm) => mountUndo(app, service, realm)) });
}
