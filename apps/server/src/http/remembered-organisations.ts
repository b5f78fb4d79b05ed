import type { Clock } from '@holdfast/foundation/clock';
import type { OrganisationResolver, ResolvedOrganisation } from './ports.ts';

/** A tenant never changes its organisation; that it is gone is seen after this long. */
const BELIEVE_MS = 5_000;
const MAX_ENTRIES = 10_000;

/** The same answers, remembered for a few seconds for what a path names by tenant: every request asks. */
export function rememberOrganisations(inner: OrganisationResolver, clock: Clock): OrganisationResolver {
  const known = new Map<string, { readonly found: readonly ResolvedOrganisation[]; readonly readAtMs: number }>();
  return Object.freeze<OrganisationResolver>({
    async resolve(reference, actor, realm) {
      const { tenantId, workerIp } = reference;
      if (tenantId === undefined || workerIp !== undefined) return inner.resolve(reference, actor, realm);
      const key = `${realm}/${tenantId}`;
      const remembered = known.get(key);
      if (remembered && clock.nowMs() - remembered.readAtMs < BELIEVE_MS) return remembered.found;
      const found = await inner.resolve(reference, actor, realm);
      known.delete(key);
      if (found.length === 0) return found;
      if (known.size >= MAX_ENTRIES) known.clear();
      known.set(key, { found, readAtMs: clock.nowMs() });
      return found;
    },
  });
}
