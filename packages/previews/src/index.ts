/**
 * Makes pictures of files, so that they can be looked at without being opened.
 *
 * It promises that nothing of a file acts, and that no file stops, fills or poisons the program that asks: files are drawn
 * in a process that is ended when it takes too long or too much. Who may see a picture is for those who ask to decide.
 */
export type { Drawing, DrawingProblem, DrawnPage, PageQuestion, PictureSize } from './drawing.ts';
export { MOST_BYTES as MOST_DRAWN_BYTES } from './limits.ts';
export { createPreviewer, type Previewer, type PreviewerOptions } from './create-previewer.ts';
