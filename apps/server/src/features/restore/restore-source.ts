import type { RestoreSettings } from '@holdfast/contract/restore';
import type { Workload } from '@holdfast/contract/values';
import type { DownloadFormat, DownloadRequest, Resource, RestoreRequest } from '@holdfast/engine';
import { isGraphError, type GraphClient } from '@holdfast/m365';

/** What a restore works from: the protected resource behind a source of the catalog. */
export interface RestoreSource {
  readonly sourceId: string;
  readonly workload: Workload;
  readonly resource: Resource;
}

/** What an administrator chose, of a restore point that no later backup changes. */
export type PinnedSettings = RestoreSettings & { readonly sequence: number };

/** A missing or closed mailbox ends the restore before it begins: reading for collisions would only say that they are unknown. */
async function requireMailbox(graph: GraphClient, userId: string): Promise<void> {
  try {
    await graph.exchange.settings.settings({ userId });
  } catch (error) {
    if (isGraphError(error, 'graph.mailbox-missing', 'graph.mailbox-closed', 'graph.resource-gone', 'graph.item-gone')) throw error;
  }
}

/**
 * The resource that receives. People are chosen by name, their OneDrive has an id of its own; the id
 * of ours for a foreign target is Microsoft's, so that it is never taken for the source itself.
 */
export async function targetResource(graph: GraphClient, source: RestoreSource, settings: RestoreSettings): Promise<Resource> {
  const { target } = settings;
  // What an archive keeps of a mailbox comes back into a mailbox.
  const kind = source.resource.kind === 'archive' ? 'mailbox' : source.resource.kind;
  if (target.kind !== 'elsewhere') return { ...source.resource, kind };
  if (kind === 'mailbox') await requireMailbox(graph, target.graphId);
  const isPerson = kind === 'drive' && source.workload === 'onedrive';
  const drive = isPerson ? await graph.drives.userDrive({ userId: target.graphId }) : undefined;
  const graphId = drive?.id ?? target.graphId;
  return { id: graphId === source.resource.graphId ? source.resource.id : graphId, kind, graphId, name: target.name };
}

/** The engine's request for what an administrator chose. */
export async function requestOf(
  graph: GraphClient,
  runId: string,
  source: RestoreSource,
  settings: PinnedSettings,
): Promise<RestoreRequest> {
  const { target } = settings;
  const folder =
    target.kind === 'folder' || target.kind === 'elsewhere' ? target.folder : target.kind === 'rehearsal' ? target.kind : undefined;
  return {
    runId,
    source: source.resource,
    sequence: settings.sequence,
    selection: settings.items,
    ...(settings.fileVersion === undefined ? {} : { fileVersion: settings.fileVersion }),
    target: { resource: await targetResource(graph, source, settings), ...(folder === undefined || folder === '' ? {} : { folder }) },
    collisions: settings.collisions,
    options: settings.options,
  };
}

/** What a download asks of the engine, of a restore point that is fixed. */
export function downloadRequestOf(source: RestoreSource, settings: RestoreSettings, sequence: number): DownloadRequest {
  const { versions, permissions } = settings.options;
  return {
    source: source.resource,
    sequence,
    selection: settings.items,
    format: downloadFormatOf(settings),
    options: { versions, permissions, manifest: true },
  };
}

/** Formats people ask for, as the engine makes them: single files come in a zip. */
function downloadFormatOf(settings: RestoreSettings): DownloadFormat {
  if (settings.target.kind !== 'download') return 'zip';
  const { format } = settings.target;
  return format === 'mbox' || format === 'ics' || format === 'vcf' ? format : 'zip';
}
