import type { GraphErrorCode } from '../../errors/errors.ts';

/**
 * Codes of the service in lower case, each with what it means here. The same condition has another code in the directory,
 * in Outlook, in SharePoint and in Teams. A code that also stands for something harmless is not in this table.
 */
const CODES: Readonly<Record<string, GraphErrorCode>> = {
  request_resourcenotfound: 'graph.resource-gone',
  resourcenotfound: 'graph.resource-gone',
  errorinvaliduser: 'graph.resource-gone',
  mailboxnotenabledforrestapi: 'graph.mailbox-missing',
  errornonexistentmailbox: 'graph.mailbox-missing',
  extensionerror: 'graph.mailbox-closed',
  erroritemnotfound: 'graph.item-gone',
  itemnotfound: 'graph.item-gone',
  errorsyncfoldernotfound: 'graph.folder-gone',
  syncstatenotfound: 'graph.delta-expired',
  syncstateinvalid: 'graph.delta-expired',
  resyncrequired: 'graph.delta-expired',
  resyncchangesapplydifferences: 'graph.delta-expired',
  resyncchangesuploaddifferences: 'graph.delta-expired',
  resyncapplydifferences: 'graph.delta-expired',
  resyncuploaddifferences: 'graph.delta-expired',
  authorization_requestdenied: 'graph.access-denied',
  erroraccessdenied: 'graph.access-denied',
  accessdenied: 'graph.access-denied',
  errorfolderexists: 'graph.name-taken',
  namealreadyexists: 'graph.name-taken',
  conflict: 'graph.name-taken',
  resourcemodified: 'graph.precondition-failed',
  invalidrange: 'graph.range-refused',
  fragmentoverlap: 'graph.range-refused',
  resourcelocked: 'graph.locked',
  lockmismatch: 'graph.locked',
  applicationthrottled: 'graph.throttled',
  toomanyrequests: 'graph.throttled',
  activitylimitreached: 'graph.throttled',
  throttledrequest: 'graph.throttled',
  errorcorruptdata: 'graph.corrupt-item',
  errorcannotopenfileattachment: 'graph.corrupt-item',
  errorinternalservertransienterror: 'graph.service-fault',
  generalexception: 'graph.service-fault',
  cannotsnapshottree: 'graph.service-fault',
  quotalimitreached: 'graph.quota-full',
  errorquotaexceeded: 'graph.quota-full',
  quotaexceededexception: 'graph.quota-full',
  malwaredetected: 'graph.malware',
  virussuspicious: 'graph.malware',
  sharingdisabled: 'graph.sharing-refused',
  noresolvedusers: 'graph.sharing-refused',
  notimplemented: 'graph.not-implemented',
};

const STATUS: Readonly<Record<number, GraphErrorCode>> = {
  401: 'graph.token-refused',
  403: 'graph.access-denied',
  404: 'graph.item-gone',
  409: 'graph.name-taken',
  410: 'graph.delta-expired',
  412: 'graph.precondition-failed',
  413: 'graph.too-large',
  416: 'graph.range-refused',
  423: 'graph.locked',
  429: 'graph.throttled',
  501: 'graph.not-implemented',
  507: 'graph.quota-full',
  509: 'graph.throttled',
};

/** Messages that have no code of their own. Nothing else is ever read from a message. */
const NO_DRIVE = ["user's mysite not found", "unable to retrieve user's mysite url", 'tenant does not have a spo license'];
/** An archived site, and one that an administrator has locked, answer 423 with the code of a file that is open. */
const SITE_BLOCKED = 'access to this site has been blocked';
const NO_CHANGE_TRACKING = "parameter 'deltatoken' not supported";

export function codeOfService(serviceCode: string): GraphErrorCode | undefined {
  return CODES[serviceCode.toLowerCase()];
}

export function codeOfStatus(status: number): GraphErrorCode {
  return STATUS[status] ?? (status >= 500 ? 'graph.service-fault' : 'graph.bad-request');
}

export function codeOfMessage(message: string): GraphErrorCode | undefined {
  const text = message.toLowerCase();
  if (text.includes(SITE_BLOCKED)) return 'graph.site-archived';
  if (NO_DRIVE.some((known) => text.includes(known))) return 'graph.drive-missing';
  if (text.includes(NO_CHANGE_TRACKING)) return 'graph.delta-refused';
  return undefined;
}
