import type { PageRoute } from './route-table.ts';

/** Pages for visitors who are not signed in, or not all the way. */
export const visitorRoutes: readonly PageRoute[] = [
  { path: '/signin', title: 'signIn.title', load: () => import('../features/identity/sign-in-page.tsx') },
  { path: '/signin/microsoft', title: 'signIn.microsoft', load: () => import('../features/identity/microsoft-page.tsx') },
  { path: '/verify-code', title: 'signIn.codeTitle', load: () => import('../features/identity/verify-code-page.tsx') },
  { path: '/forgot-password', title: 'signIn.forgottenTitle', load: () => import('../features/identity/forgot-password-page.tsx') },
  { path: '/reset-password/:resetToken', title: 'signIn.resetTitle', load: () => import('../features/identity/reset-password-page.tsx') },
  { path: '/invitation/:code', title: 'signIn.invitationTitle', load: () => import('../features/identity/invitation-page.tsx') },
  { path: '/hold-notice/:code', title: 'noticePage.title', load: () => import('../features/hold-notices/notice-page.tsx') },
  { path: '/confirm-email', title: 'signIn.confirmTitle', load: () => import('../features/identity/confirm-email-page.tsx') },
  { path: '/signed-out', title: 'signIn.signedOutTitle', load: () => import('../features/identity/signed-out-page.tsx') },
];
