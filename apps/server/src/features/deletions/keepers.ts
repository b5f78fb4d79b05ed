import type { Tx } from '@holdfast/database';

/**
 * A legal hold or the minimum of a policy that keeps a message; a minimum without an end waits for an event. Also the policy that has
 * listed it, when it does not delete it any longer.
 */
export interface Keeper {
  readonly kind: 'hold' | 'minimum' | 'notDue';
  readonly name: string;
  readonly until: string | null;
}

/** What people have ordered to be kept, asked in the transaction that deletes: nothing can join it before that has ended. */
export interface ArchiveKeepers {
  /** The names of the holds on an archived mailbox. */
  holds(tx: Tx, resourceId: string): Promise<readonly string[]>;
  /** The policies that keep messages of it, by message. */
  policies(
    tx: Tx,
    messages: { readonly resourceId: string; readonly messageIds: readonly string[]; readonly latestMs?: number },
  ): Promise<ReadonlyMap<string, readonly { readonly name: string; readonly until: Date | null }[]>>;
}

/** What keeps each of some messages of a mailbox; those that nothing keeps are absent. A hold keeps all of them. */
export async function keepersOf(
  keepers: ArchiveKeepers,
  tx: Tx,
  messages: { readonly resourceId: string; readonly messageIds: readonly string[]; readonly latestMs?: number },
): Promise<ReadonlyMap<string, readonly Keeper[]>> {
  const holds = (await keepers.holds(tx, messages.resourceId)).map((name) => ({ kind: 'hold' as const, name, until: null }));
  const policies = await keepers.policies(tx, messages);
  const kept = messages.messageIds.map((messageId) => {
    const minimums = (policies.get(messageId) ?? []).map(({ name, until }) => ({
      kind: 'minimum' as const,
      name,
      until: until?.toISOString() ?? null,
    }));
    return [messageId, [...holds, ...minimums]] as const;
  });
  return new Map(kept.filter(([, keeping]) => keeping.length > 0));
}
