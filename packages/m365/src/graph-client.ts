import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import type { Random } from '@holdfast/foundation/random';
import type { BudgetPort } from './client/budget/budget-port.ts';
import type { DirectoryCalls, ReportCalls } from './directory/directory-api.ts';
import type { DriveCalls } from './drives/drives-api.ts';
import type { ExchangeCalls } from './exchange/exchange-api.ts';
import type { CallScope } from './client/call-scope.ts';
import type { GraphStatistics } from './client/request/counters.ts';
import type { GraphCredential } from './sign-in/credential.ts';
import type { Diagnosis } from './diagnosis/diagnosis.ts';
import type { ProbeResult } from './probes/probe-result.ts';
import type { SiteCalls } from './sites/sites-api.ts';
import type { ChatCalls, TeamCalls } from './teams/teams-api.ts';

export interface GraphEndpoints {
  /** Default `https://login.microsoftonline.com`. */
  readonly loginUrl?: string;
  /** Without version. Default `https://graph.microsoft.com`. */
  readonly graphUrl?: string;
  /** PEM of certificate authorities to trust instead of the system's. */
  readonly ca?: string;
  /** Hosts, or suffixes that begin with a dot, of addresses that carry their own permission. */
  readonly contentHosts?: readonly string[];
}

export interface GraphClientOptions {
  readonly tenantId: string;
  readonly credential: GraphCredential;
  readonly endpoints?: GraphEndpoints;
  readonly budgets: BudgetPort;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly userAgentVersion: string;
  /** Known sizes, from discovery; they choose the step of the budgets. The smallest step without them. */
  readonly licenceCount?: number;
  readonly userCount?: number;
  /** Allows beta `importMime`. */
  readonly betaImportMime?: boolean;
}

/** One tenant's Microsoft 365. */
export interface GraphClient {
  readonly tenantId: string;
  readonly directory: DirectoryCalls;
  readonly reports: ReportCalls;
  readonly exchange: ExchangeCalls;
  readonly drives: DriveCalls;
  readonly sites: SiteCalls;
  readonly teams: TeamCalls;
  readonly chats: ChatCalls;
  /** The same client, connections and budgets with another priority or signal. */
  with(scope: CallScope): GraphClient;
  /** Signs in anew and compares the granted roles with what each workload needs. Throws the sign-in's error. */
  diagnose(): Promise<Diagnosis>;
  /** Tries, by reading alone, what the product relies on, and tells what the service does otherwise. */
  probe(): AsyncIterable<ProbeResult>;
  /** What time it is for Microsoft 365, in milliseconds since 1970: a witness beside the clocks of this machine. Needs no sign-in. */
  serviceTime(): Promise<number>;
  /** What the requests so far cost. */
  statistics(): GraphStatistics;
  /** Ends idle connections. Nothing may be called afterwards. */
  close(): Promise<void>;
}
