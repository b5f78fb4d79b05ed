/**
 * Content as people see it: a mailbox, drive, site or team at a restore point, and one item of it made readable.
 *
 * The browser has the time as a line above, folders, their contents and a reading pane; restore chooses items in it.
 * Reading asks for a reason once an hour for each source; each opening has a ticket of its own, which the server checks and the
 * audit log keeps. Search shows single items with the same parts.
 */
export { FileTile, fileTileHeight } from './file-tile.tsx';
export { KindIcon } from './kind-icon.tsx';
export { Conversation } from './conversation.tsx';
export { DrawnFile } from './drawn-file.tsx';
export { useFileView, type FileView } from './use-file-view.ts';
export { PreviewContent } from './preview-content.tsx';
export { factLines, KeptFacts } from './kept-facts.tsx';
export { ReasonForm } from './reason-form.tsx';
export { Thumbnail } from './thumbnail.tsx';
export { useReason } from './use-reason.ts';
export { useComparison, WordDifferences, type ComparedItem, type Comparison } from './word-differences.tsx';
export { useTicket, type ItemPlace } from './use-ticket.ts';
export { ContentBrowser } from './content-browser.tsx';
export { PointChooser } from './point-chooser.tsx';
export { rootNode, type Choice, type ChosenVersion, type OpenNode } from './choice.ts';
export { useItems, usePoints, type SourcePlace } from './content.queries.ts';
