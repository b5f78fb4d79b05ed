import { inject } from 'vitest';
import { askAdmin, changeAt, truthAt, type Simulated, type TrueItem } from '../../tools/simulated-people.ts';

export type { Simulated, TrueItem };

/** The simulated tenant of this run. */
export const contoso = (): Simulated => ({ admin: inject('simulatorAdmin'), tenantId: inject('simulatedTenantId') });

/** Everything a mailbox, drive, site, team or channel holds now. */
export async function truthOf(kind: string, owner: string, place = contoso()): Promise<readonly TrueItem[]> {
  return await truthAt(place, kind, owner);
}

/** Who has something of the kind. */
export async function ownersOf(kind: string, { admin, tenantId } = contoso()): Promise<readonly string[]> {
  const text = await askAdmin(`${admin}/tenants/${tenantId}/truth/${kind}`);
  return (JSON.parse(text) as { readonly owners: readonly { readonly owner: string }[] }).owners.map(({ owner }) => owner);
}

/** What people do with their things, one after the other: `{ do: 'drives.edit', … }`. */
export async function people(changes: readonly Readonly<Record<string, unknown>>[], place = contoso()): Promise<void> {
  await changeAt(place, changes);
}

/** Faults from now on; an empty list ends them. */
export async function setFaults(rules: readonly Readonly<Record<string, unknown>>[], { admin } = contoso()): Promise<void> {
  await askAdmin(`${admin}/faults`, { method: 'PUT', body: JSON.stringify({ rules }) });
}

/** What the service would have sent to people: invitations, sharing e-mails, replies. */
export async function sentToPeople({ admin } = contoso()): Promise<readonly unknown[]> {
  return (JSON.parse(await askAdmin(`${admin}/outbox`)) as { readonly sent: readonly unknown[] }).sent;
}
