import type { Database } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import { inEachRealm } from '../http/in-each-realm.ts';
import type { Feature } from '../platform/feature.ts';
import { createEventsRoutes } from './events.routes.ts';
import { createLiveEvents } from './live-events.ts';

/** Streams of changes. They end before the process waits for the answers that are on their way, which would be forever. */
export function createEventsFeature({ database, clock }: { readonly database: Database; readonly clock: Clock }): Feature {
  return Object.freeze<Feature>({
    mount(app) {
      const live = createLiveEvents(database, clock);
      app.server.addHook('preClose', async () => live.close());
      inEachRealm((realm) => createEventsRoutes(app, live, realm));
    },
  });
}
