/** A simulated tenant from its administration's side: what it really holds, and what its people do. */

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

export async function askAdmin(address: string, init: RequestInit = {}): Promise<string> {
  const answer = await fetch(address, init);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${init.method ?? 'GET'} ${address} answered ${answer.status}: ${text}`);
  return text;
}

/** Everything a mailbox, drive, site, team or channel holds now. */
export async function truthAt({ admin, tenantId }: Simulated, kind: string, owner: string): Promise<readonly TrueItem[]> {
  const lines = await askAdmin(`${admin}/tenants/${tenantId}/truth/${kind}/${encodeURIComponent(owner)}`);
  return lines.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as TrueItem]));
}

/** What people do with their things, one after the other: `{ do: 'drives.edit', … }`. */
export async function changeAt({ admin, tenantId }: Simulated, changes: readonly Readonly<Record<string, unknown>>[]): Promise<void> {
  await askAdmin(`${admin}/tenants/${tenantId}/changes`, { method: 'POST', body: JSON.stringify({ changes }) });
}
