import { events } from '@holdfast/contract/events';
import type { Realm } from '@holdfast/database';
import type { HttpApp } from '../http/http-app.ts';
import type { ServerEvent } from '../http/context.ts';
import { mount } from '../http/mount.ts';
import type { LiveEvents } from './live-events.ts';

/** Mounts the stream of changes of a tenant. A client that comes back names the last event it saw. */
export function createEventsRoutes(app: HttpApp, live: LiveEvents, realm: Realm): void {
  mount(
    app,
    events,
    {
      stream({ organisation, params, request, signal }) {
        const lastId = request.headers['last-event-id'];
        const scope = { organisationId: organisation.organisationId, realm };
        const changes = live.subscribe(scope, params.tenantId, { signal, ...(typeof lastId === 'string' ? { lastId } : {}) });
        return (async function* told(): AsyncGenerator<ServerEvent> {
          for await (const change of changes) yield { id: change.id, event: change.name, data: change.data };
        })();
      },
    },
    { surface: 'main', realm },
  );
}
