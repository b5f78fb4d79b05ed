import type { BodyOf, JobSource } from '@holdfast/contract/jobs';
import { coveredResources, isMeant, type NotCovered } from '../backup/index.ts';
import type { Selection } from '@holdfast/engine';
import type { GraphClient } from '@holdfast/m365';
import type { FoundResource } from '../../storage/index.ts';
import type { KnownMailbox } from './archive-sources.store.ts';

/** A mailbox that an archive job covers. */
export type CoveredMailbox = Pick<KnownMailbox, 'graphId' | 'name' | 'address'>;

export interface CoveredMailboxes {
  readonly mailboxes: readonly CoveredMailbox[];
  /** Those of them that are in the directory. */
  readonly found: readonly FoundResource[];
  /** Those that were chosen and could not be looked up. */
  readonly notFound: readonly NotCovered[];
}

type ArchiveBody = Pick<BodyOf<'archive'>, 'source' | 'exempt'>;

/** Which folders a job takes of each mailbox. */
export function selectionOf({ source }: Pick<ArchiveBody, 'source'>): Selection {
  const { options, includeFolders, excludeFolders } = source;
  return {
    ...(includeFolders.length > 0 ? { include: includeFolders } : {}),
    ...(excludeFolders.length > 0 ? { exclude: excludeFolders } : {}),
    mailbox: { deletedItems: options.deletedItems, junk: options.junk },
  };
}

/** Whoever is exempt is excluded, whatever chooses them. */
export function sourceWithoutExempt({ source, exempt }: ArchiveBody): JobSource {
  return { ...source, excluded: [...source.excluded, ...exempt] };
}

/**
 * Mailboxes that have left the directory, where a job takes everyone. Nobody can tell any more whether an excluded group had
 * them as a member: while something is excluded, only those are taken that were archived before they left.
 */
function leavers({ source, exempt }: ArchiveBody, gone: readonly KnownMailbox[]): readonly CoveredMailbox[] {
  const excluded = [...source.excluded, ...exempt];
  const ids = new Set(excluded.map(({ id }) => id));
  const addresses = new Set(excluded.map(({ address }) => address.toLowerCase()).filter((address) => address !== ''));
  const isExcluded = ({ graphId, address }: KnownMailbox): boolean => ids.has(graphId) || addresses.has(address.toLowerCase());
  return source.everyone ? gone.filter((one) => !isExcluded(one) && (excluded.length === 0 || one.isArchived)) : [];
}

/** The mailboxes that an archive job covers now. */
export async function coveredMailboxes(graph: GraphClient, body: ArchiveBody, gone: readonly KnownMailbox[]): Promise<CoveredMailboxes> {
  const { resources, notCovered } = await coveredResources(graph, 'exchange', sourceWithoutExempt(body));
  const mailboxes = new Map<string, CoveredMailbox>();
  for (const { graphId, name, address } of [...leavers(body, gone), ...resources]) mailboxes.set(graphId, { graphId, name, address });
  return { mailboxes: [...mailboxes.values()], found: resources, notFound: notCovered.filter((one) => !isMeant(one)) };
}
