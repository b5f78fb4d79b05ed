import type { Clock } from '@holdfast/foundation/clock';
import type { Logger } from '@holdfast/foundation/logger';
import type { GraphClient, UploadSource, Workload as GraphWorkload } from '@holdfast/m365';
import type { VaultReader } from '@holdfast/vault';
import type { CatalogReader } from '../ports/catalog.ts';
import type { Content, ContentRole, ItemKind, ItemVersion, JsonObject } from '../ports/item.ts';
import type { Beginnings } from './beginnings.ts';
import type { RestoreOutcome, RestoreRequest } from './request.ts';

/** What a restorer works with. */
export interface RestoreContext {
  readonly request: RestoreRequest;
  readonly graph: GraphClient;
  readonly reader: VaultReader;
  readonly catalog: CatalogReader;
  /** The restore point. */
  readonly sequence: number;
  /** When it was committed, ISO 8601. */
  readonly pointAt: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  readonly beginnings: Beginnings;
  /** True when everything goes where it came from. */
  readonly isOriginal: boolean;
}

/** What became of one item. */
export interface ItemOutcome {
  readonly outcome: RestoreOutcome;
  readonly targetId?: string;
  readonly code?: string;
  readonly differences?: readonly string[];
  readonly bytes?: number;
  /** Items that are in this one and came with it: the answers to a message. Each has a line of its own. */
  readonly inside?: readonly (readonly [ItemVersion, ItemOutcome])[];
}

/** A container that is there at the target, made or found. */
export interface PlacedContainer extends ItemOutcome {
  readonly targetId: string;
}

/** How one kind of resource is put back. */
export interface Restorer {
  /** Whose roles are needed for what is asked for. */
  workloads(): Promise<readonly GraphWorkload[]>;
  /** How many items of a container may be restored at a time. */
  atATime(container: ItemVersion | undefined): number;
  /** Makes sure that the container exists below its placed parent and says where. */
  container(item: ItemVersion, parent: PlacedContainer | undefined): Promise<PlacedContainer>;
  item(item: ItemVersion, parent: PlacedContainer | undefined): Promise<ItemOutcome>;
  /** An earlier worker has done this item, but not all that comes with it. */
  isPartial?(item: ItemVersion): Promise<boolean>;
  /** Called once after a container's items. */
  leave?(item: ItemVersion, placed: PlacedContainer): Promise<void>;
  /** Called once at the end, also after failures and cancellation. */
  finish?(): Promise<void>;
  /** Why items of this kind, or parts of them, do not come back as they were; empty when they do. */
  limitsOf(kind: ItemKind): readonly string[];
}

const SMALL_LIMIT = 256 * 1024 * 1024;

/** The first stored stream of a role. */
export function contentOf(item: ItemVersion, role: ContentRole): Content | undefined {
  return item.contents.find((content) => content.role === role);
}

/** An item's stored JSON, or its properties when it has none. */
export async function readJson(context: RestoreContext, item: ItemVersion): Promise<JsonObject> {
  const content = contentOf(item, 'export');
  if (!content) return item.properties;
  return JSON.parse((await context.reader.readAll(content.ref, SMALL_LIMIT)).toString('utf8')) as JsonObject;
}

/** The part of an undo note that every kind of item shares. */
export function writtenOf({ key, kind, name }: ItemVersion): Pick<ItemVersion, 'key' | 'kind' | 'name'> {
  return { key, kind, name };
}

/** A stored stream as an upload takes it: readable again from any offset. */
export function uploadSource(context: RestoreContext, content: Content): UploadSource {
  const { sizeBytes } = content.ref;
  return {
    sizeBytes,
    open: (offset) => context.reader.read(content.ref, { range: { offset, length: sizeBytes - offset }, signal: context.signal }),
  };
}
