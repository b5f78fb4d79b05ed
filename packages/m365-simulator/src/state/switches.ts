/** The knobs of a tenant: how it behaves where the documentation leaves room, and how unkind its deltas are. */
export interface Switches {
  /** A bearer token on a pre-authenticated host: ignored, or answered with 401. */
  readonly refuseBearerOnSignedHosts: boolean;
  /** SharePoint rewrites Office files on upload. */
  readonly rewriteOffice: boolean;
  /** What an upload does to an existing name when nothing is said. */
  readonly uploadConflictDefault: 'replace' | 'fail';
  /** Retry-After as a whole number, a decimal or a date. */
  readonly retryAfterForm: 'integer' | 'decimal' | 'date';
  /** Life of signed links, seconds. */
  readonly downloadUrlSeconds: number;
  readonly uploadSessionSeconds: number;
  readonly accessTokenSeconds: number;
  /** Days until a delta token of the directory is too old. */
  readonly directoryTokenDays: number;
  /** From this day on, content and attachments of mail that is no draft change with Mail-Advanced.ReadWrite.All alone. */
  readonly sentMailIsFixedFrom: string;
  /** How long a new team says 404, in milliseconds. */
  readonly teamCreationMs: number;
  /** How long a new channel has no folder for its files, in milliseconds. */
  readonly channelFolderMs: number;
  readonly betaImportMime: boolean;
  /** Marks exported streams; one with another mark is refused on import. */
  readonly exchangeVersion: number;
  /** Probability that an item can't be exported. */
  readonly exportRefusals: number;
  /** Report columns with names are hashed. */
  readonly displayConcealedNames: boolean;
  /** Drive deltas name the path of the parent: so the service does, while its documentation says that it does not. */
  readonly deltaParentPath: boolean;
  /** Delta: probability of an empty page, of an item twice, of an unchanged item again. */
  readonly deltaEmptyPages: number;
  readonly deltaRepeats: number;
  readonly deltaReplays: number;
  readonly deltaRandomOrder: boolean;
  /** Delta: descendants before ancestors. */
  readonly deltaChildrenFirst: boolean;
  /** Probability that a round of delta ends before the last change, so that the two halves of a move come apart. */
  readonly deltaHoldBack: number;
  /** Probability that a delta of channel messages answers 400. */
  readonly channelDeltaFlake: number;
  /** Channel delta reaches back so many months. */
  readonly channelDeltaMonths: number;
}

export const defaultSwitches: Switches = Object.freeze({
  refuseBearerOnSignedHosts: false,
  rewriteOffice: false,
  uploadConflictDefault: 'replace',
  retryAfterForm: 'integer',
  downloadUrlSeconds: 3600,
  uploadSessionSeconds: 86_400,
  accessTokenSeconds: 3599,
  directoryTokenDays: 7,
  sentMailIsFixedFrom: '2026-12-31',
  teamCreationMs: 0,
  channelFolderMs: 0,
  betaImportMime: false,
  exchangeVersion: 15,
  exportRefusals: 0,
  displayConcealedNames: false,
  deltaParentPath: true,
  deltaEmptyPages: 0,
  deltaRepeats: 0,
  deltaReplays: 0,
  deltaRandomOrder: false,
  deltaChildrenFirst: false,
  deltaHoldBack: 0,
  channelDeltaFlake: 0,
  channelDeltaMonths: 8,
});
