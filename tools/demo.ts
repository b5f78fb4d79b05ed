import path from 'node:path';
import { createApi, type Api } from './api-client.ts';

/** A tenant as the simulator tells of it: where our own settings need its identifiers and its secret. */
export interface SimulatedTenant {
  readonly tenantId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Private key and certificate, PEM. */
  readonly certificate: string;
}

/** Who signs in to the demo. Shown on the sign-in page; never used with real data. */
export const demoOwner = { email: 'admin@contoso.example', password: 'Contoso-Demo-2026!' } as const;
export const demoOrganisation = 'Contoso';

interface Listed<Item> {
  readonly items: readonly Item[];
}

const everyone = { everyone: true, users: [], groups: [], sites: [], teams: [] };
const nightly = { mode: 'daily', time: '22:00', timeZone: 'Europe/Berlin' };

/** The jobs that the demo sets up; the first backup of each is started at once. */
const jobs = [
  { name: 'Mail every night', workload: 'exchange' },
  { name: 'OneDrive every night', workload: 'onedrive' },
  { name: 'Sites every night', workload: 'sharepoint' },
  { name: 'Teams every night', workload: 'teams' },
] as const;

const onSunday = (time: string) => ({ mode: 'weekly', time, timeZone: 'Europe/Berlin', weekdays: [7] });

/** The jobs that prove what is stored: they wait for their Sunday, for there is nothing to prove yet. */
const proofs = [
  { name: 'Verify the vault', type: 'verify', workload: 'exchange', budgetPercent: 100, schedule: onSunday('03:00') },
  { name: 'Restore drill', type: 'drill', workload: 'exchange', source: everyone, samples: 20, schedule: onSunday('04:00') },
] as const;

async function connectTenant(api: Api, tenant: SimulatedTenant): Promise<string> {
  const known = await api.get<Listed<{ tenantId: string; microsoftTenantId: string }>>('/apollo/api/Tenants');
  const found = known.items.find((candidate) => candidate.microsoftTenantId === tenant.tenantId);
  if (found) return found.tenantId;
  const connected = await api.post<{ tenantId: string }>('/apollo/api/Tenants', {
    name: 'Contoso',
    displayName: 'Contoso (simulated)',
    clientId: tenant.clientId,
    microsoftTenantId: tenant.tenantId,
    clientSecret: tenant.clientSecret,
  });
  return connected.tenantId;
}

async function addLocation(api: Api, tenantId: string, vaults: string): Promise<string> {
  const known = await api.get<Listed<{ locationId: string }>>(`/apollo/api/${tenantId}/locations`);
  const first = known.items[0];
  if (first) return first.locationId;
  const added = await api.post<{ locationId: string }>(`/apollo/api/${tenantId}/locations`, {
    kind: 'filesystem',
    name: 'Vault on this machine',
    path: path.join(vaults, 'contoso'),
  });
  return added.locationId;
}

async function addJobs(api: Api, tenantId: string, locationId: string): Promise<void> {
  const known = await api.get<Listed<{ name: string }>>(`/apollo/api/${tenantId}/jobs`);
  const isMissing = ({ name }: { readonly name: string }): boolean => known.items.every((candidate) => candidate.name !== name);
  for (const job of jobs.filter(isMissing)) {
    const body = { ...job, type: 'backup', source: everyone, locationId, schedule: nightly };
    const created = await api.post<{ jobId: string }>(`/apollo/api/${tenantId}/jobs`, body);
    await api.post(`/apollo/api/${tenantId}/jobs/${created.jobId}/start`, {});
  }
  for (const proof of proofs.filter(isMissing)) await api.post(`/apollo/api/${tenantId}/jobs`, { ...proof, locationId });
}

/** Archives the mail of everybody every night, and now: what the first backup has stored is all there is to read. */
export async function archiveMail(address: string): Promise<void> {
  const api = await createApi(address, demoOwner);
  const [tenant] = (await api.get<Listed<{ tenantId: string }>>('/apollo/api/Tenants')).items;
  if (!tenant) return;
  const path = `/apollo/api/${tenant.tenantId}`;
  const [location] = (await api.get<Listed<{ locationId: string }>>(`${path}/locations`)).items;
  const known = await api.get<Listed<{ type: string }>>(`${path}/jobs?type=archive&limit=1`);
  if (!location || known.items.length > 0) return;
  const schedule = { ...nightly, time: '23:30' };
  const job = {
    name: 'Archive every night',
    type: 'archive',
    workload: 'exchange',
    source: everyone,
    locationId: location.locationId,
    schedule,
  };
  const { jobId } = await api.post<{ jobId: string }>(`${path}/jobs`, job);
  await api.post(`${path}/jobs/${jobId}/start`, {});
}

/** What somebody has brought from the mail program of an earlier employer's days, as its mailbox file has it. */
function oldMail(to: string): Buffer {
  const letters = [
    ['Mon, 04 Mar 2013 09:12:00 +0000', 'Founding of the company', 'The articles of association are signed. The notary sends copies.'],
    ['Tue, 17 Sep 2013 15:40:00 +0000', 'First order', 'We have our first order: forty desks for Fabrikam.'],
    ['Fri, 20 Dec 2013 16:05:00 +0000', 'Lease of the warehouse', 'The lease for the warehouse runs for ten years.'],
  ] as const;
  const messages = letters.map(([date, subject, text], at) => {
    const head = `From: Founders <founders@contoso.example>\nTo: ${to}\nSubject: ${subject}\nDate: ${date}\nMessage-ID: <old-${at}@contoso.example>`;
    return `From founders@contoso.example ${new Date(date).toUTCString()}\n${head}\n\n${text}\n\n`;
  });
  return Buffer.from(messages.join(''));
}

/** Imports a mailbox file of old mail into the archive of somebody, once. */
export async function importMail(address: string): Promise<void> {
  const api = await createApi(address, demoOwner);
  const [tenant] = (await api.get<Listed<{ tenantId: string }>>('/apollo/api/Tenants')).items;
  if (!tenant) return;
  const at = `/apollo/api/${tenant.tenantId}`;
  const [location] = (await api.get<Listed<{ locationId: string }>>(`${at}/locations`)).items;
  const known = await api.get<Listed<{ type: string }>>(`${at}/jobs?type=import&limit=1`);
  if (!location || known.items.length > 0) return;
  const { locationId } = location;
  const people = await api.get<Listed<{ id: string; name: string; address: string }>>(`${at}/discovery/${locationId}/users?limit=1`);
  const [person] = people.items;
  if (!person) return;
  const bytes = oldMail(person.address);
  const file = { name: 'Letters 2013.mbox', sizeBytes: bytes.byteLength, locationId };
  const { fileId } = await api.post<{ fileId: string }>(`${at}/archive/imports/files`, file);
  await api.upload(`${at}/archive/imports/files/${fileId}/parts/0`, bytes);
  const { id, name } = person;
  const settings = { source: { kind: 'upload', fileId }, mapping: [{ mailbox: { id, name, address: person.address }, into: 'Imported' }] };
  const body = { type: 'import', name: 'Import of old letters', locationId, schedule: { mode: 'afterCreation' }, import: settings };
  await api.post(`${at}/jobs`, body);
}

/** The clock of the organisation: a founder's browser would tell it, the demo has none. */
async function setClock(api: Api): Promise<void> {
  const known = await api.get<Listed<{ organisationId: string; name: string; timeZone: string | null }>>('/apollo/api/organisations');
  const own = known.items.find(({ name }) => name === demoOrganisation);
  if (own === undefined || own.timeZone !== null) return;
  await api.put(`/apollo/api/organisations/${own.organisationId}`, { name: own.name, timeZone: nightly.timeZone });
}

/** Checks every permission and discovers who and what there is; goes on beside the first backups. */
async function provision(api: Api, tenantId: string): Promise<void> {
  const { status } = await api.get<{ status: string }>(`/apollo/api/Tenants/${tenantId}`);
  if (status === 'connected') await api.post(`/apollo/api/Tenants/${tenantId}/provision`, {});
}

/** Connects the tenant and gives it a location: nothing is backed up yet. */
export async function connectDemo(
  address: string,
  tenant: SimulatedTenant,
  vaults: string,
): Promise<{ readonly api: Api; readonly tenantId: string; readonly locationId: string }> {
  const api = await createApi(address, demoOwner);
  const tenantId = await connectTenant(api, tenant);
  return { api, tenantId, locationId: await addLocation(api, tenantId, vaults) };
}

/**
 * Sets up what an administrator would: tenant, location, jobs, first backups; all through the public API.
 * What is there already stays as it is, so every start may call it.
 */
export async function setUpDemo(address: string, tenant: SimulatedTenant, vaults: string): Promise<void> {
  const { api, tenantId, locationId } = await connectDemo(address, tenant, vaults);
  await setClock(api);
  await addJobs(api, tenantId, locationId);
  await provision(api, tenantId);
}
