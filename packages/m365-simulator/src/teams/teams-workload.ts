import type { Workload } from '../http/workload.ts';
import { appRoutes } from './app-routes.ts';
import { channelRoutes } from './channel-routes.ts';
import { memberRoutes } from './member-routes.ts';
import { messageRoutes } from './message-routes.ts';
import { playTeamsDay, teamActivities } from './team-activities.ts';
import { teamRoutes } from './team-routes.ts';
import { channelTruth, teamTruth } from './team-truth.ts';

/** Teams, their channels, members, apps, tabs and posts. */
export const teamsWorkload: Workload = {
  name: 'teams',
  routes: [...teamRoutes, ...channelRoutes, ...memberRoutes, ...appRoutes, ...messageRoutes],
  truth: [teamTruth, channelTruth],
  activities: teamActivities,
  playDay: playTeamsDay,
};
