import { sha256Hex } from '@holdfast/foundation/bytes';
import type { TruthRecord } from '@holdfast/m365-simulator';
import type { ItemVersion, Resource } from '../src/ports/item.ts';
import type { Rig } from './rig.ts';

/** A file or folder as both sides can say it. */
export interface ComparedFile {
  readonly path: string;
  readonly kind: string;
  readonly sha256: string;
  readonly modifiedAt: string;
  readonly versions: readonly string[];
}

const KEPT_VERSIONS = 10;

function seconds(time: unknown): string {
  const ms = Date.parse(String(time));
  return Number.isNaN(ms) ? '' : new Date(Math.floor(ms / 1_000) * 1_000).toISOString();
}

function isProtectable(record: TruthRecord): boolean {
  return record.metadata['malware'] === undefined;
}

function fromTruth(record: TruthRecord): ComparedFile {
  const { fileModifiedAt, versions } = record.metadata;
  const older = ((versions ?? []) as unknown as readonly { readonly sha256: string }[]).slice(0, -1).map((version) => version.sha256);
  return {
    path: record.path,
    kind: record.kind === 'remote' ? 'shortcut' : record.kind,
    sha256: record.sha256 ?? '',
    modifiedAt: seconds(fileModifiedAt),
    versions: older.slice(-KEPT_VERSIONS),
  };
}

/** What the simulator's own record says of a drive, by id. */
export async function driveOfTruth(rig: Rig, owner: string, at?: number): Promise<Map<string, ComparedFile>> {
  const records = (await rig.truth('drives', owner, at)).filter(isProtectable);
  return new Map(records.map((record) => [record.id, fromTruth(record)]));
}

/** What the vault gives back of a drive; the bytes are read. */
export async function driveOfVault(rig: Rig, resource: Resource, sequence?: number): Promise<Map<string, ComparedFile>> {
  const items = await rig.items(resource, sequence);
  const byKey = new Map<string, ItemVersion>(items.map((item) => [item.key, item]));
  const reader = rig.vault.reader();
  const hash = async (item: ItemVersion, role: string): Promise<string[]> => {
    const found: string[] = [];
    for (const content of item.contents) if (content.role === role) found.push(sha256Hex(await reader.readAll(content.ref)));
    return found;
  };
  const compared = new Map<string, ComparedFile>();
  for (const item of items) {
    if (!['file', 'folder', 'package', 'shortcut'].includes(item.kind)) continue;
    const names: string[] = [];
    for (
      let at: ItemVersion | undefined = item;
      at && at.kind !== 'library';
      at = at.parentKey === null ? undefined : byKey.get(at.parentKey)
    )
      names.unshift(at.name);
    const [sha256 = ''] = await hash(item, 'file');
    compared.set(item.key.slice(item.key.lastIndexOf(':') + 1), {
      path: names.join('/'),
      kind: item.kind,
      sha256,
      modifiedAt: seconds(item.modifiedAt),
      versions: (await hash(item, 'version')).reverse(),
    });
  }
  return compared;
}
