import type { VaultKeys } from '../crypto/vault-keys.ts';
import { journalFolder } from '../journal/segment-names.ts';
import type { CheckedChain } from './journal-check.ts';
import type { Damage, HeadsWitness, JournalDifference, RememberedJournal, VerifyOptions } from './maintenance.ts';

type Head = RememberedJournal['head'];

/** What is known of the journals outside the vault, by resource key. */
export interface Known {
  /** Resources that somebody remembers and that no journal was seen of yet. */
  readonly unseen: Set<string>;
  idOf(resourceKey: string): string | undefined;
  /** Heads and points as they are remembered now. */
  of(resourceKey: string): Promise<{ readonly heads: readonly Head[]; readonly points: readonly number[] }>;
}

/** Gathers who must be there; heads and points are asked for one by one, so that memory is bounded. */
export async function gatherKnown(
  keys: VaultKeys,
  { memory, witnesses = [] }: Pick<VerifyOptions, 'memory' | 'witnesses'>,
): Promise<Known> {
  const ids = new Map<string, string>();
  const witnessed = new Map<string, Head[]>();
  for (const { resourceId, sequence, hash } of witnesses.flatMap((witness: HeadsWitness) => witness.heads)) {
    const key = keys.resourceKey(resourceId);
    ids.set(key, resourceId);
    witnessed.set(key, [...(witnessed.get(key) ?? []), { sequence, hash }]);
  }
  if (memory) for await (const resourceId of memory.resources()) ids.set(keys.resourceKey(resourceId), resourceId);
  return {
    unseen: new Set(ids.keys()),
    idOf: (resourceKey) => ids.get(resourceKey),
    async of(resourceKey) {
      const resourceId = ids.get(resourceKey);
      const remembered = resourceId === undefined ? undefined : await memory?.journal(resourceId);
      const heads = [...(witnessed.get(resourceKey) ?? []), ...(remembered ? [remembered.head] : [])];
      return { heads, points: remembered?.points ?? [] };
    },
  };
}

/** The number of the commit that a damaged object of a journal is of. */
function sequenceOf({ name }: Damage, folder: string): number {
  return Number(name.slice(folder.length, folder.length + 10));
}

/** How a journal differs from a head that somebody remembers. A damaged segment in its place is named itself. */
export function differenceOf(chain: CheckedChain, head: Head): JournalDifference | undefined {
  const folder = journalFolder(chain.resourceKey);
  const there = chain.segments.find(({ body }) => body.sequence === head.sequence);
  if (there) return there.hash === head.hash ? undefined : 'forked';
  const damaged = chain.damages.filter(({ object }) => object === 'segment').map((damage) => sequenceOf(damage, folder));
  if (damaged.includes(head.sequence)) return undefined;
  return chain.segments.length + damaged.length === 0 ? 'missing' : 'older';
}

const PROBLEMS: Readonly<Record<JournalDifference, string>> = {
  missing: 'The journal is missing; it is remembered up to commit',
  older: 'The journal is an older copy, or its end was cut off; it is remembered up to commit',
  forked: 'The journal is another one than is remembered at commit',
};

/** What a difference is told as. */
export function journalDamage(
  { resourceKey, resourceId }: Pick<CheckedChain, 'resourceKey' | 'resourceId'>,
  difference: JournalDifference,
  head: Head,
): Damage {
  return {
    object: 'journal',
    name: journalFolder(resourceKey),
    problem: `${PROBLEMS[difference]} ${head.sequence}.`,
    resourceId,
    blobIds: [],
    difference,
  };
}
