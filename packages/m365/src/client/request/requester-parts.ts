import type { Clock } from '@holdfast/foundation/clock';
import type { Ids } from '@holdfast/foundation/ids';
import type { Logger } from '@holdfast/foundation/logger';
import type { Random } from '@holdfast/foundation/random';
import type { ExchangeRoles } from '../../sign-in/exchange-roles.ts';
import type { TokenSource } from '../../sign-in/token-source.ts';
import type { BudgetPort } from '../budget/budget-port.ts';
import type { ChargeTable } from '../budget/charges.ts';
import type { Gate } from '../budget/gate.ts';
import type { ServiceCheck } from '../failure/service-check.ts';
import type { Breaker } from '../failure/breaker.ts';
import type { HostRules } from '../../http/hosts.ts';
import type { Transport } from '../../http/transport.ts';
import type { Counters } from './counters.ts';

/** What a client is made of, shared by all its scopes. */
export interface RequesterParts {
  readonly transport: Transport;
  readonly tokens: TokenSource;
  readonly exchangeRoles: ExchangeRoles;
  readonly budgets: BudgetPort;
  readonly gate: Gate;
  readonly charges: ChargeTable;
  readonly breaker: Breaker;
  readonly service: ServiceCheck;
  readonly hosts: HostRules;
  readonly clock: Clock;
  readonly random: Random;
  readonly ids: Ids;
  readonly logger: Logger;
  readonly counters: Counters;
  readonly graphUrl: string;
  readonly userAgent: string;
}
