import type { GraphClient } from '@holdfast/m365';
import type { Workload } from '../../pipeline/workload.ts';
import { enumerateDrive } from './drive.ts';
import { removeLostLibraries } from './lost-libraries.ts';

/** OneDrives, and single libraries. The resource is named by its drive id, or by the user who owns it. */
export function createDriveWorkload(graph: GraphClient): Workload {
  return {
    roles: ['Files.Read.All'],
    async *enumerate(context) {
      const { graphId } = context.resource;
      const drive = graphId.startsWith('b!')
        ? await graph.drives.drive({ driveId: graphId })
        : await graph.drives.userDrive({ userId: graphId });
      yield* enumerateDrive(context, graph, { driveId: drive.id, name: drive.name ?? 'OneDrive', parentKey: null });
      // Whose OneDrive was removed and made anew has another one.
      yield* removeLostLibraries(context, { parentKey: null, driveIds: [drive.id] });
    },
  };
}
