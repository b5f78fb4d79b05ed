import type { Selection } from '@holdfast/contract/selections';
import type { Scope } from '@holdfast/database';
import { openCollection, type Catalog, type CollectionPart, type FailedItem } from '@holdfast/engine';
import { nowIso, type Clock } from '@holdfast/foundation/clock';
import type { Vault } from '@holdfast/vault';
import { csvLine } from '../../http/csv.ts';
import type { Vaults } from '../../storage/index.ts';
import type { SelectedKey, SelectionPart, SelectionReader } from './selections.store.ts';

/** A file that is built while it is read. */
export interface SelectionFile {
  readonly fileName: string;
  readonly mediaType: string;
  readonly content: AsyncIterable<Uint8Array>;
}

interface FilesPorts {
  readonly clock: Clock;
  readonly vaults: Vaults;
  readonly reader: SelectionReader;
  catalogOf(scope: Scope, locationId: string): Catalog;
}

interface Wanted {
  readonly scope: Scope;
  readonly selection: Pick<Selection, 'selectionId' | 'query'>;
  readonly parts: readonly SelectionPart[];
}

interface Batch {
  readonly part: SelectionPart;
  readonly items: readonly SelectedKey[];
}

/** The items of a part, or those after a key, as many at a time as are read at a time. */
export async function* batchesOf(
  reader: SelectionReader,
  scope: Scope,
  selectionId: string,
  part: SelectionPart & { readonly after?: string },
): AsyncGenerator<readonly SelectedKey[], void, undefined> {
  let after = part.after ?? '';
  for (;;) {
    const items = await reader.keys(scope, selectionId, part, after);
    const last = items.at(-1);
    if (last === undefined) return;
    yield items;
    after = last.key;
  }
}

/** Those of these keys that the restore point still has. */
export async function keysIn(catalog: Catalog, part: SelectionPart, items: readonly SelectedKey[]): Promise<ReadonlySet<string>> {
  const there = new Set<string>();
  const keys = items.map(({ key }) => key);
  for await (const { key } of catalog.items(part.resource.id, part.sequence, { keys })) there.add(key);
  return there;
}

/** Opens each of these vaults, and keeps them open until they are given back. */
export async function openVaults(vaults: Vaults, scope: Scope, locationIds: readonly string[]) {
  const finished = Promise.withResolvers<void>();
  const opened = new Map<string, Vault>();
  const held = locationIds.map((locationId) => {
    const ready = Promise.withResolvers<void>();
    const use = vaults.use(scope, locationId, async (vault) => {
      opened.set(locationId, vault);
      ready.resolve();
      await finished.promise;
    });
    use.catch((error: unknown) => ready.reject(error as Error));
    return { ready: ready.promise, use };
  });
  const release = async (): Promise<void> => {
    finished.resolve();
    await Promise.allSettled(held.map(({ use }) => use));
  };
  try {
    await Promise.all(held.map(({ ready }) => ready));
  } catch (error) {
    await release();
    throw error;
  }
  return { opened, release };
}

const COLUMNS = ['owner', 'kind', 'name', 'date', 'size', 'restorePoint'] as const;

function indexOf({ selection }: Wanted, batches: readonly Batch[]): string {
  const lines = batches.flatMap(({ part, items }) =>
    items.map((item) => csvLine([part.resource.name, item.kind, item.name, item.at.toISOString(), item.sizeBytes, part.sequence])),
  );
  return `\uFEFF${csvLine(['query', selection.query])}${csvLine(COLUMNS)}${lines.join('')}`;
}

/** Everything of a selection as files, in a folder for each mailbox, drive, site, team and chat, with a list of it. */
export async function selectionFiles(ports: FilesPorts, wanted: Wanted, signal: AbortSignal): Promise<SelectionFile> {
  const { reader, clock } = ports;
  const { scope, parts, selection } = wanted;
  const batches: Batch[] = [];
  for (const part of parts) {
    for await (const items of batchesOf(reader, scope, selection.selectionId, part)) batches.push({ part, items });
  }
  const { opened, release } = await openVaults(ports.vaults, scope, [...new Set(parts.map(({ locationId }) => locationId))]);
  // Whoever leaves before the first byte never starts `content`: its end alone would hold the vaults for good.
  signal.addEventListener('abort', () => void release(), { once: true });
  const missing: FailedItem[] = [];
  const found: CollectionPart[] = [];
  for (const { part, items } of batches) {
    const vault = opened.get(part.locationId);
    if (!vault) continue;
    const catalog = ports.catalogOf(scope, part.locationId);
    const there = await keysIn(catalog, part, items);
    for (const { key, name } of items) {
      if (!there.has(key)) missing.push({ path: `${part.resource.name}/${name}`, code: 'content.item-unknown' });
    }
    const request = { source: part.resource, sequence: part.sequence, selection: [...there] };
    if (there.size > 0) found.push({ vault, catalog, request });
  }
  async function* content(): AsyncGenerator<Uint8Array, void, undefined> {
    try {
      yield* openCollection({ parts: found, index: { name: 'index.csv', text: async () => indexOf(wanted, batches) }, missing }, signal);
    } finally {
      await release();
    }
  }
  const day = nowIso(clock).slice(0, 16).replaceAll(':', '.').replace('T', ' ');
  return { fileName: `Holdfast ${day}.zip`, mediaType: 'application/zip', content: content() };
}
