import type { Bytes } from '@holdfast/foundation/streams';
import type { ContentRef } from '@holdfast/vault';
import type { ItemVersion } from '../../ports/item.ts';
import type { FolderNode } from '../exchange/folder-selection.ts';

/** Where a capture resumes: after this version of this item, in the order of the segments that stored them. */
export interface CapturePlace {
  readonly sequence: number;
  readonly key: string;
}

/** A version of a message, as a backup stored it. */
export interface StoredMessage {
  readonly message: ItemVersion;
  /** The segment that stored it. */
  readonly sequence: number;
}

/** One backup of a mailbox, as its catalog and its vault have it. */
export interface ArchiveSource {
  /** Names the backup in the cursor of the archive. */
  readonly id: string;
  readonly headSequence: number;
  /** The newest version of every mail folder, those that were deleted included. */
  folders(): Promise<ReadonlyMap<string, FolderNode>>;
  /** Every version of a message after a place, in order, some at a time. */
  messages(after: CapturePlace | undefined): AsyncIterable<readonly StoredMessage[]>;
  /** What the archive has passed and does not have, as the last comparison of both found; some at a time. */
  missed(): AsyncIterable<readonly StoredMessage[]>;
  /** The bytes of a message whose vault is not that of the archive. Absent for one that is: its contents are named as they are. */
  readonly read?: (ref: ContentRef, signal: AbortSignal) => Bytes;
}
