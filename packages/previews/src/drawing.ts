/** How large a picture is wanted: to read it, to tell it from others, or to recognise its letters. */
export type PictureSize = 'page' | 'thumbnail' | 'scan';

/** What is asked of the drawing process: one page of a PDF file, counted from one, or the one page that a picture has. */
export interface PageQuestion {
  readonly bytes: Uint8Array;
  readonly page: number;
  /** A page to read, unless a thumbnail is asked for. */
  readonly size?: PictureSize;
}

/** A page as a picture in WebP, and its words for those who do not see it. */
export interface DrawnPage {
  readonly pages: number;
  readonly width: number;
  readonly height: number;
  readonly picture: Uint8Array;
  readonly words: string;
}

/** Why there is no picture. */
export type DrawingProblem = 'unreadable' | 'locked' | 'too-large' | 'no-such-page' | 'too-slow' | 'too-much-memory' | 'busy';

export type Drawing = { readonly drawn: DrawnPage } | { readonly problem: DrawingProblem };
