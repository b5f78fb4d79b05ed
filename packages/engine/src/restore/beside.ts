/** The name of a calendar or a list that comes beside one of its name: it can't lie in the folder of the restore. */
export function besideName(name: string, folder: string): string {
  return `${name} (${folder.replaceAll('/', ' ')})`;
}
