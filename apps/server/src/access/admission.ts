import type { HeldMembership, Withheld } from './actor.ts';
import { isWithin } from './networks.ts';

/** How a request comes in. */
export interface Arrival {
  readonly address: string;
  readonly isMultiFactor: boolean;
}

export interface Admission {
  readonly memberships: readonly HeldMembership[];
  readonly withheld: readonly Withheld[];
}

function refusal({ rules }: HeldMembership, { address, isMultiFactor }: Arrival): Withheld['because'] | undefined {
  if (!isWithin(rules.networks, address)) return 'network';
  return rules.secondFactor && !isMultiFactor ? 'second-factor' : undefined;
}

/** Which organisations open to a request. The rules of one never close another. */
export function admit(held: readonly HeldMembership[], arrival: Arrival): Admission {
  const memberships: HeldMembership[] = [];
  const withheld: Withheld[] = [];
  for (const membership of held) {
    const because = refusal(membership, arrival);
    if (because === undefined) memberships.push(membership);
    else withheld.push({ organisationId: membership.organisationId, because });
  }
  return { memberships, withheld };
}
