import { readFile } from 'node:fs/promises';
import type { Database, Scope } from '@holdfast/database';
import type { AuditPayload } from './audit-entry.ts';
import {
  allCheckpoints,
  eventsAfter,
  levels,
  nodesAfter,
  scopesLogged,
  subjectsOf,
  type AuditEventRow,
  type StoredCheckpoint,
} from './audit-log.store.ts';
import { readCheckpoint, type CheckpointKey } from './checkpoint-note.ts';
import { eventLeaf, payloadHash } from './leaf.ts';
import { TIMESTAMPED, type LogStamps } from './log-stamps.ts';
import { nobody } from './nobody.ts';
import { growTree } from './merkle-tree.ts';
import type { VerifyReport } from './verify-report.ts';

export interface VerifyParts {
  readonly database: Database;
  readonly key: () => Promise<CheckpointKey>;
  readonly witnessFile: string;
  readonly stamps: Pick<LogStamps, 'problems'>;
}

const PAGE = 2_000;
const MAX_PROBLEMS = 100;
const HASH_BYTES = 32;
const CLOCK_TOLERANCE_MS = 10 * 60_000;

/** Collects problems without drowning in them. */
function createFindings(): { add(problem: string): void; readonly all: string[] } {
  const all: string[] = [];
  return {
    all,
    add(problem) {
      if (all.length < MAX_PROBLEMS) all.push(problem);
    },
  };
}

type Findings = ReturnType<typeof createFindings>;

function checkPayload(row: AuditEventRow, findings: Findings): void {
  if (row.payload === null || row.salt === null) return;
  if (!payloadHash(row.salt, row.payload).equals(row.payload_hash)) findings.add(`event ${row.sequence}: its details were changed`);
  const { actorId } = JSON.parse(row.payload) as AuditPayload;
  if (actorId !== row.actor_id) findings.add(`event ${row.sequence}: its actor was changed`);
}

/** The leaves of all events by number, and the time of each. A number that comes twice or lies outside is told. */
async function readLeaves(database: Database, findings: Findings): Promise<{ leaves: Map<number, Buffer>; times: Map<number, number> }> {
  const leaves = new Map<number, Buffer>();
  const times = new Map<number, number>();
  async function readScope(scope: Scope): Promise<void> {
    for (let last = -1; ;) {
      const page = await database.within(scope, (tx) => eventsAfter(tx, last, PAGE));
      for (const row of page) {
        checkPayload(row, findings);
        if (leaves.has(row.sequence)) findings.add(`event ${row.sequence}: the number is there twice`);
        const fields = { ...scope, sequence: row.sequence, at: row.at, event: row.event, outcome: row.outcome };
        leaves.set(row.sequence, eventLeaf({ ...fields, subjectKind: row.subject_kind, subjectId: row.subject_id }, row.payload_hash));
        times.set(row.sequence, row.at.getTime());
        last = row.sequence;
      }
      if (page.length < PAGE) return;
    }
  }
  for (const scope of await scopesLogged(database)) await readScope(scope);
  return { leaves, times };
}

/** Compares the stored subtrees with those that follow from the events, page by page. */
async function checkNodes(database: Database, grown: readonly Buffer[][], findings: Findings): Promise<void> {
  const stored = await levels(database);
  for (let level = 0; level < Math.max(stored, grown.length); level += 1) {
    const expected = grown[level] ?? [];
    let seen = 0;
    for (let last = -1; ;) {
      const page = await nodesAfter(database, level, last, PAGE);
      for (const { position, hash } of page) {
        if (position !== seen || expected[position]?.equals(hash) !== true)
          findings.add(`tree: node ${position} of level ${level} does not fit the events`);
        seen = position + 1;
        last = position;
      }
      if (page.length < PAGE) break;
    }
    if (seen !== expected.length) findings.add(`tree: level ${level} has ${seen} nodes instead of ${expected.length}`);
  }
}

function checkOrder(times: Map<number, number>, findings: Findings): void {
  let newest = -Infinity;
  for (let sequence = 1; sequence <= times.size; sequence += 1) {
    const at = times.get(sequence);
    if (at === undefined) continue;
    if (at < newest - CLOCK_TOLERANCE_MS) findings.add(`event ${sequence}: its time lies long before the one before it`);
    newest = Math.max(newest, at);
  }
}

function checkStored(checkpoint: StoredCheckpoint, key: CheckpointKey, roots: Map<number, Buffer>, findings: Findings): void {
  const read = readCheckpoint(checkpoint.note, key);
  if (!read) return findings.add(`checkpoint ${checkpoint.size}: not signed by this installation`);
  const isSame = read.size === checkpoint.size && read.root.equals(checkpoint.root) && read.at.getTime() === checkpoint.at.getTime();
  if (!isSame) findings.add(`checkpoint ${checkpoint.size}: its row differs from what was signed`);
  if (roots.get(read.size)?.equals(read.root) !== true) findings.add(`checkpoint ${read.size}: the events give another root`);
  return undefined;
}

async function readWitness(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as string);
}

/** Grows the tree anew from the leaves; remembers the roots at the sizes that checkpoints speak of. */
function rebuild(leaves: Map<number, Buffer>, wanted: Set<number>, findings: Findings): { grown: Buffer[][]; roots: Map<number, Buffer> } {
  const roots = new Map<number, Buffer>();
  const grown: Buffer[][] = [];
  const tree = growTree(0, []);
  for (let sequence = 1; sequence <= leaves.size; sequence += 1) {
    const leaf = leaves.get(sequence);
    if (!leaf) findings.add(`event ${sequence}: missing`);
    for (const node of tree.append(leaf ?? Buffer.alloc(HASH_BYTES))) (grown[node.level] ??= [])[node.position] = node.hash;
    if (wanted.has(sequence)) roots.set(sequence, tree.root());
  }
  return { grown, roots };
}

interface Witnessed {
  readonly key: CheckpointKey;
  readonly roots: Map<number, Buffer>;
  readonly size: number;
  readonly stored: Set<string>;
}

/** Compares the copies outside the database with the log and with what the database holds. */
function checkWitness(notes: readonly string[], log: Witnessed, findings: Findings): void {
  for (const note of notes) {
    const copy = readCheckpoint(note, log.key);
    if (!copy) findings.add('copy of a checkpoint: not signed by this installation');
    else if (copy.size > log.size) findings.add(`copy of checkpoint ${copy.size}: the log has only ${log.size} events`);
    else if (log.roots.get(copy.size)?.equals(copy.root) !== true)
      findings.add(`copy of checkpoint ${copy.size}: the events give another root`);
    else if (!log.stored.has(note)) findings.add(`checkpoint ${copy.size}: missing from the database`);
  }
}

/**
 * Checks the whole log: every event against its leaf, numbers without gaps, stored subtrees, roots and
 * signatures of all checkpoints, their time stamps, and the copy of the checkpoints outside the database.
 */
export async function verifyAudit(parts: VerifyParts): Promise<VerifyReport> {
  const { database } = parts;
  const findings = createFindings();
  const key = await parts.key();
  const { leaves, times } = await readLeaves(database, findings);
  const checkpoints = await allCheckpoints(database);
  const notes = await readWitness(parts.witnessFile);
  const witnessed = notes.map((note) => readCheckpoint(note, key));
  const wanted = new Set([...checkpoints.map((one) => one.size), ...witnessed.flatMap((one) => (one ? [one.size] : []))]);
  const { grown, roots } = rebuild(leaves, wanted, findings);
  await checkNodes(database, grown, findings);
  checkOrder(times, findings);
  for (const checkpoint of checkpoints) checkStored(checkpoint, key, roots, findings);
  checkWitness(notes, { key, roots, size: leaves.size, stored: new Set(checkpoints.map((one) => one.note)) }, findings);
  if (witnessed.length < checkpoints.length) findings.add('a copy of a checkpoint is missing');
  const recorded = await database.within(nobody, (tx) => subjectsOf(tx, TIMESTAMPED));
  for (const problem of await parts.stamps.problems(recorded)) findings.add(problem);
  return { ok: findings.all.length === 0, events: leaves.size, checkpoints: checkpoints.length, problems: findings.all };
}
