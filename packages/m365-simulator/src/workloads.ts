import { registrationRoutes } from './registrations/registration-routes.ts';
import { reportsWorkload } from './reports/reports-workload.ts';
import { exportWorkload } from './mailbox-export/export-workload.ts';
import { todoWorkload } from './todo/todo-workload.ts';
import { contactsWorkload } from './contacts/contacts-workload.ts';
import { calendarWorkload } from './calendar/calendar-workload.ts';
import { coreWorkload } from './batch/core-workload.ts';
import { directoryWorkload } from './directory/directory-workload.ts';
import { drivesWorkload } from './drives/drives-workload.ts';
import { mailWorkload } from './mail/mail-workload.ts';
import { teamsWorkload } from './teams/teams-workload.ts';
import { chatsWorkload } from './chats/chats-workload.ts';
import { sitesWorkload } from './sites/sites-workload.ts';
import type { Workload } from './http/workload.ts';

/** Everything that the simulator serves, workload by workload. */
export const workloads: readonly Workload[] = [
  coreWorkload,
  directoryWorkload,
  { name: 'registrations', routes: registrationRoutes, truth: [], activities: [] },
  mailWorkload,
  reportsWorkload,
  exportWorkload,
  todoWorkload,
  contactsWorkload,
  calendarWorkload,
  drivesWorkload,
  teamsWorkload,
  chatsWorkload,
  sitesWorkload,
];
