import type { Person } from '../state/directory.ts';
import type { Tenant } from '../state/tenant.ts';
import type { TruthProvider, TruthRecord } from '../state/truth.ts';

interface MailboxTruth {
  readonly kind: string;
  readonly changeCount: (tenant: Tenant, person: Person) => number;
  readonly records: (tenant: Tenant, person: Person, at?: number) => Iterable<TruthRecord>;
}

/** The ground truth of something that everybody with a mailbox has. */
export function mailboxTruth({ kind, changeCount, records }: MailboxTruth): TruthProvider {
  return {
    kind,
    owners: (tenant) =>
      tenant.directory
        .users()
        .filter((person) => person.hasMailbox)
        .map((person) => person.id),
    changeCount(tenant, owner) {
      const person = tenant.directory.user(owner);
      return person ? changeCount(tenant, person) : 0;
    },
    records(tenant, owner, at) {
      const person = tenant.directory.user(owner);
      return person ? records(tenant, person, at) : [];
    },
  };
}
