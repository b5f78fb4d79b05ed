import { crashPoint } from '@holdfast/foundation/crash-point';
import type { DriveEntry, FileUpload, UploadSessionState } from '@holdfast/m365';
import { canonicalJson } from '../../shared/canonical.ts';
import type { Content } from '../../ports/item.ts';
import type { OpenUpload } from '../request.ts';
import { uploadSource, type RestoreContext } from '../restorer.ts';

/** How long a restore that ends waits until what it leaves open is closed. */
const GIVE_UP_MS = 5_000;

/** Where a content goes. */
interface Upload extends Omit<FileUpload, 'resume' | 'onProgress'> {
  /** The item that it is of. */
  readonly key: string;
  readonly driveId: string;
}

/** Whether an upload would put the same bytes in the same place. */
function isOf({ sha256, driveId, target }: OpenUpload, upload: Upload, content: Content): boolean {
  const isThere = driveId === upload.driveId && canonicalJson({ ...target }) === canonicalJson({ ...upload.target });
  return isThere && sha256 === content.ref.sha256;
}

/**
 * Uploads stored contents. A session that can't be ended is given up: left open, it would keep the name from whoever
 * restores the file next. One that a worker that died left open is gone on with, or given up when it was of another version.
 */
export function createUploader(context: RestoreContext) {
  const { graph, clock, logger, beginnings } = context;

  async function giveUp(driveId: string, session: UploadSessionState): Promise<void> {
    await crashPoint('restore.upload-given-up');
    const late = new AbortController();
    const stop = clock.after(GIVE_UP_MS, () => late.abort());
    await graph
      .with({ priority: 'restore', signal: late.signal })
      .drives.cancelUpload({ driveId }, session)
      .catch((error: unknown) => logger.warn({ err: error }, 'an upload that was given up is still open'));
    stop();
  }

  async function leftOf(upload: Upload, content: Content): Promise<Pick<FileUpload, 'resume'>> {
    const left = beginnings.takeUpload(upload.key);
    if (left && isOf(left, upload, content)) return { resume: left.session };
    if (left) await giveUp(left.driveId, left.session);
    return {};
  }

  return {
    async upload(upload: Upload, content: Content): Promise<DriveEntry> {
      const { key, driveId, ...what } = upload;
      const { target } = what;
      const resume = await leftOf(upload, content);
      const open: { session?: UploadSessionState } = {};
      const onProgress = async (session: UploadSessionState): Promise<void> => {
        const isKept = open.session?.uploadUrl === session.uploadUrl;
        open.session = session;
        if (!isKept) await beginnings.uploading(key, { sha256: content.ref.sha256, driveId, target, session });
        await crashPoint('restore.uploading');
      };
      try {
        return await graph.drives.upload({ driveId }, { ...what, ...resume, onProgress }, uploadSource(context, content));
      } catch (error) {
        if (open.session) await giveUp(driveId, open.session);
        throw error;
      }
    },
    /** Gives up what was left of items that this worker did not come to. */
    async finish(): Promise<void> {
      for (const { driveId, session } of beginnings.takeUploads()) await giveUp(driveId, session);
    },
  };
}
