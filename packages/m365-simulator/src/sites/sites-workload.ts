import type { Workload } from '../state/workload.ts';

/** Sites, their lists and pages. */
export const sitesWorkload: Workload = { name: 'sites', routes: [], truth: [], activities: [] };
