import type { Node } from '@holdfast/contract/discovery';
import type { ChosenVersion } from '../content/index.ts';

/** What was chosen of a source: everything, or nodes wherever they lie; a folder stands for what is in it. */
export type Selection = 'all' | ReadonlyMap<string, SelectedNode>;

interface SelectedNode extends Pick<Node, 'name' | 'sizeBytes' | 'isContainer'> {
  /** The version of a file that is wanted instead of its newest. */
  readonly version?: string;
}

export const emptySelection: Selection = new Map();

/** The selection with one node added or taken away. */
export function toggled(selection: Selection, node: Pick<Node, 'nodeId' | 'name' | 'sizeBytes' | 'isContainer'>): Selection {
  const next = new Map(selection === 'all' ? [] : selection);
  if (!next.delete(node.nodeId)) next.set(node.nodeId, { name: node.name, sizeBytes: node.sizeBytes, isContainer: node.isContainer });
  return next;
}

export function isSelected(selection: Selection, nodeId: string): boolean {
  return selection === 'all' || selection.has(nodeId);
}

export function isEmpty(selection: Selection): boolean {
  return selection !== 'all' && selection.size === 0;
}

/** The ids as the contract wants them. */
export function itemsOf(selection: Selection): 'all' | string[] {
  return selection === 'all' ? 'all' : [...selection.keys()];
}

/** One file, as it was in one of its versions. */
export function versionOf({ nodeId, name }: Pick<Node, 'nodeId' | 'name'>, version: ChosenVersion): Selection {
  return new Map([[nodeId, { name, sizeBytes: version.sizeBytes, isContainer: false, version: version.label }]]);
}

/** The file and version that a selection is about, when it is about one. */
export function chosenVersion(selection: Selection): { readonly name: string; readonly version: string } | null {
  if (selection === 'all' || selection.size !== 1) return null;
  const [node] = selection.values();
  return node?.version === undefined ? null : { name: node.name, version: node.version };
}

/** Count and bytes of the tray. */
export function trayOf(
  selection: Selection,
  whole: { readonly items: number; readonly bytes: number },
): { readonly count: number; readonly bytes: number } {
  if (selection === 'all') return { count: whole.items, bytes: whole.bytes };
  const bytes = [...selection.values()].reduce((sum, node) => sum + node.sizeBytes, 0);
  return { count: selection.size, bytes };
}
