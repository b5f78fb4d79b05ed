import type { BackupSettings } from '@holdfast/contract/configuration';
import type { JobBody, JobSource } from '@holdfast/contract/jobs';
import type { Workload } from '@holdfast/contract/values';
import type { Scope } from '@holdfast/database';
import type { Selection } from '@holdfast/engine';
import type { ResourceWorkload } from '../../storage/catalog/resources.store.ts';

/** A job with sources in Microsoft 365. */
export type SourcedBody = Extract<JobBody, { readonly source: object }>;

/** The backup settings of a tenant; implemented by the configuration feature. */
export interface SettingsReader {
  settingsOf(scope: Scope, tenantId: string): Promise<BackupSettings>;
}

function versionsOf(workload: Workload, settings: BackupSettings): number {
  return workload === 'onedrive' || workload === 'sharepoint' ? settings[workload].versions : 0;
}

/** What a backup job covers under the settings of its tenant: whichever of the two asks for more. */
export function configuredSource(source: JobSource, workload: Workload, settings: BackupSettings): JobSource {
  const { options } = source;
  return {
    ...source,
    excludeFolders: [...source.excludeFolders, ...settings.excludedFolders],
    options: {
      ...options,
      recoverableItems: options.recoverableItems || settings.exchange.includeRecoverableItems,
      fileVersions: Math.max(options.fileVersions, versionsOf(workload, settings)),
      chats: options.chats || settings.teams.includeChats,
    },
  };
}

/** What the settings alone say of a resource, whatever its jobs ask for. */
export function configuredSelection(
  workload: ResourceWorkload,
  settings: BackupSettings,
): Pick<Selection, 'permissions' | 'privateChannels'> {
  return {
    permissions: workload !== 'sharepoint' || settings.sharepoint.includePermissions,
    privateChannels: settings.teams.includePrivateChannels,
  };
}
