import type { Simulator, TruthRecord } from '@holdfast/m365-simulator';
import { truthOf } from '../../../testing/simulated-tenant.ts';

/** A file of the simulator as a test looks at it: nothing here has passed through Graph or a backup. */
export interface TrueFile {
  readonly drive: string;
  readonly id: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly modifiedMs: number;
  /** Earlier versions, the newest first. */
  readonly earlier: readonly { readonly sizeBytes: number; readonly modifiedMs: number }[];
}

/** Who can open an item by one of its rights, and until when. */
export interface TrueShare {
  readonly id: string;
  readonly audience: 'anyone' | 'guest' | 'organisation';
  readonly expiresAt: string | null;
}

export interface TrueContents {
  readonly files: readonly TrueFile[];
  readonly shares: readonly TrueShare[];
}

interface Grant {
  readonly id: string;
  readonly people: readonly string[];
  readonly link?: { readonly scope: string };
  readonly expiresAt?: string;
}

interface Facts {
  readonly parentId: string | null;
  readonly fileModifiedAt: string;
  readonly inherits: boolean;
  readonly permissions: readonly Grant[];
  readonly malware?: string;
  readonly versions?: readonly { readonly sizeBytes: number; readonly modifiedAt: string }[];
}

const factsOf = (record: TruthRecord): Facts => record.metadata as unknown as Facts;

/** Rights of an item, those of the folders above it included where they count. */
function grantsOf(record: TruthRecord, byId: ReadonlyMap<string, TruthRecord>): readonly Grant[] {
  const { permissions, inherits, parentId } = factsOf(record);
  const above = parentId === null || !inherits ? undefined : byId.get(parentId);
  return [...permissions, ...(above ? grantsOf(above, byId) : [])];
}

function sharesOf(record: TruthRecord, byId: ReadonlyMap<string, TruthRecord>, isGuest: (person: string) => boolean): TrueShare[] {
  // Rights are listed where somebody has given them, not at each item below.
  if (factsOf(record).permissions.length === 0) return [];
  return grantsOf(record, byId).flatMap(({ link, people, expiresAt = null }): TrueShare[] => [
    ...(link?.scope === 'anonymous' ? [{ id: record.id, audience: 'anyone' as const, expiresAt }] : []),
    ...(link?.scope === 'organization' ? [{ id: record.id, audience: 'organisation' as const, expiresAt }] : []),
    ...(people.some(isGuest) ? [{ id: record.id, audience: 'guest' as const, expiresAt }] : []),
  ]);
}

function fileOf(drive: string, record: TruthRecord): TrueFile[] {
  const { sha256, sizeBytes = 0, id } = record;
  if (record.kind !== 'file' || sha256 === undefined) return [];
  const { fileModifiedAt, malware, versions = [] } = factsOf(record);
  if (malware !== undefined) return [];
  const earlier = versions
    .slice(0, -1)
    .toReversed()
    .map((version) => ({ sizeBytes: version.sizeBytes, modifiedMs: Date.parse(version.modifiedAt) }));
  return [{ drive, id, sha256, sizeBytes, modifiedMs: Date.parse(fileModifiedAt), earlier }];
}

/** Every file and share of the simulator's first tenant. What Microsoft 365 holds for infected cannot be read and is left out. */
export async function trueContents(simulator: Simulator): Promise<TrueContents> {
  const [tenant] = simulator.simulation.tenants.values();
  const provider = simulator.simulation.workloads.flatMap((one) => one.truth).find((one) => one.kind === 'drives');
  if (!tenant || !provider) throw new Error('The simulator has no drives.');
  const isGuest = (person: string): boolean => tenant.directory.user(person)?.kind === 'guest' || person.includes('@');
  const files: TrueFile[] = [];
  const shares: TrueShare[] = [];
  for (const drive of provider.owners(tenant)) {
    const records = await truthOf(simulator, 'drives', drive);
    const byId = new Map(records.map((record) => [record.id, record]));
    for (const record of records) {
      files.push(...fileOf(drive, record));
      shares.push(...sharesOf(record, byId, isGuest));
    }
  }
  return { files, shares };
}
