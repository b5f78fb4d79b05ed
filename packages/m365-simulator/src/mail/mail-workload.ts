import type { Workload } from '../state/workload.ts';
import { folderRoutes } from './folder-routes.ts';
import { readRoutes } from './read-routes.ts';

/** Mail: folders, messages, attachments. */
export const mailWorkload: Workload = { name: 'mail', routes: [...folderRoutes, ...readRoutes], truth: [], activities: [] };
