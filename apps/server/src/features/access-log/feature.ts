import { accessLog } from '@holdfast/contract/access-log';
import type { Database, Realm } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { membershipIn } from '../../access/actor.ts';
import type { HttpApp } from '../../http/http-app.ts';
import { inEachRealm } from '../../http/in-each-realm.ts';
import { mount } from '../../http/mount.ts';
import { pageFrom, windowOf } from '../../http/paging.ts';
import type { Feature } from '../../platform/feature.ts';
import { ownedBy, personOf } from '../content-access/index.ts';
import { askingOf } from '../identity/index.ts';
import { accessesTo } from './access-log.views.ts';

export interface AccessLogPorts {
  readonly database: Database;
  readonly clock: Clock;
}

function mountAccessLog(app: HttpApp, { database, clock }: AccessLogPorts, realm: Realm): void {
  mount(
    app,
    accessLog,
    {
      list(context) {
        const { actor, scope } = askingOf(context);
        const { tenantId } = context.params;
        const role = membershipIn(actor, scope.organisationId, clock.nowMs())?.role;
        const seesAll = role === 'owner' || role === 'auditor';
        const owned = seesAll ? 'all' : ownedBy(personOf({ actor, tenantId }), now(clock));
        const window = windowOf(context.query);
        return database.within(scope, async (tx) => {
          const { items, total } = await accessesTo(tx, { tenantId, accountId: actor.accountId, owned }, context.query, window);
          return pageFrom(items, total, window);
        });
      },
    },
    { surface: 'main', realm },
  );
}

/** Who saw what of whom. Owners and auditors see all of it; everybody else what is about them, and what they did. */
export function createAccessLogFeature(ports: AccessLogPorts): Feature {
  return Object.freeze<Feature>({ mount: (app) => inEachRealm((realm) => mountAccessLog(app, ports, realm)) });
}
