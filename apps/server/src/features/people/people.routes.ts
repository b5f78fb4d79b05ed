import { people } from '@holdfast/contract/people';
import type { Realm } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import { AppError } from '@holdfast/foundation/errors';
import type { HttpApp } from '../../http/http-app.ts';
import { mount } from '../../http/mount.ts';
import { scopeOf } from '../../http/scope.ts';
import type { PeopleViews } from './people.views.ts';

/** Mounts people, sites and teams as they are seen: one entry for each, with all that belongs to it. */
export function createPeopleRoutes(
  app: HttpApp,
  { views, clock }: { readonly views: PeopleViews; readonly clock: Clock },
  realm: Realm,
): void {
  mount(
    app,
    people,
    {
      list: (context) => views.list(scopeOf(context), context.params.tenantId, context.query),
      days: (context) => views.days(scopeOf(context), context.params.tenantId, { ...context.query, now: now(clock) }),
      async get(context) {
        const { tenantId, resourceId } = context.params;
        const found = await views.get(scopeOf(context), tenantId, resourceId, now(clock));
        if (found === undefined) throw new AppError('not-found');
        return found;
      },
    },
    { surface: 'main', realm },
  );
}
