import type { TestDatabase } from '@holdfast/database/testing/test-database';
import type { Simulator, TruthRecord } from '@holdfast/m365-simulator';
import { vi } from 'vitest';
import type { SignedIn, TestServer } from './test-server.ts';

/** A run as its table has it. */
export interface RunRow {
  readonly run_id: string;
  readonly status: string;
  readonly code: string | null;
  readonly worker: string | null;
  readonly fence: number;
  readonly errors: number;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
  readonly new_bytes: number;
  readonly stored_bytes: number;
  readonly result: Readonly<Record<string, unknown>> | null;
}

/** A tenant of the simulator that is connected, with one location on this machine. */
export interface SimulatedTenant {
  readonly tenantId: string;
  readonly locationId: string;
  call<Answer>(path: string, body?: object): Promise<Answer>;
  /** Creates a job and answers its id. */
  job(body: object): Promise<string>;
  /** Starts a run and answers its id. */
  start(jobId: string): Promise<string>;
  run(runId: string): Promise<RunRow>;
  /** Starts a run and waits for its end. */
  finish(jobId: string): Promise<RunRow>;
  ended(runId: string, timeoutMs?: number): Promise<RunRow>;
}

/** Somebody as a job names them. */
export interface SimulatedPerson {
  readonly id: string;
  readonly name: string;
  readonly address: string;
}

/** Members of the only tenant who have a mailbox, and what else is asked for. */
export function peopleOf(simulator: Simulator, has: { readonly drive?: true } = {}): readonly SimulatedPerson[] {
  const [tenant] = [...simulator.simulation.tenants.values()];
  return (tenant?.directory.users() ?? [])
    .filter(({ hasMailbox, hasDrive, kind }) => hasMailbox && kind === 'member' && (has.drive !== true || hasDrive))
    .map(({ id, displayName: name, mail: address }) => ({ id, name, address }));
}

export const everyone = { everyone: true, users: [], groups: [], sites: [], teams: [] };
export const unscheduled = { mode: 'disabled' };

/** A change as a person makes it, past Graph. */
export function act(simulator: Simulator, name: string, input: object): void {
  const activity = simulator.simulation.workloads.flatMap((workload) => workload.activities).find((entry) => entry.name === name);
  const [tenant] = simulator.simulation.tenants.values();
  if (!activity || !tenant) throw new Error(`There is no activity ${name}.`);
  activity.run(tenant, input as never);
}

/** What the simulator itself says that an owner has; never through Graph. */
export async function truthOf(simulator: Simulator, kind: string, owner: string): Promise<TruthRecord[]> {
  const provider = simulator.simulation.workloads.flatMap((workload) => workload.truth).find((entry) => entry.kind === kind);
  const [tenant] = simulator.simulation.tenants.values();
  if (!provider || !tenant) throw new Error(`There is no ground truth of ${kind}.`);
  const found: TruthRecord[] = [];
  for await (const record of provider.records(tenant, owner)) found.push(record);
  return found;
}

/** Connects the simulator's first tenant as an owner would: through the API. */
export async function connectSimulated(parts: {
  readonly server: Pick<TestServer, 'send'>;
  readonly owner: { readonly tokens: Pick<SignedIn['tokens'], 'main'> };
  readonly simulator: Simulator;
  readonly testing: Pick<TestDatabase, 'asSuperuser'>;
  /** A folder, or the body of a location elsewhere. */
  readonly vault: string | object;
}): Promise<SimulatedTenant> {
  const { server, owner, simulator, testing } = parts;
  const call = async <Answer>(to: string, body?: object): Promise<Answer> => {
    const answer = await server.send(`/apollo/api/${to}`, { token: owner.tokens.main, ...(body === undefined ? {} : { body }) });
    if (!answer.ok) throw new Error(`${to} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as Answer;
  };
  const [access] = simulator.tenants;
  if (!access) throw new Error('The simulator has no tenant.');
  const { clientId, clientSecret, tenantId: microsoftTenantId } = access;
  const names = { name: 'Contoso', displayName: 'Contoso Ltd' };
  const { tenantId } = await call<{ tenantId: string }>('Tenants', { ...names, clientId, microsoftTenantId, clientSecret });
  const location = typeof parts.vault === 'string' ? { kind: 'filesystem', name: 'Vault', path: parts.vault } : parts.vault;
  const { locationId } = await call<{ locationId: string }>(`${tenantId}/locations`, location);

  async function run(runId: string): Promise<RunRow> {
    const rows = await testing.asSuperuser(
      `select run_id, status, code, worker, fence::int, errors::int, added::int, changed::int, removed::int, unchanged::int,
         new_bytes::float8, stored_bytes::float8, result, ended_at from runs where run_id = $1`,
      [runId],
    );
    return rows[0] as unknown as RunRow;
  }
  async function start(jobId: string): Promise<string> {
    return (await call<{ taskId: string }>(`${tenantId}/jobs/${jobId}/start`, {})).taskId;
  }
  async function ended(runId: string, timeoutMs = 60_000): Promise<RunRow> {
    await vi.waitFor(
      async () => {
        const { status } = await run(runId);
        if (['pending', 'running', 'cancelling'].includes(status)) throw new Error(`Run ${runId} is still ${status}.`);
      },
      { timeout: timeoutMs, interval: 100 },
    );
    return run(runId);
  }
  return {
    tenantId,
    locationId,
    call,
    run,
    start,
    ended,
    job: async (body) =>
      (await call<{ jobId: string }>(`${tenantId}/jobs`, { locationId, workload: 'exchange', schedule: unscheduled, ...body })).jobId,
    finish: async (jobId) => ended(await start(jobId)),
  };
}
