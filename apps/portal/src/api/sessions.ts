import { z } from 'zod';
import type { Clock } from './clock.ts';

/** The three kinds of credential; each opens its own surface only. */
export const audiences = ['main', 'staging', 'legacy'] as const;
export type Audience = (typeof audiences)[number];

const sessionSchema = z.object({ token: z.string(), expiresAt: z.string() });
export type StoredSession = z.infer<typeof sessionSchema>;

/** Where cookies are read and written: `document` in the browser. */
export interface CookieJar {
  cookie: string;
}

export interface Granted {
  readonly token: string;
  readonly expiresIn: number;
}

/** The three readable cookies: a notice board between the tabs of one browser. */
export interface Sessions {
  read(audience: Audience): StoredSession | null;
  write(sessions: Readonly<Partial<Record<Audience, Granted>>>): void;
  clear(): void;
  /** Our part of the cookie string, to notice a change by comparing. */
  snapshot(): string;
}

const nameOf = (audience: Audience): string => `holdfast.${audience}`;

function cookiesOf(jar: CookieJar): ReadonlyMap<string, string> {
  return new Map(
    jar.cookie.split('; ').map((pair) => {
      const equals = pair.indexOf('=');
      return [pair.slice(0, equals), pair.slice(equals + 1)];
    }),
  );
}

function parse(text: string | undefined): StoredSession | null {
  if (!text) return null;
  try {
    return sessionSchema.parse(JSON.parse(decodeURIComponent(text)));
  } catch {
    // Somebody else's cookie of the same name: as good as none.
    return null;
  }
}

/** Sessions over a cookie jar. `secure` is false on plain HTTP, which only a loopback address gets. */
export function createSessions(jar: CookieJar, clock: Clock, secure: boolean): Sessions {
  const suffix = `; Path=/; SameSite=Strict${secure ? '; Secure' : ''}`;
  return {
    read: (audience) => parse(cookiesOf(jar).get(nameOf(audience))),
    write(sessions) {
      for (const audience of audiences) {
        const granted = sessions[audience];
        if (granted === undefined) continue;
        const expiresAt = new Date(clock.now() + granted.expiresIn * 1000).toISOString();
        const value = encodeURIComponent(JSON.stringify({ token: granted.token, expiresAt }));
        jar.cookie = `${nameOf(audience)}=${value}; Max-Age=${granted.expiresIn}${suffix}`;
      }
    },
    clear() {
      for (const audience of audiences) jar.cookie = `${nameOf(audience)}=; Max-Age=0${suffix}`;
    },
    snapshot() {
      const cookies = cookiesOf(jar);
      return audiences.map((audience) => cookies.get(nameOf(audience)) ?? '').join('|');
    },
  };
}
