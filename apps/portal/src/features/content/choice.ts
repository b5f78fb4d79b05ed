import type { Node } from '@holdfast/contract/discovery';

/** What can be chosen of the items that are shown. */
export interface Choice {
  isChosen(nodeId: string): boolean;
  toggle(node: ChoosableNode): void;
}

export type ChoosableNode = Pick<Node, 'nodeId' | 'name' | 'sizeBytes' | 'isContainer'>;

/** A version of a file as its preview names it. */
export interface ChosenVersion {
  readonly label: string;
  readonly sizeBytes: number;
}

/** A node that is open: its kind says what its contents look like. */
export interface OpenNode {
  readonly nodeId: string;
  readonly kind: string;
}

export const rootNode: OpenNode = { nodeId: 'root', kind: 'root' };
