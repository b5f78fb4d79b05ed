import { createSeededRandom } from '@holdfast/foundation/random';
import { forEachConcurrent } from '@holdfast/foundation/concurrency';
import { collect } from '@holdfast/foundation/streams';
import { createFakeClock } from '@holdfast/foundation/testing/fake-clock';
import { graphOutcome, isGraphError } from '../src/errors/errors.ts';
import type { GraphClient } from '../src/graph-client.ts';
import { aClient } from './a-client.ts';
import { createFaultyMailbox, type FaultyMailbox } from './faulty-mailbox.ts';

interface Findings {
  readonly stored: Map<string, Buffer>;
  /** Message → code of the error that stands in the list. */
  readonly errors: Map<string, string>;
  readonly gone: Set<string>;
  /** Folders that could not be enumerated to their end, with the code. */
  readonly unread: Map<string, string>;
}

async function readMessage(client: GraphClient, messageId: string, findings: Findings): Promise<void> {
  try {
    findings.stored.set(messageId, await collect(client.exchange.mail.mime({ userId: 'u1', messageId }).bytes, 1024 * 1024));
  } catch (error) {
    if (!isGraphError(error)) throw error;
    if (graphOutcome(error) === 'gone') findings.gone.add(messageId);
    else findings.errors.set(messageId, error.code);
  }
}

async function readFolder(client: GraphClient, folderId: string, findings: Findings): Promise<void> {
  const ids = new Set<string>();
  try {
    for await (const step of client.exchange.mail.messageDelta({ userId: 'u1', folderId })) {
      if (step.kind === 'page') for (const entry of step.entries) ids.add(entry.id);
    }
  } catch (error) {
    if (!isGraphError(error)) throw error;
    findings.unread.set(folderId, error.code);
  }
  await forEachConcurrent(ids, 6, (id) => readMessage(client, id, findings));
}

function isNamed(id: string, findings: Findings): boolean {
  const folder = id.slice(0, id.indexOf('-'));
  return findings.errors.has(id) || findings.unread.has(folder) || findings.gone.has(id);
}

function complaintAbout(
  id: string,
  bytes: Buffer,
  run: { readonly mailbox: FaultyMailbox; readonly findings: Findings },
): string | undefined {
  const stored = run.findings.stored.get(id);
  if (!stored) return isNamed(id, run.findings) ? undefined : `${id} is missing and not named`;
  if (run.mailbox.corrupt.has(id)) return `${id} is corrupt and was stored`;
  return stored.equals(bytes) ? undefined : `${id} was stored wrong`;
}

/** What is wrong with a run: anything that is neither whole, nor gone, nor named as missing. */
function complaints(mailbox: FaultyMailbox, findings: Findings): string[] {
  const wrong: string[] = [];
  if (mailbox.early > 0) wrong.push(`${mailbox.early} requests before Retry-After`);
  if (mailbox.peak > 4) wrong.push(`${mailbox.peak} requests at a time`);
  for (const [id, bytes] of mailbox.messages) {
    const complaint = complaintAbout(id, bytes, { mailbox, findings });
    if (complaint) wrong.push(complaint);
  }
  return wrong;
}

export interface FaultRun {
  readonly complaints: readonly string[];
  readonly requests: number;
  readonly stored: number;
  readonly listed: number;
}

/** One backup of a faulty mailbox, wholly decided by its seed. */
export async function runWithFaults(seed: number): Promise<FaultRun> {
  const clock = createFakeClock();
  const random = createSeededRandom(seed);
  const mailbox = createFaultyMailbox({ random, clock, rate: 0.02 + random.next() * 0.3 });
  const test = aClient((request) => mailbox.respond(request), { clock, seed });
  const findings: Findings = { stored: new Map(), errors: new Map(), gone: new Set(), unread: new Map() };
  await test.run(forEachConcurrent(mailbox.folders, 3, (folder) => readFolder(test.client, folder, findings)));
  return {
    complaints: complaints(mailbox, findings),
    requests: test.client.statistics().requests,
    stored: findings.stored.size,
    listed: findings.errors.size + findings.unread.size,
  };
}
