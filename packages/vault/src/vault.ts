import type { BlobStore } from './blob/blob-store.ts';
import type { ContentRef } from './chunk/content-ref.ts';
import type { VaultReader, VaultWriter } from './content/content.ts';
import type { VaultDocuments } from './documents/documents.ts';
import type { Journal, ListedResource, ListOptions } from './journal/journal.ts';
import type { Maintenance } from './maintenance/maintenance.ts';

export interface VaultInfo {
  readonly vaultId: string;
  readonly organisationId: string;
  readonly name: string;
  readonly formatVersion: number;
  readonly createdAt: string;
  readonly keyVersion: number;
  readonly masterKeyId: string;
}

/** An open vault. */
export interface Vault {
  readonly info: VaultInfo;
  readonly store: BlobStore;
  openWriter(options: { readonly resourceId: string; readonly signal?: AbortSignal }): Promise<VaultWriter>;
  /** Where the pieces of contents that are announced lie is asked for once, with the first of them, instead of once for each. */
  reader(announced?: readonly ContentRef[]): VaultReader;
  journal(resourceId: string): Journal;
  /**
   * Every resource that has at least one committed segment, with its head. A resource of which no segment can be read
   * goes to `onLost`; without it, it is thrown as `vault.damaged`.
   */
  resources(options?: ListOptions): AsyncIterable<ListedResource>;
  readonly documents: VaultDocuments;
  readonly maintenance: Maintenance;
  /** Ends threads and lets go of the index; writers that are open are aborted. */
  close(): Promise<void>;
}
