/** How the name ends of a calendar or a list that comes beside one of its name: it can't be in the folder of the restore. */
export function besideEnding(folder: string): string {
  return ` (${folder.replaceAll('/', ' ')})`;
}

/** The name of a calendar or a list at the target: its own, or one beside it. */
export function besideName(name: string, folder: string | undefined): string {
  return folder === undefined ? name : `${name}${besideEnding(folder)}`;
}

/** How the name of a page begins that comes beside one of its name. */
export function besidePrefix(folder: string): string {
  return `${folder.replaceAll(/[^\w -]/gu, ' ')} `;
}
