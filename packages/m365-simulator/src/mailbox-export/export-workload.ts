import type { Workload } from '../http/workload.ts';
import { exportRoutes } from './export-routes.ts';

/** Mailbox items as opaque streams. */
export const exportWorkload: Workload = { name: 'mailbox-export', routes: exportRoutes, truth: [], activities: [] };
