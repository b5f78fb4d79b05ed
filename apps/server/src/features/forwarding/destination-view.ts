import type { Destination, SendFailureView } from '@holdfast/contract/forwarding';
import type { DestinationRow } from './destinations.store.ts';
import type { StoredTarget } from './transports.ts';

function formOf({ kind, target }: DestinationRow): Destination['form'] {
  const { form = 'events' } = target as StoredTarget;
  return kind === 'webhook' ? form : null;
}

/** A destination as pages see it; its secret is no part of it. */
export function viewOf(row: DestinationRow, { backlog, folder }: { readonly backlog: number; readonly folder: string }): Destination {
  const { host = null, port = null, url = null, ca = '' } = row.target as StoredTarget;
  return {
    destinationId: row.destination_id,
    name: row.name,
    kind: row.kind,
    feed: row.feed,
    isEnabled: row.is_enabled,
    host,
    port,
    url,
    form: formOf(row),
    ca,
    folder: row.kind === 'file' ? folder : null,
    createdAt: row.created_at.toISOString(),
    creator: row.creator,
    lastSentAt: row.last_sent_at?.toISOString() ?? null,
    backlog,
    failingSince: row.failing_since?.toISOString() ?? null,
    nextAttemptAt: row.failing_since === null ? null : row.next_attempt_at.toISOString(),
    lastFailure: row.last_failure as SendFailureView | null,
  };
}
