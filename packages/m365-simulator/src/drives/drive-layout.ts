/**
 * Where the seeded items of a drive are, by arithmetic alone: index 0 is the root, then the folders as a tree with six
 * branches a folder, then the files, dealt out to the folders in equal runs. Parent and children of any item cost the
 * same in a drive of ten items and of a million.
 */
export interface DriveLayout {
  readonly folders: number;
  readonly files: number;
  /** All seeded items, the root included. */
  readonly size: number;
  isFolder(index: number): boolean;
  parentOf(index: number): number;
  /** Indexes of the items in the folder `index`: two runs, folders and files. */
  childrenOf(index: number): Runs;
}

export interface Runs {
  readonly size: number;
  at(position: number): number;
}

const BRANCHES = 6;

function runsOf(folders: readonly [number, number], files: readonly [number, number]): Runs {
  const folderCount = Math.max(0, folders[1] - folders[0]);
  return {
    size: folderCount + Math.max(0, files[1] - files[0]),
    at: (position) => (position < folderCount ? folders[0] + position : files[0] + position - folderCount),
  };
}

export function createDriveLayout(folders: number, files: number): DriveLayout {
  const firstFile = folders + 1;
  const places = folders + 1;
  const fileRun = (folder: number): number => firstFile + Math.ceil((folder * files) / places);
  return Object.freeze({
    folders,
    files,
    size: firstFile + files,
    isFolder: (index: number) => index < firstFile,
    parentOf(index: number) {
      if (index < firstFile) return Math.floor((index - 1) / BRANCHES);
      return Math.floor(((index - firstFile) * places) / files);
    },
    childrenOf(index: number) {
      const first = index * BRANCHES + 1;
      const branch: [number, number] = [Math.min(first, firstFile), Math.min(first + BRANCHES, firstFile)];
      return runsOf(branch, [fileRun(index), fileRun(index + 1)]);
    },
  });
}
