import { createHash } from 'node:crypto';
import { createSeededRandom, type Random } from '@holdfast/foundation/random';
import { collect, type Bytes } from '@holdfast/foundation/streams';
import { createTransport, type Transport } from '../src/http/transport.ts';
import { retryAfterMs } from '../src/http/retry-after.ts';
import { createGraphClientOver } from '../src/create-graph-client.ts';
import { graphOutcome, isGraphError } from '../src/errors/errors.ts';
import type { GraphClient } from '../src/graph-client.ts';
import type { SimulatedTenant } from './simulated-tenant.ts';

type Rule = Readonly<Record<string, string | number | boolean | Readonly<Record<string, string | number>>>>;

const LIMIT_BYTES = 1024 * 1024 * 1024;
const ANY_ITEM = ['/users/{id}/messages/{id}/$value', '/drives/{id}/items/{id}/content'];
const ANY_PAGE = ['/users/{id}/mailFolders/{id}/messages/delta', '/drives/{id}/root/delta', '/users/{id}/mailFolders/delta'];

const KINDS: readonly ((random: Random) => Rule)[] = [
  (random) => ({ do: 'throttle', seconds: random.below(30), form: 'integer' }),
  (random) => ({ do: 'throttle', seconds: random.below(200) / 10, form: 'decimal' }),
  (random) => ({ do: 'throttle', seconds: 1 + random.below(20), form: 'date' }),
  (random) => ({ do: 'throttle', seconds: 1 + random.below(9), status: 503 }),
  () => ({ do: 'status', status: 500, code: 'ErrorInternalServerTransientError' }),
  () => ({ do: 'status', status: 502 }),
  () => ({ do: 'status', status: 504 }),
  () => ({ do: 'empty', status: 503 }),
  () => ({ do: 'empty', status: 404 }),
  () => ({ do: 'reset', when: 'before' }),
  () => ({ do: 'reset', when: 'middle' }),
  (random) => ({ do: 'truncate', share: random.next() }),
  () => ({ do: 'expireToken' }),
  () => ({ do: 'expireUrl' }),
  () => ({ do: 'slowPage', above: 100 }),
  () => ({ do: 'delay', ms: 3_000 }),
];

/** Two to six faults, each with its own chance and end. */
function rulesOf(random: Random): Rule[] {
  return Array.from({ length: 2 + random.below(5) }, () => {
    const kind = KINDS[random.below(KINDS.length)] ?? KINDS[0];
    const rule = kind?.(random) ?? {};
    const isPage = random.next() < 0.4 || rule['do'] === 'slowPage';
    const paths = isPage ? ANY_PAGE : ANY_ITEM;
    const path = rule['do'] === 'expireUrl' ? {} : { path: paths[random.below(paths.length)] ?? '' };
    const host = rule['do'] === 'expireUrl' ? { host: 'sharepoint' } : {};
    return {
      ...rule,
      match: { ...path, ...host, probability: 0.05 + random.next() * 0.5, seed: random.below(1_000_000) },
      times: 1 + random.below(12),
    };
  });
}

/** What a request is paused with: its mailbox, or everything of SharePoint. */
function scopeOf({ pathname }: URL): string {
  const mailbox = /\/v1\.0\/users\/([^/]+)\//.exec(pathname)?.[1];
  return mailbox ?? (pathname.includes('/oauth2/') ? 'sign-in' : 'sharepoint');
}

/** A transport that notes each request sent although an answer in hand forbade it. */
function watchPauses(tenant: SimulatedTenant, inner: Transport): Transport & { readonly early: readonly string[] } {
  const { clock } = tenant.options;
  const pausedUntil = new Map<string, number>();
  const early: string[] = [];
  return {
    early,
    async send(request) {
      const scope = scopeOf(request.url);
      const leftMs = (pausedUntil.get(scope) ?? 0) - clock.monotonicMs();
      if (leftMs > 0) early.push(`${scope} ${leftMs} ms early`);
      const response = await inner.send(request);
      const waitMs = response.status >= 400 ? retryAfterMs(response.headers, clock.nowMs()) : undefined;
      if (waitMs !== undefined) pausedUntil.set(scope, Math.max(pausedUntil.get(scope) ?? 0, clock.monotonicMs() + waitMs));
      return response;
    },
    close: () => inner.close(),
  };
}

export interface SimulatedRun {
  /** What is neither whole nor named. */
  readonly complaints: readonly string[];
  readonly stored: number;
  readonly listed: number;
}

interface Reading {
  readonly found: Map<string, string>;
  readonly named: Set<string>;
}

async function readItem(reading: Reading, id: string, content: { readonly bytes: Bytes }): Promise<void> {
  try {
    const bytes = await collect(content.bytes, LIMIT_BYTES);
    reading.found.set(id, createHash('sha256').update(bytes).digest('hex'));
  } catch (error) {
    if (graphOutcome(error) === undefined) throw error;
    reading.named.add(id);
  }
}

async function readMailbox(client: GraphClient, userId: string, reading: Reading): Promise<void> {
  const { mail } = client.exchange;
  for (const folderId of ['inbox', 'sentitems', 'archive']) {
    const ids = new Set<string>();
    for await (const step of mail.messageDelta({ userId, folderId }))
      if (step.kind === 'page') for (const entry of step.entries) ids.add(entry.id);
    await Promise.all([...ids].map((messageId) => readItem(reading, messageId, mail.mime({ userId, messageId }))));
  }
}

async function readDrive(client: GraphClient, driveId: string, reading: Reading): Promise<void> {
  const files = new Map<string, string | undefined>();
  for await (const step of client.drives.delta({ driveId })) {
    if (step.kind !== 'page') continue;
    for (const entry of step.entries) {
      if (entry.kind === 'present' && entry.item.file) files.set(entry.id, entry.item['@microsoft.graph.downloadUrl']);
    }
  }
  const reads = [...files].map(([itemId, url]) =>
    readItem(reading, itemId, client.drives.content({ driveId, itemId, ...(url === undefined ? {} : { downloadUrl: url }) })),
  );
  await Promise.all(reads);
}

/** Reads one mailbox and one drive, with a reading of its own that ends by a named failure when it can't be completed. */
async function readAll(
  client: GraphClient,
  owners: { readonly userId: string; readonly driveId: string },
): Promise<Reading & { readonly isWhole: boolean }> {
  const reading: Reading = { found: new Map(), named: new Set() };
  const parts = await Promise.allSettled([readMailbox(client, owners.userId, reading), readDrive(client, owners.driveId, reading)]);
  for (const part of parts) if (part.status === 'rejected' && !isGraphError(part.reason)) throw part.reason;
  return { ...reading, isWhole: parts.every((part) => part.status === 'fulfilled') };
}

export interface GroundTruth {
  readonly userId: string;
  readonly driveId: string;
  /** What a reading without faults finds: id → hash. */
  readonly items: ReadonlyMap<string, string>;
}

/** Reads without faults once; the other tests prove that this equals the simulator's own truth. */
export async function readUndisturbed(tenant: SimulatedTenant): Promise<GroundTruth> {
  const { control } = tenant.simulator;
  const userId = control.owners(tenant.access.tenantId, 'mail')[0]?.owner ?? '';
  const driveId = control.owners(tenant.access.tenantId, 'drives')[0]?.owner ?? '';
  const { found } = await readAll(tenant.client, { userId, driveId });
  return { userId, driveId, items: found };
}

/** The same reading while the simulator fails as `seed` says. */
export async function runWithSimulatedFaults(tenant: SimulatedTenant, truth: GroundTruth, seed: number): Promise<SimulatedRun> {
  const random = createSeededRandom(seed);
  tenant.simulator.control.setFaults(rulesOf(random));
  const ca = tenant.options.endpoints?.ca;
  const transport = watchPauses(tenant, createTransport(ca === undefined ? {} : { ca }));
  const client = createGraphClientOver({ ...tenant.options, random }, transport);
  try {
    const reading = await readAll(client, truth);
    const complaints = [...truth.items].flatMap(([id, sha]) => {
      const found = reading.found.get(id);
      if (found === undefined) return reading.isWhole && !reading.named.has(id) ? [`${id} is missing and not named`] : [];
      return found === sha ? [] : [`${id} was read wrong`];
    });
    return {
      complaints: [...complaints, ...transport.early],
      stored: reading.found.size,
      listed: reading.named.size + (reading.isWhole ? 0 : 1),
    };
  } finally {
    tenant.simulator.control.setFaults([]);
    await client.close();
  }
}
