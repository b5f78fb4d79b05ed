import { createChargeTable } from './client/budget/charges.ts';
import { createGate } from './client/budget/gate.ts';
import { createCaller } from './client/caller.ts';
import { createBreaker } from './client/failure/breaker.ts';
import { createServiceCheck } from './client/failure/service-check.ts';
import { createServiceTime } from './client/service-time.ts';
import { createHostRules } from './http/hosts.ts';
import { createTransport, type Transport } from './http/transport.ts';
import { buildRequest } from './client/request/build-request.ts';
import { createCounters } from './client/request/counters.ts';
import { createRequester, type Requester } from './client/request/requester.ts';
import type { RequesterParts } from './client/request/requester-parts.ts';
import { createDirectoryCalls } from './directory/directory-calls.ts';
import { createReportCalls } from './directory/report-calls.ts';
import { createDriveCalls } from './drives/drive-calls.ts';
import { graphError } from './errors/errors.ts';
import { createCalendarCalls } from './exchange/calendar-calls.ts';
import { createContactCalls } from './exchange/contact-calls.ts';
import { createMailCalls } from './exchange/mail-calls.ts';
import { createMailboxExportCalls } from './exchange/mailbox-export-calls.ts';
import { createSettingsCalls } from './exchange/settings-calls.ts';
import { createTodoCalls } from './exchange/todo-calls.ts';
import type { GraphClient, GraphClientOptions } from './graph-client.ts';
import { createExchangeRoles } from './sign-in/exchange-roles.ts';
import { diagnoseRoles } from './diagnosis/diagnose.ts';
import { probeExchange } from './diagnosis/probe-exchange.ts';
import { probeService } from './probes/probe-service.ts';
import { createServiceReader } from './probes/service-reader.ts';
import { createTokenRequest } from './sign-in/token-request.ts';
import { createTokenSource } from './sign-in/token-source.ts';
import { createSiteCalls } from './sites/site-calls.ts';
import { createChatCalls } from './teams/chat-calls.ts';
import { createTeamCalls } from './teams/team-calls.ts';

const LOGIN_URL = 'https://login.microsoftonline.com';
const GRAPH_URL = 'https://graph.microsoft.com';

function baseUrl(text: string, field: string): string {
  const url = URL.parse(text);
  if (!url || url.protocol !== 'https:' || url.search !== '' || url.username !== '')
    throw graphError('graph.bad-request', { field, reason: 'no https address' });
  return url.href.replace(/\/+$/, '');
}

/** Names and directories are both addressed by it; anything else would become part of a path. */
function checkTenantId(tenantId: string): void {
  if (!/^[0-9a-z][0-9a-z.-]*$/i.test(tenantId))
    throw graphError('graph.tenant-unknown', { field: 'tenantId', reason: 'neither an id nor a domain' });
}

function createParts(options: GraphClientOptions, transport: Transport): RequesterParts {
  const { clock, random, ids, budgets, logger, credential, tenantId, endpoints = {} } = options;
  checkTenantId(tenantId);
  const graphUrl = baseUrl(endpoints.graphUrl ?? GRAPH_URL, 'graphUrl');
  const loginUrl = baseUrl(endpoints.loginUrl ?? LOGIN_URL, 'loginUrl');
  const request = createTokenRequest({ tenantId, credential, loginUrl, transport, clock, ids });
  const tokens = createTokenSource({ request, clock, random });
  const parts: RequesterParts = {
    transport,
    tokens,
    exchangeRoles: createExchangeRoles(clock, (granted) => probeExchange(createCaller(parts, createRequester(parts)), granted)),
    budgets,
    gate: createGate(budgets, clock),
    charges: createChargeTable({
      tenantId,
      clientId: credential.clientId,
      licenceCount: options.licenceCount ?? 0,
      userCount: options.userCount ?? 0,
    }),
    breaker: createBreaker(clock, random),
    service: createServiceCheck({
      transport,
      tokens,
      request: (token) => buildRequest({ route: 'GET /organization' }, { ...parts, clientRequestId: ids.uuid(), token, signal: undefined }),
    }),
    hosts: createHostRules(graphUrl, endpoints.contentHosts),
    clock,
    random,
    ids,
    logger,
    counters: createCounters(),
    graphUrl,
    userAgent: `ISV|Holdfast|Holdfast/${options.userAgentVersion}`,
  };
  return parts;
}

function assemble(options: GraphClientOptions, parts: RequesterParts, requester: Requester): GraphClient {
  const caller = createCaller(parts, requester);
  const { tenantId, credential } = options;
  return Object.freeze<GraphClient>({
    tenantId,
    directory: createDirectoryCalls(caller),
    reports: createReportCalls(caller),
    exchange: Object.freeze({
      mail: createMailCalls(caller, { betaImportMime: options.betaImportMime === true }),
      settings: createSettingsCalls(caller),
      export: createMailboxExportCalls(caller),
      calendar: createCalendarCalls(caller),
      contacts: createContactCalls(caller),
      todo: createTodoCalls(caller),
    }),
    drives: createDriveCalls(caller),
    sites: createSiteCalls(caller),
    teams: createTeamCalls(caller),
    chats: createChatCalls(caller),
    with: (scope) => assemble(options, parts, requester.with(scope)),
    async diagnose() {
      const { roles, scopes } = await parts.tokens.fresh();
      parts.exchangeRoles.forget();
      const scoped = await parts.exchangeRoles.read(roles);
      return diagnoseRoles({ tenantId, clientId: credential.clientId }, roles, scoped, scopes);
    },
    probe: () => probeService(createServiceReader(parts)),
    serviceTime: createServiceTime(
      {
        ...parts,
        request: () =>
          buildRequest(
            { route: 'GET /organization' },
            { ...parts, clientRequestId: parts.ids.uuid(), token: undefined, signal: undefined },
          ),
      },
      requester.scope,
    ),
    statistics: () => parts.counters.read(parts.gate.waitedMs),
    close: () => parts.transport.close(),
  });
}

/** As `createGraphClient`, over a transport of one's own. */
export function createGraphClientOver(options: GraphClientOptions, transport: Transport): GraphClient {
  const parts = createParts(options, transport);
  return assemble(options, parts, createRequester(parts));
}

/**
 * A client for one tenant. Checks its configuration at once: `graph.certificate-invalid`, `graph.thumbprint-mismatch`,
 * `graph.tenant-unknown`, or `graph.bad-request` naming the field. Sends nothing yet; the first call signs in.
 */
export function createGraphClient(options: GraphClientOptions): GraphClient {
  const ca = options.endpoints?.ca;
  return createGraphClientOver(options, createTransport(ca === undefined ? {} : { ca }));
}
