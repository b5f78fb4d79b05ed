import type { Workload } from '../http/workload.ts';
import { contentRoutes } from './content-routes.ts';
import { copyRoutes } from './copy-routes.ts';
import { downloadRoutes } from './download-link.ts';
import { driveActivities, playDriveDay } from './drive-activities.ts';
import { driveRoutes } from './drive-routes.ts';
import { driveTruth } from './drive-truth.ts';
import { itemRoutes } from './item-routes.ts';
import { sharingRoutes } from './sharing-routes.ts';
import { uploadRoutes } from './upload-routes.ts';

/** Drives of people, groups and sites. */
export const drivesWorkload: Workload = {
  name: 'drives',
  routes: [...driveRoutes, ...itemRoutes, ...contentRoutes, ...downloadRoutes, ...uploadRoutes, ...sharingRoutes, ...copyRoutes],
  truth: [driveTruth],
  activities: driveActivities,
  playDay: playDriveDay,
};
