import type { CookieOptions, ReplyTools } from '../../http/context.ts';
import type { IdentityParts } from './identity-parts.ts';
import { DEVICE_SECONDS } from './known-devices.ts';

/** Cookies of one mount: where they hold and whether they need TLS. */
export interface CookieSetting {
  readonly base: string;
  readonly isSecure: boolean;
}

/** Where the refresh cookie is sent: to the call that renews a session, and nowhere else. */
export interface RefreshSetting {
  readonly path: string;
  readonly isSecure: boolean;
}

export function refreshSetting({ publicUrl, basePaths }: Pick<IdentityParts, 'publicUrl' | 'basePaths'>): RefreshSetting {
  return { path: `${basePaths.main}/refresh`, isSecure: publicUrl().startsWith('https:') };
}

/** The readable notice board between tabs, written by the portal (spec section 3). The server only ever deletes it. */
const READABLE = ['holdfast.main', 'holdfast.staging', 'holdfast.legacy'] as const;

/** The name of the refresh cookie; over plain HTTP it can't have the prefix that asks for TLS. */
export function refreshCookie(isSecure: boolean): string {
  return isSecure ? '__Secure-holdfast-refresh' : 'holdfast-refresh';
}

export function setRefreshCookie(reply: ReplyTools, { path, isSecure }: RefreshSetting, token: string, maxAgeSeconds: number): void {
  reply.setCookie(refreshCookie(isSecure), token, {
    path,
    httpOnly: true,
    secure: isSecure,
    sameSite: 'strict',
    maxAgeSeconds,
  });
}

/** The name of the cookie that a download goes with. */
export function downloadCookie(isSecure: boolean): string {
  return isSecure ? '__Secure-holdfast-download' : 'holdfast-download';
}

/** The browser sends it to the address of the download and to no other; no script ever sees it. */
export function setDownloadCookie(
  reply: ReplyTools,
  isSecure: boolean,
  pass: { readonly address: string; readonly token: string; readonly expiresIn: number },
): void {
  reply.setCookie(downloadCookie(isSecure), pass.token, {
    path: pass.address.split('?', 1)[0] ?? pass.address,
    httpOnly: true,
    secure: isSecure,
    sameSite: 'strict',
    maxAgeSeconds: pass.expiresIn,
  });
}

const DEVICE_COOKIES = { secure: '__Host-holdfast-device', plain: 'holdfast-device' } as const;

/** The cookie that says with which device somebody has signed in before, whichever name it was set under. */
export function deviceCookieOf(cookies: Readonly<Record<string, string | undefined>>): string | undefined {
  return cookies[DEVICE_COOKIES.secure] ?? cookies[DEVICE_COOKIES.plain];
}

/** It outlives sessions and opens nothing. */
export function setDeviceCookie(reply: ReplyTools, isSecure: boolean, value: string): void {
  const name = isSecure ? DEVICE_COOKIES.secure : DEVICE_COOKIES.plain;
  reply.setCookie(name, value, { path: '/', httpOnly: true, secure: isSecure, sameSite: 'strict', maxAgeSeconds: DEVICE_SECONDS });
}

/** Options of the cookie of a cookie sign-in, and of the one that remembers a machine. */
export function ownCookie(setting: CookieSetting, maxAgeSeconds?: number): CookieOptions {
  return {
    path: setting.base,
    httpOnly: true,
    secure: setting.isSecure,
    sameSite: 'lax',
    ...(maxAgeSeconds === undefined ? {} : { maxAgeSeconds }),
  };
}

/** Deletes every cookie that belongs to a session, by name. */
export function clearCookies(reply: ReplyTools, { path, isSecure }: RefreshSetting): void {
  reply.clearCookie(refreshCookie(isSecure), { path, httpOnly: true, secure: isSecure, sameSite: 'strict' });
  for (const name of READABLE) reply.clearCookie(name, { path: '/', httpOnly: false, secure: isSecure, sameSite: 'strict' });
}
