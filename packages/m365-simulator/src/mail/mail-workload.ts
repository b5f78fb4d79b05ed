import type { Workload } from '../http/workload.ts';
import { attachmentRoutes } from './attachment-routes.ts';
import { folderRoutes } from './folder-routes.ts';
import { mailActivities, playMailDay } from './mail-activities.ts';
import { mailTruth } from './mail-truth.ts';
import { readRoutes } from './read-routes.ts';
import { settingsRoutes } from './settings-routes.ts';
import { settingsTruth } from './settings-truth.ts';
import { vanishMessage, writeRoutes } from './write-routes.ts';
import type { RouteEntry } from '../http/route.ts';

/** Routes below one message can find it gone. */
function canVanish(route: RouteEntry): RouteEntry {
  return route.path.startsWith('/users/{id}/messages/{id}') ? { ...route, vanish: vanishMessage } : route;
}

/** Mail: folders, messages, attachments, settings. */
export const mailWorkload: Workload = {
  name: 'mail',
  routes: [...folderRoutes, ...readRoutes, ...writeRoutes, ...attachmentRoutes, ...settingsRoutes].map(canVanish),
  truth: [mailTruth, settingsTruth],
  activities: mailActivities,
  playDay: playMailDay,
};
