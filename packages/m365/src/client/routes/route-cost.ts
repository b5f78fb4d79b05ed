import type { TeamsFamily } from '../budget/limits.ts';

/** Which budgets a route is charged to. Numbers are positions of `{…}` in its path. */
export type RouteCost = OutlookCost | SharePointCost | TeamsCost | DirectoryCost | ReportCost | UnlimitedCost;

/** One request of the mailbox of the first parameter. */
export interface OutlookCost {
  readonly service: 'outlook';
}

/** Resource units of SharePoint and OneDrive. A link with a token costs 1 whatever this says. */
export interface SharePointCost {
  readonly service: 'sharepoint';
  readonly units: 1 | 2 | 5;
  readonly sharing?: true;
}

export interface TeamsCost {
  readonly service: 'teams';
  readonly family: TeamsFamily;
  readonly team?: number;
  /** Channel or chat: one request in flight, one a second. */
  readonly conversation?: number;
  readonly addsMember?: true;
  readonly chatsOfUser?: number;
}

export interface DirectoryCost {
  readonly service: 'directory';
  readonly units: number;
}

export interface ReportCost {
  readonly service: 'report';
}

/** The parts of a batch are charged, not the batch. */
export interface UnlimitedCost {
  readonly service: 'none';
}
