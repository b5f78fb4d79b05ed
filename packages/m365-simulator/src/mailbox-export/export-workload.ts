import type { Workload } from '../state/workload.ts';
import { exportRoutes } from './export-routes.ts';

/** Mailbox items as opaque streams. */
export const exportWorkload: Workload = { name: 'mailbox-export', routes: exportRoutes, truth: [], activities: [] };
