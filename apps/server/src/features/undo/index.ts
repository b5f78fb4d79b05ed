/**
 * Undo: takes back what a restore has written into Microsoft 365.
 *
 * A restore notes where each thing is, in what state it left it, and what it replaced. The run of an undo takes away what is
 * still in that state, puts back what a backup holds exactly as it was, and names everything else.
 *
 * What a restore notes is the business of `restore`; how a thing is taken away that of the engine.
 */
export { createUndoFeature } from './feature.ts';
export { createUndoKind } from './kind.ts';
export { createUndoViews } from './undo.views.ts';
