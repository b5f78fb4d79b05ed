import type { Database } from '@holdfast/database';
import type { Clock } from '@holdfast/foundation/clock';
import { inEachRealm } from '../../http/in-each-realm.ts';
import type { Feature } from '../../platform/feature.ts';
import type { RunsViews } from '../../runs/index.ts';
import type { JobsViews } from '../jobs/index.ts';
import { createPeopleRoutes } from './people.routes.ts';
import { createPeopleViews } from './people.views.ts';

export interface PeoplePorts {
  readonly database: Database;
  readonly clock: Clock;
  readonly runViews: RunsViews;
  readonly jobsViews: JobsViews;
}

export function createPeopleFeature({ database, clock, runViews: runs, jobsViews: jobs }: PeoplePorts): Feature {
  const views = createPeopleViews({ database, runs, jobs });
  return Object.freeze<Feature>({
    mount: (app) => inEachRealm((realm) => createPeopleRoutes(app, { views, clock }, realm)),
  });
}
