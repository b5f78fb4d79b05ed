import type { DriveEntry, FileUpload, UploadSessionState } from '@holdfast/m365';
import type { Content } from '../../ports/item.ts';
import { uploadSource, type RestoreContext } from '../restorer.ts';

/** How long a restore that ends waits until what it leaves open is closed. */
const GIVE_UP_MS = 5_000;

/** Uploads stored contents. A session that can't be ended is given up: left open, it would keep the name from whoever restores the file next. */
export function createUploader(context: RestoreContext) {
  const { graph, clock, logger } = context;

  async function giveUp(driveId: string, session: UploadSessionState): Promise<void> {
    const late = new AbortController();
    const stop = clock.after(GIVE_UP_MS, () => late.abort());
    await graph
      .with({ priority: 'restore', signal: late.signal })
      .drives.cancelUpload({ driveId }, session)
      .catch((error: unknown) => logger.warn({ err: error }, 'an upload that was given up is still open'));
    stop();
  }

  return async (driveId: string, what: Omit<FileUpload, 'resume' | 'onProgress'>, content: Content): Promise<DriveEntry> => {
    const open: { session?: UploadSessionState } = {};
    const onProgress = (session: UploadSessionState): void => void (open.session = session);
    try {
      return await graph.drives.upload({ driveId }, { ...what, onProgress }, uploadSource(context, content));
    } catch (error) {
      if (open.session) await giveUp(driveId, open.session);
      throw error;
    }
  };
}
