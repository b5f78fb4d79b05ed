import { inject } from 'vitest';

/** An item as the simulator itself has it; no reader of ours had a hand in it. */
export interface TrueItem {
  readonly path: string;
  readonly id: string;
  readonly kind: string;
  readonly sha256?: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Where an administration answers, and the tenant that is meant. */
export interface Simulated {
  readonly admin: string;
  readonly tenantId: string;
}

/** The simulated tenant of this run. */
export const contoso = (): Simulated => ({ admin: inject('simulatorAdmin'), tenantId: inject('simulatedTenantId') });

async function ask(address: string, init: RequestInit = {}): Promise<string> {
  const answer = await fetch(address, init);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${init.method ?? 'GET'} ${address} answered ${answer.status}: ${text}`);
  return text;
}

const json = (method: string, body: unknown): RequestInit => ({ method, body: JSON.stringify(body) });

/** Everything a mailbox, drive, site, team or channel holds now. */
export async function truthOf(kind: string, owner: string, { admin, tenantId } = contoso()): Promise<readonly TrueItem[]> {
  const lines = await ask(`${admin}/tenants/${tenantId}/truth/${kind}/${encodeURIComponent(owner)}`);
  return lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as TrueItem]));
}

/** Who has something of the kind. */
export async function ownersOf(kind: string, { admin, tenantId } = contoso()): Promise<readonly string[]> {
  const text = await ask(`${admin}/tenants/${tenantId}/truth/${kind}`);
  return (JSON.parse(text) as { readonly owners: readonly { readonly owner: string }[] }).owners.map(({ owner }) => owner);
}

/** What people do with their things, one after the other: `{ do: 'drives.edit', … }`. */
export async function people(changes: readonly Readonly<Record<string, unknown>>[], { admin, tenantId } = contoso()): Promise<void> {
  await ask(`${admin}/tenants/${tenantId}/changes`, json('POST', { changes }));
}

/** Faults from now on; an empty list ends them. */
export async function setFaults(rules: readonly Readonly<Record<string, unknown>>[], { admin } = contoso()): Promise<void> {
  await ask(`${admin}/faults`, json('PUT', { rules }));
}

/** What the service would have sent to people: invitations, sharing e-mails, replies. */
export async function sentToPeople({ admin } = contoso()): Promise<readonly unknown[]> {
  return (JSON.parse(await ask(`${admin}/outbox`)) as { readonly sent: readonly unknown[] }).sent;
}
