import type { Receiver } from '@holdfast/contract/receivers';
import type { CountedReceiver } from './receivers.store.ts';

const MEGABYTE = 1024 * 1024;
/** A worker that has been silent for longer listens no more. */
const GONE_MS = 3 * 60_000;

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

function listeningOf(row: CountedReceiver, nowMs: number): Receiver['listening'] {
  const { listening_at: seen, listening_host: hostName, listening_port: port, certificate_ends_at: ends, certificate_sha256 } = row;
  if (!seen || hostName === null || port === null || !ends || certificate_sha256 === null) return null;
  if (nowMs - seen.getTime() > GONE_MS) return null;
  return {
    hostName,
    port,
    seenAt: seen.toISOString(),
    certificateEndsAt: ends.toISOString(),
    certificateSha256: certificate_sha256,
  };
}

/** A receiver as the page shows it. */
export function receiverOf(row: CountedReceiver, parts: { readonly address: string; readonly nowMs: number }): Receiver {
  return {
    receiverId: row.receiver_id,
    name: row.name,
    locationId: row.location_id,
    isEnabled: row.is_enabled,
    address: parts.address,
    networks: row.networks,
    maxMegabytes: Math.round(row.max_bytes / MEGABYTE),
    silenceMinutes: row.silence_minutes,
    businessDays: row.business_days,
    businessFrom: row.business_from,
    businessTo: row.business_to,
    createdAt: row.created_at.toISOString(),
    creator: row.creator,
    listening: listeningOf(row, parts.nowMs),
    received: row.received,
    receivedBytes: row.received_bytes,
    lastReceivedAt: iso(row.last_received_at),
    placed: row.placed,
    waiting: Math.max(0, row.received - row.resolved) + row.pending,
    unassigned: row.unassigned,
    broken: row.broken,
    exempt: row.exempt,
    erasedBefore: row.erased_before,
    silentSince: iso(row.silent_since),
    lastFailedAt: iso(row.last_failed_at),
    lastFailure: row.last_failure,
  };
}
