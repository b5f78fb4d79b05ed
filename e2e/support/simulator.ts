import { inject } from 'vitest';

/** One item of the simulator's store, told past Graph and past our own reader. */
export interface TruthItem {
  readonly path: string;
  readonly id: string;
  readonly sha256?: string;
  readonly [more: string]: unknown;
}

const base = (): string => `${inject('simulatorAdmin')}/_simulator`;

/** What is really there: the only thing that a restore may be compared with. */
export async function truthOf(kind: string, owner: string): Promise<TruthItem[]> {
  const answer = await fetch(`${base()}/tenants/${inject('simulatedTenantId')}/truth/${kind}/${owner}`);
  if (!answer.ok) throw new Error(`The ground truth of ${kind} ${owner} answered ${answer.status}: ${await answer.text()}`);
  const text = await answer.text();
  return text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as TruthItem);
}

/** A change as a user makes it, outside Graph. */
export async function change(body: object): Promise<unknown> {
  const answer = await fetch(`${base()}/tenants/${inject('simulatedTenantId')}/changes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`The change answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** Mails, invitations and notifications that the simulated service has sent. */
export async function outbox(): Promise<readonly unknown[]> {
  const answer = await fetch(`${base()}/outbox`);
  return ((await answer.json()) as { readonly sent: readonly unknown[] }).sent;
}
