import type { Product } from './product.ts';

/** One item of the simulator's store, told past Graph and past our own reader. */
export interface TruthItem {
  readonly path: string;
  readonly id: string;
  readonly sha256?: string;
  readonly [more: string]: unknown;
}

/** The simulated Microsoft 365 as its administration tells of it: the only thing a restore may be compared with. */
export interface Simulated {
  owners(kind: string): Promise<string[]>;
  truthOf(kind: string, owner: string): Promise<TruthItem[]>;
  /** A change as a user makes it, outside Graph. */
  change(body: object): Promise<void>;
  /** Mails, invitations and notifications that the service has sent. */
  outbox(): Promise<readonly unknown[]>;
}

async function ask(address: string, init: RequestInit = {}): Promise<string> {
  const answer = await fetch(address, init);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}: ${text}`);
  return text;
}

export function simulatedBy({ simulator }: Product): Simulated {
  const base = `${simulator.admin}/_simulator`;
  const tenant = `${base}/tenants/${simulator.tenantId}`;
  return {
    async owners(kind) {
      const { owners } = JSON.parse(await ask(`${tenant}/truth/${kind}`)) as { owners: { owner: string }[] };
      return owners.map(({ owner }) => owner);
    },
    async truthOf(kind, owner) {
      const lines = (await ask(`${tenant}/truth/${kind}/${owner}`)).split('\n').filter(Boolean);
      return lines.map((line) => JSON.parse(line) as TruthItem);
    },
    async change(body) {
      await ask(`${tenant}/changes`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    },
    async outbox() {
      return (JSON.parse(await ask(`${base}/outbox`)) as { readonly sent: readonly unknown[] }).sent;
    },
  };
}
