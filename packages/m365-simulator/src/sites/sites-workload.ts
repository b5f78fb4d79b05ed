import type { Workload } from '../http/workload.ts';
import { listRoutes } from './list-routes.ts';
import { pageRoutes } from './page-routes.ts';
import { rowRoutes } from './row-routes.ts';
import { playSitesDay, siteActivities } from './site-activities.ts';
import { siteRoutes } from './site-routes.ts';
import { siteTruth } from './site-truth.ts';

/** Sites, their lists and pages. */
export const sitesWorkload: Workload = {
  name: 'sites',
  routes: [...siteRoutes, ...listRoutes, ...rowRoutes, ...pageRoutes],
  truth: [siteTruth],
  activities: siteActivities,
  playDay: playSitesDay,
};
