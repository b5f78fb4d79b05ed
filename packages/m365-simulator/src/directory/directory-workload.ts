import type { Workload } from '../state/workload.ts';
import { directoryRoutes } from './directory-routes.ts';

/** Accounts, groups, organisation. */
export const directoryWorkload: Workload = { name: 'directory', routes: directoryRoutes, truth: [], activities: [] };
