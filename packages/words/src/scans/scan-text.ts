/** Why the words of a picture were not recognised. */
export type ScanProblem = 'unreadable' | 'too-slow' | 'too-much-memory';

/** The words that a picture shows; none where it shows none. */
export type ScanText = { readonly text: string } | { readonly problem: ScanProblem };
