import type { Simulator, TruthRecord } from '@holdfast/m365-simulator';
import { createHttpsClient } from '@holdfast/m365-simulator/testing/https-client';
import { truthOf } from '../../../testing/simulated-tenant.ts';

/** An earlier version of a file. */
export interface TrueVersion {
  readonly label: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
}

/** A file of the simulator as a test looks at it: nothing here has passed through a backup. */
export interface TrueFile {
  readonly drive: string;
  /** The address of its site, or of the person whose OneDrive it is in. */
  readonly site: string;
  readonly id: string;
  readonly name: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  /** Who made it; null for an app. */
  readonly owner: string | null;
  /** Equal for files of a site that the same people can open. */
  readonly rights: string;
  /** Earlier versions, the newest first. */
  readonly earlier: readonly TrueVersion[];
}

/** Who can open an item by one of its rights, and until when. */
export interface TrueShare {
  readonly id: string;
  readonly site: string;
  readonly owner: string | null;
  readonly audience: 'anyone' | 'guest' | 'organisation';
  readonly expiresAt: string | null;
}

export interface TrueContents {
  readonly files: readonly TrueFile[];
  readonly shares: readonly TrueShare[];
}

interface Grant {
  readonly id: string;
  readonly role: string;
  readonly people: readonly string[];
  readonly link?: { readonly scope: string };
  readonly expiresAt?: string;
}

interface Facts {
  readonly name: string;
  readonly parentId: string | null;
  readonly createdBy: string;
  readonly fileModifiedAt: string;
  readonly inherits: boolean;
  readonly permissions: readonly Grant[];
  readonly malware?: string;
  readonly versions?: readonly { readonly id: string; readonly sha256: string; readonly sizeBytes: number; readonly modifiedAt: string }[];
}

interface Place {
  readonly drive: string;
  readonly site: string;
  readonly byId: ReadonlyMap<string, TruthRecord>;
}

const factsOf = (record: TruthRecord): Facts => record.metadata as unknown as Facts;

/** Rights of an item, those of the folders above it included where they count. */
function grantsOf(record: TruthRecord, byId: ReadonlyMap<string, TruthRecord>): readonly Grant[] {
  const { permissions, inherits, parentId } = factsOf(record);
  const above = parentId === null || !inherits ? undefined : byId.get(parentId);
  return [...permissions, ...(above ? grantsOf(above, byId) : [])];
}

function ownerOf(record: TruthRecord): string | null {
  const { createdBy } = factsOf(record);
  return createdBy.startsWith('app:') ? null : createdBy;
}

function sharesOf(record: TruthRecord, { site, byId }: Place, isGuest: (person: string) => boolean): TrueShare[] {
  // Rights are listed where somebody has given them, not at each item below.
  if (factsOf(record).permissions.length === 0) return [];
  const common = { id: record.id, site, owner: ownerOf(record) };
  return grantsOf(record, byId).flatMap(({ link, people, expiresAt = null }): TrueShare[] => [
    ...(link?.scope === 'anonymous' ? [{ ...common, audience: 'anyone' as const, expiresAt }] : []),
    ...(link?.scope === 'organization' ? [{ ...common, audience: 'organisation' as const, expiresAt }] : []),
    ...(people.some(isGuest) ? [{ ...common, audience: 'guest' as const, expiresAt }] : []),
  ]);
}

function rightsOf(record: TruthRecord, byId: ReadonlyMap<string, TruthRecord>): string {
  const ways = grantsOf(record, byId).map(({ role, people, link }) => [link?.scope ?? '', role, ...[...people].sort()].join(' '));
  return ways.sort().join('\n');
}

function fileOf({ drive, site, byId }: Place, record: TruthRecord): TrueFile[] {
  const { sha256, sizeBytes = 0, id } = record;
  if (record.kind !== 'file' || sha256 === undefined) return [];
  const { name, fileModifiedAt, malware, versions = [] } = factsOf(record);
  if (malware !== undefined) return [];
  const earlier = versions
    .slice(0, -1)
    .toReversed()
    .map((version) => ({
      label: version.id,
      sha256: version.sha256,
      sizeBytes: version.sizeBytes,
      modifiedMs: Date.parse(version.modifiedAt),
    }));
  const modifiedMs = Date.parse(fileModifiedAt);
  return [{ drive, site, id, name, sha256, sizeBytes, modifiedMs, owner: ownerOf(record), rights: rightsOf(record, byId), earlier }];
}

interface DriveAnswer {
  readonly webUrl: string;
  readonly owner?: { readonly user?: { readonly email?: string } };
}

/** Which site or person each drive belongs to, as the service itself answers it. */
async function sitesOf(simulator: Simulator, drives: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const client = await createHttpsClient(simulator);
  const found = new Map<string, string>();
  for (const drive of drives) {
    const { webUrl, owner } = (await client.send('GET', `/drives/${drive}`)).json as unknown as DriveAnswer;
    found.set(drive, owner?.user?.email ?? webUrl.slice(0, webUrl.lastIndexOf('/')));
  }
  client.close();
  return found;
}

/** Every file and share of the simulator's first tenant. What Microsoft 365 holds for infected cannot be read and is left out. */
export async function trueContents(simulator: Simulator): Promise<TrueContents> {
  const [tenant] = simulator.simulation.tenants.values();
  const provider = simulator.simulation.workloads.flatMap((one) => one.truth).find((one) => one.kind === 'drives');
  if (!tenant || !provider) throw new Error('The simulator has no drives.');
  const isGuest = (person: string): boolean => tenant.directory.user(person)?.kind === 'guest' || person.includes('@');
  const files: TrueFile[] = [];
  const shares: TrueShare[] = [];
  const drives = [...provider.owners(tenant)];
  const sites = await sitesOf(simulator, drives);
  for (const drive of drives) {
    const records = await truthOf(simulator, 'drives', drive);
    const place = { drive, site: sites.get(drive) ?? '', byId: new Map(records.map((record) => [record.id, record])) };
    for (const record of records) {
      files.push(...fileOf(place, record));
      shares.push(...sharesOf(record, place, isGuest));
    }
  }
  return { files, shares };
}
