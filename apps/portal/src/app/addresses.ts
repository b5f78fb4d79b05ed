/** Addresses that several parts of the app lead to. */
export const addresses = {
  home: '/',
  signIn: '/signin',
  verifyCode: '/verify-code',
  logout: '/logout',
  signedOut: '/signed-out',
  forgotPassword: '/forgot-password',
  confirmEmail: '/confirm-email',
  selectWorker: '/select-worker',
  profile: '/account/profile',
  support: '/account/support',
  helpCenter: '/helpcenter',
} as const;
