import type { Scope } from '@holdfast/database';
import { AppError } from '@holdfast/foundation/errors';
import { membershipIn, type Actor } from '../../access/actor.ts';
import { csvLine } from '../../http/csv.ts';
import type { AuditEvent } from './audit-entry.ts';
import { viewOf, type AuditEventView } from './audit-event-view.ts';
import type { AuditEventRow, StoredCheckpoint } from './audit-log.store.ts';
import type { AuditFilter, AuditViews } from './audit.views.ts';
import type { CheckpointKey } from './checkpoint-note.ts';
import { consistencyPath } from './consistency.ts';
import type { LogStamps, StampedNote } from './log-stamps.ts';
import { inclusionPath } from './merkle-tree.ts';
import type { NightlyResult, NightlyStore } from './nightly.store.ts';
import type { Sequencer } from './sequencer.service.ts';
import type { VerifyReport } from './verify-report.ts';

export interface AuditParts {
  readonly views: AuditViews;
  readonly sequencer: Pick<Sequencer, 'drain' | 'checkpoint'>;
  readonly key: () => Promise<CheckpointKey>;
  readonly verify: () => Promise<VerifyReport>;
  readonly nightly: Pick<NightlyStore, 'last'>;
  readonly stamps: Pick<LogStamps, 'covering'>;
  readonly nowMs: () => number;
}

export interface AuditQuery extends AuditFilter {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly sort?: 'sequence' | '-sequence' | undefined;
}

/** Reading, proving and exporting the log of an organisation. */
export interface AuditService {
  list(actor: Actor, scope: Scope, query: AuditQuery): Promise<{ items: AuditEventView[]; nextCursor: string | null; total: number }>;
  export(actor: Actor, scope: Scope, filter: AuditFilter, format: 'jsonl' | 'csv'): AsyncGenerator<Uint8Array, void, undefined>;
  /** What a printed log holds: the events of a filter, the oldest first, and the checkpoint that covers them. */
  covered(actor: Actor, scope: Scope, filter: AuditFilter): Promise<CoveredEvents>;
  /** The newest checkpoint, made now; undefined while the log is empty. */
  newestCheckpoint(): Promise<StoredCheckpoint | undefined>;
  checkpoints(limit: number): Promise<{ publicKey: string; items: CheckpointView[] }>;
  proof(scope: Scope, sequence: number): Promise<{ sequence: number; leafHash: string; path: string[]; checkpoint: CheckpointView }>;
  /** The proof of the first event of this name about a thing, with what its leaf is made of; undefined where there is none. */
  proofAbout(scope: Scope, event: AuditEvent, subjectId: string): Promise<EventProof | undefined>;
  /** The proof that the log of one checkpoint is the beginning of the log of another. */
  consistency(from: number, to: number, scope: Scope): Promise<string[]>;
  /** Verifies the log of the whole installation; `events` are the organisation's own. */
  verify(scope: Scope): Promise<VerifyReport>;
  /** What the last night's verification found, with the number of the organisation's own events. */
  verification(scope: Scope): Promise<NightlyResult | undefined>;
}

/** An event as its leaf is made of it, and what proves it. */
export interface EventProof {
  readonly event: Pick<AuditEventRow, 'sequence' | 'at' | 'event' | 'outcome' | 'subject_kind' | 'subject_id' | 'payload_hash'>;
  readonly path: string[];
  readonly checkpoint: CheckpointView;
  readonly publicKey: string;
  /** The time stamp on that checkpoint, where there is one. */
  readonly stamp: Pick<StampedNote, 'stampedAt' | 'authority' | 'token'> | undefined;
}

export interface CoveredEvents {
  readonly total: number;
  readonly checkpoint: CheckpointView;
  readonly events: () => AsyncGenerator<AuditEventView, void, undefined>;
}

interface CheckpointView {
  readonly size: number;
  readonly rootHash: string;
  readonly at: string;
  readonly note: string;
}

function checkpointView({ size, root, at, note }: StoredCheckpoint): CheckpointView {
  return { size, rootHash: root.toString('hex'), at: at.toISOString(), note };
}

const COLUMNS = [
  'sequence',
  'at',
  'event',
  'outcome',
  'actor',
  'address',
  'requestId',
  'subjectKind',
  'subjectId',
  'subjectName',
  'reason',
  'leafHash',
] as const;

/** What proves events and checkpoints to somebody who trusts the key alone. */
function createProofs(
  { views, sequencer, key, stamps }: AuditParts,
  newest: () => Promise<StoredCheckpoint>,
): Pick<AuditService, 'proof' | 'proofAbout' | 'consistency'> {
  async function prove(scope: Scope, sequence: number, checkpoint: StoredCheckpoint) {
    const leaf = await views.leaf(scope, sequence);
    if (!leaf || sequence > checkpoint.size) throw new AppError('not-found');
    const path = await inclusionPath(sequence - 1, checkpoint.size, (place) => views.node(place, scope));
    const hashes = path.map((hash) => hash.toString('hex'));
    return { sequence, leafHash: leaf.toString('hex'), path: hashes, checkpoint: checkpointView(checkpoint) };
  }

  /** The event, waiting for its place in the log only where it has none yet. */
  async function placed(scope: Scope, name: AuditEvent, subjectId: string): Promise<AuditEventRow | undefined> {
    const event = await views.about(scope, name, subjectId);
    if (event) return event;
    await sequencer.drain();
    return views.about(scope, name, subjectId);
  }

  /** A checkpoint that covers an event. One is made only for what is newer than the last: it costs a signature and the disk. */
  async function covering(sequence: number): Promise<StoredCheckpoint> {
    const [last] = await views.checkpoints(1);
    return last && last.size >= sequence ? last : newest();
  }

  return {
    async consistency(from, to, scope) {
      if (from > to || !(await views.hasCheckpoint(from)) || !(await views.hasCheckpoint(to))) throw new AppError('not-found');
      const path = await consistencyPath(from, to, (place) => views.node(place, scope));
      return path.map((hash) => hash.toString('hex'));
    },
    async proofAbout(scope, name, subjectId) {
      const event = await placed(scope, name, subjectId);
      if (!event) return undefined;
      // The earliest stamp says the most: the event was there by then.
      const stamp = await stamps.covering(event.sequence);
      const { path, checkpoint } = await prove(scope, event.sequence, stamp ?? (await covering(event.sequence)));
      return { event, path, checkpoint, publicKey: (await key()).verifier, stamp };
    },
    async proof(scope, sequence) {
      if (!(await views.has(scope, sequence))) throw new AppError('not-found');
      return prove(scope, sequence, await newest());
    },
  };
}

export function createAuditService(parts: AuditParts): AuditService {
  const { views, sequencer } = parts;

  /** A page for the screen; what is exported or proved stays as it was written. */
  async function withNames(scope: Scope, rows: readonly AuditEventRow[]): Promise<AuditEventView[]> {
    const items = rows.map(viewOf);
    // What was erased stays without a name.
    const isNameless = (item: AuditEventView, at: number): boolean => item.subjectName === null && rows[at]?.payload !== null;
    const names = await views.namesNow(
      scope,
      items.filter(isNameless).flatMap(({ subjectId }) => subjectId ?? []),
    );
    return items.map((item, at) => (isNameless(item, at) ? { ...item, subjectName: names.get(item.subjectId ?? '') ?? null } : item));
  }

  /** Administrators see what they did themselves; owners and auditors see all. */
  function visible(actor: Actor, scope: Scope, filter: AuditFilter): AuditFilter {
    const role = membershipIn(actor, scope.organisationId, parts.nowMs())?.role;
    return role === 'owner' || role === 'auditor' ? filter : { ...filter, actorId: actor.accountId };
  }

  async function newestCheckpoint(): Promise<StoredCheckpoint | undefined> {
    await sequencer.drain();
    await sequencer.checkpoint();
    return (await views.checkpoints(1))[0];
  }

  async function newest(): Promise<StoredCheckpoint> {
    const checkpoint = await newestCheckpoint();
    if (!checkpoint) throw new AppError('not-found');
    return checkpoint;
  }

  return Object.freeze<AuditService>({
    newestCheckpoint,
    async verify(scope) {
      await newest().catch(() => undefined);
      return { ...(await parts.verify()), events: await views.count(scope) };
    },
    async verification(scope) {
      const last = await parts.nightly.last();
      return last && { ...last, events: await views.count(scope, last.at) };
    },
    async list(actor, scope, query) {
      await sequencer.drain();
      const cursor = query.cursor !== undefined && /^\d{1,15}$/.test(query.cursor) ? { cursor: Number(query.cursor) } : {};
      const paging = { limit: query.limit, isAscending: query.sort === 'sequence', ...cursor };
      const page = await views.page(scope, visible(actor, scope, query), paging);
      const last = page.rows.at(-1);
      const isMore = page.rows.length === query.limit && last !== undefined;
      return { items: await withNames(scope, page.rows), nextCursor: isMore ? String(last.sequence) : null, total: page.total };
    },
    async *export(actor, scope, filter, format) {
      const checkpoint = await newest();
      if (format === 'csv') yield Buffer.from(csvLine(COLUMNS));
      for await (const row of views.all(scope, visible(actor, scope, filter))) {
        const view = viewOf(row);
        yield Buffer.from(format === 'csv' ? csvLine(COLUMNS.map((column) => view[column])) : `${JSON.stringify(view)}\n`);
      }
      const { verifier } = await parts.key();
      if (format === 'jsonl') yield Buffer.from(`${JSON.stringify({ checkpoint: checkpointView(checkpoint), publicKey: verifier })}\n`);
    },
    async covered(actor, scope, filter) {
      const checkpoint = checkpointView(await newest());
      const seen = visible(actor, scope, filter);
      const { total } = await views.page(scope, seen, { limit: 1, isAscending: true });
      const events = async function* () {
        for await (const row of views.all(scope, seen)) yield viewOf(row);
      };
      return { total, checkpoint, events };
    },
    async checkpoints(limit) {
      const { verifier } = await parts.key();
      return { publicKey: verifier, items: (await views.checkpoints(limit)).map(checkpointView) };
    },
    ...createProofs(parts, newest),
  });
}
