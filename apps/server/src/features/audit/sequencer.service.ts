import { randomBytes } from 'node:crypto';
import { appendFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Database, Scope, Tx } from '@holdfast/database';
import { now, type Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import { repeat } from '@holdfast/foundation/repeating';
import type { AuditPayload } from './audit-entry.ts';
import {
  addCheckpoint,
  appendEvents,
  checkpointedSize,
  lockSequencer,
  readNode,
  removeWaiting,
  scopesWaiting,
  treeSize,
  waitingEvents,
} from './audit-log.store.ts';
import { signCheckpoint, type CheckpointKey } from './checkpoint-note.ts';
import { eventLeaf, payloadHash } from './leaf.ts';
import { frontierOf, growTree, type GrowingTree, type TreeNode } from './merkle-tree.ts';
import { nobody } from './nobody.ts';

export interface SequencerParts {
  readonly database: Database;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly key: () => Promise<CheckpointKey>;
  /** A copy of every checkpoint outside the database, so that a rolled back or cut log shows. */
  readonly witnessFile: string;
}

/** Numbers waiting events without gaps and appends them to the tree. */
export interface Sequencer {
  /** Numbers everything that waits. Returns how many there were. */
  drain(): Promise<number>;
  /** Signs the present state, unless the newest checkpoint says it already. */
  checkpoint(): Promise<void>;
  /** Drains every second and signs every minute or thousand events, until stopped. */
  start(): () => Promise<void>;
}

const BATCH = 500;
const SALT_BYTES = 16;
const EVERY_MS = 1_000;
const CHECKPOINT_MS = 60_000;
const CHECKPOINT_LEAVES = 1_000;

async function openTree(tx: Tx): Promise<GrowingTree> {
  const size = await treeSize(tx);
  const frontier: Buffer[] = [];
  for (const place of frontierOf(size)) frontier.push((await readNode(tx, place)) ?? Buffer.alloc(32));
  return growTree(size, frontier);
}

type Waiting = Awaited<ReturnType<typeof waitingEvents>>;

/** Gives each event its number and leaf, in order. */
function numbered(scope: Scope, waiting: Waiting, tree: GrowingTree) {
  const nodes: TreeNode[] = [];
  const events = waiting.map((row) => {
    const sequence = tree.size + 1;
    const salt = randomBytes(SALT_BYTES);
    const payload = JSON.stringify(row.payload);
    const hash = payloadHash(salt, payload);
    const { event, outcome, at, subject_kind, subject_id } = row;
    const fields = { sequence, at, event, outcome, organisationId: scope.organisationId, realm: scope.realm };
    nodes.push(...tree.append(eventLeaf({ ...fields, subjectKind: subject_kind, subjectId: subject_id }, hash)));
    const actorId = (row.payload as AuditPayload).actorId;
    return { sequence, at, event, outcome, subject_kind, subject_id, payload, salt, payload_hash: hash, actor_id: actorId };
  });
  return { events, nodes };
}

export function createSequencer(parts: SequencerParts): Sequencer {
  const { database, clock, logger } = parts;
  let sinceCheckpoint = 0;
  let lastCheckpointMs = clock.monotonicMs();

  /** One batch of one organisation, in one transaction under the sequencer's lock. */
  async function batch(scope: Scope): Promise<number> {
    return database.within(scope, async (tx) => {
      await lockSequencer(tx);
      const waiting = await waitingEvents(tx, BATCH);
      if (waiting.length === 0) return 0;
      const tree = await openTree(tx);
      const { events, nodes } = numbered(scope, waiting, tree);
      await appendEvents(tx, events, nodes);
      await removeWaiting(
        tx,
        waiting.map((row) => row.id),
      );
      return waiting.length;
    });
  }

  async function drain(): Promise<number> {
    let total = 0;
    for (const scope of await scopesWaiting(database)) {
      for (let done = await batch(scope); done > 0; done = done === BATCH ? await batch(scope) : 0) total += done;
    }
    sinceCheckpoint += total;
    return total;
  }

  async function checkpoint(): Promise<void> {
    const key = await parts.key();
    const signed = await database.within(nobody, async (tx) => {
      await lockSequencer(tx);
      const tree = await openTree(tx);
      if (tree.size === (await checkpointedSize(tx))) return undefined;
      const made = { size: tree.size, root: tree.root(), at: now(clock) };
      const note = signCheckpoint(made, key);
      await addCheckpoint(tx, { ...made, note });
      return note;
    });
    sinceCheckpoint = 0;
    lastCheckpointMs = clock.monotonicMs();
    if (signed === undefined) return;
    await mkdir(path.dirname(parts.witnessFile), { recursive: true, mode: 0o700 });
    await appendFile(parts.witnessFile, `${JSON.stringify(signed)}\n`, { mode: 0o600, flush: true });
  }

  async function turn(): Promise<void> {
    await drain();
    const isDue = sinceCheckpoint >= CHECKPOINT_LEAVES || (sinceCheckpoint > 0 && clock.monotonicMs() - lastCheckpointMs >= CHECKPOINT_MS);
    if (isDue) await checkpoint();
  }

  return Object.freeze<Sequencer>({
    drain,
    checkpoint,
    start() {
      const onError = (error: unknown): void => logger.warn({ err: error }, 'the audit log could not be written');
      const stop = repeat({ clock, everyMs: EVERY_MS, turn, onError });
      return async () => {
        await stop();
        await drain();
        await checkpoint();
      };
    },
  });
}
