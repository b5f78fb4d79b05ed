import { setTimeout as pause } from 'node:timers/promises';
import { inject } from 'vitest';
import { createApi, type Api } from '../../tools/api-client.ts';
import { demoOwner } from '../../tools/demo.ts';

interface Listed<Item> {
  readonly items: readonly Item[];
}

interface Run {
  readonly reportId: string;
  readonly status: string;
  readonly jobId: string | null;
}

/** The public API as the demo's owner, and the tenant it means. */
export interface Office {
  readonly api: Api;
  readonly tenantId: string;
}

type Owner = Parameters<typeof createApi>[1];

export async function openOffice(address: string = inject('productAddress'), owner: Owner = demoOwner): Promise<Office> {
  const api = await createApi(address, owner);
  const tenants = await api.get<Listed<{ readonly tenantId: string }>>('/apollo/api/Tenants');
  return { api, tenantId: tenants.items[0]?.tenantId ?? '' };
}

/** Asks again until the run is over; the test's own time limit ends a run that never is. */
async function whenOver<Found extends Pick<Run, 'status'>>(read: () => Promise<Found | undefined>): Promise<Found> {
  for (;;) {
    const run = await read();
    if (run !== undefined && !['pending', 'running', 'cancelling'].includes(run.status)) return run;
    await pause(500);
  }
}

/** Waits for the newest backup of a workload to end; the demo starts one of each by itself. */
export async function endOfBackup({ api, tenantId }: Office, workload: string): Promise<void> {
  const path = `/apollo/api/${tenantId}/monitoring?workload=${workload}&type=backup&limit=1`;
  await whenOver(async () => (await api.get<Listed<Run>>(path)).items[0]);
}

const locationOf = async ({ api, tenantId }: Office): Promise<string> =>
  (await api.get<Listed<{ readonly locationId: string }>>(`/apollo/api/${tenantId}/locations`)).items[0]?.locationId ?? '';

/** Somebody who can be chosen as a source of a job. */
export interface Chosen {
  readonly id: string;
  readonly name: string;
  readonly address: string;
}

export async function findUser(office: Office, name: string): Promise<Chosen> {
  const users = `/apollo/api/${office.tenantId}/discovery/${await locationOf(office)}/users`;
  const found = (await office.api.get<Listed<Chosen>>(`${users}?search=${encodeURIComponent(name)}`)).items[0];
  if (!found) throw new Error(`Nobody is called ${name}.`);
  return { id: found.id, name: found.name, address: found.address };
}

/** A backup job that waits to be started by hand. */
export async function createJob(
  office: Office,
  job: { readonly name: string; readonly workload: string; readonly users: readonly Chosen[] },
): Promise<void> {
  const { users, ...rest } = job;
  const body = { ...rest, type: 'backup', source: { users }, locationId: await locationOf(office), schedule: { mode: 'disabled' } };
  await office.api.post(`/apollo/api/${office.tenantId}/jobs`, body);
}

/** Waits until a source can be restored; other sources of its run may still be under way. */
export async function firstPointOf({ api, tenantId }: Office, workload: string, name: string): Promise<void> {
  const sources = `/apollo/api/${tenantId}/discovery/${await locationOf({ api, tenantId })}/sources`;
  const path = `${sources}?workload=${workload}&search=${encodeURIComponent(name)}`;
  while ((await api.get<Listed<unknown>>(path)).items.length === 0) await pause(500);
}

export async function jobIdOf({ api, tenantId }: Office, name: string): Promise<string> {
  const jobs = await api.get<Listed<{ readonly jobId: string; readonly name: string }>>(`/apollo/api/${tenantId}/jobs?limit=100`);
  const found = jobs.items.find((job) => job.name === name);
  if (!found) throw new Error(`There is no job ${name}.`);
  return found.jobId;
}

/** Starts a job and goes on. */
export async function startJob(office: Office, name: string): Promise<string> {
  const { api, tenantId } = office;
  const path = `/apollo/api/${tenantId}/jobs/${await jobIdOf(office, name)}/start`;
  return (await api.post<{ readonly taskId: string }>(path, {})).taskId;
}

/** Runs a job once and waits for the end; answers the run. */
export async function runJob(office: Office, name: string): Promise<Run> {
  const runId = await startJob(office, name);
  return await whenOver(() => office.api.get<Run>(`/apollo/api/${office.tenantId}/monitoring/${runId}`));
}
