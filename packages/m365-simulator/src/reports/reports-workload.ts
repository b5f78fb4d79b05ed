import type { Workload } from '../http/workload.ts';
import { reportRoutes } from './report-routes.ts';

/** Usage reports. */
export const reportsWorkload: Workload = { name: 'reports', routes: reportRoutes, truth: [], activities: [] };
