import type { Journal, Json, ResourceHead } from '@holdfast/vault';
import { resourceKinds, type JsonObject, type Resource, type ResourceKind } from '../ports/item.ts';

/** What a segment says of the resource it belongs to: enough to know it again when the vault is all there is. */
export function noteOf({ kind, graphId, name, address = '' }: Resource): JsonObject {
  return { kind, graphId, name, address };
}

function isKind(value: unknown): value is ResourceKind {
  return resourceKinds.some((kind) => kind === value);
}

function fieldsOf(value: unknown): { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** The reverse of `noteOf`; undefined for a summary that names no resource. */
export function resourceFromSummary(id: string, summary: Json): Required<Resource> | undefined {
  const { resource } = fieldsOf(summary) as { readonly resource?: unknown };
  const { kind, graphId, name, address } = fieldsOf(resource) as { readonly [Field in keyof Resource]?: unknown };
  const isWhole = isKind(kind) && typeof graphId === 'string' && typeof name === 'string' && typeof address === 'string';
  return isWhole ? { id, kind, graphId, name, address } : undefined;
}

/** The resource of a journal, as the segment at its head names it. */
export async function readResource(journal: Journal, head: Pick<ResourceHead, 'sequence'>): Promise<Required<Resource> | undefined> {
  for await (const { summary } of journal.segments({ from: head.sequence, to: head.sequence })) {
    return resourceFromSummary(journal.resourceId, summary);
  }
  return undefined;
}
