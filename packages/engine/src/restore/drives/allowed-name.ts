import type { GraphClient } from '@holdfast/m365';

const FORBIDDEN = /["*:<>?/\\|]/gu;
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d|\.lock|desktop\.ini)$/iu;
/** Every library has a hidden folder of this name at its root. */
const OF_EVERY_LIBRARY = 'forms';
const LONGEST = 255;

function shortened(name: string): string {
  if (name.length <= LONGEST) return name;
  const dot = name.lastIndexOf('.');
  const ending = dot > 0 && name.length - dot <= 20 ? name.slice(dot) : '';
  return `${name.slice(0, LONGEST - ending.length)}${ending}`;
}

/** The name that a file or folder can have: its own, or the nearest one that SharePoint accepts. */
export function acceptedName(name: string): string {
  const written = shortened(name.replaceAll(FORBIDDEN, '_').replaceAll(/_vti_/giu, '-vti-')).trim();
  if (written === '') return '_';
  return RESERVED.test(written) || written.startsWith('~$') ? `_${written}` : written;
}

/** The name in a folder of a drive. The place decides too: what a library has at its root is taken there alone. */
export async function nameInFolder(
  graph: GraphClient,
  { driveId, itemId }: { readonly driveId: string; readonly itemId: string },
  name: string,
): Promise<string> {
  const accepted = acceptedName(name);
  if (accepted.toLowerCase() !== OF_EVERY_LIBRARY) return accepted;
  return (await graph.drives.root({ driveId })).id === itemId ? `_${accepted}` : accepted;
}

/** How the report names another name. */
export function nameDifference(item: { readonly name: string }, name: string): readonly string[] {
  return name === item.name ? [] : [`name ${name}`];
}
