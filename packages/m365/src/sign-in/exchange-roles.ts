import type { Clock } from '@holdfast/foundation/clock';

const KNOWN_FOR_MS = 10 * 60_000;

/** The roles that Exchange grants to the app for some mailboxes: they are not in the token. */
export interface ExchangeRoles {
  /** Tries mailboxes for the roles that `granted`, the token, lacks. The answer is kept for a while. */
  read(granted: readonly string[]): Promise<ReadonlySet<string>>;
  forget(): void;
}

/** What Exchange grants beside the token. One probe serves all that ask meanwhile. */
export function createExchangeRoles(clock: Clock, probe: (granted: readonly string[]) => Promise<ReadonlySet<string>>): ExchangeRoles {
  let known: { readonly until: number; readonly roles: Promise<ReadonlySet<string>> } | undefined;
  return {
    read(granted) {
      const nowMs = clock.monotonicMs();
      if (known && known.until > nowMs) return known.roles;
      const roles = probe(granted);
      known = { until: nowMs + KNOWN_FOR_MS, roles };
      roles.catch(() => {
        known = undefined;
      });
      return roles;
    },
    forget() {
      known = undefined;
    },
  };
}
