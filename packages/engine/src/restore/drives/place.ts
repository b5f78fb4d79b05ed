/** A placed container of a drive: `driveId item id`, both needed to address it. */
export function placeOf(driveId: string, itemId: string): string {
  return `${driveId} ${itemId}`;
}

export function splitPlace(targetId: string): { readonly driveId: string; readonly itemId: string } {
  const at = targetId.indexOf(' ');
  return { driveId: targetId.slice(0, at), itemId: targetId.slice(at + 1) };
}
