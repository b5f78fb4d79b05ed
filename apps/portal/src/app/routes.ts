import type { PageRoute } from './route-table.ts';

/**
 * Every page there is. Addresses of the specification whose page is not built yet lead to the
 * not-found page and are not in the navigation: nothing pretends.
 */
export const pageRoutes: readonly PageRoute[] = [
  {
    path: '/select-worker',
    title: 'signIn.selectTitle',
    load: () => import('../features/organisations/select-worker-page.tsx'),
    beforeChoice: true,
  },
  {
    path: '/backup-and-restore/backup-jobs',
    title: 'shell.backupJobs',
    group: 'backup',
    action: 'jobs.read',
    deep: true,
    load: () => import('../features/jobs/jobs-page.tsx'),
  },
  {
    path: '/backup-and-restore/restore',
    title: 'shell.restore',
    group: 'backup',
    action: 'content.browse',
    deep: true,
    load: () => import('../features/restore/restore-page.tsx'),
  },
  {
    path: '/backup-and-restore/job-monitor',
    title: 'shell.jobMonitor',
    group: 'backup',
    action: 'monitoring.read',
    deep: true,
    load: () => import('../features/monitoring/monitor-page.tsx'),
  },
  {
    path: '/teams/jobs',
    title: 'shell.jobs',
    group: 'teams',
    action: 'jobs.read',
    deep: true,
    load: () => import('../features/jobs/teams-jobs-page.tsx'),
  },
  {
    path: '/teams/job-monitor',
    title: 'shell.jobMonitor',
    group: 'teams',
    action: 'monitoring.read',
    deep: true,
    load: () => import('../features/monitoring/teams-monitor-page.tsx'),
  },
  {
    path: '/configuration',
    title: 'shell.configuration',
    group: 'configuration',
    action: 'configuration.read',
    load: () => import('../features/configuration/configuration-page.tsx'),
  },
  {
    path: '/configuration/tenants',
    title: 'shell.tenantsAndLocations',
    group: 'configuration',
    action: 'tenants.read',
    deep: true,
    load: () => import('../features/tenants/tenants-page.tsx'),
  },
  {
    path: '/configuration/locations',
    title: 'shell.tenantsAndLocations',
    deep: true,
    load: () => import('../features/tenants/locations-page.tsx'),
  },
  { path: '/helpcenter', title: 'shell.helpCenter', group: 'help', load: () => import('../features/help/help-center-page.tsx') },
  { path: '/documentation', title: 'shell.documentation', group: 'help', load: () => import('../features/help/documentation-page.tsx') },
  { path: '/account/support', title: 'shell.support', group: 'help', open: true, load: () => import('../features/help/support-page.tsx') },
  { path: '/account/imprint', title: 'shell.imprint', group: 'help', open: true, load: () => import('../features/help/imprint-page.tsx') },
];
