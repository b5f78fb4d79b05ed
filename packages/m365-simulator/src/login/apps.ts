import type { Store } from '../state/store.ts';

export interface AppSecret {
  readonly value: string;
  readonly expiresMs: number;
}

/** An app registration in a tenant: what it may sign in with and what it was granted. */
export interface App {
  readonly appId: string;
  readonly displayName: string;
  readonly secrets: readonly AppSecret[];
  /** PEM. */
  readonly certificates: readonly string[];
  readonly roles: readonly string[];
  readonly refreshTokens: readonly string[];
  readonly isEnabled: boolean;
  readonly hasConsent: boolean;
  /** Roles that Exchange grants for these mailboxes (RBAC for Applications). They are in no token. */
  readonly exchange?: { readonly roles: readonly string[]; readonly mailboxes: readonly string[] };
  /** Sites that are granted to the app one by one, for its role `Sites.Selected`; by id or by `host:/path`. */
  readonly sites?: { readonly names: readonly string[]; readonly role: 'Sites.Read.All' | 'Sites.ReadWrite.All' };
  /** Tokens issued up to this count are no longer accepted. */
  readonly revocations: number;
}

/** The apps of a tenant; part of its state. */
export function appsOf(store: Store): Map<string, App> {
  return store.state('apps', () => new Map<string, App>());
}
