import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Feature } from '../../platform/feature.ts';
import type { AuditInbox } from '../audit/index.ts';
import { createRestoreRoutes } from './restore.routes.ts';
import { noteOf } from '../content-access/index.ts';
import { createRestoreService, type RestoreServiceOptions } from './restore.service.ts';
import { createRestoreViews, type RestoreViews } from './restore.views.ts';

export interface RestorePorts extends Omit<RestoreServiceOptions, 'views' | 'record'> {
  readonly audit: AuditInbox;
}

export interface RestoreFeature extends Feature {
  readonly views: RestoreViews;
}

export function createRestoreFeature(ports: RestorePorts): RestoreFeature {
  const { database, audit } = ports;
  const views = createRestoreViews(database);
  const service = createRestoreService({
    ...ports,
    views,
    record: ({ actor, scope }, { event, runId, name, reason, left }) =>
      database.within(scope, (tx) =>
        audit.record(tx, {
          event,
          actor: { kind: 'account', id: actor.accountId, name: actor.email },
          subject: { kind: 'run', id: runId, name },
          reason,
          ...(left ? { details: { resourceId: left.resourceId, ...noteOf(left.ground) } } : {}),
        }),
      ),
  });
  return Object.freeze<RestoreFeature>({
    views,
    mount: (app) => inEachRealm((realm) => createRestoreRoutes(app, { service, views }, realm)),
  });
}
