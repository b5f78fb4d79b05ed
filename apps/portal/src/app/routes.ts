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
];
